"""What is made of a result's points: knees, limits, commits, settling, spread, ratios, steady state.

All of it is arithmetic on points that are there, so that a partial result has the findings of what it holds. Which
fields are filled follows from the kind of the result; a field that was not filled is not in the JSON.
"""

from typing import Annotated, Literal, Self

from pydantic import AliasChoices, Field

from drivecast.document.outcome import Stream
from drivecast.document.part import Part, left_out

Setting = str | int | float | bool
SweepKind = Literal["depth", "threads", "matrix", "sync", "warmup", "jitter"]
Test = Literal["iops", "throughput", "latency", "saturation"]
Quantity = Literal["iops", "throughput_bytes_per_s", "latency_ns_mean"]
End = Literal["steady", "rounds", "capacity"]
"""Why the rounds of a test ended."""
Pattern = Literal["random", "sequential"]


class Finding(Part):
    """One row of findings."""

    target: str = ""
    """The target as the user calls it."""
    series: str = ""
    """The workload, without what is varied."""

    def of(self, target: str, series: str) -> Self:
        """Return the same for a target and a workload."""
        return self.model_copy(update={"target": target, "series": series})


class Spread(Part):
    """How far the repeats of a point are apart in one figure."""

    target: str
    iodepth: int | None
    figure: str
    repeats: int
    mean: float
    deviation: float | None
    """Standard deviation, n - 1 in the denominator."""
    deviation_max: float | None
    """The largest distance from the mean, over the mean."""
    within: bool | None
    """Whether that is within the tolerance."""


class Knee(Finding):
    """Where the two bounds of a depth sweep meet."""

    depth: float
    """N*, in outstanding requests; at least this where `reached` is false."""
    iops_max: float
    """X_max, or the most that was measured where `reached` is false."""
    depth_at_max: int
    round_ns: float
    """R, of one request without queueing; by Little's law."""
    reached: bool
    """Whether the sweep went deep enough to see X_max."""
    depth_enough: int
    """The smallest measured depth that carries nine tenths of `iops_max`."""
    latency_ns_p99_enough: float | None
    fell: bool
    """Whether too many outstanding requests cost throughput."""
    depth_kept: float = 1.0
    """The share of the requested depth that was outstanding in the mean, by Little's law, at `depth_at_max`.

    Well below 1, the machine could not keep the queue filled, and the machine was measured.
    """


class Level(Part):
    """A rate that does not change with the request size."""

    per_s: float
    """Requests or bytes."""
    from_bytes: int
    to_bytes: int


class Caps(Finding):
    """The rates that do not change with the request size; null where there is none."""

    read_fraction: float | None = None
    iops: Level | None
    bytes_per_s: Level | None


class Commit(Finding):
    """One session that commits as fast as it can."""

    block_bytes: int | None = None
    commits_per_s: float
    commit_ns_mean: float
    commit_ns_p99_most: float | None
    """An upper bound of the 99th percentile."""
    write_ns_p99: float | None
    flush_ns_p50: float | None
    flush_ns_p99: float | None


class Waiting(Finding):
    """Threads that wait for each request next to one thread that does not, with as many outstanding."""

    depth: int
    sync_iops: float
    async_iops: float
    ratio: float
    sync_latency_ns_p99: float | None
    async_latency_ns_p99: float | None


class Settled(Finding):
    """When a long run settled, and the mean of each stretch."""

    reached: bool
    settled_after_s: float | None
    stretch_s: float
    iops: list[float]
    iops_settled: float | None
    iops_first: float | None
    rested: bool
    """Whether a rest within the run began the warm-up again."""


class Jitter(Finding):
    """The whole seconds of a run in figures."""

    seconds: int
    iops_mean: float
    iops_median: float
    iops_q1: float
    """What 99 of 100 seconds carry at least; the least of fewer than a hundred seconds."""
    iops_min: float
    variation: float
    """Standard deviation over mean."""
    stalls: int
    """Seconds below half of the median."""
    latency_ns_max: float | None


class Ratio(Finding):
    """A point of a further target over the same point of the first target."""

    over: str
    depth: int
    iops_ratio: float
    latency_p99_ratio: float | None


class Repeat(Finding):
    """A run that was repeated at the end."""

    depth: int
    iops_first: float
    iops_again: float
    ratio: float


