"""A list of jobs carried out on targets side by side, point by point, so that nothing measured is lost.

Each job is played on every target before the next begins: what drifts with time then touches all targets alike. The
result is given away whole after every point, marked as partial until the last one.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from drivecast.bench.job import Job, Measure
from drivecast.bench.journal import Keep, ended, judging, reason
from drivecast.bench.progress import Course
from drivecast.bench.sweep.analysis import of_sweep
from drivecast.bench.sweep.schedule import Sweep
from drivecast.bench.target import Progress, Target, all_opened
from drivecast.document.result import Result
from drivecast.errors import InputError
from drivecast.stage.simulate import workload


def decides(jobs: Sequence[Job], on: Sequence[str], size_bytes: int | None) -> dict[str, Any]:
    """All that decides what is measured, for the hash of the plan."""
    return {"jobs": [asdict(job) for job in jobs], "on": list(on), "size_bytes": size_bytes}


SIZE_BYTES_MIN = 16 << 20
"""On less, requests meet each other all the time."""


@dataclass(frozen=True)
class Place:
    """Where a sweep is carried out."""

    on: tuple[str, ...]
    size_bytes: int
    """Of the files that are made; of what is there, so much from its start is used at most."""
    destroy: frozenset[str] = frozenset()
    """Targets named a second time: what they hold may be lost."""


def swept(
    sweep: Sweep, place: Place, result: Result, measure: Measure, keep: Keep, update: Progress
) -> Result:
    """Carry a sweep out on its targets; see `carry_out`.

    Raises `InputError` for targets that cannot be used.
    """
    if place.size_bytes < SIZE_BYTES_MIN:
        raise InputError(
            f"--size: expected at least {SIZE_BYTES_MIN >> 20}MiB, found {place.size_bytes} bytes"
        )
    writes = any(workload(job.workload).writes for job in sweep.jobs)
    with all_opened(
        place.on,
        need_bytes=place.size_bytes,
        bytes_at_most=place.size_bytes,
        writes=writes,
        destroy=place.destroy,
        update=update,
    ) as targets:
        rows = [target.row(on) for on, target in zip(place.on, targets, strict=True)]
        result = result.model_copy(update={"targets": rows})
        keep = judging(keep, partial(of_sweep, sweep.kind))
        return carry_out(sweep.jobs, targets, measure, result, keep, update)


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
        keep(ended(result, f"{reason(error)} after {len(result.points)} of {len(plan)} points"))
        raise
    return keep(ended(result, None))


def name(job: Job, target: Target, *, alone: bool) -> str:
    """What is being measured, in a few words."""
    deep = f"depth {job.iodepth}" if job.threads == 1 else f"{job.threads} threads"
    return f"{job.workload} {deep}" + ("" if alone else f" on {target.name}")
