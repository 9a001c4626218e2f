"""Published experiments, figure by figure, next to ours.

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
    fileio,
    intel_it,
    intel_it_sums,
    life_sums,
    power_sums,
    rated_endurance,
    s3500,
    spare_320,
    warmup,
    wear_320,
    x25e,
)
from drivecast.reproduce.experiment import Experiment, run

_MODULES = (
    intel_it,
    x25e,
    fileio,
    warmup,
    spare_320,
    s3500,
    wear_320,
    rated_endurance,
    intel_it_sums,
    life_sums,
    power_sums,
)
EXPERIMENTS: dict[str, Experiment] = {module.EXPERIMENT.name: module.EXPERIMENT for module in _MODULES}
"""All experiments by name, in the order they are reported."""


def with_data(folder: Path) -> dict[str, Experiment]:
    """All experiments, with that on DiskSim's files in `folder`."""
    return {**EXPERIMENTS, disks.NAME: disks.experiment(folder)}


__all__ = ["EXPERIMENTS", "Experiment", "run", "with_data"]
