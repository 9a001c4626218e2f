"""How long flash lasts under a workload, by its cycles and by its warranty: two dates.

The model and its arithmetic are in `crates/assess/src/endurance.rs`, which the page of a report calls, too.
Here are the values that go in and come out.
"""

import json
import math
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal

from drivecast import _core
from drivecast.assess.retention import Retention
from drivecast.quantity.interval import Interval, endless

DAYS_PER_YEAR = 365.0
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

    def facts(self) -> dict[str, Any]:
        """What the arithmetic takes."""
        relaxation = self.retention.relaxation_per_year() if self.retention else Interval.exactly(0.0)
        return {
            "user_bytes": self.user_bytes,
            "raw_bytes": self.raw_bytes,
            "pe_cycles": self.pe_cycles.model_dump(),
            "tbw_bytes": self.tbw_bytes,
            "warranty_years": self.warranty_years,
            "relaxation_per_year": relaxation.model_dump(),
            "block_bytes": self.block_bytes,
            "page_bytes": self.page_bytes,
            "reads_per_block": self.reads_per_block and self.reads_per_block.model_dump(),
        }


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
        return _core.cycles_within(years, self._numbers)

    def years(self, cycles: float) -> float:
        """Years until `cycles` are spent; infinite where that never happens within a thousand years."""
        return _core.years_of_cycles(cycles, self._numbers)

    @property
    def _numbers(self) -> tuple[float, float, float]:
        return self.per_day, self.growth_per_year, self.relaxation_per_year


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
    return _core.bytes_within(years, bytes_per_day, growth_per_year)


def years_until(total_bytes: float, *, bytes_per_day: float, growth_per_year: float = 0.0) -> float:
    """Give the years until `total_bytes` are written; infinite where that never happens."""
    if growth_per_year <= -1:
        raise ValueError(f"demand cannot shrink by {-growth_per_year:.0%} a year")
    return _core.years_until(total_bytes, bytes_per_day, growth_per_year)


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
    demand = {
        "host_bytes_per_day": host_bytes_per_day,
        "read_bytes_per_day": read_bytes_per_day,
        "growth_per_year": growth_per_year,
    }
    low, value, high = write_amplification.low, write_amplification.value, write_amplification.high
    return read(rating, _core.life(json.dumps(rating.facts()), json.dumps(demand), (low, value, high)))


def read(rating: FlashRating, found: dict[str, Any]) -> Endurance:
    """Read a life as the arithmetic gives it."""
    slowest, likely, fastest = (Course(**course) for course in found["courses"])
    return Endurance(
        rating=rating,
        life_years_media=Interval.read(found["life_years_media"]),
        life_years_rated_writes=endless(found["life_years_rated_writes"]),
        warranty_end_years=endless(found["warranty_end_years"]),
        pe_cycles_per_day=Interval.read(found["pe_cycles_per_day"]),
        disturbed_per_day=Interval.read(found["disturbed_per_day"]),
        courses=(slowest, likely, fastest),
        dwpd_used=found["dwpd_used"],
        dwpd_rated=found["dwpd_rated"],
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
    """Count how often a drive that takes `life_budget_bytes` is worn out and replaced within `years`."""
    return int(_core.replacements(life_budget_bytes, years, bytes_per_day, growth_per_year))