class Throughput(Part):
    """Transactions of a target at one setting: medians over the repeats; devices of one target are added up."""

    target: str
    settings: dict[str, Setting]
    """The settings that vary."""
    repeats: int
    per_s: float
    per_s_low: float
    per_s_high: float
    errors: int
    latency_ns_mean: float | None
    latency_ns_q95: float | None = Field(alias="latency_ns_q0.95")
    latency_ns_q99: float | None = Field(alias="latency_ns_q0.99")
    variation: float | None
    """Standard deviation over mean of the throughput of the seconds."""
    new_orders_per_min: float | None
    user: float | None
    system: float | None
    iowait: float | None
    reads_per_s: float | None
    writes_per_s: float | None
    read_bytes_per_s: float | None
    written_bytes_per_s: float | None
    busy: float | None
    """Of the busiest device."""
    on_time: Annotated[bool | None, left_out()] = None
    """Whether attached designs were on time in all repeats; where not, this is a figure of the machine."""
    late_share: Annotated[float | None, left_out()] = None
    """How much of the wait for them was this machine's, data and log together."""

    @property
    def key(self) -> tuple[tuple[str, Setting], ...]:
        """The settings, hashable."""
        return tuple(self.settings.items())


class ThroughputRatio(Part):
    """The throughput of a further target over that of the first at the same setting, bounded by extremes of repeats."""

    target: str
    over: str
    settings: dict[str, Setting]
    ratio: float
    ratio_low: float | None
    ratio_high: float | None


class Tracked(Part):
    """A variable that the rule of steady state looks at; without its window before round 5."""

    name: str
    read_fraction: float
    block_bytes: int
    quantity: Quantity
    unit: str
    spacing: int
    """One of so many rounds is judged."""
    values: list[float]
    mean: float | None = None
    range: float | None = None
    range_holds: bool | None = None
    slope: float | None = None
    excursion: float | None = None
    slope_holds: bool | None = None
    fit_first: float | None = None
    fit_last: float | None = None
    steady: bool | None = None


class CellMean(Part):
    """One cell over the measurement window."""

    name: str
    read_fraction: float
    block_bytes: int
    pattern: Pattern
    iops: float
    throughput_bytes_per_s: float
    latency_ns_mean: float
    latency_ns_max: float


class SaturationStep(Part):
    """One step of write saturation."""

    step: int
    end_s: float
    written_bytes: int
    iops: float
    latency_ns_mean: float
    latency_ns_max: float


class Cliff(Part):
    """Where the throughput of writes falls for good."""

    step: int
    start_s: float
    written_bytes: int
    spans: float
    iops_before: float
    iops_settled: float


class SteadyPart(Part):
    """One part of a test: what was preconditioned and run to steady state as one."""

    part: str
    reached: bool
    ended_by: End | None
    rounds: int
    rounds_max: int
    stretch: int
    purge: str | None
    iodepth: int
    threads: int
    window: tuple[int, int] | None
    variables: list[Tracked]
    matrix: list[CellMean]
    series: list[SaturationStep] | None = None
    """Of write saturation; null for all other tests."""
    cliff: Cliff | None = None
    histogram: Stream | None = None
    """The writes of the final run, as in an outcome."""


class Findings(Part):
    """The findings of a result."""

    tolerance: float | None = None
    spread: list[Spread] = Field(default_factory=list)
    sweep: SweepKind | None = None
    knees: list[Knee] = Field(default_factory=list)
    caps: list[Caps] = Field(default_factory=list)
    commits: list[Commit] = Field(default_factory=list)
    waits: list[Waiting] = Field(default_factory=list)
    settled: list[Settled] = Field(default_factory=list)
    jitter: list[Jitter] = Field(default_factory=list)
    ratios: list[Ratio] = Field(default_factory=list)
    repeats: list[Repeat] = Field(default_factory=list)
    chosen: list[str] = Field(default_factory=list)
    """What a quick look chose, and why."""
    warnings: list[str] = Field(
        default_factory=list,
        validation_alias=AliasChoices("noticed", "warnings"),
        serialization_alias="noticed",
    )
    throughput: list[Throughput] = Field(default_factory=list)
    throughput_ratios: list[ThroughputRatio] = Field(default_factory=list)


class SteadyState(Findings):
    """The findings of a test of steady state."""

    test: Test
    specification: str
    follows: bool
    """Whether nothing deviates from the specification."""
    quick: bool
    deviations: list[str]
    span_bytes: int
    step_s: float
    reached: bool
    parts: list[SteadyPart]
