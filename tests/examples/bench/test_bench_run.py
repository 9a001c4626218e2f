"""`drivecast bench run` and `show`: plans, repeats, resuming, and that nothing outlives the program."""

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import waiting
from agreed import agreed_refusals
from bench_engines import Kept
from conftest import PROGRAM, Run
from drivecast.bench.job import Job
from drivecast.bench.journal import begun, unfinished
from drivecast.bench.progress import Progress
from drivecast.bench.run import Plan, depths, findings, run
from drivecast.bench.target import Target
from drivecast.cli.bench.show import show
from drivecast.cli.verb import OutputFormat
from drivecast.document import result as document
from drivecast.document.result import Point, Result
from drivecast.errors import HintedError, InputError
from needs import lacks, needs

Program = Callable[..., Run]
PLAN = Plan("random(4KiB, read=0.5)", ("a",), (1, 8), ramp_s=0, runtime_s=1, repeats=2, size_bytes=1 << 20)
QUICK = ("random(4KiB, read=0.5)", "--size", "16MiB", "--ramp", "0", "--runtime", "1")


@pytest.fixture(autouse=True)
def fio() -> None:
    needs("fio")


def point(job: Job, target: Target, iops: float = 100.0) -> Point:
    side = {"requests": 50, "iops": iops / 2, "latency_ns": {"mean": 1e6, "q0.99": 2e6}}
    outcome = {"iops": iops, "duration_s": 1.0, "read": side, "write": side}
    return Point(
        target=target.name, settings=dict(job.settings), workload=job.workload, started="", outcome=outcome
    )


def empty(plan: Plan) -> Result:
    return begun("run", "t", plan.decides(), plan.seed, {})


def test_the_whole_plan_once_a_repeat_with_a_seed_each(tmp_path: Path) -> None:
    seen: list[tuple[str, Any, int]] = []
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()

    def measure(job: Job, target: Target, _update: Progress) -> Point:
        seen.append((target.name[-1], job.iodepth, job.seed))
        return point(job, target)

    plan = replace(PLAN, on=(str(tmp_path / "x"), str(tmp_path / "y")), seed=5)
    kept = Kept()

    done = run(plan, [], empty(plan), measure, kept.keep, lambda _share, _what: None)
    assert seen == [(on, depth, seed) for seed in (5, 6) for depth in (1, 8) for on in "xy"]
    assert [len(stored.points) for stored in kept] == list(range(1, 9))
    assert [stored.complete for stored in kept] == [False] * 7 + [True]
    assert done.partial is None
    assert [row.repeats for row in done.findings.spread] == [2] * 12
    assert not list(tmp_path.glob("*/*"))


def test_a_target_that_fails_keeps_what_was_measured_and_why(tmp_path: Path) -> None:
    def measure(job: Job, target: Target, _update: Progress) -> Point:
        if len(kept) == 2:
            raise failure
        return point(job, target)

    kept, failure = Kept(), InputError("fio failed\n  the disk is full")
    plan = replace(PLAN, on=(str(tmp_path),))
    with pytest.raises(InputError) as error:
        run(plan, [], empty(plan), measure, kept.keep, lambda _share, _what: None)
    assert error.value is failure
    assert len(kept[-1].points) == 2
    assert not kept[-1].complete
    assert (kept[-1].partial or "").startswith("fio failed ")

    def rest(job: Job, target: Target, _update: Progress) -> Point:
        return point(job, target)

    done = run(plan, [], kept[-1], rest, lambda so_far: so_far, lambda _share, _what: None)
    assert done.complete
    assert [point.settings["repeat"] for point in done.points] == [0, 0, 1, 1]


def test_spread_by_hand() -> None:
    target = Target(Path("/x"), "x", 1, may_write=True, made=True)
    job = PLAN.jobs()[0]
    found = findings([point(job, target, iops) for iops in (100.0, 104.0, 96.0)])
    row = next(row for row in found.spread if row.figure == "iops")
    assert row.mean == 100.0
    assert row.deviation == pytest.approx(4.0)
    assert row.deviation_max == pytest.approx(0.04)
    assert row.within is True
    found = findings([point(job, target, iops) for iops in (100.0, 120.0)])
    assert [row.within for row in found.spread] == [False, True, True]
    assert findings([point(job, target)]).spread[0].within is None


