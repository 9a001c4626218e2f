"""A workload, characterised."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, TypeAdapter

from drivecast.document.outcome import Latency, Number, Seconds
from drivecast.document.part import Document, Part, Provenance, left_out
from drivecast.document.table import Rows
from drivecast.quantity.interval import Interval


class Below(Part):
    """How much of a distribution lies below a value."""

    below: Number
    share: float


class Distribution(Part):
    """A distribution, in the unit of its key."""

    mean: float | None = None
    q1: Number | None = Field(None, alias="q0.01")
    q10: Number | None = Field(None, alias="q0.1")
    q25: Number | None = Field(None, alias="q0.25")
    q50: Number | None = Field(None, alias="q0.5")
    q75: Number | None = Field(None, alias="q0.75")
    q90: Number | None = Field(None, alias="q0.9")
    q99: Number | None = Field(None, alias="q0.99")
    max: Number | None = None
    cumulative: list[Below] = Field(default_factory=list)


class Alignment(Part):
    """How many requests of an operation keep to a boundary."""

    op: str
    boundary_bytes: int
    offset_fraction: float | None = None
    request_fraction: float | None = None


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

    block_bytes: int | None = None
    group_bytes: int | None = None
    rate: float
    blocks: int
    working_set_bytes: float | None = None


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
    points: Rows[MissRatio]

    def at(self, size_bytes: float) -> float:
        """Return the miss ratio at the largest known cache size that does not exceed `size_bytes`."""
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
    moved_bytes: int | None = None
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
    read_bytes_per_s: float | None = None
    written_bytes_per_s: float | None = None


class Diurnal(Part):
    """The pattern of the day."""

    day_fraction: float | None = None
    peak_to_mean: float | None = None
    hours: Rows[Hour]


class Stream(Part):
    """The requests of one process, CPU, disk or volume; without a number, of all others."""

    stream: int | None
    reads: int
    writes: int
    bytes_read: int | None = None
    bytes_written: int | None = None
    sequential_fraction: float | None = None
    latency_ns_mean: float | None = None
    first_s: float | None = None
    last_s: float | None = None


class Response(Part):
    """Latency of a class of requests."""

    op: str
    size_bytes_max: int | None
    depth_max: int | None
    requests: int
    latency_ns_mean: float
    latency_ns_q50: Number | None = Field(None, alias="latency_ns_q0.5")
    latency_ns_q99: Number | None = Field(None, alias="latency_ns_q0.99")


class Detail(Part):
    """The part of a profile that needs single requests."""

    alignment: Rows[Alignment] | None = None
    runs: Runs | None = None
    seek: Seek | None = None
    followed: Followed | None = None
    miss_ratio_curves: list[MissRatioCurve] | None = None
    reuse_distance_bytes: Rows[Below] | None = None
    succession: list[Succession] | None = None
    update_interval_ns: Distribution | None = None
    writes_per_block: Distribution | None = None
    popularity: Rows[Popularity] | None = None
    working_set_growth: Rows[Growth] | None = None
    dispersion: Rows[Dispersion] | None = None
    hurst: Hurst | None = None
    diurnal: Diurnal | None = None
    streams: Rows[Stream] | None = None
    latency_by_size: Rows[Response] | None = None
    latency_by_depth: Rows[Response] | None = None
    latency_by_size_and_depth: Rows[Response] | None = None

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
    address_bin_bytes: Number
    address_bins: int | None = None
    time_bins: int | None = None
    counts: Rows[list[int]]


class PeakWindow(Part):
    """The busiest stretch."""

    start_s: float
    length_s: float
    requests: Number | None = None
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
    index_of_dispersion_10ms: float | None = None
    index_of_dispersion_100ms: float | None = None
    index_of_dispersion_1s: float | None = None


class Assumption(Part):
    """The premise behind a value that was not measured."""

    key: str
    reason: str


class LogFile(Part):
    """A file of a log."""

    name: str
    bytes: int
    hash: str


class Log(Document):
    """What was read: the reader's summary."""

    format: str
    files: list[LogFile]
    hash: str
    """Of the content."""
    rows: int
    duration_ns: int
    notes: list[str]
    """What is missing, left out or assumed."""


class Tally(Part):
    """The events of one kind in a trace."""

    event: str
    events: int
    reads: int
    read_bytes: int
    writes: int
    write_bytes: int
    zero_length: int
    discards: int
    discard_bytes: int


class Device(Part):
    """A device in a trace."""

    device: str
    events: int


class Process(Part):
    """A process in a trace."""

    stream: int
    """Of its requests: its number."""
    name: str


class Disk(Part):
    """A disk in a log, and what it was asked for."""

    disk: str
    requests: float
    bytes: float = 0.0


