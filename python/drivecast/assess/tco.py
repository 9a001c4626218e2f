"""What an array costs over its years.

The model and its arithmetic are in `crates/assess/src/cost.rs`, which the page of a report calls, too.
Here are the values that go in and come out.
"""

import json
from dataclasses import asdict, dataclass

from drivecast import _core
from drivecast.assess.power import Site
from drivecast.quantity.year import HOURS_PER_YEAR


@dataclass(frozen=True)
class Purchase:
    """What is bought at the start."""

    drives: int
    """With spares."""
    drive_usd: float
    slot_usd: float = 0.0
    adapter_usd: float = 0.0
    """All host adapters."""
    controller_usd: float = 0.0
    enclosure_usd: float = 0.0
    """All shelves."""
    spares: int = 0
    """Drives that wait, and do not wear."""


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
    visit_usd: float = 0.0
    """Of a technician who replaces a drive."""
    loss_usd: float = 0.0
    """What losing the data costs, times the chance of it."""


@dataclass(frozen=True)
class Cost:
    """Money over the years."""

    purchase_usd: float
    energy_usd: float
    replacement_usd: float
    residual_usd: float = 0.0
    """What is got back at the end."""
    hosting_usd: float = 0.0
    """Of the purchase: bays, shelves, adapters and the controller."""
    labor_usd: float = 0.0
    """Of technicians who replace drives."""
    loss_usd: float = 0.0
    """That losses of data are expected to cost."""
    outage_usd: float = 0.0
    """That service beyond the limits is expected to cost, while drives are replaced."""
    expansion_usd: float = 0.0
    """That is expected to be bought because load or data grow faster than planned."""

    @property
    def total_usd(self) -> float:
        """All of it."""
        return self.planned_usd + self.expansion_usd

    @property
    def planned_usd(self) -> float:
        """All of it where load and data grow as planned."""
        bought = self.purchase_usd + self.energy_usd + self.replacement_usd + self.labor_usd
        return bought + self.loss_usd + self.outage_usd - self.residual_usd

    def usd_per_tb(self, usable_bytes: int) -> float:
        """Give the total for each usable terabyte (10¹² bytes)."""
        return self.total_usd / (usable_bytes / 1e12)


def wear_out(
    budget_bytes: float, *, years: float, bytes_per_day: float, growth_per_year: float = 0.0
) -> WearOut:
    """Give when drives that each take `budget_bytes` of the host are worn out within `years`."""
    ends, each, unused = _core.wear_out(budget_bytes, years, bytes_per_day, growth_per_year)
    return WearOut(tuple(ends), each, unused)


def cost_over_years(purchase: Purchase, upkeep: Upkeep, site: Site) -> Cost:
    """Add up an array's costs."""
    asked = asdict(upkeep) | {"usd_per_kwh": site.usd_per_kwh, "pue": site.overhead}
    return Cost(**_core.cost_over_years(json.dumps(asdict(purchase)), json.dumps(asked)))
