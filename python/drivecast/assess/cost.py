"""What an array costs over its years.

Model. total = purchase + energy + replacement. Purchase counts drives, their slots and the controller.
Energy is metered at the site. Replacement counts drives at today's price: worn-out ones each time their
endurance is used up, and failed ones at the annual failure rate after the warranty (before it ends they are
replaced free of charge). Money is not discounted and prices stay as they are, since the rate and the fall
of prices are guesses larger than the difference; people's time is not counted.
"""

from dataclasses import dataclass

from drivecast.assess.power import Site, energy_kwh


@dataclass(frozen=True)
class Purchase:
    """What is bought at the start."""

    drives: int
    drive_usd: float
    slot_usd: float = 0.0
    controller_usd: float = 0.0

    @property
    def usd(self) -> float:
        """All of it."""
        return self.drives * (self.drive_usd + self.slot_usd) + self.controller_usd


@dataclass(frozen=True)
class Upkeep:
    """What the years ask for."""

    years: float
    power_w: float
    """Of the whole array, mean."""
    annual_failure_rate: float
    warranty_years: float
    wear_outs: float
    """How often each drive is worn out within the years."""
    hours_per_year: float = 8766.0


@dataclass(frozen=True)
class Cost:
    """Money over the years."""

    purchase_usd: float
    energy_usd: float
    replacement_usd: float

    @property
    def total_usd(self) -> float:
        """All of it."""
        return self.purchase_usd + self.energy_usd + self.replacement_usd

    def usd_per_tb(self, usable_bytes: int) -> float:
        """Give the total for each usable terabyte (10¹² bytes)."""
        return self.total_usd / (usable_bytes / 1e12)


def cost_over_years(purchase: Purchase, upkeep: Upkeep, site: Site) -> Cost:
    """Add up an array's costs."""
    hours = upkeep.years * upkeep.hours_per_year
    failed = upkeep.annual_failure_rate * max(0.0, upkeep.years - upkeep.warranty_years)
    return Cost(
        purchase_usd=purchase.usd,
        energy_usd=energy_kwh(upkeep.power_w, hours, site) * site.usd_per_kwh,
        replacement_usd=purchase.drives * purchase.drive_usd * (upkeep.wear_outs + failed),
    )
