"""The answer to the main question: designs, ranked, with what was required and assumed."""

import datetime
import math
from typing import Annotated, Any, Literal

from pydantic import Field

from drivecast.document.array_state import ArrayState
from drivecast.document.buyers_question import BuyersAnswer, ShadowPrice
from drivecast.document.cost import Cost
from drivecast.document.design import LatencyKnown, Level
from drivecast.document.miss import Miss
from drivecast.document.nightly_backup import Backup
from drivecast.document.outcome import Outcome, Seconds
from drivecast.document.part import Part, Provenance, left_out
from drivecast.document.prediction_error import PredictionError
from drivecast.document.price_facts import PriceFacts
from drivecast.document.profile import Profile
from drivecast.document.report_payload import Asked
from drivecast.document.tenant import Tenant
from drivecast.flat_row import flat
from drivecast.quantity.interval import Span
from drivecast.quantity.number import YEARS_MAX


class Life(Span):
    """Years until the drives are worn out, and what ends them."""

    limit: Literal["media", "warranty", "none"] | None = None


class Rent(Part):
    """What a rented design is, and what it costs a month in US dollars, by its parts."""

    provider: str
    kind: str
    gib: int | None = None
    """Of each volume; null for drives inside of an instance."""
    iops: float | None = None
    mib_per_s: float | None = None
    instance: str | None = None
    """Whose limits it is behind, or whose drives it is made of."""
    capacity_usd: float
    iops_usd: float
    mib_per_s_usd: float
    priced_on: datetime.date
    provenance: Provenance
    commitment_years: Annotated[int | None, left_out()] = None
    """The longest term that its price is committed for; the price is then the mean of the years."""
    credits_at_peak: float | None = None
    """Share of the burst credits that the log leaves when the peak begins, at the required headroom."""
    credits_least: float | None = None
    """The smallest share over the log."""


class WarrantyEnd(Part):
    """The day the warranty ends, and by what."""

    date: datetime.date | None = None
    years: float | None = None
    by: Literal["writes", "term"] | None = None


class MediaEnd(Part):
    """The day the flash ends, between the days it may; null where that is too far away to name a day."""

    value: datetime.date | None = None
    low: datetime.date | None = None
    high: datetime.date | None = None


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


Best = Literal["cost", "read_p99", "write_p99", "life"]


class Worn(Part):
    """Reads at the end of the service, of the oldest data."""

    cycles_used: Span
    """Share of the rated cycles."""
    read_p99_ns: Span


class WholeLog(Part):
    """Latency over all of the log, the quiet hours too."""

    by_windows: bool
    """Whether windows were played that represent it; their intervals have what the choice may be off."""
    read_p50_ns: Span | None = None
    read_p99_ns: Span | None = None
    read_p999_ns: Span | None = None
    write_p50_ns: Span | None = None
    write_p99_ns: Span | None = None
    write_p999_ns: Span | None = None


Better = Literal["headroom", "data-loss", "p99"]


class Neighbour(Part):
    """A design that costs little more than the first and is much better in something."""

    line: str
    better: Better
    factor: float
    """How many times better."""
    cost_more: float
    """As a share of the first design's cost."""


EndedBy = Literal["time limit", "interrupt"]
"""What ends a search before all is tried."""
NoCaches = Literal["counters", "backup"]
"""Why no cache can be judged: counters have no addresses, and a backup to keep up with was made up."""

FlipInput = Literal["growth", "prices", "peak", "hours a day", "limits on p99", "seed", "hits"]


class Flip(Part):
    """The winner with one assumption otherwise."""

    input: FlipInput
    value: str
    winner: str | None
    """None where nothing fits."""
    changed: bool
    """Whether the plan's winner no longer fits, or is no longer tied with the cheapest."""
    cost: float | None = None
    """The total of the winner, in the plan's currency."""
    regret: float | None = None
    """What the plan's winner costs more than the best then; what its drives cost where it does not fit."""
    misses: list[Miss] = Field(default_factory=list)
    """The requirements that the plan's winner misses then."""


