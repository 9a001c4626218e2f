"""What is played on the designs: a trace, a load made up where only counters were logged, a workload line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.document.outcome import Outcome
from drivecast.document.profile import Profile
from drivecast.document.windows import Estimate
from drivecast.errors import HintedError, InputError
from drivecast.plan.headroom import LONGER
from drivecast.quantity import number
from drivecast.source.locate import Progress, located
from drivecast.stage import counter_load, trace
from drivecast.stage.counter_load import CounterLoad
from drivecast.stage.simulate import Options, simulate_alone
from drivecast.stage.superposed import Superposed, superposed

END_S = 1e-9
"""What a window must be longer than the stretch it covers to hold the last request too: times are whole nanoseconds."""


WHOLE_MAX = 4_000_000
"""Requests of a log that is played whole; of a longer one windows are."""


@dataclass(frozen=True)
class WholeLog:
    """All of a log, or windows that represent it."""

    workload: _core.Workload
    estimates: tuple[Estimate, ...] = ()
    """Of windows: what quantiles of all of the log may be, over theirs."""
    windows_hash: str | None = None
    """None of a log."""
    passed: Path | None = field(default=None, compare=False)
    """Of windows the file of a pass, or of a part of one, that says what is met again."""


@dataclass(frozen=True)
class Replay:
    """The trace itself, on a design of which the share `fill` holds data."""

    trace: _core.Workload
    start_s: float
    length_s: float
    assumed: tuple[tuple[str, str], ...] = ()
    streams: int = 0
    """Of several logs together: how many there are."""
    whole_log: WholeLog | None = None
    """None where the busiest stretch is all of it, or it is too long."""
    is_part: bool = False
    """Whether the trace is a part of a log that is too long."""

    @property
    def is_whole(self) -> bool:
        """Whether the log is played, and no part of it, and no windows that represent it."""
        by_windows = self.whole_log is not None and self.whole_log.windows_hash is not None
        return not self.is_part and not by_windows

    def only(self, numbers: Sequence[int]) -> tuple["Replay", Sequence[int]]:
        """The requests of some of several logs, and the streams that they are."""
        return replace(self, trace=self.trace.of_streams(numbers), whole_log=None), numbers

    def whole(self, fill: float) -> _core.Workload:  # noqa: ARG002 (a trace knows its own addresses)
        """All of it."""
        return self.trace

    def peak(self, fill: float, speedup: float) -> tuple[_core.Workload, Options]:
        """The busiest stretch, all times divided by `speedup`."""
        stretch = Options(start_s=self.start_s, length_s=self.length_s)
        return self.trace, replace(stretch, fill=fill, speedup=speedup, streams=self.streams)


ENOUGH = 50_000
"""Requests of a load that is the same all the time, on flash in steady state: 500 are above p99. Of 47 arrays and loads
it differs from that of a million requests by 0.9 % in the median, and by less than 5 % for nine of ten; of twice as
many requests by 0.8 and 4 %."""
LARGE_BYTES, FEWEST = 64 << 10, 0.25
"""From this mean size on fewer requests are played, down to this share of them: they move as much, and take as long to
simulate. Of a quarter 125 are above p99."""
LONGER_BYTES = 16e9
"""What a run that holds headroom moves at most: all buffers of an array are full by then (assumed)."""
FIRST_LOOK = ENOUGH * 2 // 5
"""Requests that decide where neither a limit nor the drives' own is near; see `trial`."""


@dataclass(frozen=True)
class Synthetic:
    """A load made from counters."""

    counters: CounterLoad

    def enough_s(self, speedup: float, requests: int = ENOUGH) -> float:
        """The time in which enough requests for flash arrive: the load is the same all the time, as is its state."""
        return self.thinned(requests) / (self.counters.rate_iops * speedup)

    def thinned(self, requests: int = ENOUGH) -> float:
        """So many requests, or fewer where they are large."""
        return requests * min(1.0, max(FEWEST, LARGE_BYTES / self.counters.mean_bytes))

    @property
    def longer(self) -> float:
        """Times as many requests in a run that holds headroom."""
        return min(LONGER, max(1.0, LONGER_BYTES / (self.thinned() * self.counters.mean_bytes)))

    def is_more(self, speedup: float) -> bool:
        """Whether the busiest stretch has more requests than are enough."""
        return self.enough_s(speedup) < self.counters.duration_s / speedup

    def only(self, numbers: Sequence[int]) -> tuple["Synthetic", Sequence[int]]:
        """The load of some of several logs, and the streams that they are."""
        return Synthetic(self.counters.only(numbers)), range(len(numbers))

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
        length_s, streams = self.counters.duration_s / speedup, len(self.counters.shares)
        return load, Options(fill=fill, duration_s=length_s, streams=streams)


@dataclass(frozen=True)
class Stated:
    """A workload line. Times of arrival are its own, where it has a rate."""

    line: str
    length_s: float = 60.0
    """Of what is played where it is timed, at its own rate."""
    assumed: tuple[tuple[str, str], ...] = ()

    @property
    def rate_iops(self) -> float | None:
        """Requests a second, whatever the drives do; none of a closed loop."""
        return _core.Workload.line(self.line).rate_iops

    @property
    def iodepth(self) -> int:
        """Requests outstanding in a closed loop."""
        return _core.Workload.line(self.line).iodepth or 1

    def whole(self, fill: float) -> _core.Workload:
        """All of it: it has no end."""
        return self.peak(fill, 1.0)[0]

    def peak(self, fill: float, speedup: float) -> tuple[_core.Workload, Options]:
        """As many requests as a run has by default, or as arrive in its length; at a multiple of the rate."""
        line = _core.Workload.line(self.line)
        if line.rate_iops is None:
            return line, Options(fill=fill)
        length_s = min(self.length_s, REQUESTS_MAX / line.rate_iops)
        return line, Options(fill=fill, speedup=speedup, duration_s=length_s / speedup)


