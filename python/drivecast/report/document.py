"""What the report reads: the plan, the profile and the outcome, as the JSON documents define them.

Only what is shown is declared; keys that are not declared are passed over, so that a document may grow.
What cannot be told is null. A document of another `schema_version`, or one that lacks what the page
cannot do without, is an `InputError` that names the place.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError
from typing_extensions import TypedDict

from drivecast.errors import InputError
from drivecast.report.detail import Detail, Part
from drivecast.report.number import YEARS_MAX

SCHEMA_VERSION = 1

Provenance = Literal["given", "measured", "derived", "published", "fitted", "assumed", "undefined"]


class Interval(Part):
    """A prediction with its bounds."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


class Life(Interval):
    """Years until the drives are worn out, and what ends them."""

    limit: Literal["media", "warranty", "none"] | None = None


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


class Profile(Detail):
    """A workload."""

    schema_version: Literal[1]
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
    seconds: list[Second] | None = None
    heat_map: HeatMap | None = None
    spindles: dict[str, Any] | None = None
    provenance: dict[str, Provenance] = Field(default_factory=dict)

    def known_as(self, key: str) -> str:
        """How the figure `key` is known."""
        return self.provenance.get(key, "measured")


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


class Outcome(Part):
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


class Cost(Part):
    """Money over the years asked for."""

    currency: str = "USD"
    total: float
    purchase: float | None = None
    energy: float | None = None
    replacement: float | None = None
    residual: float | None = None
    low: float | None = None
    high: float | None = None
    per_usable_tb: Interval | None = None
    per_iops_at_slo: Interval | None = None
    per_tb_written: Interval | None = None

    @property
    def span(self) -> Interval:
        """The total with its bounds."""
        return Interval(value=self.total, low=self.low, high=self.high)


class WarrantyEnd(Part):
    """The day the warranty ends, and by what."""

    date: str | None = None
    years: float | None = None
    by: Literal["writes", "term"] | None = None


class MediaEnd(Part):
    """The day the flash ends, between the days it may; null where that is too far away to name a day."""

    value: str | None = None
    low: str | None = None
    high: str | None = None


class Move(Part):
    """Cost and life with one input at either end of its interval."""

    input: str
    unit: str
    low: float
    value: float
    high: float
    provenance: Provenance
    source: str
    cost_low: float
    cost_high: float
    life_years_low: float | None = None
    life_years_high: float | None = None

    @property
    def swing(self) -> float:
        """How much the cost moves."""
        return abs(self.cost_high - self.cost_low)

    @property
    def lives(self) -> tuple[float, float] | None:
        """Years of life at either end, cut off where all are the same to a buyer; none where it does not move."""
        ends = self.life_years_low, self.life_years_high
        if ends == (None, None):
            return None
        low, high = (YEARS_MAX if years is None else min(years, YEARS_MAX) for years in ends)
        return low, high


class Design(Part):
    """A design that was considered."""

    rank: int | None = None
    design: str
    title: str
    level: str | None = None
    verdict: Literal["fits", "misses", "pruned"]
    why: str | None = None
    on_front: bool = False
    asked: bool = False
    refined: bool = False
    usable_bytes: float | None = None
    room: float | None = None
    read_p99_ns: Interval | None = None
    write_p99_ns: Interval | None = None
    outcome: Outcome | None = None
    write_amplification: Interval | None = None
    life_years: Life | None = None
    life_media_years: Interval | None = None
    life_warranty_years: float | None = None
    warranty_end: WarrantyEnd | None = None
    media_end: MediaEnd | None = None
    retention_months: Interval | None = None
    sensitivity: list[Move] | None = None
    dwpd_used: float | None = None
    dwpd_rated: float | None = None
    annual_failure_rate: float | None = None
    data_loss_probability: float | None = None
    data_loss_probability_low: float | None = None
    data_loss_probability_high: float | None = None
    data_loss_method: str | None = None
    rebuild_h: float | None = None
    unreadable_probability: float | None = None
    power_w: float | None = None
    power_w_low: float | None = None
    power_w_high: float | None = None
    energy_kwh: float | None = None
    cost: Cost | None = None


class Requirement(Part):
    """A need, and where it comes from."""

    name: str
    value: float | None = None
    display: str
    origin: Literal["given", "derived", "assumed"]
    why: str = ""


