"""A list of jobs carried out on targets side by side, point by point, so that nothing measured is lost.

Each job is played on every target before the next begins: what drifts with time then touches all targets alike. The
result is given away whole after every point, marked as partial until the last one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from drivecast import __version__
from drivecast.bench.course import Course
from drivecast.bench.measure import Job
from drivecast.bench.result import Kind, Point, Result, plan_hash
from drivecast.bench.target import Progress, Target
from drivecast.errors import InputError

Measure = Callable[[Job, Target, Progress], Point]
"""What measures: `drivecast.bench.fio.measure`, or a stand-in."""

Keep = Callable[[Result], Result]
"""Takes the result so far; writes it to its file with what is made of it, and returns that."""


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
                result = keep(result)
    except (KeyboardInterrupt, InputError) as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error).partition("\n")[0]
        keep(ended(result, f"{why} after {len(result.points)} of {len(plan)} points"))
        raise
    return keep(ended(result, None))


def begun(
    kind: Kind, title: str, plan: Mapping[str, Any], command: Sequence[str], seed: int, **place: Any
) -> Result:
    """A result without points; `place` has its `environment` and `targets`."""
    return Result(
        kind=kind,
        title=title,
        version=__version__,
        seed=seed,
        plan_hash=plan_hash(plan),
        command=list(command),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        points=[],
        **place,
    )


def ended(result: Result, partial: str | None) -> Result:
    """The result with its end, complete where nothing makes it partial."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return result.model_copy(update={"ended": now, "partial": partial, "complete": partial is None})


def name(job: Job, target: Target, *, alone: bool) -> str:
    """What is being measured, in a few words."""
    deep = f"depth {job.iodepth}" if job.threads == 1 else f"{job.threads} threads"
    return f"{job.workload} {deep}" + ("" if alone else f" on {target.name}")
