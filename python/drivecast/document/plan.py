"""The answer to the main question: designs, ranked, with what was required and assumed."""

from typing import Literal

from pydantic import Field

from drivecast.document.outcome import Outcome
from drivecast.document.part import Document, Interval, Part, Provenance
from drivecast.document.profile import Profile
from drivecast.quantity.number import YEARS_MAX


class Life(Interval):
    """Years until the drives are worn out, and what ends them."""

    limit: Literal["media", "warranty", "none"] | None = None


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


class Plan(Document):
    """The whole answer."""

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