def counted(load: Stated, catalog: Catalog, seed: int) -> Outcome:
    """A line on drives that take no time: its own rate, sizes and share of reads."""
    workload, options = load.peak(1.0, 1.0)
    return simulate_alone(workload, catalog, replace(options, seed=seed))


REQUESTS_MAX = 200_000
"""Of a timed line, as of a closed loop by default."""

Timed = Replay | Synthetic | Stated


@dataclass(frozen=True)
class Outstanding:
    """A load as fast as possible, with so many requests outstanding."""

    load: Replay | Stated
    iodepth: int

    @property
    def assumed(self) -> tuple[tuple[str, str], ...]:
        """As of the load."""
        return self.load.assumed

    def whole(self, fill: float) -> _core.Workload:
        """All of it."""
        return self.load.whole(fill)

    def peak(self, fill: float, speedup: float) -> tuple[_core.Workload, Options]:  # noqa: ARG002 (it has no times)
        """The busiest stretch, each request at the completion of another."""
        found, options = self.load.peak(fill, 1.0)
        return found, replace(options, iodepth=self.iodepth)


@dataclass(frozen=True)
class Beginning:
    """The first seconds of a run of a load."""

    load: Timed | Outstanding
    seconds: float

    @property
    def assumed(self) -> tuple[tuple[str, str], ...]:
        """As of the load."""
        return self.load.assumed

    def whole(self, fill: float) -> _core.Workload:
        """All of the load."""
        return self.load.whole(fill)

    def peak(self, fill: float, speedup: float) -> tuple[_core.Workload, Options]:
        """The first seconds of the busiest stretch."""
        found, options = self.load.peak(fill, speedup)
        return found, first(options, self.seconds)


Load = Timed | Outstanding | Beginning


def first(options: Options, seconds: float) -> Options:
    """The same run, of at most so many seconds."""
    length = options.length_s and min(options.length_s, seconds * options.speedup)
    options = replace(
        options, length_s=length, duration_s=options.duration_s and min(options.duration_s, seconds)
    )
    if options.iodepth is None:
        return options
    return replace(options, duration_s=seconds, requests=REQUESTS_MAX)


SPREAD_REGION_BYTES = 16 << 20
"""What stays together where a trace is spread: a disk reads it for longer than it seeks to it."""


def spread(load: Timed, to_bytes: int) -> Timed:
    """A trace over all that will be stored, where it covers a small part of it; counters are over all data anyway."""
    if not isinstance(load, Replay):
        return load
    trace = load.trace.spread(region_bytes=SPREAD_REGION_BYTES, to_bytes=to_bytes)
    if trace is None:
        return load
    why = (
        f"the trace's, in pieces of {number.binary_size(SPREAD_REGION_BYTES)} at even distances over the "
        f"{number.size(to_bytes)} to be stored: a small part of a disk is a fast disk"
    )
    whole_log = load.whole_log
    if whole_log is not None:
        apart = whole_log.workload.spread(region_bytes=SPREAD_REGION_BYTES, to_bytes=to_bytes)
        whole_log = replace(whole_log, workload=apart or whole_log.workload)
    return replace(load, trace=trace, whole_log=whole_log, assumed=(*load.assumed, ("addresses", why)))


@dataclass(frozen=True)
class Recorded:
    """What was recorded: its files, how they are read, and the profile."""

    files: Sequence[Path]
    reading: trace.Reading
    profile: Profile
    together: Superposed | None = None


@contextmanager
def recorded(
    logs: Sequence[Path], reading: trace.Reading, peak_window_s: float, update: Progress, *, together: bool
) -> Iterator[Recorded]:
    """The logs, for as long as they are read: parts of one log, or several `together`, superposed.

    Raises `InputError` for logs that cannot be read, or not together.
    """
    if together:
        with superposed(logs, reading, update) as found:
            yield Recorded([found.file], trace.AS_IT_IS, found.profile(peak_window_s), found)
        return
    with located(logs, update, again=True) as log:
        profile = trace.profile(log.files, reading, peak_window_s=peak_window_s)
        yield Recorded(log.files, reading, profile.noted(log.remarks(reading.strict)))


def load(
    logs: Sequence[Path],
    profile: Profile,
    reading: trace.Reading,
    together: Superposed | None = None,
    fsync_rate: float | None = None,
) -> Timed:
    """The load of a log with this profile; or of several `together`, each a stream.

    Raises `InputError` for a log without a single read or write, and for durable writes besides those of a trace.
    """
    window = profile.peak_window
    if not profile.requests or window is None:
        raise InputError("the log has no reads and no writes, so there is nothing to plan for")
    if profile.source == "trace":
        if fsync_rate is not None:
            raise HintedError(
                "--fsync-rate: of a trace those flushes are played that it has",
                "leave it out, or plan for a `random(…)` line",
            )
        length_s = window.length_s + END_S
        streams = len(together.names) if together else 0
        requests = trace.workload(logs, reading)
        longer = profile.duration_s > window.length_s and profile.requests <= WHOLE_MAX
        whole_log = WholeLog(requests) if longer else None
        return Replay(requests, window.start_s, length_s, streams=streams, whole_log=whole_log)
    return Synthetic(counter_load.of(profile, together.shares(profile) if together else (), fsync_rate))