class DataLoss(Span):
    """The chance of losing data over the years, by drives that fail and sectors that cannot be read."""

    method: Literal["closed form", "simulated"] | None = None
    beyond_redundancy: Span | None = None
    """By people and software, besides: no redundancy lowers it, only a copy elsewhere does."""


class Volume(Part):
    """One of several volumes of a design, with its part of the load."""

    name: str
    selector: str
    """Which requests it gets, as `--volume` says it."""
    line: str
    title: str
    requests: int
    usable_bytes: float
    capacity_needed_bytes: float
    headroom: float | None = None
    read_p99_ns: Span | None = None
    write_p99_ns: Span | None = None
    life_years: Life | None = None
    data_loss: DataLoss | None = None
    power_w: float | None = None
    cost: Cost | None = None


class CacheSide(Part):
    """The drives of one side of a cached design, judged for what the cache sends them."""

    line: str
    title: str
    drive_title: str
    level: Level
    count: int
    """Drives in use."""
    flash: str
    """What it keeps data in, as a design has it: `TLC`, `HDD`."""
    usable_bytes: float
    utilization: float | None = None
    """Share of the peak in which its drives work."""
    written_bytes_per_day: float | None = None
    """Sent to it in the first year, mirrors and parity not counted."""
    write_amplification: Span | None = None
    """Of its flash, full and written at random."""
    life_years: Life | None = None
    data_loss: DataLoss | None = None
    power_w: float | None = None
    cost: Cost | None = None


class CachedPart(Part):
    """What a cache before slower drives does with the load."""

    policy: str
    mode: str
    size_bytes: float
    loses_dirty: bool
    """Whether data are lost with the drives of the cache: what was written is there alone until it is cleaned."""
    fast: CacheSide | None = None
    slow: CacheSide | None = None
    hits_over: Literal["log", "peak"] | None = None
    """What `hit_ratio` is of: a long log is not played whole, but its peak after what came before it."""
    hit_ratio: float | None = None
    """Share of the pieces of requests that the cache serves, once it has seen the log before: at the most."""
    hit_ratio_from_empty: float | None = None
    """The same over the log from an empty cache: at the least; of a long log or windows by an LRU cache."""
    read_p99_from_empty_ns: float | None = None
    """In the same run, or at the peak of a long log or of windows."""
    read_miss_ratio_expected: float | None = None
    """Share of the reads of the log's second half that an LRU cache of the size would miss, after its first half; new
    blocks are hits in so far as all data fit the cache."""
    new_read_ratio: float | None = None
    """Share of the reads of the log's second half that meet a block for the first time."""
    warm_up_s: float | None = None
    """Until an empty cache has met nine tenths of the blocks of the log that it can hold; of load like the log."""


