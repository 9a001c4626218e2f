"""Caches that are not there yet: what would come of a trace in a cache of each size under each policy.

Represented: which references a cache would hold, and what it would write; made by `caching.curves`, without time. How
fast caches of some of the sizes would be, by simulation on named devices (`caching.simulated_sizes`).
"""

from typing import Annotated, Literal

from drivecast.document.design import LatencyKnown
from drivecast.document.part import Document, Part, Provenance, left_out
from drivecast.flat_row import flat
from drivecast.quantity.interval import Span

By = Literal["block", "object"]


class CachePoint(Part):
    """A cache of one size under one policy; of a sampled trace, what the sample represents."""

    policy: str
    size_bytes: int
    requests: int
    """References to blocks of 4 KiB, or to objects."""
    misses: int
    miss_ratio: float
    miss_ratio_low: Annotated[float | None, left_out()] = None
    """With its upper end a 95 % interval, from eight parts of the sample; none where all references were played."""
    miss_ratio_high: Annotated[float | None, left_out()] = None
    reads: int
    read_misses: int
    read_miss_ratio: float | None
    writes: int
    write_misses: int
    write_miss_ratio: float | None
    fill_bytes: int
    """Written into the cache because they were read."""
    write_bytes: int
    """Written into the cache because the host wrote them."""
    cache_written_bytes_per_day: float | None
    """Both, at the rate of the trace; none where the trace has no times."""
    write_back_bytes: int
    """Dirty data evicted, which a write-back cache writes to what is behind it."""
    dirty_bytes: int
    """Dirty at the end."""
    bypass_bytes: int
    """Objects larger than the cache."""
    drive_life_years: float | None = None
    """Of the cache drive, by its rated writes alone; none where no drive is named or the trace has no times."""


class CacheKnee(Part):
    """The smallest cache with nine tenths of the hits of an unlimited one."""

    policy: str
    size_bytes: int
    miss_ratio: float
    exact: bool
    """Whether it is the smallest of all sizes, or of those listed."""


class Memory(Part):
    """More memory before the cache, behind the buffer pool that the trace was recorded below."""

    size_bytes: int
    pool_bytes: int | None
    reads: int
    read_hits: int
    """Reads that an LRU cache of the size would serve: the least that a pool larger by as much would."""
    read_hits_high: int | None
    """Those of one of the size and the pool together; none where the pool is not given."""
    known: Provenance = "assumed"


class CacheRun(Part):
    """A trace, simulated on a cache or on what is behind it alone."""

    read_hit_ratio: float | None
    """Of the pieces of reads; none where there is no cache, or no read."""
    write_hit_ratio: float | None
    read_p50_ns: Span | None
    """With bounds as far as predictions of the cache drive are known; none where there is no read."""
    read_p99_ns: Span | None
    write_p50_ns: Span | None
    write_p99_ns: Span | None
    saturated: bool
    """Whether requests came faster than they were served."""


class SimulatedSize(Part):
    """A cache of one size with one program, or what is behind it alone."""

    program: str | None
    """With its options; none without a cache."""
    size_bytes: int | None
    design: str
    warm: CacheRun
    """After the cache has seen the trace: hits at the most."""
    from_empty: CacheRun | None
    """Hits at the least; none without a cache."""


class CacheLatency(Part):
    """How fast caches of several sizes would be, by simulation."""

    fast: str
    """The cache drive."""
    slow: str
    """The design behind."""
    latency_known: LatencyKnown | None
    """How the latency of the cache drive is known."""
    part: Literal["log", "peak"]
    """What is played: all of the trace, or its busiest stretch where that would take too long."""
    start_s: float
    length_s: float | None
    """None of all of the trace."""
    rows: list[SimulatedSize]
    """What is behind alone comes first, then programs and sizes."""

    @property
    def alone(self) -> CacheRun:
        """What is behind, without a cache."""
        return self.rows[0].warm

    def cached(self) -> list[SimulatedSize]:
        """The rows with a cache."""
        return [row for row in self.rows if row.program is not None]


class CacheCurves(Document):
    """Miss ratios, and what is written, over sizes and policies."""

    workload: str
    by: By
    seed: int
    requests: int
    reads: int
    writes: int
    objects: int
    footprint_bytes: int
    duration_s: float
    drive: str | None = None
    """That would hold the cache."""
    rate: float
    """Share of the blocks or objects that were followed; 1: all, and every count is exact."""
    memory: Memory | None = None
    latency: Annotated[CacheLatency | None, left_out()] = None
    """Where the devices are named."""
    curves: list[CachePoint]
    knees: list[CacheKnee]
    notes: list[str]

    @property
    def policies(self) -> list[str]:
        """In the order of the curves."""
        return list(dict.fromkeys(point.policy for point in self.curves))

    def by_size(self) -> list[tuple[int, list[CachePoint]]]:
        """Each size, rising, with its points in the order of the policies."""
        points = {(point.policy, point.size_bytes): point for point in self.curves}
        sizes = sorted({point.size_bytes for point in self.curves})
        return [(size, [points[policy, size] for policy in self.policies]) for size in sizes]

    def to_rows(self) -> list[dict[str, object]]:
        """A row a policy and size."""
        return [flat(point.model_dump(mode="json", by_alias=True)) for point in self.curves]
