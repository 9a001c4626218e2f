"""What is played on the designs: the trace itself, or a synthetic load where only counters were logged.

Model for counters: reads and writes of the mean size, at random addresses over the data, arriving as a Poisson process
with the rate of the peak window. Counters have no locality, the spread of sizes or bursts within a sample: all
three are assumed, and `assumed` says so. Real loads are more local (kinder) and more bursty (harder) than this.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from drivecast import _core
from drivecast.document.profile import Profile
from drivecast.errors import InputError
from drivecast.stage import trace
from drivecast.stage.simulate import Options

BLOCK_BYTES = 4096

END_S = 1e-9
"""What a window must be longer than the stretch it covers to hold the last request too: times are whole nanoseconds."""


@dataclass(frozen=True)
class Replay:
    """The trace itself, on a design of which the share `fill` holds data."""

    trace: _core.Workload
    start_s: float
    length_s: float
    assumed: tuple[tuple[str, str], ...] = ()

    def whole(self, fill: float) -> _core.Workload:  # noqa: ARG002 (a trace knows its own addresses)
        """All of it."""
        return self.trace

    def peak(self, fill: float, speedup: float) -> tuple[_core.Workload, Options]:
        """The busiest stretch, all times divided by `speedup`."""
        return self.trace, Options(fill=fill, speedup=speedup, start_s=self.start_s, length_s=self.length_s)


@dataclass(frozen=True)
class Synthetic:
    """A load made from counters; `assumed` has (what, why) of everything made up."""

    size_bytes: int
    read_fraction: float
    rate_iops: float
    duration_s: float
    assumed: tuple[tuple[str, str], ...]

    def whole(self, fill: float) -> _core.Workload:
        """The same mix: counters have no order."""
        return self.peak(fill, 1.0)[0]

    def peak(self, fill: float, speedup: float) -> tuple[_core.Workload, Options]:
        """The busiest stretch over the data; the same requests at a multiple of the rate."""
        rate = self.rate_iops * speedup
        line = (
            f"random({self.size_bytes}, read={self.read_fraction:.4f}, rate={rate:.3f}iops, span={fill:.6f})"
        )
        return _core.Workload.line(line), Options(fill=fill, duration_s=self.duration_s / speedup)


Load = Replay | Synthetic


def load(logs: Sequence[Path], profile: Profile, reading: trace.Reading) -> Load:
    """The load of a log with this profile.

    Raises `InputError` for a log without a single read or write.
    """
    window = profile.peak_window
    if not profile.requests or window is None:
        raise InputError("the log has no reads and no writes, so there is nothing to plan for")
    if profile.source == "trace":
        length_s = window.length_s + END_S
        return Replay(trace.workload(logs, reading), window.start_s, length_s)
    size = max(BLOCK_BYTES, round((profile.block_size_mean_bytes or 0.0) / BLOCK_BYTES) * BLOCK_BYTES)
    read = window.read_fraction if window.read_fraction is not None else profile.read_fraction
    assumed = (
        ("addresses", "random over all data: counters do not tell locality"),
        ("request size", f"all of the mean, {size / 1024:.0f} KiB: counters do not tell the spread"),
        ("arrivals", "Poisson at the peak's rate: counters do not tell bursts within a sample"),
    )
    return Synthetic(size, read or 0.0, window.iops_mean or 0.0, window.length_s, assumed)
