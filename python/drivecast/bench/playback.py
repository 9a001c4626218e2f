"""Replays on several targets in turn, stored as one result that can be resumed.

A point is one replay on one target. A replay that ended early is stored and says so; the same plan plays it again.
"""

from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import Any

from drivecast import _core
from drivecast.bench import replay
from drivecast.bench.environment import machine
from drivecast.bench.journal import Journal, Store, begun
from drivecast.bench.progress import Countdown, Progress
from drivecast.bench.target import Target, opened, refuse_twice
from drivecast.document.findings import Setting
from drivecast.document.result import Result

UNKNOWN_S = 60.0
"""Assumed for progress, where the length of a replay is unknown."""


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
        return {name: value for name, value in asdict(self).items() if name != "destroy"}


def play(plan: Plan, load: _core.Workload, result: Result, store: Store, update: Progress) -> Result:
    """Play `load` by `plan`, stored after each point; the result is partial where a run ended early.

    Raises `InputError` where a target cannot be used.
    """
    refuse_twice(plan.on, "\nhint: `--repeats` plays it more often")
    load = replay.prepared(load, plan.options)
    journal = Journal(result, store, planned=len(plan.on) * plan.repeats)
    journal.replace([point for point in result.points if not (point.outcome and point.outcome.partial)])
    names = {row.name: row.on for row in result.targets}
    done = {(names[point.target], point.settings["repeat"]) for point in journal.points}
    length_s = replay.expected_s(load, plan.options)
    length_s = length_s if length_s < float("inf") else UNKNOWN_S
    countdown = Countdown(length_s * len(plan.on) * plan.repeats, update, done_s=length_s * len(done))
    with journal.measuring():
        for on in plan.on:
            left = [repeat for repeat in range(1, plan.repeats + 1) if (on, repeat) not in done]
            if not left:
                continue
            with _opened(plan, load, on, countdown.step(0.0, f"on {on}")) as target:
                journal.add_target({**target.row(on), "on": on})
                for repeat in left:
                    report = countdown.step(length_s, f"on {on}")
                    settings: dict[str, Setting] = {"repeat": repeat}
                    point = replay.point(
                        load, target, plan.options, report, text=plan.workload, settings=settings
                    )
                    journal.add(point)
                    if reason := point.outcome and point.outcome.partial:
                        return journal.end(f"`{target.name}`: {reason}")
    return journal.end()


def _opened(plan: Plan, load: _core.Workload, on: str, update: Progress) -> AbstractContextManager[Target]:
    return opened(
        on,
        need_bytes=replay.need_bytes(load, plan.size_bytes),
        writes=load.writes,
        destroy=on if on in plan.destroy else next(iter(plan.destroy), None),
        update=update,
    )


def begun_by(plan: Plan) -> Result:
    """Return a result of a plan without points."""
    title = f"{plan.workload} played on {', '.join(plan.on)}"
    return begun("replay", title, plan.decides(), plan.options.seed, machine())
