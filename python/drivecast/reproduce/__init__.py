"""Published experiments, figure by figure, beside ours.

Model. Each experiment is made again as its document describes it: the same drives of the catalog, the same array,
block size, mix, depth and share of the capacity; then the same quantity is read off the outcome. Nothing is fitted to
the published figures: they are the examination, and a ratio that is off stays off until the reason is found and
modelled. What a document leaves open is assumed, and every experiment says what (`conditions`).

Left out: whatever a database, a file system or a cache decides along with storage (tpcc-mysql, sysbench OLTP, flash
caches); prices.
"""

from pathlib import Path

from drivecast.reproduce import (
    disks,
    endurance,
    fileio,
    intel_it,
    intel_it_sums,
    life_sums,
    power_sums,
    s3500,
    spare_320,
    warmup,
    wear_320,
    x25e,
)
from drivecast.reproduce.experiment import Experiment
from drivecast.reproduce.result import Findings, Ordering, Row, passed, share_within, table
from drivecast.reproduce.run import Report, run

EXPERIMENTS: dict[str, Experiment] = {
    module.EXPERIMENT.name: module.EXPERIMENT
    for module in (
        intel_it,
        x25e,
        fileio,
        warmup,
        spare_320,
        s3500,
        wear_320,
        endurance,
        intel_it_sums,
        life_sums,
        power_sums,
    )
}
"""All experiments by name, in the order they are told."""


def with_data(folder: Path) -> dict[str, Experiment]:
    """All experiments, and those on published files in `folder`."""
    one = disks.experiment(folder)
    return {**EXPERIMENTS, one.name: one}


__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Findings",
    "Ordering",
    "Report",
    "Row",
    "passed",
    "run",
    "share_within",
    "table",
    "with_data",
]
