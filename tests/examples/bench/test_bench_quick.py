"""`drivecast bench quick`: what is chosen, how time is shared out, warnings, and the real thing."""

import errno
import json
import os
import signal
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import waiting
from agreed import agreed, agreed_refusals
from bench_engines import Kept
from conftest import PROGRAM, Run
from drivecast.bench.fio import program as fio_program
from drivecast.bench.fio.measure import measure
from drivecast.bench.job import Job
from drivecast.bench.progress import Progress
from drivecast.bench.quick import file_size, runs
from drivecast.bench.quick.quick_run import look
from drivecast.bench.quick.runs import Clock
from drivecast.bench.target import Target
from drivecast.document.result import Point, Processor, Result
from drivecast.present import result_page, result_text
from needs import needs

CAP_BYTES = 100e6
CAP_IOPS = 3000.0


def volume(job: Job, target: Target, _update: Progress) -> Point:
    """A cloud volume: 1 ms, 3,000 requests and 100 MB a second, whatever is asked; commits wait for a flush of 2 ms."""
    depth, size = job.iodepth or 1, int(job.settings.get("block_bytes", runs.PAGE))
    commits = job.flush_every > 0
    iops = min(depth / (3e-3 if commits else 1e-3), CAP_IOPS, CAP_BYTES / size)
    mean = (1e-3 if commits else depth / iops) * 1e9
    share = 0.0 if "read=0)" in job.workload else 0.7 if "0.7" in job.workload else 1.0
    told = {"mean": mean, "q0.5": mean, "q0.95": mean, "q0.99": 2 * mean, "q0.999": 3 * mean}
    outcome: dict[str, Any] = {
        "schema_version": 1,
        "iops": iops,
        "throughput_bytes_per_s": iops * size,
        "duration_s": job.runtime_s,
        "read": {"requests": round(100 * share), "iops": iops * share, "latency_ns": told},
        "write": {"requests": round(100 * (1 - share)), "iops": iops * (1 - share), "latency_ns": told},
        "flush": {"requests": 100, "latency_ns": {"q0.5": 2e6, "q0.99": 4e6, "q0.999": 5e6}}
        if commits
        else {},
        "seconds": [
            {"second": at, "reads": iops if at < 10 else iops / 2, "writes": 0}
            for at in range(round(job.runtime_s))
        ],
    }
    return Point(
        target=target.name,
        settings=dict(job.settings),
        workload=job.workload,
        started="2026-01-01T00:00:00+00:00",
        outcome=outcome,
        processor=Processor(user=0.1, system=0.1, iowait=0.5, steal=0.2),
    )


def quiet(_share: float, _what: str) -> None:
    pass


@pytest.fixture
def looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    needs("fio")
    monkeypatch.setattr(file_size, "BYTES_MAX", file_size.BYTES_MIN)
    kept = Kept()
    result = look(tmp_path, 300, volume, ("io_uring", []), 0, kept.keep, quiet)
    assert [len(stored.points) for stored in kept] == list(range(1, len(result.points) + 1))
    assert not list(tmp_path.iterdir())
    return result


def test_a_volume_with_limits_is_seen_for_what_it_is(looked: Result) -> None:
    found = looked.findings
    assert looked.complete
    knees = {row.series: row for row in found.knees}
    assert knees[runs.READ].depth == pytest.approx(3)  # 3,000 a second × 1 ms
    assert knees[runs.READ].reached
    assert [row.commits_per_s for row in found.commits] == pytest.approx([1000 / 3] * 2)
    assert {row.ratio for row in found.repeats} == {1.0}
    agreed("quick-warnings.txt", "\n".join(found.warnings) + "\n")


def test_a_look_reads_as_a_verdict_in_the_terminal_and_on_the_page(looked: Result) -> None:
    assert "compare fit" in result_text.narrative(looked).plain
    page = result_page.render(looked)
    for figure in ("depth-sweep", "size-sweep", "jitter"):
        assert f'id="figure-{figure}"' in page
    assert "Partial result" not in page
    assert "measured" in page
    cut = looked.model_copy(update={"complete": False, "partial": "3 of 32"})
    assert "Partial result" in result_page.render(cut)
    assert "partial: 3 of 32" in result_text.narrative(cut).plain


def test_runs_share_what_time_is_left() -> None:
    now = [0.0]
    clock = Clock(300, [1.0] * 20 + [6.0], lambda: now[0])
    given: list[float] = []

    def slow_to_start(job: Job, target: Target, _update: Progress) -> Point:
        given.append(job.ramp_s + job.runtime_s)
        now[0] += given[-1] + 5
        return volume(job, target, quiet)

    target = Target(Path("x"), "x", 1, may_write=True, made=True)
    run = clock.timed(slow_to_start)
    for _ in range(21):
        run(Job(runs.READ, 99, iodepth=1), target, quiet)
    assert given[0] == 5.0, "no more than that, whatever time there is"
    assert given[1] == 5.0
    assert given[-1] == 30.0
    assert now[0] <= 300
    # On a machine that takes four times as long, runs are shorter; the end is the same.
    now[0], given[:] = 0.0, []
    clock = Clock(150, [1.0] * 20 + [6.0], lambda: now[0])
    run = clock.timed(slow_to_start)
    for _ in range(21):
        run(Job(runs.READ, 99, iodepth=1), target, quiet)
    assert now[0] <= 151
    assert min(given) >= 0.5