class Design(Part):
    """A design that was considered."""

    rank: int | None = None
    tier: int | None = None
    """From 1: designs of one tier are tied on cost, within what is known of prices."""
    chance_cheapest: float | None = None
    """That it is the cheapest that fits, over what is not known of prices, load, wear, latency and data loss."""
    line: str
    title: str
    level: str | None = None
    drive: str | None = None
    count: int | None = None
    """Drives that are bought, spares among them."""
    groups: int | None = None
    """That data are spread over, each with redundancy of its own: pairs in RAID 10."""
    spares: int = 0
    """Drives that wait for a failure."""
    flash: str | None = None
    """What it keeps data in: `SLC`, `MLC`, `TLC`, `QLC`, `3D XPoint`, or `HDD`; null for what is rented."""
    form: str | None = None
    """Where each drive goes: `2.5 in`, `U.2`, `3.5 in`, `add-in card`."""
    where: Literal["metal", "cloud"] = "metal"
    """Whether it is bought or rented."""
    yours: bool = False
    """Whether the person named it: it is always shown."""
    today: bool = False
    """Whether it is what runs now."""
    refined: bool = False
    verdict: Literal["fits", "misses", "pruned"]
    fits: bool = False
    misses: list[Miss] = Field(default_factory=list)
    """The requirements that it misses; for a design that was not simulated, the first bound that rules it out."""
    tolerated: list[Miss] = Field(default_factory=list)
    """The requirements that it misses within a tolerance."""
    best: list[Best] = Field(default_factory=list)
    """In what no other design that fits is better."""
    pareto_optimal: bool = False
    dominated_by: int | None = None
    """The rank of a design that is no worse in cost, latencies and life, and better in one."""
    usable_bytes: float | None = None
    headroom: float | None = None
    carries: float | None = None
    """The largest multiple of the peak that it is known to carry, where its headroom was not looked for."""
    read_p50_ns: Span | None = None
    read_p99_ns: Span | None = None
    read_p999_ns: Span | None = None
    write_p50_ns: Span | None = None
    write_p99_ns: Span | None = None
    write_p999_ns: Span | None = None
    latency_chance: float | None = None
    """That the limits on p99 hold at the measured peak, where an interval goes beyond one; null where none does."""
    latency_known: LatencyKnown | None = None
    """How the latency of an SSD under load is known; null for a disk. The intervals are as wide as that leaves them."""
    whole_log: Annotated[WholeLog | None, left_out()] = None
    """Of a design that fits and is refined, where the log is longer than the peak."""
    worn: Annotated[Worn | None, left_out()] = None
    """After the years of service; of the winner, where it is known what wear does to its reads."""
    states: Annotated[list[ArrayState] | None, left_out()] = None
    """Of the winner and the designs after it, where they survive the loss of a drive; a rebuild is of the winner."""
    commands: Annotated[list[str] | None, left_out()] = None
    """That create the array with Linux software RAID; of designs of drives of one kind that fit."""
    outcome: Outcome | None = None
    write_amplification: Span | None = None
    life_years: Life | None = None
    life_media_years: Span | None = None
    life_warranty_years: float | None = None
    warranty_end: WarrantyEnd | None = None
    media_end: MediaEnd | None = None
    pe_cycles_per_day: Span | None = None
    retention_months: Span | None = None
    sensitivity: list[Move] | None = None
    dwpd_used: float | None = None
    dwpd_rated: float | None = None
    annual_failure_rate: float | None = None
    annual_failure_rate_low: float | None = None
    data_loss: DataLoss | None = None
    rebuild_h: float | None = None
    unreadable_probability: float | None = None
    power_w: float | None = None
    power_w_low: float | None = None
    power_w_high: float | None = None
    energy_kwh: float | None = None
    cost: Cost | None = None
    monthly_usd: float | None = None
    """Cost over the months of service, in US dollars, bought or rented."""
    rent: Annotated[Rent | None, left_out()] = None
    volumes: Annotated[list[Volume] | None, left_out()] = None
    """Of a design of several, each with a part of the load; the figures of the design are those of all together."""
    cached: Annotated[CachedPart | None, left_out()] = None
    """Of a cache before slower drives; the figures of the design are those of both together."""
    tenants: Annotated[list[Tenant] | None, left_out()] = None
    """Of several logs together: each of them on the winner, and on what runs now."""

    @property
    def total(self) -> float:
        """What it costs over the years; infinite where that is not known."""
        return self.cost.total if self.cost else math.inf

    @property
    def currency(self) -> str:
        """What its cost is in; US dollars where it has none."""
        return self.cost.currency if self.cost else "USD"

    @property
    def miss(self) -> Miss | None:
        """The first requirement that it misses."""
        return self.misses[0] if self.misses else None


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


class RuledOut(Part):
    """Designs that a bound rules out and that are not listed: of each reason a few are."""

    miss: Miss
    """What they lack; the figures are each design's own."""
    designs: int


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
    backup: Annotated[Backup | None, left_out()] = None
    together: Annotated[list[str] | None, left_out()] = None
    """The logs that were superposed, by name."""
    profile: Profile


