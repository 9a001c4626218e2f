"""What an array costs over its years.

Model. total = purchase + energy + replacement − residual. Purchase counts drives, their slots and shelves and the
controller. Energy is metered at the site. A drive that is worn out after t years is bought again at the price of that
day, p (1 − δ)^t with a decline of prices δ a year; failed drives are bought again at the annual failure rate after the
warranty (before it ends they are replaced free of charge),

    n f p ∫ (1 − δ)^t dt from the end of the warranty to the last year.

What is left at the end is worth a share of the price of that day, times what the last drives have left to wear. Money
is not discounted: a reader who does so takes the parts by their years. People's time is not counted.
"""

import math
from dataclasses import dataclass

from drivecast.assess.endurance import bytes_within, replacements, years_until
from drivecast.assess.power import Site, energy_kwh
from drivecast.quantity.year import HOURS_PER_YEAR

COUNTED_MAX = 1000
"""Wear-outs of a drive that are followed one by one; more are spread evenly over the bytes written."""


@dataclass(frozen=True)
class Purchase:
    """What is bought at the start."""

    drives: int
    """With spares."""
    drive_usd: float
    slot_usd: float = 0.0
    controller_usd: float = 0.0
    enclosure_usd: float = 0.0
    """All shelves."""
    spares: int = 0
    """Drives that wait, and do not wear."""

    @property
    def usd(self) -> float:
        """All of it."""
        return self.drives * (self.drive_usd + self.slot_usd) + self.controller_usd + self.enclosure_usd


@dataclass(frozen=True)
class WearOut:
    """When drives are worn out within the years, and how much the last ones have left."""

    years: tuple[float, ...] = ()
    """Since the start, of each drive of the array."""
    each: float = 1.0
    """Drives that each of these represents."""
    unused: float = 1.0
    """Share of what the last drives can take that is left at the end."""

    @property
    def count(self) -> float:
        """How often each drive is worn out."""
        return len(self.years) * self.each


@dataclass(frozen=True)
class Upkeep:
    """What the years ask for."""

    years: float
    power_w: float
    """Of the whole array, mean."""
    annual_failure_rate: float
    warranty_years: float
    wear_out: WearOut = WearOut()
    hours_per_year: float = HOURS_PER_YEAR
    decline_per_year: float = 0.0
    """Of prices; negative where they rise."""
    residual_share: float = 0.0
    """What an unworn drive brings at the end, as a share of its price then."""


@dataclass(frozen=True)
class Cost:
    """Money over the years."""

    purchase_usd: float
    energy_usd: float
    replacement_usd: float
    residual_usd: float = 0.0
    """What is got back at the end."""

    @property
    def total_usd(self) -> float:
        """All of it."""
        return self.purchase_usd + self.energy_usd + self.replacement_usd - self.residual_usd

    def usd_per_tb(self, usable_bytes: int) -> float:
        """Give the total for each usable terabyte (10¹² bytes)."""
        return self.total_usd / (usable_bytes / 1e12)


def wear_out(
    budget_bytes: float, *, years: float, bytes_per_day: float, growth_per_year: float = 0.0
) -> WearOut:
    """Give when drives that each take `budget_bytes` of the host are worn out within `years`."""
    if not math.isfinite(budget_bytes) or bytes_per_day == 0:
        return WearOut()

    def until(total: float) -> float:
        return years_until(total, bytes_per_day=bytes_per_day, growth_per_year=growth_per_year)

    count = replacements(
        budget_bytes, years=years, bytes_per_day=bytes_per_day, growth_per_year=growth_per_year
    )
    shown = min(count, COUNTED_MAX)
    each = count / shown if shown else 1.0
    ends = tuple(until((place + 0.5) * each * budget_bytes) for place in range(shown))
    if each == 1.0:
        ends = tuple(until((place + 1) * budget_bytes) for place in range(shown))
    written = bytes_within(years, bytes_per_day=bytes_per_day, growth_per_year=growth_per_year)
    return WearOut(ends, each, min(1.0, max(0.0, 1 + count - written / budget_bytes)))


def cost_over_years(purchase: Purchase, upkeep: Upkeep, site: Site) -> Cost:
    """Add up an array's costs."""
    years, fall = upkeep.years, math.log1p(-upkeep.decline_per_year)

    def price(after: float) -> float:
        return purchase.drive_usd * math.exp(fall * after)

    def prices(start: float) -> float:
        """The price over the years from `start` on."""
        span = max(0.0, years - start)
        return price(start) * (math.expm1(fall * span) / fall if fall else span)

    worn = upkeep.wear_out.each * math.fsum(price(end) for end in upkeep.wear_out.years)
    failed = upkeep.annual_failure_rate * prices(upkeep.warranty_years)
    unworn = (purchase.drives - purchase.spares) * upkeep.wear_out.unused + purchase.spares
    return Cost(
        purchase_usd=purchase.usd,
        energy_usd=energy_kwh(upkeep.power_w, years * upkeep.hours_per_year, site) * site.usd_per_kwh,
        replacement_usd=(purchase.drives - purchase.spares) * worn + purchase.drives * failed,
        residual_usd=unworn * price(years) * upkeep.residual_share,
    )
