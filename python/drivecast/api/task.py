"""One part of a sweep, as it is sent to whatever does it: a design, a workload, and the depths that share its drives.

A task is small and pickles; what comes back are the outcomes as they are. The drives are brought to the steady state of
the workload once for all depths (`_core.Kept`). A worker must run the same version with the same catalog: another one
gives other figures, so it refuses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from drivecast import __version__, _core
from drivecast.api import catalog_mapping
from drivecast.api.workload_value import Workload
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.stage import played as stage
from drivecast.stage.simulate import KEPT_BYTES_MAX, Options


@dataclass(frozen=True)
class Task:
    """Runs of one workload on one design."""

    design: str
    workload: Workload
    iodepths: Sequence[int | None]
    options: Options
    catalog: tuple[Path, ...]
    """Further files, which a worker must have under the same names."""
    drives_hash: str
    """Of the catalog."""
    version: str = __version__


def done(task: Task) -> list[Outcome]:
    """The outcomes of a task, in the order of its depths.

    Raises `InputError` for a design or workload that cannot be played, and on a worker that is not like the sender.
    """
    if task.version != __version__:
        raise HintedError(
            f"this worker has drivecast {__version__}, and the task is of {task.version}",
            "install the same version on all workers",
        )
    catalog = catalog_mapping.of(task.catalog)
    if catalog.drives_hash != task.drives_hash:
        raise HintedError(
            "this worker has another catalog of drives", "give all workers the same catalog files"
        )
    kept = _core.Kept(KEPT_BYTES_MAX)
    with task.workload.place() as place:
        opened = stage.opened(place, task.options, task.workload.reading)
    return [
        stage.run(
            task.design,
            opened if depth is None else replace(opened, options=replace(opened.options, iodepth=depth)),
            catalog,
            kept=kept,
        ).model_copy(update={"workload": task.workload.text})
        for depth in task.iodepths
    ]