def test_places_that_will_not_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, system = os.open, ["tmpfs"]

    def refusing(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if flags & os.O_DIRECT:
            raise OSError(errno.EINVAL, "Invalid argument")
        return opened(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", refusing)
    monkeypatch.setattr(file_size, "_file_system", lambda _folder: system[0])

    def ext4(free: int = 1 << 40) -> None:
        system[0] = "ext4"
        monkeypatch.setattr(file_size, "free_bytes", lambda _folder: free)
        file_size.chosen(tmp_path, 300)

    missing, memory = (partial(file_size.chosen, place, 300) for place in (tmp_path / "missing", tmp_path))
    tries = [missing, memory, ext4, partial(ext4, 100 << 20)]
    agreed_refusals("quick-places.txt", tries, {str(tmp_path): "FOLDER"})


@pytest.mark.parametrize(
    ("rate", "free", "size"),
    [(1e9, 1 << 40, 4 << 30), (20e6, 1 << 40, 600e6), (1e9, 1 << 30, 1 << 29)],
    ids=["more adds nothing", "by time", "by room"],
)
def test_the_file_is_as_large_as_time_and_room_allow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rate: float, free: int, size: float
) -> None:
    monkeypatch.setattr(file_size, "probe", lambda _folder: rate)
    monkeypatch.setattr(file_size, "free_bytes", lambda _folder: free)
    found = file_size.chosen(tmp_path, 300)
    assert size - (8 << 20) < found.size_bytes <= size
    assert len(found.reasons) == 1 + (size < 1 << 30), "a small file may fit a cache"


@pytest.mark.needs("fio")
def test_libaio_stands_in_where_io_uring_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fio_program, "io_uring_refused", lambda: "EPERM")
    engine, (why,) = fio_program.chosen(None)
    assert (engine, "EPERM" in why) == ("libaio", True)
    assert fio_program.chosen("libaio") == ("libaio", [])


@pytest.mark.needs("fio")
def test_the_real_thing_with_fewer_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_size, "BYTES_MAX", file_size.BYTES_MIN)
    monkeypatch.setattr(runs, "DEPTHS", {runs.READ: (1, 4), runs.WRITE: (1,)})
    monkeypatch.setattr(runs, "SIZES", (64 << 10,))
    monkeypatch.setattr(runs, "AGAIN", ((runs.READ, 4),))
    monkeypatch.setattr(runs, "LONG", 3.0)
    how = fio_program.chosen(None)
    result = look(tmp_path, 1, measure, how, 0, lambda so_far: so_far, quiet)
    assert result.complete
    assert not list(tmp_path.iterdir())
    assert [row.block_bytes for row in result.findings.commits] == list(runs.LOG_SIZES)
    assert all(row.flush_ns_p99 > 0 for row in result.findings.commits)
    assert result.findings.repeats[0].iops_again > 0
    assert result.findings.jitter == [] or result.findings.jitter[0].iops_median > 0


@pytest.mark.needs("fio")
def test_the_real_thing_interrupted_keeps_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    running = subprocess.Popen(
        [str(PROGRAM), "bench", "quick", "disk", "--within", "30", "-o", "q.json"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    waiting.until((tmp_path / "q.json").exists, "the first point is stored")
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=waiting.PATIENCE_S)
    assert running.returncode == 2, told
    result = json.loads((tmp_path / "q.json").read_text())
    assert not result["complete"]
    assert result["findings"]["chosen"]
    assert result["points"][0]["outcome"]["iops"] > 0
    assert "Partial result" in (tmp_path / "q.html").read_text()
    assert not list((tmp_path / "disk").iterdir())


def test_no_fio_is_said_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drivecast: Callable[..., Run]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = drivecast("bench", "quick", tmp_path, cwd=tmp_path)
    assert done.code == 2
    assert "`apt-get install fio`" in done.err
    assert not list(tmp_path.iterdir())


def test_a_result_that_is_there_is_not_overwritten(tmp_path: Path, drivecast: Callable[..., Run]) -> None:
    (tmp_path / "q.json").write_text("mine")
    there = drivecast("bench", "quick", tmp_path, "-o", tmp_path / "q.json")
    assert there.code == 2
    assert "q.json" in there.err
    assert (tmp_path / "q.json").read_text() == "mine"
    both = drivecast("bench", "quick", tmp_path, "-o", tmp_path / "q.html")
    assert both.code == 2
    assert "`-o FILE.json --report FILE.html`" in both.err
