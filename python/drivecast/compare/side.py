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

from drivecast.compare.outcome import check
from drivecast.document import result
from drivecast.document.comparison import Run, Side
from drivecast.document.findings import SteadyState
from drivecast.document.result import Point, Result, Transactions
from drivecast.errors import InputError

ASIDE = frozenset({"repeat", "round", "on"})
"""Settings that number the repeats of a run, or name its target again."""
OTHERS_MAX = 0.05
"""Share of what was measured that others may move on the device without a note."""


def read(path: Path) -> Side:
    """The side that a file holds.

    Raises `InputError` for a file that is neither a result nor an outcome.
    """
    try:
        document = json.loads(path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"cannot read `{path}`: {reason}") from None
    except ValueError as error:
        raise InputError(f"`{path}` is not JSON: {error}") from None
    except RecursionError:
        raise InputError(f"`{path}` is not a document of drivecast: it is nested too deep") from None
    if isinstance(document, dict) and "points" in document:
        return _of_result(str(path), result.read(path))
    run = _of_outcome(str(path), document)
    return Side(
        str(path),
        [run],
        seed=document.get("seed"),
        measured="lag_ns" in document or "target" in document,
    )


def _of_outcome(path: str, document: Any) -> Run:
    check(path, document)
    target = document.get("target")
    return Run(
        target=target["name"] if isinstance(target, dict) else str(document.get("design", path)),
        workload=document.get("workload"),
        settings={},
        outcomes=[document],
        made=isinstance(target, dict) and bool(target.get("made")),
    )


def _of_result(path: str, found: Result) -> Side:
    made = {str(row.get("name")): bool(row.get("made")) for row in found.targets}
    groups: dict[str, list[Point]] = {}
    for point in _counted(path, found):
        if point.outcome is not None or point.transactions is not None:
            groups.setdefault(identity(point), []).append(point)
    if not groups:
        raise InputError(
            f"`{path}` holds no point that was measured{f': {found.partial}' if found.partial else ''}"
        )
    runs = [_of_points(path, points, made=made.get(points[0].target, False)) for points in groups.values()]
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


def _of_points(path: str, points: Sequence[Point], *, made: bool) -> Run:
    first = points[0]
    outcomes = []
    for point in points:
        if point.outcome is not None:
            check(f"{path}: points", point.outcome)
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
        notes=tuple(dict.fromkeys(note for point in points for note in (*point.notes, *_disturbed(point)))),
    )


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
        raise InputError(
            f"`{path}`: steady state was not reached, so there is nothing to compare a "
            "prediction with\nhint: resume the test, or compare with `drivecast bench run` of one workload"
        )
    return [point for point in found.points if _in_window(point, parts.get(str(point.settings.get("part"))))]


def _in_window(point: Point, window: tuple[int, int, int] | None) -> bool:
    settings = point.settings
    if window is None or settings.get("stage") != "round" or settings.get("stretch") != window[0]:
        return False
    return window[1] <= int(settings["round"]) <= window[2]


def _disturbed(point: Point) -> list[str]:
    """What others moved on the device meanwhile, where that is much: it is part of what was measured."""
    noise, outcome = point.noise or {}, point.outcome or {}
    others = sum(noise.get(f"others_{what}_bytes") or 0.0 for what in ("read", "written"))
    own = sum(float(outcome.get(f"host_{what}_bytes") or 0.0) for what in ("read", "written"))
    if others <= OTHERS_MAX * own or not own:
        return []
    return [f"others moved {others / 1e9:,.1f} GB on the device while {own / 1e9:,.1f} GB were measured"]


def _carried(of: Transactions) -> dict[str, Any]:
    """Transactions as an outcome: they are one more kind of request."""
    seconds = [
        {"second": row.get("second", at), "transactions": row.get("per_s")}
        for at, row in enumerate(of.seconds)
    ]
    stream = {"requests": None, "iops": of.per_s, "latency_ns": dict(of.latency_ns)}
    return {
        "iops": of.per_s,
        "read": None,
        "write": None,
        "transaction": stream,
        "seconds": seconds,
        "latencies": [],
    }
