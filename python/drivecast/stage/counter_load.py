"""A load made from counters, where there are no requests to play.

Model: reads and writes of the mean size, at random addresses over the data, arriving as a Poisson process with the rate
of the peak window. Counters cannot tell locality, the spread of sizes or bursts within a sample: all three are assumed,
and `assumed` says so. Real loads are more local (kinder) and more bursty (harder) than this.
"""

from dataclasses import dataclass

from drivecast import _core
from drivecast.document.profile import Profile
from drivecast.errors import InputError

BLOCK_BYTES = 4096


@dataclass(frozen=True)
class CounterLoad:
    """The busiest stretch of a counter log; `assumed` has (what, why) of everything made up."""

    size_bytes: int
    read_fraction: float
    rate_iops: float
    duration_s: float
    write_bytes_per_day: float | None
    assumed: tuple[tuple[str, str], ...]

    def workload(self, fill: float, speedup: float) -> _core.Workload:
        """The requests, at a multiple of their rate, over the share `fill` of a device."""
        rate = self.rate_iops * speedup
        line = (
            f"random({self.size_bytes}, read={self.read_fraction:.4f}, rate={rate:.3f}iops, span={fill:.6f})"
        )
        return _core.Workload.line(line)


def of(profile: Profile) -> CounterLoad:
    """The load of a counter log with this profile.

    Raises `InputError` for a log without a single read or write.
    """
    window = profile.peak_window
    if not profile.requests or window is None:
        raise InputError("the log has no reads and no writes, so there is nothing to play")
    size = max(BLOCK_BYTES, round((profile.block_size_mean_bytes or 0.0) / BLOCK_BYTES) * BLOCK_BYTES)
    read = window.read_fraction if window.read_fraction is not None else profile.read_fraction
    assumed = (
        ("addresses", "random over all data: counters have no addresses"),
        ("request size", f"all of the mean, {size / 1024:.0f} KiB: counters hold means only"),
        ("arrivals", "Poisson at the peak's rate: counters do not show bursts within a sample"),
    )
    rate, length_s = window.iops_mean or 0.0, window.length_s
    return CounterLoad(size, read or 0.0, rate, length_s, profile.write_bytes_per_day, assumed)
