"""Jobs carried out on targets side by side, point by point, so that nothing measured is lost.

Each job runs on every target before the next begins: what drifts with time then affects all targets alike.
"""

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

from drivecast.bench.job import Job, Measure
from drivecast.bench.journal import Journal
from drivecast.bench.progress import Countdown, Progress
from drivecast.bench.target import Target, opened, refuse_twice
from drivecast.document.result import Result
from drivecast.stage.simulate import workload


@dataclass(frozen=True)
class Place:
    """Where jobs are carried out."""

    on: tuple[str, ...]
    size_bytes: int | None
    """Of the files that are made; of existing targets, at most so much from their start."""
    destroy: Collection[str] = ()
    """Targets named a second time: what they hold may be lost."""


def decides(jobs: Sequence[Job], on: Sequence[str], size_bytes: int | None) -> dict[str, Any]:
    """Return all that decides what is measured, for the hash of the plan."""
    return {"jobs": [asdict(job) for job in jobs], "on": list(on), "size_bytes": size_bytes}


def carry_out_on(
    place: Place,
    jobs: Sequence[Job],
    measure: Measure,
    journal: Journal,
    update: Progress,
    *,
    need_bytes: int,
) -> Result:
    """Carry jobs out on the targets of a place. Raises `InputError` for targets that cannot be used."""
    refuse_twice(place.on)
    writes = any(workload(text).writes for text in dict.fromkeys(job.workload for job in jobs))
    with ExitStack() as stack:
        targets = []
        for on in place.on:
            again = on if on in place.destroy else None
            target = opened(on, need_bytes=need_bytes, writes=writes, destroy=again, update=update)
            targets.append(stack.enter_context(target).at_most(place.size_bytes))
            journal.add_target(targets[-1].row(on))
        return carry_out(jobs, targets, measure, journal, update)


def carry_out(
    jobs: Sequence[Job], targets: Sequence[Target], measure: Measure, journal: Journal, update: Progress
) -> Result:
    """Measure every job on every target that `journal` does not have yet; the result, complete.

    What ends it early (an error, Ctrl-C) is raised after the result was stored with the reason in `partial`.
    """
    plan = [(job, target) for job in jobs for target in targets]
    done = len(journal.points)
    lengths_s = [job.length_s for job, _target in plan]
    countdown = Countdown(sum(lengths_s), update, done_s=sum(lengths_s[:done]))
    with journal.measuring():
        for at, (job, target) in enumerate(plan[done:], done + 1):
            what = f"{at} of {len(plan)}: {_named(job, target, alone=len(targets) == 1)}"
            journal.add(measure(job, target, countdown.step(job.length_s, what)))
    return journal.end()


def _named(job: Job, target: Target, *, alone: bool) -> str:
    deep = f"depth {job.iodepth}" if job.threads == 1 else f"{job.threads} threads"
    return f"{job.workload} {deep}" + ("" if alone else f" on {target.name}")
