"""How long flash lasts under a workload, by its cycles and by its warranty: two dates.

Model. A block endures N program/erase cycles; wear levelling spreads them evenly. A host that writes w bytes a day
spends c = WA × w / raw cycles of every block a day. Two kinds of programs come on top in the background:

- reads disturb their neighbours, so a block is written elsewhere after L reads: q pages read a day over B blocks are
  at most d = q / (L B) cycles a day, and none where writes turn blocks over sooner than L reads;
- data that are not rewritten leak, so a powered drive writes them again before they are lost: k P cycles a year after P
  cycles (`retention` has k).

With demand that grows by a share g a year, r = ln(1 + g):

    dP/dt = 365 (c + d) e^(r t) + k P,    P(t) = 365 (c + d) (e^(r t) − e^(k t)) / (r − k)

and the media end where P = N. The warranty ends by writes where the host's bytes(t) = 365 w (e^(r t) − 1) / r reach
the rated TBW, and by time at its term, whichever comes first. Left out: wear that is not even, and spare blocks lost
early; a rated TBW already holds a write amplification of its maker's choosing (JESD219), so it is never multiplied by
one again.
"""

import math
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from drivecast.assess.retention import Retention
from drivecast.quantity.interval import Interval

DAYS_PER_YEAR = 365.0
EXPONENT_MAX = 600.0
"""Growth beyond e to this is more than any drive endures, and more than a float holds."""
CALENDAR_DAYS_PER_YEAR = 365.2425
DATE_YEARS_MAX = 100.0
"""An end further away than this is no date anybody should write down."""


@dataclass(frozen=True)
class FlashRating:
    """What a drive offers to be worn."""

    user_bytes: int
    raw_bytes: int
    pe_cycles: Interval
    tbw_bytes: float | None
    """Host writes the warranty covers; none where the maker rates none."""
    warranty_years: float
    retention: Retention | None = None
    """None: nothing is known, so data are taken to keep without being written again."""
    block_bytes: int = 0
    page_bytes: int = 0
    reads_per_block: Interval | None = None
    """Reads of a block until it is written elsewhere; none: reads cost nothing."""

    def disturbed_per_day(self, read_bytes_per_day: float, written_per_day: Interval) -> Interval:
        """Cycles a day that reads cost: at most one for each `reads_per_block`, at least what writes do not save.

        The low end spreads the reads evenly over blocks that writes turn over; value and high end are of reads that
        meet blocks which are not rewritten.
        """
        limit = self.reads_per_block
        if limit is None or not read_bytes_per_day:
            return Interval.exactly(0.0)
        of_a_block = read_bytes_per_day / self.page_bytes / (self.raw_bytes / self.block_bytes)
        low = max(0.0, of_a_block / limit.high - written_per_day.high)
        return Interval(low, of_a_block / limit.value, of_a_block / limit.low)


@dataclass(frozen=True)
class Course:
    """How the cycles of a drive add up."""

    per_day: float
    """In the first year."""
    growth_per_year: float = 0.0
    relaxation_per_year: float = 0.0
    """Programs a year for each cycle spent, to keep data fresh."""

    def cycles(self, years: float) -> float:
        """Cycles spent in `years`."""
        rate, own = math.log1p(self.growth_per_year), self.relaxation_per_year
        gap = rate - own
        if max(rate, own) * years > EXPONENT_MAX:
            return math.inf
        shape = years if abs(gap) < 1e-12 else math.expm1(gap * years) / gap
        return self.per_day * DAYS_PER_YEAR * math.exp(own * years) * shape

    def years(self, cycles: float) -> float:
        """Years until `cycles` are spent; infinite where that never happens within a thousand years."""
        if self.relaxation_per_year == 0:
            return years_until(cycles, bytes_per_day=self.per_day, growth_per_year=self.growth_per_year)
        low, high = 0.0, 1000.0
        if self.cycles(high) < cycles:
            return math.inf
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if self.cycles(middle) < cycles else (low, middle)
        return high


@dataclass(frozen=True)
class Endurance:
    """Life of one drive under its share of a workload; years are infinite where nothing is written."""

    rating: FlashRating
    life_years_media: Interval
    life_years_rated_writes: float
    """Until the rated TBW is written; infinite where none is rated."""
    warranty_end_years: float
    """Until the warranty ends, by writes or by its term."""
    pe_cycles_per_day: Interval
    """Of the host's writes, in the first year."""
    disturbed_per_day: Interval
    """Cycles a day that reads add, in the first year."""
    courses: tuple[Course, Course, Course]
    """The slowest wear, the likely, and the fastest."""
    dwpd_used: float
    """In the first year."""
    dwpd_rated: float | None

    @property
    def limit(self) -> Literal["media", "warranty", "none"]:
        """What ends the drive's rated life: the flash itself, the writes that its maker warrants, or nothing."""
        if math.isinf(min(self.life_years_media.value, self.life_years_rated_writes)):
            return "none"
        return "warranty" if self.life_years_rated_writes < self.life_years_media.value else "media"

    @property
    def life_years(self) -> Interval:
        """The shorter of media life and rated writes, bound by bound."""
        return self.life_years_media.rising(lambda years: min(years, self.life_years_rated_writes))

    def cycles_after(self, years: float) -> Interval:
        """Cycles spent in `years`."""
        return Interval(*(course.cycles(years) for course in self.courses))

    def retention_months(self, years: float) -> Interval | None:
        """Months of unpowered retention after `years`; none where nothing is known of the flash."""
        law = self.rating.retention
        return law.after(self.cycles_after(years)) if law else None


