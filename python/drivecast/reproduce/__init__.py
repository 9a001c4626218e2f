"""Published experiments, figure by figure, next to ours.

Model. Each experiment is made again as its document describes it: the same drives of the catalog, the same array,
block size, mix, depth and share of the capacity; then the same quantity is read off the outcome. Nothing is fitted to
the published figures: they are the examination, and a ratio that is off stays off until the reason is found and
modelled. What a document leaves open is assumed, and every experiment says what (`conditions`).

Left out: whatever a database, a file system or a cache decides along with storage; of databases behind a flash cache
only the page I/O below the buffer pool is played (`flash_cache.py`); prices.
"""

from pathlib import Path

from drivecast.reproduce import (
    cachelib_engines,
    disks,
    flash_cache,
    intel_it,
    intel_wear,
    percona,
    s3500,
    x25e,
)
from drivecast.reproduce.experiment import Experiment, run

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        intel_it.ARRAYS,
        x25e.ARRAYS,
        percona.FILEIO,
        percona.WARMUP,
        percona.SPARE,
        s3500.ARRAYS,
        flash_cache.TPCC,
        flash_cache.VCACHE,
        cachelib_engines.ENGINES,
        intel_wear.WEAR,
        intel_wear.RATINGS,
        intel_it.SUMS,
        intel_wear.SUMS,
        x25e.POWER,
    )
}
"""All experiments by name, in the order they are reported."""


def with_data(folder: Path) -> dict[str, Experiment]:
    """All experiments, with that on DiskSim's files in `folder`."""
    return {**EXPERIMENTS, disks.NAME: disks.experiment(folder)}


__all__ = ["EXPERIMENTS", "Experiment", "run", "with_data"]
