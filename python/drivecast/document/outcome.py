"""A run of a workload, simulated or measured: what `drivecast simulate` prints, and what a point of a result holds.

The core makes it (`crates/sim/src/outcome.rs`), `bench.fio` and the replayer make it of a real target; everything else
reads this definition. What a real target does not report is null; what only some runs have (a rebuild, the credits of a
volume, the lag of a replay, the lateness of an attached design) is left out of the others.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Required

from pydantic import Field
from typing_extensions import TypedDict

from drivecast.document.attached import Attachment, Lateness
from drivecast.document.design import LatencyKnown
from drivecast.document.part import Document, Part, left_out
from drivecast.document.table import Table
from drivecast.flat_row import flat

Number = Annotated[int | float, Field(ge=0, le=1e18, allow_inf_nan=False)]
"""A count, bytes or nanoseconds of a run."""
Count = Annotated[int, Field(ge=0, le=1e18)]
SecondOfRun = Annotated[int | float, Field(ge=0, le=10_000_000, allow_inf_nan=False)]
Op = Literal["read", "write", "flush", "transaction"]
OPS: tuple[Op, ...] = ("read", "write")


class Latency(Part):
    """Latency of one kind of request: mean, quantiles, longest, in ns."""

    mean: Number | None = None
    q50: Number | None = Field(None, alias="q0.5")
    q90: Number | None = Field(None, alias="q0.9")
    q95: Number | None = Field(None, alias="q0.95")
    q99: Number | None = Field(None, alias="q0.99")
    q999: Number | None = Field(None, alias="q0.999")
    q9999: Number | None = Field(None, alias="q0.9999")
    q99999: Annotated[Number | None, left_out("q0.99999")] = None
    max: Number | None = None

    def figure(self, name: str) -> Number | None:
        """`mean`, `max`, or a quantile by its name (`q0.99`); none where it is not known."""
        found: Number | None = getattr(self, _FIELDS[name])
        return found

    def figures(self) -> dict[str, float]:
        """All figures that are known, by name."""
        return {name: float(value) for name in _FIELDS if (value := self.figure(name)) is not None}


_FIELDS = {field.alias or name: name for name, field in Latency.model_fields.items()}

QUANTILES: dict[str, float] = {name: float(name[1:]) for name in _FIELDS if name.startswith("q")}
"""The quantiles that a run reports, by their names: `q0.99` is the latency that 99 % of the requests do not exceed."""


class Second(TypedDict, total=False):
    """One second of a workload or of a run."""

    second: Required[SecondOfRun]
    reads: Number
    writes: Number
    read_bytes: Number
    written_bytes: Number
    queue_depth: Number | None
    read_latency_ns_mean: Number | None
    write_latency_ns_mean: Number | None
    read_latency_ns_max: Number | None
    write_latency_ns_max: Number | None
    flushes: Number | None
    discards: Number | None
    transactions: Number


class Seconds(Table[Second]):
    """The seconds of a run; of one longer than 2^20 s only those in which anything was in flight."""

    row = Second

    def whole(self, duration_s: float) -> list[Second]:
        """The seconds without the last one where that is cut off."""
        length = int(duration_s)
        return [row for row in self.rows if row["second"] < length] if length else list(self.rows)


class LatencyBucket(TypedDict):
    """One bucket of a latency histogram; a plain dict, since a plan has hundreds of thousands."""

    op: str
    latency_ns: Number
    count: Number
    quantile: Number


class LatencyHistogram(Table[LatencyBucket]):
    """Latencies in buckets named by their upper ends."""

    row = LatencyBucket

    def buckets(self, *ops: str) -> list[tuple[Number, Number]]:
        """Upper end and count of each bucket that holds requests of these kinds, shortest first."""
        return sorted((row["latency_ns"], row["count"]) for row in self if row["count"] and row["op"] in ops)

    def quantile(self, share: float, *ops: str) -> float | None:
        """The latency that `share` of the requests of these kinds do not exceed, in ns; none where there are none."""
        buckets = self.buckets(*ops)
        wanted, reached = share * sum(count for _, count in buckets), 0.0
        for latency_ns, count in buckets:
            reached += count
            if reached >= wanted:
                return float(latency_ns)
        return float(buckets[-1][0]) if buckets else None


class LatenciesOfSecond(TypedDict):
    """The latencies of one second: upper ends of buckets, and how many requests each holds."""

    second: SecondOfRun
    op: str
    latency_ns: list[Number]
    count: list[Number]


class LatenciesBySecond(Table[LatenciesOfSecond]):
    """The latency histogram of each second."""

    row = LatenciesOfSecond

    def __init__(self, source: "Sequence[LatenciesOfSecond] | None" = None) -> None:
        super().__init__(source)
        for at, second in enumerate(source or ()):
            counts, latencies = len(second["count"]), len(second["latency_ns"])
            if counts != latencies or not counts:
                raise ValueError(
                    f"latencies_by_second.{at}: expected as many counts as latencies, at least one, found "
                    f"{counts} and {latencies}"
                )


class Stream(Part):
    """The requests of one kind."""

    requests: Count = 0
    iops: Number = 0.0
    latency_ns: Latency | None = None


class OfStream(Part):
    """The reads and writes of one stream of the workload."""

    number: int = Field(alias="stream")
    read: Stream = Stream()
    write: Stream = Stream()

    def stream(self, op: str) -> Stream:
        """The requests of one kind."""
        return self.read if op == "read" else self.write

    def latency(self, op: str, name: str) -> float | None:
        """A figure of the latency of one kind of request, in ns, as of an outcome."""
        found = self.stream(op).latency_ns
        value = found.figure(name) if found else None
        return None if value is None else float(value)


class Rebuild(Part):
    """A rebuild that ran during the run."""

    bytes: int
    bytes_per_s: float
    whole_s: float | None = None
    """How long all of it takes at that rate; none if nothing was rebuilt."""


class Credits(Part):
    """What a volume keeps for bursts, of the bucket that runs out first."""

    left: float
    """Share of the most that is kept, at the end of the run."""
    lasts_s: float | None = None
    """Time until it is empty at this load; none where it never empties."""


class Cache(Part):
    """What the caches of a design did, under the names that FlashCache prints.

    `ssd` is the fast device, `disk` the slow one. Reads and writes are counted in the pieces that the cache handles.
    """

    reads: Count
    writes: Count
    read_hits: Count
    write_hits: Count
    dirty_write_hits: Count
    replacement: Count
    write_replacement: Count
    read_invalidates: Count
    write_invalidates: Count
    pending_enqueues: Count
    pending_inval: Count
    md_dirties: Count
    """Blocks recorded as dirty in the metadata."""
    md_cleans: Count
    """Blocks recorded as clean."""
    md_batch: Count
    """Records that another one's metadata write took along."""
    md_ssd_writes: Count
    """Metadata writes."""
    cleanings: Count
    """Dirty blocks written to the slow device."""
    fallow_cleanings: Count
    no_room: Count
    """Times that no block of a set could be taken."""
    front_merge: Count
    back_merge: Count
    disk_reads: Count
    disk_writes: Count
    ssd_reads: Count
    ssd_writes: Count
    uncached_reads: Count
    uncached_writes: Count
    uncached_io_requeue: Count
    uncached_sequential_reads: Count
    uncached_sequential_writes: Count
    pid_adds: Count
    pid_drops: Count
    pid_expiry: Count
    lru_promotions: Count
    lru_demotions: Count
    ssd_merged: Count = 0
    """Pieces for the fast device that another one took along in its request."""
    disk_merged: Count = 0
    ssd_read_bytes: Count
    ssd_written_bytes: Count
    """Metadata included: what wears the fast device."""
    disk_read_bytes: Count
    disk_written_bytes: Count
    hit_ratio: float | None
    """Hits over pieces, reads and writes together; null without any."""
    read_hit_ratio: float | None
    write_hit_ratio: float | None
    size_bytes: Count
    """What the cache takes of its fast device."""
    cached_bytes: Count
    """Of these, bytes that hold data at the end of the run."""
    dirty_bytes: Count
    """Of these, bytes that are newer than on the slow device."""
    ssd_write_amplification: float | None
    """Of the fast device alone; null without flash or writes."""
    ssd_utilization: float
    disk_utilization: float