def end_date(start: date, years: float) -> date | None:
    """Give the day `years` after `start`; none where that is never, or too far away to name a day."""
    if not years <= DATE_YEARS_MAX:
        return None
    return start + timedelta(days=round(years * CALENDAR_DAYS_PER_YEAR))


def bytes_within(years: float, *, bytes_per_day: float, growth_per_year: float = 0.0) -> float:
    """Give the bytes written in `years`, when demand grows steadily by a share a year."""
    rate = math.log1p(growth_per_year)
    if abs(rate) < 1e-12:
        return bytes_per_day * DAYS_PER_YEAR * years
    return bytes_per_day * DAYS_PER_YEAR * math.expm1(years * rate) / rate


def years_until(total_bytes: float, *, bytes_per_day: float, growth_per_year: float = 0.0) -> float:
    """Give the years until `total_bytes` are written; infinite where that never happens."""
    if growth_per_year <= -1:
        raise ValueError(f"demand cannot shrink by {-growth_per_year:.0%} a year")
    if bytes_per_day == 0:
        return math.inf
    rate = math.log1p(growth_per_year)
    flat = total_bytes / (bytes_per_day * DAYS_PER_YEAR)
    if abs(rate) < 1e-12:
        return flat
    reach = rate * flat  # shrinking demand never writes more than its initial rate over the decay
    return math.log1p(reach) / rate if reach > -1 else math.inf


def life(
    rating: FlashRating,
    *,
    host_bytes_per_day: float,
    write_amplification: Interval,
    growth_per_year: float = 0.0,
    read_bytes_per_day: float = 0.0,
) -> Endurance:
    """Assess one drive that receives `host_bytes_per_day`.

    Its share of the array's writes, parity included; likewise of its reads.
    """
    written = write_amplification.rising(lambda factor: factor * host_bytes_per_day / rating.raw_bytes)
    disturbed = rating.disturbed_per_day(read_bytes_per_day, written)
    relaxation = rating.retention.relaxation_per_year() if rating.retention else Interval.exactly(0.0)
    slowest, likely, fastest = (
        Course(writes + reads, growth_per_year, own)
        for writes, reads, own in (
            (written.low, disturbed.low, relaxation.low),
            (written.value, disturbed.value, relaxation.value),
            (written.high, disturbed.high, relaxation.high),
        )
    )
    by_writes = math.inf
    rated = None
    if rating.tbw_bytes is not None:
        by_writes = years_until(
            rating.tbw_bytes, bytes_per_day=host_bytes_per_day, growth_per_year=growth_per_year
        )
        rated = rating.tbw_bytes / (rating.user_bytes * DAYS_PER_YEAR * rating.warranty_years)
    cycles = rating.pe_cycles
    return Endurance(
        rating=rating,
        life_years_media=Interval(
            fastest.years(cycles.low), likely.years(cycles.value), slowest.years(cycles.high)
        ),
        life_years_rated_writes=by_writes,
        warranty_end_years=min(by_writes, rating.warranty_years),
        pe_cycles_per_day=written,
        disturbed_per_day=disturbed,
        courses=(slowest, likely, fastest),
        dwpd_used=host_bytes_per_day / rating.user_bytes,
        dwpd_rated=rated,
    )


def member_bytes_per_day(
    array_bytes_per_day: float, *, member_writes_per_host_write: float, members: int
) -> float:
    """Give one member's share of an array's writes.

    `member_writes_per_host_write` is what all members together write for a byte of the host: 1 for RAID 0,
    2 for mirrors, 2 for small random writes on RAID 5 (data and parity) down to n / (n − 1) for full
    stripes, 3 on RAID 6.
    """
    return array_bytes_per_day * member_writes_per_host_write / members


def replacements(
    life_budget_bytes: float, *, years: float, bytes_per_day: float, growth_per_year: float = 0.0
) -> int:
    """Count how often a drive is worn out and replaced within `years`.

    When each one takes `life_budget_bytes`. Counted from bytes and not from the life of the first drive, since with
    growth each drive lasts less than the one before.
    """
    written = bytes_within(years, bytes_per_day=bytes_per_day, growth_per_year=growth_per_year)
    return max(0, math.ceil(written / life_budget_bytes * (1 - 1e-12)) - 1)
