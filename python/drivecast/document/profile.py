"""A workload, characterised."""

from typing import Any, Literal

from pydantic import Field

from drivecast.document.outcome import Latency, Seconds
from drivecast.document.part import Document, Part, Provenance


class Below(Part):
    """How much of a distribution lies below a value."""

    below: float
    share: float


class Distribution(Part):
    """A distribution, in the unit of its key."""

    mean: float | None = None
    q10: float | None = Field(None, alias="q0.1")
    q50: float | None = Field(None, alias="q0.5")
    q90: float | None = Field(None, alias="q0.9")
    q99: float | None = Field(None, alias="q0.99")
    max: float | None = None
    cumulative: list[Below] = Field(default_factory=list)


class Alignment(Part):
    """How many requests of an operation keep to a boundary."""

    op: str
    boundary_bytes: int
    offset_fraction: float
    request_fraction: float


class Runs(Part):
    """Sequential runs."""

    runs: int
    requests: Distribution
    bytes: Distribution
    interleave: list[float]


class Seek(Part):
    """How far requests jump."""

    forward_fraction: float | None = None
    distance_bytes: Distribution


class Followed(Part):
    """The blocks whose reuse was followed."""

    rate: float
    blocks: int


class MissRatio(Part):
    """The miss ratio of a cache of a size."""

    size_bytes: int
    miss_ratio: float


class MissRatioCurve(Part):
    """Miss ratios over sizes of an LRU cache."""

    cache: str
    of: str
    by: str
    accesses: int
    miss_ratio_min: float
    points: list[MissRatio]

    def at(self, size_bytes: float) -> float:
        """Return the miss ratio of the largest size told that is no larger."""
        return next((p.miss_ratio for p in reversed(self.points) if p.size_bytes <= size_bytes), 1.0)


class Succession(Part):
    """One kind of access of a block after another."""

    access: str
    after: str
    fraction: float
    interval_ns: Distribution


class Popularity(Part):
    """How much of the accesses the most accessed blocks have."""

    of: str
    blocks_fraction: float
    accesses_fraction: float


class Growth(Part):
    """The working set at a moment."""

    time_s: float
    touched_bytes: int
    read_bytes: int
    written_bytes: int


class Dispersion(Part):
    """Burstiness at a time scale."""

    scale_s: float
    index: float


class HurstEstimate(Part):
    """The Hurst parameter with its interval."""

    value: float
    low: float
    high: float
    from_s: float
    to_s: float


class Hurst(Part):
    """Two estimates of the Hurst parameter."""

    wavelet: HurstEstimate
    variance: HurstEstimate


class Hour(Part):
    """An hour of the day."""

    hour: int
    read_iops: float
    write_iops: float


class Diurnal(Part):
    """The pattern of the day."""

    day_fraction: float | None = None
    peak_to_mean: float | None = None
    hours: list[Hour]


class Stream(Part):
    """What one process, CPU, disk or volume asked for; without a number, all others."""

    stream: int | None
    reads: int
    writes: int


class Response(Part):
    """Latency of a class of requests."""

    op: str
    size_bytes_max: int | None
    depth_max: int | None
    requests: int
    latency_ns_mean: float


class Detail(Part):
    """The part of a profile that needs single requests."""

    alignment: list[Alignment] | None = None
    runs: Runs | None = None
    seek: Seek | None = None
    followed: Followed | None = None
    miss_ratio_curves: list[MissRatioCurve] | None = None
    reuse_distance_bytes: list[Below] | None = None
    succession: list[Succession] | None = None
    update_distance_bytes: Distribution | None = None
    update_interval_ns: Distribution | None = None
    writes_per_block: Distribution | None = None
    popularity: list[Popularity] | None = None
    working_set_growth: list[Growth] | None = None
    dispersion: list[Dispersion] | None = None
    hurst: Hurst | None = None
    diurnal: Diurnal | None = None
    streams: list[Stream] | None = None
    latency_by_size_and_depth: list[Response] | None = None

    def curve(self, cache: str, of: str, by: str) -> MissRatioCurve | None:
        """Return one of the miss-ratio curves."""
        wanted = (cache, of, by)
        curves = self.miss_ratio_curves or []
        return next((curve for curve in curves if (curve.cache, curve.of, curve.by) == wanted), None)


class BlockSize(Part):
    """How often one operation had one size."""

    op: str
    size_bytes: int
    count: int


class HeatMap(Part):
    """Requests in each bin of time (outer) and address (inner)."""

    time_bin_s: float
    address_bin_bytes: float
    counts: list[list[int]]


class PeakWindow(Part):
    """The busiest stretch."""

    start_s: float
    length_s: float
    requests: float | None = None
    iops_mean: float | None = None
    iops_over_mean: float | None = None
    iops_peak_1s: float | None = None
    throughput_bytes_per_s: float | None = None
    read_fraction: float | None = None
    queue_depth_mean: float | None = None


class Burstiness(Part):
    """How unevenly requests arrive."""

    mean_ns: float | None = None
    cv: float | None = None
    index_of_dispersion_1s: float | None = None


class Profile(Detail, Document):
    """A workload."""

    source: Literal["trace", "counters"]
    requests: float | None = None
    reads: float | None = None
    writes: float | None = None
    flushes: float | None = None
    discards: float | None = None
    bytes_read: float | None = None
    bytes_written: float | None = None
    read_fraction: float | None = None
    block_size_mean_bytes: float | None = None
    read_size_mean_bytes: float | None = None
    write_size_mean_bytes: float | None = None
    sequential_fraction: float | None = None
    sequential_fraction_by_stream: float | None = None
    working_set_bytes: float | None = None
    working_set_read_bytes: float | None = None
    working_set_write_bytes: float | None = None
    extent_bytes: float | None = None
    duration_s: float | None = None
    iops_mean: float | None = None
    iops_peak_1s: float | None = None
    iops_peak_1s_at_s: float | None = None
    throughput_mean_bytes_per_s: float | None = None
    queue_depth_mean: float | None = None
    queue_depth_max: float | None = None
    latency_ns_mean: float | None = None
    read_latency_ns: Latency | None = None
    write_latency_ns: Latency | None = None
    overwrite_fraction: float | None = None
    interarrival: Burstiness | None = None
    write_bytes_per_day: float | None = None
    peak_window: PeakWindow | None = None
    sizes: list[BlockSize] | None = None
    seconds: Seconds | None = None
    heat_map: HeatMap | None = None
    spindles: dict[str, Any] | None = None
    provenance: dict[str, Provenance] = Field(default_factory=dict)

    def known_as(self, key: str) -> str:
        """How the figure `key` is known."""
        return self.provenance.get(key, "measured")
