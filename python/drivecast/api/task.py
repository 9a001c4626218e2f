"""One part of a sweep, as a worker does it: a design, a workload, and the depths that share its drives.

The workloads and the catalog are the context of all parts (`drivecast.executors`). Drives are brought to the steady
state of a workload once for all depths (`_core.Kept`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from drivecast._core import Kept
from drivecast.catalog import Catalog
from drivecast.document.outcome import Outcome
from drivecast.stage import workload_input as stage
from drivecast.stage.simulate import KEPT_BYTES_MAX
from drivecast.stage.workload_input import WorkloadInput


@dataclass(frozen=True)
class Loads:
    """What all parts of a sweep share."""

    catalog: Catalog
    played: Sequence[WorkloadInput]
    texts: Sequence[str]
    """What each load is called."""


@dataclass(frozen=True)
class Task:
    """Runs of one workload on one design."""

    design: str
    load: int
    """Its place among the loads."""
    iodepths: Sequence[int | None]
    kept: Kept | None = field(default=None, compare=False, repr=False)
    """Drives in steady state that it shares with other tasks of this process; none: its own."""


def done(loads: Loads, task: Task) -> list[Outcome]:
    """The outcomes of a task, in the order of its depths.

    Raises `InputError` for a design or workload that cannot be played.
    """
    kept = task.kept or Kept(KEPT_BYTES_MAX)
    played = loads.played[task.load]
    found = []
    for depth in task.iodepths:
        options = played.options if depth is None else replace(played.options, iodepth=depth)
        outcome = stage.run(task.design, replace(played, options=options), loads.catalog, kept=kept)
        found.append(outcome.model_copy(update={"workload": loads.texts[task.load]}))
    return found
