"""What is played on the designs: the trace itself, or a load made up where only counters were logged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from drivecast import _core
from drivecast.document.profile import Profile
from drivecast.errors import InputError
from drivecast.quantity import number
from drivecast.stage import counter_load, trace
from drivecast.stage.counter_load import CounterLoad
from drivecast.stage.simulate import Options

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
    """A load made from counters."""

    counters: CounterLoad

    @property
    def assumed(self) -> tuple[tuple[str, str], ...]:
        """(what, why) of everything made up."""
        return self.counters.assumed

    def whole(self, fill: float) -> _core.Workload:
        """The same mix: counters have no order."""
        return self.peak(fill, 1.0)[0]

    def peak(self, fill: float, speedup: float) -> tuple[_core.Workload, Options]:
        """The busiest stretch over the data; the same requests at a multiple of the rate."""
        load = self.counters.workload(fill, speedup)
        return load, Options(fill=fill, duration_s=self.counters.duration_s / speedup)


Load = Replay | Synthetic

SPREAD_REGION_BYTES = 16 << 20
"""What stays together where a trace is spread: a disk reads it for longer than it seeks to it."""


def spread(load: Load, to_bytes: int) -> Load:
    """A trace over all that will be stored, where it covers a small part of it; counters are over all data anyway."""
    if isinstance(load, Synthetic):
        return load
    trace = load.trace.spread(region_bytes=SPREAD_REGION_BYTES, to_bytes=to_bytes)
    if trace is None:
        return load
    why = (
        f"the trace's, in pieces of {number.binary_size(SPREAD_REGION_BYTES)} at even distances over the "
        f"{number.size(to_bytes)} to be stored: a small part of a disk is a fast disk"
    )
    return replace(load, trace=trace, assumed=(*load.assumed, ("addresses", why)))


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
    return Synthetic(counter_load.of(profile))
