"""A list of jobs carried out on targets side by side, point by point, so that nothing measured is lost.

Each job is played on every target before the next begins: what drifts with time then touches all targets alike. The
result is given away whole after every point, marked as partial until the last one.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from drivecast.bench.measure import Job
from drivecast.bench.result import Point, Result
from drivecast.bench.target import Progress, Target
from drivecast.errors import InputError
from drivecast.report.number import duration

Measure = Callable[[Job, Target, Progress], Point]
"""What measures: `drivecast.bench.fio.measure`, or a stand-in."""

Keep = Callable[[Result], None]
"""Takes the result so far; writes it to its file."""


def decides(jobs: Sequence[Job], on: Sequence[str], size_bytes: int | None) -> dict[str, Any]:
    """All that decides what is measured, for the hash of the plan."""
    return {"jobs": [asdict(job) for job in jobs], "on": list(on), "size_bytes": size_bytes}


def carry_out(
    jobs: Sequence[Job],
    targets: Sequence[Target],
    measure: Measure,
    result: Result,
    keep: Keep,
    update: Progress,
) -> Result:
    """Measure every job on every target that `result` does not have yet; the result, complete.

    What ends it early (an error, Ctrl-C) is raised after the result was kept with the reason in `partial`.
    """
    plan = [(job, target) for job in jobs for target in targets]
    course = Course([job.ramp_s + job.runtime_s for job, _ in plan], len(result.points), update)
    try:
        for job, target in plan[len(result.points) :]:
            point = measure(job, target, course.of(name(job, target, alone=len(targets) == 1)))
            result = result.model_copy(update={"points": [*result.points, point]})
            course.done()
            result = result.model_copy(update={"partial": f"{len(result.points)} of {len(plan)} points"})
            if len(result.points) < len(plan):
                keep(result)
    except (KeyboardInterrupt, InputError) as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error).partition("\n")[0]
        keep(ended(result, f"{why} after {len(result.points)} of {len(plan)} points"))
        raise
    result = ended(result, None)
    keep(result)
    return result


def ended(result: Result, partial: str | None) -> Result:
    """The result with its end, complete where nothing makes it partial."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return result.model_copy(update={"ended": now, "partial": partial, "complete": partial is None})


def name(job: Job, target: Target, *, alone: bool) -> str:
    """What is being measured, in a few words."""
    deep = f"depth {job.iodepth}" if job.threads == 1 else f"{job.threads} threads"
    return f"{job.workload} {deep}" + ("" if alone else f" on {target.name}")


class Course:
    """How far a plan is, and how long it still takes: by its own times, and by how much longer its points took so far."""

    def __init__(self, lengths_s: Sequence[float], done: int, update: Progress) -> None:
        self._lengths_s = lengths_s
        self._done = self._first = done
        self._update = update
        self._begun_s = time.monotonic()
        self._pace = 1.0

    def of(self, what: str) -> Progress:
        """Takes the share of the point that is measured; tells the share of the plan."""

        def tell(share: float, _detail: str) -> None:
            whole = sum(self._lengths_s)
            left_s = self.left_s(share)
            words = f"{self._done + 1} of {len(self._lengths_s)}: {what}, {duration(left_s)} left"
            self._update(1 - left_s / self._pace / whole if whole else 1.0, words)

        tell(0.0, "")
        return tell

    def done(self) -> None:
        """A point is over."""
        self._done += 1
        planned_s = sum(self._lengths_s[self._first : self._done])
        if planned_s > 0:
            # Starting programs and laying out takes time that the plan does not have; none is ever gained.
            self._pace = max(1.0, (time.monotonic() - self._begun_s) / planned_s)

    def left_s(self, share: float) -> float:
        """Seconds to the end of the plan, with `share` of the point that is measured done."""
        rest = sum(self._lengths_s[self._done :]) - share * self._lengths_s[self._done]
        return rest * self._pace
