"""A run, simulated or measured."""

from pydantic import Field
from typing_extensions import TypedDict

from drivecast.document.part import Document, Part


class Latency(Part):
    """Latency of one kind of request: mean, quantiles, longest, in ns."""

    mean: float | None = None
    q50: float | None = Field(None, alias="q0.5")
    q90: float | None = Field(None, alias="q0.9")
    q95: float | None = Field(None, alias="q0.95")
    q99: float | None = Field(None, alias="q0.99")
    q999: float | None = Field(None, alias="q0.999")
    q9999: float | None = Field(None, alias="q0.9999")
    q99999: float | None = Field(None, alias="q0.99999")
    max: float | None = None


class Second(Part):
    """One second of a workload or of a run."""

    second: float
    reads: float = 0
    writes: float = 0
    read_bytes: float = 0
    written_bytes: float = 0
    queue_depth: float | None = None
    read_latency_ns_mean: float | None = None
    write_latency_ns_mean: float | None = None
    read_latency_ns_max: float | None = None
    write_latency_ns_max: float | None = None


class LatencyBucket(TypedDict):
    """One bucket of a latency histogram; a plain dict, since a plan has hundreds of thousands."""

    op: str
    latency_ns: float
    count: float
    quantile: float


class Stream(Part):
    """What one kind of request met in a run."""

    requests: float | None = None
    iops: float | None = None
    latency_ns: Latency | None = None


class Credits(Part):
    """What a volume keeps for bursts, of the bucket that runs out first."""

    left: float
    """Share of the most that is kept, at the end of the run."""
    lasts_s: float | None = None
    """How long that lasts if tokens go on being used as they have been; none where no more are used than earned."""


class Outcome(Document):
    """A run, simulated or measured."""

    design: str = ""
    iops: float | None = None
    throughput_bytes_per_s: float | None = None
    duration_s: float | None = None
    read: Stream | None = None
    write: Stream | None = None
    flush: Stream | None = None
    utilization: float | None = None
    queue_depth_mean: float | None = None
    write_amplification: float | None = None
    saturated: bool = False
    credits: Credits | None = None
    seconds: list[Second] | None = None
    latencies: list[LatencyBucket] | None = None