@pytest.mark.parametrize("text", ["", "0", "1,,2", "x", "-1", "70000", "1;2", "٣", "1e3"])
def test_depths_that_are_none(text: str) -> None:
    with pytest.raises(InputError) as error:
        depths(text)
    assert str(error.value).startswith("--iodepth: ")


def test_depths_are_told_once() -> None:
    assert depths("8, 1,8") == (8, 1)
    assert depths(None) == ()


def test_run_show_and_run_again(
    drivecast: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "result.json"
    common = ("bench", "run", *QUICK, "--on", tmp_path, "--iodepth", "1,4", "--repeats", "1", "-o", out)
    told = drivecast(*common)
    assert told.code == 0, told.err
    found = document.read(out)
    assert found.complete
    assert [point.settings["iodepth"] for point in found.points] == [1, 4]
    assert found.environment["kernel"] == os.uname().release
    assert found.environment["fio"].startswith("fio-")
    assert found.targets[0].bytes == 16 << 20
    assert "depth 4" in told.out
    show(out)
    assert told.out == f"{capsys.readouterr().out}  result  {out}\n"
    show(out, output_format=OutputFormat.JSON)
    assert json.loads(capsys.readouterr().out) == json.loads(out.read_text())
    show(out, output_format=OutputFormat.CSV)
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 1 + 2 * 2
    assert rows[0].startswith("target,workload,started,series,iodepth")
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]
    other = drivecast(*common, "--seed", "9")
    assert other.code == 2
    assert "another plan" in other.err
    with pytest.raises(HintedError) as error:
        unfinished(out, found.plan_hash, fresh=False)
    assert "`--fresh`" in error.value.hint


def test_places_that_are_none(tmp_path: Path) -> None:
    def tried(*on: str) -> None:
        plan = replace(PLAN, on=on)
        run(plan, [], empty(plan), failing, lambda so_far: so_far, lambda _share, _what: None)

    places = [(f"{tmp_path}/none",), (str(tmp_path), str(tmp_path)), ("/dev/null",)]
    agreed_refusals("bench-places.txt", [partial(tried, *on) for on in places], {str(tmp_path): "FOLDER"})


def failing(_job: Job, _target: Target, _update: Progress) -> Point:
    raise AssertionError("nothing is measured")


def test_a_system_without_io_uring(tmp_path: Path) -> None:
    wrapper = Path(__file__).parents[2] / "without_io_uring.py"
    argv = [sys.executable, str(wrapper), str(PROGRAM), "bench", "run", *QUICK, "--on", str(tmp_path)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    if done.stderr.startswith("no seccomp"):
        lacks("seccomp", done.stderr)
    assert done.returncode == 2
    assert os.strerror(errno.EPERM) in done.stderr
    assert done.stderr.strip().endswith("`--engine libaio`")


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_runs_on_when_the_program_ends(
    by: signal.Signals, tmp_path: Path, drivecast: Program
) -> None:
    """Ended in its second point: no fio, nothing left in the target or among temporary files, the first point kept."""
    out = tmp_path / "result.json"
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    argv = [
        str(PROGRAM), "bench", "run", *QUICK, "--on", str(tmp_path), "--iodepth", "1,2,3",
        "--repeats", "1", "-o", str(out),
    ]  # fmt: skip
    environment = {**os.environ, "TMPDIR": str(scratch)}
    process = subprocess.Popen(argv, env=environment, stderr=subprocess.PIPE, text=True)
    waiting.until(lambda: out.exists() and _fio(process.pid), "the second run has begun")
    running = _fio(process.pid)
    process.send_signal(by)
    _, said = process.communicate(timeout=waiting.PATIENCE_S)
    waiting.until(
        lambda: not (any(_name(fio) == "fio" for fio in running) or list(scratch.iterdir())),
        f"{running} have ended, and `{scratch}` is empty",
    )
    found = document.read(out)
    assert not found.complete
    assert 1 <= len(found.points) < 3
    if by is signal.SIGTERM:
        assert process.returncode == 2
        assert "interrupted" in said
        assert found.partial.startswith("interrupted after ")
        more = drivecast(*argv[1:])
        assert more.code == 0, more.err
        assert [point.settings["iodepth"] for point in document.read(out).points] == [1, 2, 3]


def _fio(parent: int) -> list[int]:
    """The fio that the supervisor of `parent` runs."""
    supervisors = _children(parent)
    return [child for supervisor in supervisors for child in _children(supervisor) if _name(child) == "fio"]


def _children(parent: int) -> list[int]:
    try:
        found = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in found.split()]


def _name(process: int) -> str:
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""
