"""How long flash lasts under a workload, by its cycles and by its warranty.

Model. A block endures N program/erase cycles; wear levelling spreads them evenly, so the flash of a drive
takes N × raw bytes of programs. A host that writes w bytes a day causes WA × w bytes of programs. Demand
grows by a share g a year, so in y years

    bytes(y) = 365 w × ((1 + g)^y − 1) / ln(1 + g)        (365 w y without growth)

and the media end where WA × bytes(y) = N × raw. The warranty ends by writes where bytes(y) reaches the
rated TBW, and by time at its term, whichever comes first. Left out: retention, temperature, wear that is
not even, and spare blocks lost early; a rated TBW already holds a write amplification of its maker's
choosing (JESD219), so it is never multiplied by one again.
"""

import math
from dataclasses import dataclass
from typing import Literal

from drivecast.assess.interval import Interval

DAYS_PER_YEAR = 365.0


@dataclass(frozen=True)
class FlashRating:
    """What a drive offers to be worn."""

    user_bytes: int
    raw_bytes: int
    pe_cycles: Interval
    tbw_bytes: float | None
    """Host writes the warranty covers; none where the maker rates none."""
    warranty_years: float


@dataclass(frozen=True)
class Endurance:
    """Life of one drive under its share of a workload; years are infinite where nothing is written."""

    life_years_media: Interval
    life_years_rated_writes: float
    """Until the rated TBW is written; infinite where none is rated."""
    warranty_end_years: float
    """Until the warranty ends, by writes or by its term."""
    pe_cycles_per_day: Interval
    """In the first year."""
    dwpd_used: float
    """In the first year."""
    dwpd_rated: float | None

    @property
    def limit(self) -> Literal["media", "warranty", "none"]:
        """What ends the drive's rated life: the flash itself, the writes its maker stands for, or nothing."""
        if math.isinf(min(self.life_years_media.value, self.life_years_rated_writes)):
            return "none"
        return "warranty" if self.life_years_rated_writes < self.life_years_media.value else "media"

    @property
    def life_years(self) -> Interval:
        """The shorter of media life and rated writes, bound by bound."""
        return self.life_years_media.rising(lambda years: min(years, self.life_years_rated_writes))


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
) -> Endurance:
    """Assess one drive that receives `host_bytes_per_day`.

    Its share of the array's writes, parity included.
    """

    def until(total: float) -> float:
        return years_until(total, bytes_per_day=host_bytes_per_day, growth_per_year=growth_per_year)

    cycles, amplification = rating.pe_cycles, write_amplification
    media = Interval(
        until(cycles.low * rating.raw_bytes / amplification.high),
        until(cycles.value * rating.raw_bytes / amplification.value),
        until(cycles.high * rating.raw_bytes / amplification.low),
    )
    by_writes = until(rating.tbw_bytes) if rating.tbw_bytes is not None else math.inf
    rated = None
    if rating.tbw_bytes is not None:
        rated = rating.tbw_bytes / (rating.user_bytes * DAYS_PER_YEAR * rating.warranty_years)
    return Endurance(
        life_years_media=media,
        life_years_rated_writes=by_writes,
        warranty_end_years=min(by_writes, rating.warranty_years),
        pe_cycles_per_day=amplification.rising(lambda factor: factor * host_bytes_per_day / rating.raw_bytes),
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

    When each one takes `life_budget_bytes`.
    """
    written = bytes_within(years, bytes_per_day=bytes_per_day, growth_per_year=growth_per_year)
    return max(0, math.ceil(written / life_budget_bytes) - 1)