class Remedy(Part):
    """The best design that fits without one of the requirements that exclude each other."""

    requirement: str
    line: str
    title: str
    cost: float
    """In the currency of the plan."""


class Plan(Asked):
    """The whole answer."""

    schema_version: int = 3
    version: str
    seed: int
    date: datetime.date | None = None
    command: Annotated[str | None, left_out()] = None
    workload: Workload
    requirements: list[Requirement]
    designs: list[Design]
    winner: str | None
    beside: Annotated[Neighbour | None, left_out()] = None
    no_caches: Annotated[NoCaches | None, left_out()] = None
    """Why no cached design was considered, where disks are among the designs."""
    flips: list[Flip] = Field(default_factory=list)
    """Whether the winner changes with what nobody measured."""
    shadow_prices: list[ShadowPrice] = Field(default_factory=list)
    """What requirements cost that nobody stated, and what one step more would."""
    prices: Annotated[PriceFacts | None, left_out()] = None
    """How old prices are, how they move, and at which of them the order of the first designs flips."""
    comparisons: list[BuyersAnswer] = Field(default_factory=list)
    """The questions that buyers ask by name, where both sides were simulated."""
    partial: Annotated[EndedBy | None, left_out()] = None
    """What ended the search before all was tried; designs that were not tried miss `time`."""
    ruled_out: list[RuledOut] = Field(default_factory=list)
    """Of designs that were not simulated those beyond the few examples among `designs`; `--detail` lists all."""
    pareto_front: list[str] = Field(default_factory=list)
    nearest: list[str] = Field(default_factory=list)
    conflict: Annotated[list[str] | None, left_out()] = None
    """Where nothing fits: the fewest requirements of which every design misses one; `load` is the measured peak."""
    remedies: list[Remedy] = Field(default_factory=list)
    """What fits without one of these."""
    counts: Counts
    assumptions: list[Assumption] = Field(default_factory=list)
    hashes: dict[str, str | None] = Field(default_factory=dict)
    prediction_error: Annotated[PredictionError | None, left_out()] = None

    def to_rows(self) -> list[dict[str, Any]]:
        """A row a design."""
        return [flat(design) for design in self.model_dump(mode="json", by_alias=True)["designs"]]

    @property
    def currency(self) -> str:
        """What its costs are in; US dollars where it has none."""
        return next((design.cost.currency for design in self.designs if design.cost), "USD")

    def without_seconds(self) -> "Plan":
        """Return the plan without what happened in each second, which is most of its size."""
        profile = self.workload.profile.model_copy(update={"seconds": Seconds()})
        designs = [
            design.model_copy(update={"outcome": design.outcome.without_tables()})
            if design.outcome
            else design
            for design in self.designs
        ]
        workload = self.workload.model_copy(update={"profile": profile})
        return self.model_copy(update={"workload": workload, "designs": designs})

    def find(self, design: str | None) -> Design | None:
        """Return the design with this line."""
        return next((candidate for candidate in self.designs if candidate.line == design), None)

    def need(self, name: str) -> Requirement | None:
        """Return the requirement of this name, `p99_read` and `p99-read` being one."""
        return next((need for need in self.requirements if need.name.replace("-", "_") == name), None)

    def near(self) -> list[Design]:
        """Return the designs nearest to fitting, where none fits, nearest first."""
        return [design for line in self.nearest if (design := self.find(line))]

    def yours(self) -> list[Design]:
        """Return the designs that the person named, those that fit first, best first."""
        named = [design for design in self.designs if design.yours]
        return sorted(named, key=lambda design: (design.rank is None, design.rank or 0))

    def ranked(self) -> list[Design]:
        """Return the designs that fit, best first."""
        fits = [design for design in self.designs if design.verdict == "fits"]
        return sorted(fits, key=lambda design: (design.rank is None, design.rank or 0))