class Playback(Part):
    """A trace played on a real target, over the time in which anything was in flight."""

    busy_s: float
    busy_bytes_per_s: float | None = None
    service_time_ns_mean: float | None = None
    response_time_ns_mean: float | None = None


class OnTarget(Part):
    """The real target of a run."""

    name: str = ""
    bytes: Annotated[int | None, left_out()] = None
    made: Annotated[bool | None, left_out()] = None


class LatencyInterval(Part):
    """What a quantile may be in truth, by how far predictions of real drives were off: an 80 % interval, in ns."""

    op: Op
    quantile: str
    low: float
    high: float | None
    """None: nothing bounds it, since the drives may be in saturation."""


class Served(Part):
    """What is served of a load that is too much: an 80 % interval."""

    iops: float
    low: float
    high: float


class LatencyKnowledge(Part):
    """How the latency of the simulated drives is known, and what that leaves open."""

    drives: LatencyKnown
    intervals: list[LatencyInterval]
    served: Annotated[Served | None, left_out()] = None
    """Of a saturated run."""


class Outcome(Document):
    """A run, simulated or measured."""

    design: str = ""
    seed: int | None = None
    requests: Count = 0
    duration_s: Number = 0.0
    iops: Number
    throughput_bytes_per_s: Number = 0.0
    read: Stream = Stream()
    write: Stream = Stream()
    flush: Stream = Stream()
    transaction: Annotated[Stream | None, left_out()] = None
    write_amplification: float | None = None
    utilization: float | None = None
    queue_depth_mean: Number | None = None
    saturated: bool = False
    littles_law_error: float | None = None
    generated: int = 0
    completed: int = 0
    in_flight: int = 0
    host_read_bytes: Count = 0
    host_written_bytes: Count = 0
    device_read_bytes: int | None = None
    device_written_bytes: int | None = None
    rebuild: Annotated[Rebuild | None, left_out()] = None
    credits: Annotated[Credits | None, left_out()] = None
    write_cache: Annotated[Literal["on", "off", "mixed", "volatile"] | None, left_out()] = None
    """Whether the disks cached what was written; `volatile`: flash that durable writes had to wait for, in a plan."""
    cache: Annotated[Cache | None, left_out()] = None
    """What the caches did; left out where there is none."""
    scale: float | None = None
    partial: Annotated[str | None, left_out()] = None
    """Why a run on a real target broke off; all else is of the time before."""
    streams: list[OfStream] = Field(default_factory=list, exclude_if=lambda streams: not streams)
    """The streams whose latencies were held apart."""
    seconds: Seconds = Field(default_factory=Seconds, exclude_if=lambda table: table.is_absent)
    latencies: LatencyHistogram = Field(
        default_factory=LatencyHistogram, exclude_if=lambda table: table.is_absent
    )
    latencies_by_second: LatenciesBySecond = Field(
        default_factory=LatenciesBySecond, exclude_if=lambda table: table.is_absent
    )
    lag_ns: Annotated[Latency | None, left_out()] = None
    """How late the replayer issued the requests."""
    lateness: Annotated[Lateness | None, left_out()] = None
    """Of a design that served as a disk: how late this machine answered."""
    attached: Annotated[Attachment | None, left_out()] = None
    """How that was done, and what was done to it."""
    playback: Annotated[Playback | None, left_out()] = None
    widened: Annotated[int | None, left_out()] = None
    """Requests that the replayer widened to whole sectors."""
    widened_bytes: Annotated[int | None, left_out()] = None
    discards_left_out: Annotated[int | None, left_out()] = None
    target: Annotated[OnTarget | None, left_out()] = None
    workload: Annotated[str | None, left_out()] = None
    windows_hash: Annotated[str | None, left_out()] = None
    """Of windows that represent a trace: their fingerprint."""
    by_windows: Annotated[list[LatencyInterval] | None, left_out()] = None
    """Of windows that represent a trace: what quantiles of all of it may be."""
    latency_known: Annotated[LatencyKnowledge | None, left_out()] = None
    """Of a simulated run on flash drives of one kind."""

    def without_tables(self) -> "Outcome":
        """The outcome without its seconds and its histogram, which are most of its size."""
        return self.model_copy(update={"seconds": Seconds(), "latencies": LatencyHistogram()})

    def stream(self, op: str) -> Stream:
        """The requests of one kind."""
        found: Stream | None = getattr(self, op)
        return found or Stream()

    def latency(self, op: str, name: str) -> float | None:
        """A figure of the latency of one kind of request, in ns: `mean`, `max` or a quantile such as `q0.99`."""
        found = self.stream(op).latency_ns
        value = found.figure(name) if found else None
        return None if value is None else float(value)

    def latency_of(self, op: str, name: str) -> float:
        """The same of a kind of request that there was. Raises `ValueError` where there was none."""
        found = self.latency(op, name)
        if found is None:
            raise ValueError(f"the run of `{self.design}` has no latency of a {op}")
        return found

    def quantile(self, share: float, *ops: str) -> float | None:
        """The latency that `share` of the requests of these kinds do not exceed, in ns.

        From the histogram; where it was not kept, from the quantiles: the longest over the kinds of the next longer
        quantile, which is never too short.
        """
        ops = ops or OPS
        found = self.latencies.quantile(share, *ops)
        if found is not None:
            return found
        longer = [self._next_longer(op, share) for op in ops]
        return max((value for value in longer if value is not None), default=None)

    def _next_longer(self, op: str, share: float) -> float | None:
        values = [self.latency(op, name) for name, quantile in QUANTILES.items() if quantile >= share]
        return min((value for value in values if value is not None), default=None)

    def latency_ns_mean(self, ops: Sequence[str] = OPS) -> float | None:
        """The mean latency over these kinds of requests, in ns."""
        parts = [(self.stream(op).requests, self.latency(op, "mean")) for op in ops]
        known = [(count, mean) for count, mean in parts if mean is not None and count]
        whole = sum(count for count, _ in known)
        return sum(count * mean for count, mean in known) / whole if whole else None


class AtDepth(Part):
    """A run at one queue depth."""

    iodepth: int
    outcome: Outcome


class Depths(Document):
    """One workload on one design at several queue depths."""

    runs: list[AtDepth]

    def to_rows(self) -> list[dict[str, Any]]:
        """A row a depth."""
        return [flat(run.model_dump(mode="json", by_alias=True)) for run in self.runs]
