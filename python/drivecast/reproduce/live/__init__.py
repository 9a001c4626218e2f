"""Published experiments with a database, run for real: MariaDB on attached designs, scaled to this machine.

MODEL. The data set, the buffer pool and disks are divided by one number, flash by half of it (`scaled_drives`); the
server and the load run as they are. A design runs at a share of the clock that this machine can carry, so that two
processors stand for more of them: rates are given for a second of the design. Nothing is fitted: settings and speeds
were chosen without regard to the published ratios, and what scaling changes is listed with each experiment.

What a server saw of a design that answered late, or while the processors were the limit, is this machine: such points
are shown and not judged (`document.live_reproduction`).
"""

from drivecast.reproduce.live import disks_or_flash, drive_counts, pool_sweep
from drivecast.reproduce.live.study import LiveExperiment, carried_out

LIVE: dict[str, LiveExperiment] = {
    experiment.name: experiment
    for experiment in (disks_or_flash.EXPERIMENT, pool_sweep.EXPERIMENT, *drive_counts.EXPERIMENTS)
}
"""All live experiments by name, in the order they are reported."""

DEFAULT: tuple[str, ...] = (disks_or_flash.EXPERIMENT.name, pool_sweep.EXPERIMENT.name)
"""Those with published ratios: what is run where none is named."""

__all__ = ["DEFAULT", "LIVE", "LiveExperiment", "carried_out"]
