"""A test from its beginning or from where it was cut off, stored after every round."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from drivecast import _core
from drivecast.bench.environment import machine
from drivecast.bench.journal import Journal, Store, begun
from drivecast.bench.progress import Countdown, Progress
from drivecast.bench.pts import pts_run, specification
from drivecast.bench.pts.evaluation import findings
from drivecast.bench.pts.pts_run import Tools
from drivecast.bench.pts.specification import SPAN_BYTES_MIN, TITLES, Choice, Part, Plan, expected_s, planned
from drivecast.bench.pts.steady import WINDOW
from drivecast.bench.target import Target
from drivecast.document.outcome import LatencyHistogram, Seconds
from drivecast.document.result import Point, Result
from drivecast.errors import HintedError
from drivecast.quantity import number


def run(plan: Plan, target: Target, result: Result, tools: Tools, store: Store, update: Progress) -> Result:
    """Run what is not yet there of `plan`; `store` is given the result after every round, and when it is complete.

    Whatever ends the run early (Ctrl-C, a target that fails) passes through; what was stored last states that it is
    partial, and why.
    """
    countdown = Countdown(expected_s(plan)[1], update, bound="at most ")
    journal = Journal(result, store, lambda points: findings(plan, points, result.targets[0]))
    ends_s = 0.0
    with journal.measuring():
        for part in plan.parts:
            ends_s += expected_s(replace(plan, parts=(part,)))[1]
            past = pts_run.stretches(journal.points, part)
            if not pts_run.finished(journal.points, part, plan.span_bytes):
                for points in pts_run.run(plan, part, past, target, tools, countdown):
                    journal.replace(_thinned([*journal.points, *points], part))
                    store(journal.result)
            countdown.skip_to(ends_s)
    return journal.end()


def decided_by(choice: Choice, on: str, span: int) -> dict[str, Any]:
    """Return all that decides what is measured, for the plan's hash."""
    return {"verb": "pts", "target": on, "span_bytes": span, **vars(choice)}


def begun_by(plan: Plan, choice: Choice, target: Target, on: str, fio: str) -> Result:
    """Return a result without points."""
    name = f"{TITLES[plan.test]} of {target.name}"
    rules = specification.SPECIFICATION
    title = f"quick {name}, not {rules}" if plan.quick else f"{name}, {rules}"
    row = {**target.row(on), "kind": "device" if Path(on).is_block_device() else "file"}
    decided = decided_by(choice, on, plan.span_bytes)
    return begun("steady-state", title, decided, plan.seed, {**machine(), "fio": fio}, row)


def plan_of(choice: Choice, span: int, target: Target) -> Plan:
    """Return the plan for a target, whose sectors limit the blocks."""
    return planned(choice, span, _core.target_size(target.path)[1])


def whole_bytes(on: str, size_bytes: int | None, *, quick: bool) -> int:
    """Return how large the target is, or is made."""
    path = Path(on)
    if path.is_dir():
        return size_bytes or (1 << 30 if quick else 8 << 30)
    if size_bytes is not None:
        raise HintedError(
            "`--size` is of a file that is made in a directory",
            "`--active-range` takes a part of an existing file or device",
        )
    # A missing target is reported where it is opened.
    return _core.target_size(path)[0] if path.exists() else 0


def span_bytes(whole: int, active_range: float, on: str, *, quick: bool) -> int:
    """Return how much of the target is tested: whole MiB, since blocks are up to that large."""
    span = int(whole * active_range / 100) >> 20 << 20
    if quick and active_range == 100:
        span = min(span, specification.QUICK_SPAN_BYTES)
    if whole and span < SPAN_BYTES_MIN:
        raise HintedError(
            f"`{on}`: the active range is {span / (1 << 20):.0f} MiB, expected at least {SPAN_BYTES_MIN >> 20} MiB",
            "a larger `--size`, target or `--active-range`",
        )
    return span


def announced(plan: Plan, past: Result | None) -> str:
    """Return what is about to be run, and how long it takes."""
    low, high = expected_s(plan)
    cells = sum(len(part.cells) for part in plan.parts)
    rules = "not SNIA PTS" if plan.quick else "SNIA PTS"
    size = number.binary_size(plan.span_bytes)
    what = f"{TITLES[plan.test]}, {rules}: {size}, {cells} cell{'s' * (cells > 1)} of {plan.step_s:g} s"
    takes = f"{number.duration(low)} to {number.duration(high)}" if low < high else number.duration(high)
    passes = any(part.passes for part in plan.parts)
    assumed = ", with preconditioning at an assumed 500 MB/s" if passes else ""
    return f"{what}; takes {takes}{assumed}{f'; resumes after {len(past.points)} points' if past else ''}"


def _thinned(points: Sequence[Point], part: Part) -> list[Point]:
    """The points, those of a part's rounds before the last five of its last stretch without their tables.

    A test has a thousand points, and what lies before the measurement window is only looked at by its quantiles.
    """
    places = [
        (int(point.settings["stretch"]), int(point.settings["round"]))
        if point.settings.get("part") == part.name and "round" in point.settings
        else None
        for point in points
    ]
    last = max(filter(None, places), default=(0, 0))
    since = (last[0], last[1] - WINDOW)
    no_tables = {"seconds": Seconds([]), "latencies": LatencyHistogram([])}
    return [
        point.model_copy(update={"outcome": point.outcome.model_copy(update=no_tables)})
        if point.outcome and place and place <= since
        else point
        for point, place in zip(points, places, strict=True)
    ]
