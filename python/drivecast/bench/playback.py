"""Replays on several targets in turn, kept as one result that can be gone on with.

A point is one replay on one target. A point that broke off is kept and says so; the same plan plays it again, and goes
on behind the last whole one.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from drivecast import _core
from drivecast.bench import replay
from drivecast.bench.environment import machine
from drivecast.bench.journal import begun, ended, reason, resumed
from drivecast.bench.progress import Course
from drivecast.bench.target import Progress, opened, refuse_twice
from drivecast.document.findings import Setting
from drivecast.document.result import Point, Result, write


@dataclass(frozen=True)
class Plan:
    """What is played, on what, how often."""

    workload: str
    on: tuple[str, ...]
    options: replay.Options
    repeats: int = 1
    size_bytes: int | None = None
    """Of a file that is made; none: what the trace reaches."""
    destroy: tuple[str, ...] = ()
    """Full names of targets that may be overwritten."""

    def decides(self) -> dict[str, Any]:
        """All that decides what is measured."""
        told = asdict(self)
        del told["destroy"]
        return told


def play(plan: Plan, load: _core.Workload, *, out: Path | None, fresh: bool, update: Progress) -> Result:
    """Play `load` by `plan`, written to `out` after each point; not complete where a run broke off.

    Raises `InputError` where a target cannot be used, or `out` holds something else.
    """
    refuse_twice(plan.on, "\nhint: `--repeats` plays it more often")
    load = replay.prepared(load, plan.options)
    result = resumed(out, _begun(plan), fresh=fresh)
    whole = [one for one in result.points if not (one.outcome or {}).get("partial")]
    result = result.model_copy(update={"points": whole, "partial": None})
    wanted = [(on, repeat) for on in plan.on for repeat in range(1, plan.repeats + 1)]
    names = {row["name"]: row["on"] for row in result.targets}
    done = {(names[one.target], one.settings["repeat"]) for one in whole}
    left = [one for one in wanted if one not in done]
    length_s = replay.expected_s(load, plan.options)
    course = Course([length_s if length_s < float("inf") else 60.0] * len(wanted), len(done), update)
    try:
        for on in dict.fromkeys(on for on, _repeat in left):
            repeats = [repeat for name, repeat in left if name == on]
            for point, row in _on(plan, load, on, repeats, course):
                result = _with(result, point, row)
                if out is not None:
                    write(out, result)
                if result.partial:
                    return result
    except KeyboardInterrupt as error:  # between two runs; within one, it ends the run
        result = ended(result, reason(error))
    else:
        result = ended(result, None)
    if out is not None:
        write(out, result)
    return result


def _on(
    plan: Plan, load: _core.Workload, on: str, repeats: list[int], course: Course
) -> Iterator[tuple[Point, dict[str, Any]]]:
    """The points of one target, which is opened once, each with what is told of it."""
    with opened(
        on,
        need_bytes=replay.need_bytes(load, plan.size_bytes),
        writes=load.writes,
        destroy=on if on in plan.destroy else next(iter(plan.destroy), None),
        update=course.of(f"on {on}"),
    ) as target:
        row = {**target.row(on), "on": on}
        for repeat in repeats:
            settings: dict[str, Setting] = {"repeat": repeat}
            update = course.of(f"on {on}")
            yield replay.point(load, target, plan.options, update, text=plan.workload, settings=settings), row
            course.done()


def _begun(plan: Plan) -> Result:
    title = f"{plan.workload} played on {', '.join(plan.on)}"
    return begun("replay", title, plan.decides(), plan.options.seed, machine())


def _with(result: Result, point: Point, row: dict[str, Any]) -> Result:
    """The result with one more point, and its target where it is new; partial where the point is."""
    broken = (point.outcome or {}).get("partial")
    known = [one for one in result.targets if one["name"] != row["name"]]
    more = result.model_copy(update={"points": [*result.points, point], "targets": [*known, row]})
    return ended(more, f"`{row['name']}`: {broken}") if broken else more