class TraceLog(Log):
    """A trace of requests."""

    coding: Annotated[str | None, left_out()] = None
    event: str | None = None
    rows_with_latency: int
    tallies: list[Tally]
    devices: list[Device]
    processes: Annotated[list[Process] | None, left_out()] = None
    """Where the format names them."""
    disks: Annotated[list[Disk] | None, left_out()] = None
    """Where several share the trace and none was chosen."""
    assumed_times: Annotated[bool | None, left_out()] = None
    """Whether the log has no times, so that its rates are assumed."""
    complete: bool


class CounterLog(Log):
    """A log of counters."""

    disk: str
    disks: list[Disk]
    interval_ns: int
    interval_origin: Literal["measured", "given", "assumed"]
    start: Annotated[str | None, left_out()] = None
    """When it began, on the clock of its place; a time of day alone where the log has no dates."""
    merged: Annotated[list[str] | None, left_out()] = None
    """What the log has only for reads and writes together."""


_LOG: TypeAdapter[TraceLog | CounterLog] = TypeAdapter(TraceLog | CounterLog)


def summary_of(content: dict[str, Any]) -> TraceLog | CounterLog:
    """The summary that the core hands over."""
    return _LOG.validate_python(content)


class Spindles(Part):
    """Outstanding requests for each spindle, against the rule of one to two."""

    count: int
    queue_depth_mean: float | None
    queue_depth_peak_window: float | None
    queue_depth_max_1s: float | None
    rule: tuple[float, float]
    above_rule_fraction: float | None
    above_rule_longest_s: int | None
    verdict: Literal["above", "within"] | None
    """None where the log has no queue depth."""


class SequentialShare(Part):
    """The sequential share that sizes and merges of counters allow, with its interval."""

    all: Interval
    read: Interval | None = None
    write: Interval | None = None


class Profile(Detail, Document):
    """A workload. Null is what the recording does not tell; `provenance` names what was not measured."""

    source: Literal["trace", "counters"]
    requests: Number = 0
    reads: Number = 0
    writes: Number = 0
    flushes: Number | None = None
    discards: Number | None = None
    empty_requests: Number | None = None
    bytes_read: Number = 0
    bytes_written: Number = 0
    bytes_discarded: Number | None = None
    read_fraction: float | None = None
    block_size_mean_bytes: float | None = None
    read_size_mean_bytes: float | None = None
    write_size_mean_bytes: float | None = None
    sequential_fraction: float | None = None
    sequential_fraction_by_stream: float | None = None
    sequential_fraction_interleaved: float | None = None
    sequential_share: Annotated[SequentialShare | None, left_out()] = None
    """Of counters, as inferred: `sequential_fraction` is its value of all."""
    reads_merged: Annotated[Number | None, left_out()] = None
    writes_merged: Annotated[Number | None, left_out()] = None
    working_set_bytes: Number | None = None
    working_set_read_bytes: Number | None = None
    working_set_write_bytes: Number | None = None
    extent_bytes: Number | None = None
    duration_s: float = 0.0
    interval_s: Annotated[float | None, left_out()] = None
    """The mean length of a counter log's samples."""
    iops_mean: float | None = None
    iops_peak_1s: float | None = None
    iops_peak_1s_at_s: Number | None = None
    throughput_mean_bytes_per_s: float | None = None
    queue_depth_mean: float | None = None
    queue_depth_max: Number | None = None
    latency_ns_mean: float | None = None
    read_latency_ns: Latency | None = None
    write_latency_ns: Latency | None = None
    overwrite_fraction: float | None = None
    update_distance_bytes: Distribution | None = None
    interarrival: Burstiness | None = None
    write_bytes_per_day: float | None = None
    peak_window: PeakWindow | None = None
    sizes: Rows[BlockSize] | None = None
    seconds: Seconds = Field(default_factory=Seconds)
    heat_map: HeatMap | None = None
    provenance: dict[str, Provenance] = Field(default_factory=dict)
    assumptions: list[Assumption] = Field(default_factory=list)
    spindles: Annotated[Spindles | None, left_out()] = None
    log: Annotated[TraceLog | CounterLog | None, left_out()] = None

    def known_as(self, key: str) -> str:
        """How the figure `key` is known."""
        return self.provenance.get(key, "measured")

    @property
    def notes(self) -> list[str]:
        """What the reader of the log noted."""
        return self.log.notes if self.log else []

    def noted(self, notes: list[str]) -> Self:
        """The profile with more notes on its log."""
        log = self.log and self.log.model_copy(update={"notes": [*self.log.notes, *notes]})
        return self.model_copy(update={"log": log})
