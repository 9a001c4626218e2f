"""fio, really run: what comes out of it, and what is said when it fails."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from agreed import agreed, agreed_refusals
from drivecast.bench.fio import job_file, measure
from drivecast.bench.fio import program as fio_program
from drivecast.bench.fio.measure import LostError, disturbed
from drivecast.bench.fio.workload import played
from drivecast.bench.job import Job
from drivecast.bench.target import Target, opened
from drivecast.errors import InputError
from needs import needs

MIB = 1 << 20


def silent(_share: float, _what: str) -> None:
    """No progress."""


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Target]:
    needs("fio")
    with opened(str(tmp_path), need_bytes=32 * MIB, writes=True, destroy=None, update=silent) as made:
        yield made


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of the search path, for an fio of our own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def pretend(folder: Path, said: str, engines: str = "io_uring", run: str = "exit 1") -> None:
    script = f"""#!/bin/sh
case "$1" in
--version) echo {said} ;;
--enghelp) echo "Available IO engines:"; echo "{engines}" ;;
--cmdhelp=*) echo "${{1#--cmdhelp=}}: it is known" ;;
*) {run} ;;
esac
"""
    (folder / "fio").write_text(script)
    (folder / "fio").chmod(0o755)


def test_a_mixed_load_conserves_and_keeps_its_depth(target: Target) -> None:
    shares = []
    job = Job("random(4KiB, read=0.5)", runtime_s=2, ramp_s=0.5, iodepth=4, settings={"repeat": 1}, seed=3)
    point = measure(job, target, lambda share, _what: shares.append(share))
    found = point.outcome
    assert point.workload == "random(4KiB, read=0.5, iodepth=4)"
    assert point.settings == {"repeat": 1}
    assert found.completed == found.read.requests + found.write.requests > 0
    assert found.read.requests == pytest.approx(found.requests / 2, rel=0.1)
    assert found.host_read_bytes + found.host_written_bytes == pytest.approx(found.requests * 4096, abs=1e5)
    assert sum(row["reads"] for row in found.seconds) == found.read.requests
    assert sum(row["written_bytes"] for row in found.seconds) == found.host_written_bytes
    assert found.queue_depth_mean == pytest.approx(4, rel=0.1)
    assert found.littles_law_error < 0.1
    assert shares == sorted(shares)
    assert len(shares) > 5
    assert point.processor is not None


@pytest.mark.parametrize(("line", "kept"), [("random(4KiB, read=0.5)", 3), ("sequential(64KiB, read=1)", 4)])
def test_a_depth_of_three_is_told_as_it_was_kept(target: Target, line: str, kept: int) -> None:
    # fio's io_uring rounds a depth up to a power of two, without a word.
    point = measure(Job(line, runtime_s=1, ramp_s=0.2, iodepth=3), target, silent)
    assert f"iodepth={kept})" in (point.workload or "")
    assert point.outcome.queue_depth_mean == pytest.approx(kept, rel=0.12)
    assert point.outcome.littles_law_error < 0.12


def test_threads_in_order_go_through_parts_of_their_own(target: Target) -> None:
    job = Job("sequential(64KiB, read=0)", runtime_s=5, threads=2, iodepth=2, bytes_at_most=16 * MIB)
    point = measure(job, target, silent)
    assert point.outcome.host_written_bytes == 16 * MIB
    assert point.outcome.duration_s < 5


def test_flushes_are_told_apart(target: Target) -> None:
    point = measure(Job("random(4KiB, read=0)", runtime_s=1, flush_every=4), target, silent)
    flushes, writes = (point.outcome.stream(op).requests for op in ("flush", "write"))
    assert flushes == pytest.approx(writes / 4, rel=0.2)
    assert point.outcome.latency("flush", "mean") > 0


def test_a_rate_is_kept_and_its_blind_spot_told(target: Target) -> None:
    # A stall of the machine's own storage may spoil one of three.
    for _ in range(3):
        point = measure(Job("random(4KiB, rate=200iops)", runtime_s=1), target, silent)
        if not point.outcome.saturated:
            break
    assert not point.outcome.saturated
    assert point.outcome.iops == pytest.approx(200, rel=0.1)
    assert any("was due" in note for note in point.notes)
    point = measure(Job("random(4KiB, read=0, rate=2000kiops)", runtime_s=1), target, silent)
    assert point.outcome.saturated


def test_the_job_file_of_a_line() -> None:
    job = Job(
        "hotcold(3 * 4KiB, 64KiB, read=0.7, span=50%)", 60, 5, iodepth=8, threads=3, flush_every=2, seed=4
    )
    written = job_file.write(job, played(job, 1 << 30), "/dev/sdx", lambda _option: True)
    assert written.text == (
        "[global]\nfilename=/dev/sdx\nioengine=io_uring\ndirect=1\nthread\nnorandommap\nallow_file_create=0\n"
        "randseed=5\ntime_based\nruntime=60000ms\nramp_time=5000ms\nfdatasync=2\nnumjobs=3\nlat_percentiles=1\n"
        "log_avg_msec=1000\nlog_max_value=1\nwrite_lat_log=log\nwrite_hist_log=log\nlog_hist_msec=1000\n"
        "per_job_logs=1\n\n[line]\nrw=randrw\nrwmixread=70\nbssplit=4k/75:64k/25\nblockalign=4k\noffset=0\n"
        "size=512m\nrandom_distribution=zoned_abs:80/104856k:20/419432k\niodepth=8\n"
    )
    assert played(job, 1 << 30).text == (
        "hotcold(3 * 4KiB, 64KiB, hot=0.2, share=0.8, read=0.7, iodepth=24, placement=contiguous, span=0.5, "
        "align=4KiB)"
    )


def test_what_an_old_fio_does_not_know_is_left_out() -> None:
    job = Job("random(4KiB)", 60)
    written = job_file.write(job, played(job, 1 << 30), "x", lambda option: option != "write_hist_log")
    assert "log" not in written.text
    assert len(written.notes) == 1 + len(written_by(job).notes)


def written_by(job: Job) -> job_file.Written:
    return job_file.write(job, played(job, 1 << 30), "x", lambda _option: True)


def test_the_words_of_notes() -> None:
    notes = [
        *written_by(Job("sequential(64KiB, read=1)", 1, iodepth=3)).notes,
        *written_by(Job("sequential(64KiB, read=0)", 5, threads=2, iodepth=2)).notes,
        *written_by(Job("random(4KiB)", 10_000_000, threads=64)).notes,
        *disturbed({"processor_pressure": 0.9}),
    ]
    agreed("fio-notes.txt", "\n".join(notes) + "\n")
    assert disturbed({"processor_pressure": 0.1}) == disturbed({}) == [], "a quiet machine is no note"


def test_an_fio_that_will_not_do(fake: Path) -> None:
    def asked(said: str, engines: str = "io_uring") -> None:
        fio_program._printed.cache_clear()
        pretend(fake, said, engines)
        if said == "no program":
            (fake / "fio").write_text(said)
        fio_program.found("io_uring")

    tries = [
        partial(fio_program.found, "io_uring"),
        partial(asked, "fio-2.99"),
        partial(asked, "fio-2.1.10"),
        partial(asked, "nonsense"),
        partial(asked, "fio-3.1", "libaio"),
        partial(asked, "no program"),
    ]
    agreed_refusals("fio-programs.txt", tries, {str(fake): "BIN"})


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("echo 'fio: io_u error on file /x: No space left on device'; exit 1", "hint: free some room"),
        (
            "echo 'fio: pid=1, err=5/file:io_u.c, error=Input/output error' >&2; exit 1",
            "`: Input/output error\n",
        ),
        ("echo 'fio: queue_init: Operation not permitted'; exit 1", "`--engine libaio`"),
        ("echo 'fio: pid=1, err=5/file:io_u.c, error=Input/output error' >&2; exit 1", "`dmesg`"),
        ("kill -SEGV $$", "exit code 139"),
        ("echo junk > report.json", "fio's JSON cannot be read"),
        ("exit 0", "fio's JSON cannot be read"),
        (
            """echo '{"fio version": "x", "jobs": [{"jobname": "j", "error": 28}]}' > report.json""",
            "exit code 0",
        ),
        ("""echo '{"fio version": "x", "jobs": [{"jobname": "j"}]}' > report.json""", "completed nothing"),
    ],
)
def test_a_failing_fio_is_told_in_its_own_words(fake: Path, tmp_path: Path, run: str, words: str) -> None:
    pretend(fake, "fio-3.33", run=run)
    before = set(Path("/proc/self/fd").iterdir())
    with opened(str(tmp_path), need_bytes=8 * MIB, writes=True, destroy=None, update=silent) as place:
        with pytest.raises(InputError) as caught:
            measure(Job("random(4KiB)", 1), place, silent)
        assert words in str(caught.value)
        if "fio: " in run:
            assert run.split("'")[1] in str(caught.value)
    assert set(Path("/proc/self/fd").iterdir()) == before


def test_what_cannot_be_played_on_the_target() -> None:
    lines = (
        "random(64MiB)",
        "random(4KiB, trim=1)",
        "some/trace.blktrace",
        "random(4KiB, raed=1)",
        "missing.toml",
    )
    agreed_refusals("fio-unplayed.txt", [partial(played, Job(line, 1), 32 * MIB) for line in lines])


@pytest.mark.needs("fio")
def test_a_target_that_is_gone_or_only_read(tmp_path: Path) -> None:
    gone = Target(tmp_path / "gone", "gone", 8 * MIB, may_write=True, made=False)
    with pytest.raises(LostError):
        measure(Job("random(4KiB)", 1), gone, silent)
    there = tmp_path / "a:b, $x #y"
    there.write_bytes(bytes(8 * MIB))
    only_read = Target(there, "there", 8 * MIB, may_write=False, made=False)
    with pytest.raises(InputError) as error:
        measure(Job("random(4KiB, read=0.9)", 1), only_read, silent)
    assert "`there`" in str(error.value)
    assert not isinstance(error.value, LostError)
    point = measure(Job("random(4KiB)", 0.5), only_read, silent)
    assert point.outcome.read.requests > 0
    os.truncate(there, MIB)
    with pytest.raises(LostError):
        measure(Job("random(4KiB)", 0.5), only_read, silent)


@pytest.mark.needs("fio")
def test_a_file_that_is_cut_while_it_is_read(tmp_path: Path) -> None:
    """fio itself says nothing: behind the end it reads nothing, very fast."""
    there = tmp_path / "file"
    there.write_bytes(os.urandom(8 * MIB))
    place = Target(there, "there", 8 * MIB, may_write=False, made=False)
    cut = iter([lambda: os.truncate(there, MIB)])
    with pytest.raises(LostError):
        measure(Job("random(4KiB)", 1), place, lambda _share, _what: next(cut, int)() and None)
    assert there.stat().st_size == MIB
