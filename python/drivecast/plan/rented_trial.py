"""One rented design, simulated: the peak on volumes whose credits the log before it has used.

Model. As for drives (`trial`): the peak window, open loop, as measured and at the required headroom. Credits at its
start are what the whole log at that load leaves (`credit`); where they last through the peak, the volume does its
burst. Providers publish no times; those of the catalog may be half or twice as long (assumed), and the intervals of
latency span both.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from drivecast.assess.mttdl import redundancy
from drivecast.catalog import Volume
from drivecast.catalog.cloud_volume import bursting, slower
from drivecast.document.design import Shape
from drivecast.document.miss import Miss
from drivecast.document.outcome import Outcome
from drivecast.document.profile import Profile
from drivecast.plan.credit import Left, left, moved, requests
from drivecast.plan.headroom import bisected
from drivecast.plan.latencies import Latencies, latencies
from drivecast.plan.trial import Bench
from drivecast.quantity.number import HEADROOM_MAX
from drivecast.stage.simulate import simulate

TIMES = (0.5, 2.0)
"""Ends of what times of requests may be, as multiples of the catalog's. Assumed."""


@dataclass(frozen=True)
class Rented:
    """A design of volumes of one kind."""

    line: str
    shape: Shape
    volume: Volume

    @property
    def count(self) -> int:
        """Volumes of it."""
        return sum(self.shape.drives.values())

    @property
    def failures_tolerated(self) -> int:
        """Volumes that may fail, whichever they are; 0 for arrays of arrays that have no level."""
        shape = self.shape
        return redundancy(shape.level, self.count - shape.spares, shape.groups).failures if shape.level else 0

    @property
    def data_volumes(self) -> float:
        """Volumes' worth of data: what the load is spread over."""
        return self.shape.usable_bytes / self.volume.user_bytes


@dataclass(frozen=True)
class RentedTrial:
    """What became of a rented design."""

    rented: Rented
    peak: Outcome
    miss: Miss | None
    latency_ns: Latencies
    headroom: float | None
    credits: Left | None
    """Of requests or bytes, whichever are fewer, at the required headroom; none without credits."""


@dataclass(frozen=True)
class RentedTrials:
    """What every run shares."""

    bench: Bench
    profile: Profile

    def credits(self, rented: Rented, load: float) -> tuple[Left, Left]:
        """What the log at a multiple of its load leaves of the credits: of requests and of bytes."""
        if not bursts(rented.volume):
            return Left(), Left()
        caps, rows = rented.volume.sheet.caps, self.profile.seconds.rows
        unit = caps.io_unit_bytes.value if caps.io_unit_bytes else 0
        hours, each = self.bench.requirements.hours_per_day, load / rented.data_volumes
        return (
            left(self.profile, caps.iops, requests(rows, each, unit) if caps.iops else (), hours),
            left(self.profile, caps.bytes, moved(rows, each) if caps.bytes else (), hours),
        )

    def run(self, rented: Rented, load: float = 1.0, times: float = 1.0) -> Outcome:
        """The peak window at a multiple of its load."""
        bench = self.bench
        fill = min(1.0, bench.requirements.capacity_bytes / rented.shape.usable_bytes)
        saved_s = bench.catalog.cloud.saved_s.value if bench.catalog.cloud.saved_s else 0.0
        counts, sizes = ((share.at_peak, share.least_in_peak > 0) for share in self.credits(rented, load))
        volume = bursting(rented.volume, saved_s, counts, sizes)
        if times != 1.0:
            volume = slower(volume, times)
        catalog = replace(bench.catalog, volumes={**bench.catalog.volumes, volume.name: volume})
        workload, options = bench.load.peak(fill, load)
        return simulate(rented.line, workload, catalog, replace(options, seed=bench.seed))

    def miss(self, rented: Rented, load: float) -> Miss | None:
        """What it misses at a multiple of the load."""
        found = self.bench.miss(self.run(rented, load))
        return found and found.model_copy(update={"load": None if load == 1.0 else load})

    def trial(self, rented: Rented) -> RentedTrial:
        """Judge a design: its peak, the required headroom, what headroom it has, and its intervals."""
        needed, runs = self.bench.requirements.headroom, [self.run(rented)]
        miss = self.bench.miss(runs[0])
        if miss is None and needed != 1.0:
            miss = self.miss(rented, needed)
        runs += [self.run(rented, times=times) for times in TIMES]
        saved = None
        if bursts(rented.volume):
            saved = min(self.credits(rented, needed), key=lambda share: share.least)

        def holds(load: float) -> bool:
            return self.miss(rented, load) is None

        headroom = None if miss is not None else most(holds, max(1.0, needed))
        return RentedTrial(rented, runs[0], miss, latencies(runs, None), headroom, saved)


def most(holds: Callable[[float], bool], low: float) -> float:
    """The largest multiple of the load that holds, above one that does: doubled, then bisected."""
    high = 2 * low
    while high <= HEADROOM_MAX and holds(high):
        low, high = high, 2 * high
    if high > HEADROOM_MAX:
        return low
    return bisected(holds, low, high)


def bursts(volume: Volume) -> bool:
    """Whether it has credits that a log can use up."""
    caps = volume.sheet.caps
    return any(cap is not None and cap.burst_per_s is not None for cap in (caps.iops, caps.bytes))
