"""One side of a comparison: runs, each of one workload on one place, once or several times.

Read from a result of `drivecast bench` (its points that differ in `repeat` alone are one run;
of a steady-state test, the rounds of its window), or from one
outcome of `drivecast simulate -o` or `drivecast bench replay -o` (a single run).
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from drivecast.bench import reported
from drivecast.document import result
from drivecast.document.attached import on_time
from drivecast.document.comparison import Run, Side
from drivecast.document.findings import SteadyState
from drivecast.document.outcome import Latency, OnTarget, Outcome, Second, Seconds, Stream
from drivecast.document.result import Point, Result, Transactions
from drivecast.errors import HintedError, InputError, first_fault
from drivecast.files import read_text

ASIDE = frozenset({"repeat", "round", "on"})
"""Settings that number the repeats of a run, or name its target again."""
OTHERS_MAX = 0.05
"""Share of what was measured that others may move on the device without a note."""


def read(path: Path) -> Side:
    """The side that a file holds.

    Raises `InputError` for a file that is neither a result, ours or of another program, nor an outcome.
    """
    text = read_text(path)
    if reported.program_of(text) is not None:
        return _of_result(str(path), reported.read(path))
    try:
        document = json.loads(text)
    except ValueError as error:
        raise InputError(f"`{path}` is not JSON: {error}") from None
    except RecursionError:
        raise InputError(f"`{path}` is not a document of drivecast: it is nested too deep") from None
    if isinstance(document, dict) and "points" in document:
        return _of_result(str(path), result.read(path))
    outcome = _outcome(str(path), document)
    target = outcome.target or OnTarget(name=outcome.design or str(path))
    run = Run(
        target.name, outcome.workload, {}, [outcome], made=bool(target.made), notes=tuple(_late(outcome))
    )
    is_measured = outcome.lag_ns is not None or outcome.target is not None or outcome.lateness is not None
    return Side(str(path), [run], seed=outcome.seed, measured=is_measured)


def _late(outcome: Outcome) -> list[str]:
    """Which latencies of an attached design are those of the machine that served it."""
    if outcome.lateness is None or outcome.lateness.on_time:
        return []
    kinds = " and ".join(outcome.lateness.late_for or ())
    return [f"the attached design was not served on time ({kinds}): those latencies are this machine's"]


def _outcome(path: str, document: Any) -> Outcome:
    try:
        return Outcome.model_validate(document)
    except ValidationError as error:
        raise HintedError(
            f"`{path}` is neither a result nor an outcome: {first_fault(error)}",
            "give a file that `drivecast bench … -o` or `drivecast simulate … -o` wrote",
        ) from None


def _of_result(path: str, found: Result) -> Side:
    made = {row.name: bool(row.made) for row in found.targets}
    groups: dict[str, list[Point]] = {}
    for point in _counted(path, found):
        if point.outcome is not None or point.transactions is not None:
            groups.setdefault(identity(point), []).append(point)
    if not groups:
        raise InputError(
            f"`{path}` holds no point that was measured{f': {found.partial}' if found.partial else ''}"
        )
    runs = [_of_points(points, made=made.get(points[0].target, False)) for points in groups.values()]
    return Side(
        path,
        _distinguished(runs),
        seed=found.seed,
        measured=True,
        partial=None if found.complete else found.partial or "it was not finished",
        machine=found.environment,
        hash=found.plan_hash,
    )


def _distinguished(runs: Sequence[Run]) -> list[Run]:
    """The runs with the names of settings that differ between runs of one workload."""
    found = []
    for run in runs:
        others = [other for other in runs if (other.workload, other.target) == (run.workload, run.target)]
        names = [
            name for name in run.settings if len({str(other.settings.get(name)) for other in others}) > 1
        ]
        found.append(replace(run, named=tuple(names)))
    return found


def identity(point: Point) -> str:
    """What the points of one run have in common."""
    settings = {name: value for name, value in point.settings.items() if name not in ASIDE}
    return json.dumps([point.target, point.workload, settings], sort_keys=True)


def _of_points(points: Sequence[Point], *, made: bool) -> Run:
    first = points[0]
    outcomes = []
    for point in points:
        if point.outcome is not None:
            outcomes.append(point.outcome)
        elif point.transactions is not None:
            outcomes.append(_carried(point.transactions))
    return Run(
        target=first.target,
        workload=first.workload,
        settings={name: value for name, value in first.settings.items() if name not in ASIDE},
        outcomes=outcomes,
        started=first.started,
        workload_hash=first.workload_hash,
        span_bytes=first.span_bytes,
        made=made,
        notes=tuple(dict.fromkeys(note for point in points for note in _noted(point))),
    )


def _noted(point: Point) -> list[str]:
    late = "an attached design was not served on time: the transactions are this machine's"
    return [*point.notes, *_disturbed(point), *([] if on_time(point.attached or []) else [late])]


def _counted(path: str, found: Result) -> Sequence[Point]:
    """The points that count: of a steady-state test the rounds of each part's window, of another result all.

    What came before the window is a transition, and preconditioning is no measurement.

    Raises `InputError` where no part reached its steady state.
    """
    if found.kind != "steady-state":
        return found.points
    judged = found.findings.parts if isinstance(found.findings, SteadyState) else []
    parts = {part.part: (part.stretch, *part.window) for part in judged if part.reached and part.window}
    if not parts:
        raise HintedError(
            f"`{path}`: steady state was not reached, so there is nothing to compare a prediction with",
            "resume the test, or compare with `drivecast bench run` of one workload",
        )
    return [point for point in found.points if _in_window(point, parts.get(str(point.settings.get("part"))))]


def _in_window(point: Point, window: tuple[int, int, int] | None) -> bool:
    settings = point.settings
    if window is None or settings.get("stage") != "round" or settings.get("stretch") != window[0]:
        return False
    return window[1] <= int(settings["round"]) <= window[2]


def _disturbed(point: Point) -> list[str]:
    """What others moved on the device meanwhile, where that is much: it is part of what was measured."""
    noise, outcome = point.noise or {}, point.outcome
    others = sum(noise.get(f"others_{what}_bytes") or 0.0 for what in ("read", "written"))
    own = outcome.host_read_bytes + outcome.host_written_bytes if outcome else 0
    if others <= OTHERS_MAX * own or not own:
        return []
    return [f"others moved {others / 1e9:,.1f} GB on the device while {own / 1e9:,.1f} GB were measured"]


def _carried(of: Transactions) -> Outcome:
    """Transactions as an outcome: they are one more kind of request."""
    seconds: list[Second] = [
        {"second": row.get("second", at), "transactions": row.get("per_s", 0.0)}
        for at, row in enumerate(of.seconds)
    ]
    stream = Stream(iops=of.per_s, latency_ns=Latency.model_validate(of.latency_ns))
    return Outcome(iops=of.per_s, transaction=stream, seconds=Seconds(seconds))