class Assumption(Part):
    """A figure that went in, and how it is known."""

    name: str
    value: str | float | bool | None = None
    provenance: Provenance
    source: str | None = None


class Counts(Part):
    """How many designs met which fate."""

    considered: int
    simulated: int
    fits: int
    misses: int
    pruned: int


class Workload(Part):
    """What was recorded."""

    name: str
    source: str | None = None
    hash: str | None = None
    hours_like: str | None = None
    notes: list[str] = Field(default_factory=list)
    profile: Profile


class PredictionError(Part):
    """How far predictions have been off so far, in a sentence."""

    comparisons: int
    statement: str


class Plan(Part):
    """The whole answer."""

    schema_version: Literal[1]
    version: str
    seed: int
    date: str | None = None
    command: str | None = None
    workload: Workload
    requirements: list[Requirement]
    designs: list[Design]
    winner: str | None
    front: list[str] = Field(default_factory=list)
    nearest: list[str] = Field(default_factory=list)
    counts: Counts
    assumptions: list[Assumption] = Field(default_factory=list)
    hashes: dict[str, str | None] = Field(default_factory=dict)
    prediction_error: PredictionError | None = None

    def find(self, design: str | None) -> Design | None:
        """Return the design with this line."""
        return next((candidate for candidate in self.designs if candidate.design == design), None)

    def need(self, name: str) -> Requirement | None:
        """Return the requirement of this name, `p99_read` and `p99-read` being one."""
        return next((need for need in self.requirements if need.name.replace("-", "_") == name), None)

    def near(self) -> list[Design]:
        """Return the designs nearest to fitting, where none fits, nearest first."""
        return [design for line in self.nearest if (design := self.find(line))]

    def ranked(self) -> list[Design]:
        """Return the designs that fit, best first."""
        fits = [design for design in self.designs if design.verdict == "fits"]
        return sorted(fits, key=lambda design: (design.rank is None, design.rank or 0))


class Step(Part):
    """A step of the endurance method."""

    step: int
    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str
    provenance: Provenance
    arithmetic: str
    source: str
    date: str | None = None
    date_low: str | None = None
    date_high: str | None = None


class Wear(Part):
    """The write amplification of a workload on a design, and life where the daily writes are known."""

    schema_version: Literal[1]
    design: str
    write_amplification: float
    write_amplification_low: float | None = None
    write_amplification_high: float | None = None
    steady: bool = True
    erase_count_min: int | None = None
    erase_count_mean: float | None = None
    erase_count_max: int | None = None
    erase_count_deviation: float | None = None
    pe_cycles_per_day: float | None = None
    life_years_media_low: float | None = None
    life_years_media_high: float | None = None
    life_years_warranty: float | None = None
    dwpd_used: float | None = None
    dwpd_rated: float | None = None
    warranty_end: str | None = None
    media_end_low: str | None = None
    media_end_high: str | None = None
    years: float | None = None
    retention_months_low: float | None = None
    retention_months_high: float | None = None
    steps: list[Step] = Field(default_factory=list)


Document = TypeVar("Document", Plan, Profile, Outcome, Wear)


def _read(kind: type[Document], name: str, document: Mapping[str, Any]) -> Document:
    version = document.get("schema_version") if isinstance(document, Mapping) else None
    if version != SCHEMA_VERSION:
        found = "no `schema_version`" if version is None else f"`schema_version` {version!r}"
        raise InputError(
            f"this is no {name} of this version: expected `schema_version` {SCHEMA_VERSION}, found {found}"
        )
    try:
        return kind.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise InputError(f"the {name} is not complete: `{place}`: {first['msg']}{more}") from None


def plan(document: Mapping[str, Any]) -> Plan:
    """Check a plan."""
    return _read(Plan, "plan", document)


def profile(document: Mapping[str, Any]) -> Profile:
    """Check a profile."""
    return _read(Profile, "profile", document)


def outcome(document: Mapping[str, Any]) -> Outcome:
    """Check an outcome."""
    return _read(Outcome, "outcome", document)


def wear(document: Mapping[str, Any]) -> Wear:
    """Check the wear of a design."""
    return _read(Wear, "wear", document)
