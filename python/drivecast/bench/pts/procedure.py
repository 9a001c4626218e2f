"""A test from its beginning or from where it was cut off, kept in a result after every round."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from drivecast.bench.journal import Keep, ended, reason
from drivecast.bench.pts import stretch
from drivecast.bench.pts.evaluation import findings
from drivecast.bench.pts.specification import Choice, Part, Plan, expected_s
from drivecast.bench.pts.steady import WINDOW
from drivecast.bench.pts.stretch import Clock, Tools
from drivecast.bench.target import Progress, Target
from drivecast.document.result import Point, Result


def run(plan: Plan, target: Target, begun: Result, tools: Tools, keep: Keep, update: Progress) -> Result:
    """Run what is not yet there of `plan`; `keep` is given the result after every round, and when it is whole.

    Whatever ends the run early (Ctrl-C, a target that fails) passes through; what was kept last says that it is not
    complete, and why.
    """
    result = begun
    clock = Clock(expected_s(plan)[1], update)
    ends_s = 0.0

    def added(part: Part, points: Sequence[Point], why: str) -> Result:
        whole = _thinned([*result.points, *points], part)
        told = findings(plan, whole, result.targets[0])
        return result.model_copy(update={"points": whole, "partial": why, "findings": told})

    try:
        for part in plan.parts:
            ends_s += expected_s(_only(plan, part))[1]
            past = stretch.stretches(result.points, part)
            if not stretch.finished(result.points, part, plan.span_bytes):
                for points in stretch.run(plan, part, past, target, tools, clock):
                    result = added(part, points, "it is not over")
                    keep(result)
            clock.reach(ends_s)
    except BaseException as error:
        keep(ended(result, reason(error)))
        raise
    return keep(ended(result, None))


def decided_by(choice: Choice, target: str, span_bytes: int) -> dict[str, Any]:
    """All that decides what is measured, for the plan's hash."""
    return {"verb": "pts", "target": target, "span_bytes": span_bytes, **vars(choice)}


def _only(plan: Plan, part: Part) -> Plan:
    return replace(plan, parts=(part,))


def _thinned(points: Sequence[Point], part: Part) -> list[Point]:
    """The points, those of a part's rounds before the last five of its last stretch without their tables.

    A test has a thousand points, and what lies before the measurement window is only looked at by its quantiles.
    """
    last = max((_place(one) for one in points if _round_of(one, part)), default=(0, 0))
    since = (last[0], last[1] - WINDOW)
    return [
        one.model_copy(update={"outcome": {**one.outcome, "seconds": [], "latencies": []}})
        if one.outcome and _round_of(one, part) and _place(one) <= since
        else one
        for one in points
    ]


def _place(point: Point) -> tuple[int, int]:
    return int(point.settings["stretch"]), int(point.settings["round"])


def _round_of(point: Point, part: Part) -> bool:
    return point.settings.get("part") == part.name and "round" in point.settings
