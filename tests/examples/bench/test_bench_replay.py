"""Replays on files of this machine: what is played, what is kept, and what ends early."""

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import waiting
import without_io_uring
from agreed import agreed_refusals
from block_devices import MIB, loop, mounted
from conftest import PROGRAM, Run
from drivecast import _core, catalog
from drivecast.bench.job import Job
from drivecast.bench.replay import Options, Plan, begun_by, measure, play
from drivecast.bench.target import opened
from drivecast.compare import comparison_side
from drivecast.compare.predict import Conditions, predict
from drivecast.document.outcome import Outcome
from drivecast.document.result import Result, read, write
from drivecast.errors import InputError, NoRoomError
from drivecast.present import result_text
from drivecast.stage.simulate import workload
from drivecast.stage.trace import Reading
from needs import lacks

Drivecast = Callable[..., Run]

COLUMNS = "time=ts:us,op=type:R/W,offset=lba:1,size=len:1,latency=lat:us"
LINE = "random(4KiB, read=0.5, rate=500iops)"


def trace(folder: Path, rows: list[tuple[int, str, int, int, int]], columns: str = COLUMNS) -> _core.Workload:
    """A trace of rows: time in us, R or W, offset, size, latency in us."""
    path = folder / "trace.csv"
    path.write_text("ts,type,lba,len,lat\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    return workload(str(path), reading=Reading(csv=columns))


def test_a_result_tells_what_was_played_and_how_exactly(drivecast: Drivecast, tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    words = ("bench", "replay", LINE, "--on", tmp_path, "--size", "16MiB", "--duration", "0.5", "-o", out)
    done = drivecast(*words)
    assert done.code == 0, done.err
    result = read(out)
    assert (result.kind, result.complete, result.partial) == ("replay", True, None)
    (point,) = result.points
    assert point.lag_ns == point.outcome.lag_ns
    assert point.workload == LINE
    workload(point.workload)
    assert point.processor is not None
    assert result.environment["kernel"] == os.uname().release
    assert result.targets[0].bytes == 16 * MIB
    playback, read_, write = point.outcome.playback, point.outcome.read, point.outcome.write
    requests = read_.requests + write.requests
    mean = point.outcome.latency_ns_mean()
    assert playback.response_time_ns_mean == pytest.approx(mean)
    assert playback.service_time_ns_mean == pytest.approx(playback.busy_s / requests * 1e9)
    assert playback.busy_s <= point.outcome.duration_s
    assert point.outcome.latency("read", "q0.99999")
    again = drivecast(*words)
    assert (again.code, str(out) in again.err) == (2, True)
    (row,) = result_text.replay_rows(result)
    assert row["read.latency_ns.q0.99"] == point.outcome.latency("read", "q0.99")
    assert result_text.replays(result) in done.out


def played(load: _core.Workload, *on: Path, repeats: int = 1, size: int = 8 * MIB, **options: Any) -> Result:
    """A plan, played without the program."""
    plan = Plan("it", tuple(map(str, on)), Options(**options), repeats=repeats, size_bytes=size)
    return play(plan, load, begun_by(plan), lambda _result: None, lambda _share, _what: None)


def outcome(result: Result) -> Outcome:
    """What was measured of the only point."""
    (point,) = result.points
    assert point.outcome is not None
    return point.outcome


def test_targets_are_played_in_turn_and_repeatedly(tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("one", "two")]
    for place in places:
        place.mkdir()
    result = played(workload(LINE), *places, repeats=2, duration_s=0.1)
    done = [(point.target, point.settings["repeat"]) for point in result.points]
    assert done == [(target.name, repeat) for target in result.targets for repeat in (1, 2)]
    assert all(target.name.endswith(str(on)) for target, on in zip(result.targets, places, strict=True))


def test_the_recording_is_played_packed_and_in_its_own_depth(tmp_path: Path, recording: Path) -> None:
    load = workload(str(recording))
    packed = load.recast(region_bytes=MIB)
    assert load.span_bytes is not None
    assert packed.span_bytes is not None
    assert packed.span_bytes < load.span_bytes
    assert packed.written_bytes == load.written_bytes
    moved = {"pack": True, "wrap": True, "size": 64 * MIB, "requests": 2000}
    assert outcome(played(load, tmp_path, own_depth=True, **moved)).completed == 2000
    assert outcome(played(load, tmp_path, speedup=20, **moved)).completed == 2000


def test_idle_time_is_cut_and_the_trace_scaled(tmp_path: Path) -> None:
    load = trace(tmp_path, [(second * 2_000_000, "R", 4096 * second, 4096, 100) for second in range(10)])

    def length_s(**options: Any) -> float:
        found = outcome(played(load, tmp_path, **options))
        assert found.read.requests == 10
        return float(found.duration_s)

    assert 0.22 < length_s(idle_s=0.025) < 1
    assert 0.36 < length_s(speedup=50) < 1
    assert length_s(own_depth=True) < 1


def test_a_prediction_plays_what_was_played(tmp_path: Path) -> None:
    far = 1 << 40
    load = trace(tmp_path, [(second * 2_000_000, "R", second * far // 10, 4096, 100) for second in range(10)])
    words = str(tmp_path / "trace.csv")
    design = "ssd(logical=1GiB, physical=1280MiB)"
    for options in ({"own_depth": True}, {"idle_s": 0.025}, {"idle_s": 0.0, "requests": 4}):
        out = tmp_path / "result.json"
        plan = Plan(words, (str(tmp_path),), Options(pack=True, **options))
        play(plan, load, begun_by(plan), partial(write, out), lambda _share, _what: None)
        given = Conditions(catalog.load(), reading=Reading(csv=COLUMNS), corners=False)
        (found,) = predict(comparison_side.read(out), design, given, lambda _share, _what: None)
        (measured,), (simulated,) = (point.outcome for point in read(out).points), found.run.outcomes
        assert simulated.read.requests == measured.read.requests
        assert simulated.duration_s < 1, "the trace's own 18 s were not waited for"


def test_a_trace_that_is_larger_than_the_target_is_refused_or_moved(tmp_path: Path) -> None:
    load = trace(tmp_path, [(at * 100, "R", at * 64 * MIB, 4096, 50) for at in range(50)])
    with pytest.raises(NoRoomError) as error:
        played(load, tmp_path, size=64 * MIB)
    assert (error.value.needed_bytes, error.value.free_bytes) == (49 * 64 * MIB + 4096, 64 * MIB)
    for moved in ({"wrap": True}, {"pack": True}):
        found = outcome(played(load, tmp_path, size=64 * MIB, **moved))
        assert found.read.requests == 50


def test_bad_words_are_refused(drivecast: Drivecast, tmp_path: Path) -> None:
    silent = trace(tmp_path, [(0, "R", 0, 4096, 10)], columns=COLUMNS.rpartition(",")[0])
    tries = [
        partial(played, silent, tmp_path, own_depth=True),
        partial(played, workload(LINE), tmp_path, pack=True),
        partial(played, workload(LINE), tmp_path, idle_s=0.025),
    ]
    agreed_refusals("replay-options.txt", tries)
    for words, reason in (
        (("--iodepth", "4", "--as-fast-as-possible"), "--as-fast-as-possible"),
        (("--idle", "soon"), "--idle"),
        (("-o", tmp_path / "no" / "where.json"), "where.json"),
    ):
        done = drivecast("bench", "replay", LINE, *words, "--on", tmp_path, "--duration", "0.1")
        assert done.code == 2, words
        assert reason in done.err, (words, done.err)


def test_a_full_disk_ends_the_run_and_what_was_measured_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    with loop(tmp_path, 64 * MIB) as (device, _file), mounted(device, tmp_path) as place:
        sparse = place / "sparse"
        with sparse.open("wb") as handle:
            handle.truncate(24 * MIB)
        # In a process of its own, with which all its handles go: the file system is unmounted behind it.
        line = "random(64KiB, read=0, rate=100iops)"
        words = ("--on", sparse, "--destroy", sparse, "--duration", "20", "-o", out)
        with subprocess.Popen(
            [PROGRAM, "bench", "replay", line, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            waiting.until(lambda: sparse.stat().st_blocks * 512 > 20 * 64 * 1024, "the first writes")
            # Somebody else takes what is left, when the file has been judged.
            subprocess.run(
                ["dd", "if=/dev/zero", f"of={place}/other", "bs=64k"], capture_output=True, check=False
            )
            printed, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert os.strerror(errno.ENOSPC) in said
    assert str(out) in said
    assert "ended early" in printed
    result = read(out)
    assert not result.complete
    assert result.partial is not None
    assert os.strerror(errno.ENOSPC) in result.partial
    assert result.points[0].outcome.completed > 10


def test_a_target_that_disappears_ends_the_run(tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    with loop(tmp_path, 64 * MIB) as (device, file):
        words = ("random(4KiB, rate=500iops, read=1)", "--on", device, "--duration", "30", "-o", out)
        process = subprocess.Popen(
            [PROGRAM, "bench", "replay", *words], stdout=-3, stderr=subprocess.PIPE, text=True
        )
        waiting.until(lambda: _reads(device) >= 100 or process.poll() is not None, "the target is read")
        os.truncate(file, 0)
        _none, told = process.communicate(timeout=waiting.PATIENCE_S)
    assert process.returncode == 2, told
    assert "fault of drivecast" not in told
    result = read(out)
    assert result.partial is not None
    assert result.points[0].outcome.duration_s < 25


def _reads(device: str) -> int:
    return int(Path("/sys/block", Path(device).name, "stat").read_text().split()[0])


def test_an_interrupted_run_keeps_what_it_measured_and_is_gone_on_with(
    drivecast: Drivecast, tmp_path: Path
) -> None:
    out = tmp_path / "result.json"
    words = (
        "bench",
        "replay",
        LINE,
        "--on",
        tmp_path,
        "--size",
        "8MiB",
        "--duration",
        "1",
        "--repeats",
        "2",
        "-o",
        out,
    )
    process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=-3, stderr=subprocess.PIPE, text=True)
    waiting.until(out.exists, "the first run is stored")
    process.send_signal(signal.SIGINT)
    _none, told = process.communicate(timeout=waiting.PATIENCE_S)
    assert process.returncode == 2
    assert "interrupted" in told
    assert "fault of drivecast" not in told
    result = read(out)
    assert not result.complete
    assert result.partial is not None
    assert "interrupted" in result.partial
    outcomes = [point.outcome for point in result.points if point.outcome]
    assert outcomes[0].partial is None
    # The signal may also come between the two runs.
    assert [(outcome.partial, outcome.duration_s < 1) for outcome in outcomes[1:]] in (
        [("interrupted", True)],
        [],
    )
    assert drivecast(*words).code == 0
    whole = read(out)
    assert (whole.complete, whole.partial, len(whole.points)) == (True, None, 2)
    assert whole.points[0] == result.points[0], "what was whole is not measured again"


def test_without_io_uring_it_says_what_to_do(tmp_path: Path) -> None:
    words = [PROGRAM, "bench", "replay", LINE, "--on", tmp_path, "--size", "8MiB", "--duration", "1"]
    command = [sys.executable, without_io_uring.__file__, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.stderr.startswith("no seccomp"):
        lacks("seccomp", done.stderr)
    assert done.returncode == 2
    assert os.strerror(errno.EPERM) in done.stderr
    assert "kernel.io_uring_disabled" in done.stderr


def test_the_replayer_measures_jobs_as_fio_does(tmp_path: Path) -> None:
    job = Job("random(4KiB, read=1)", runtime_s=0.3, ramp_s=0.1, iodepth=4, settings={"iodepth": 4})
    with opened(
        str(tmp_path), need_bytes=8 * MIB, writes=True, destroy=None, update=lambda *_: None
    ) as target:
        point = measure(job, target, lambda _share, _what: None)
        with pytest.raises(InputError) as error:
            measure(Job("random(4KiB)", runtime_s=1, engine="psync"), target, lambda *_: None)
    assert "io_uring" in str(error.value)
    assert point.settings["iodepth"] == 4
    assert point.outcome.queue_depth_mean == pytest.approx(4, rel=0.05)
    assert point.outcome.duration_s == pytest.approx(0.3, abs=0.05)
    assert point.workload is not None
    workload(point.workload)
    json.dumps(point.model_dump(mode="json"), allow_nan=False)
