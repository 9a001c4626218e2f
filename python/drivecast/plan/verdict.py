"""From a trial to a judgement: life, risk, power and cost, and whether the design meets the requirements.

Model. Each drive receives the array's daily host writes times what the array writes for a byte of the host (mirrors,
parity: counted in the wear run), shared evenly. Its flash wears by its write amplification, with the interval of the
wear run and the range of P/E cycles of its NAND generation. Failure rates are those of fleets in service, not of
data sheets.
"""

import math
from dataclasses import dataclass
from typing import Any

from drivecast import assess
from drivecast.assess import Cost, Endurance, Interval
from drivecast.catalog import Catalog
from drivecast.plan import risk
from drivecast.plan.requirement import Requirements
from drivecast.plan.space import Design
from drivecast.plan.trial import Trial
from drivecast.wear import amplification_interval, life

HOURS_PER_YEAR = 8766.0


@dataclass(frozen=True)
class Verdict:
    """What a design is worth; `miss` says why it does not fit, `shortfall` by how much (needed over found)."""

    miss: str | None
    shortfall: float
    write_amplification: Interval | None
    life: Endurance | None
    power_w: float
    energy_kwh: float
    cost: Cost
    annual_failure_rate: Interval
    loss: risk.Risk


def judge(
    design: Design, trial: Trial, catalog: Catalog, requirements: Requirements, profile: dict[str, Any]
) -> Verdict:
    """Judge a design by its trial."""
    drive = design.drive
    lasts, wear = None, trial.wear
    if wear is not None:
        lasts = life(drive, wear, requirements.write_bytes_per_day(profile), requirements.growth_per_year)
    watts = design.count * assess.watts(
        idle_w=drive.idle_w, active_w=drive.active_w, utilization=min(1.0, trial.mean_utilization(profile))
    )
    site = assess.site(catalog.prices)
    failures = assess.failure_rate(drive)
    money = assess.cost_over_years(
        _purchase(design, catalog),
        assess.Upkeep(
            years=requirements.years,
            power_w=watts,
            annual_failure_rate=failures.value,
            warranty_years=drive.warranty_years,
            wear_outs=_wear_outs(lasts, requirements.years),
        ),
        site,
    )
    miss, shortfall = _miss(trial, lasts, money, watts, requirements)
    return Verdict(
        miss=miss,
        shortfall=shortfall,
        write_amplification=amplification_interval(wear) if wear else None,
        life=lasts,
        power_w=watts,
        energy_kwh=assess.energy_kwh(watts, requirements.years * HOURS_PER_YEAR, site),
        cost=money,
        annual_failure_rate=failures,
        loss=risk.closed(design, failures, requirements.years),
    )


def _purchase(design: Design, catalog: Catalog) -> assess.Purchase:
    host = catalog.prices.host
    return assess.Purchase(
        drives=design.count,
        drive_usd=catalog.price_usd(design.drive.name),
        slot_usd=host.slot_usd.value,
        controller_usd=host.controller_usd.value if design.count > 1 else 0.0,
    )


def _wear_outs(lasts: Endurance | None, years: float) -> int:
    """How often a drive is worn out within the years; a design that fits never is."""
    if lasts is None or math.isinf(lasts.life_years.value):
        return 0
    return max(0, math.ceil(years / lasts.life_years.value) - 1)


def _miss(
    trial: Trial, lasts: Endurance | None, money: Cost, watts: float, requirements: Requirements
) -> tuple[str | None, float]:
    """The first requirement that is missed, and by how much; the simulator's own come first."""
    if trial.miss is not None:
        return trial.miss, trial.shortfall
    if lasts is not None and lasts.life_years.value < requirements.years:
        years = lasts.life_years.value
        what = "rated writes" if lasts.limit == "warranty" else "flash"
        return (
            f"worn out: {what} last {years:.1f} of {requirements.years:g} years",
            requirements.years / years,
        )
    budget, most = requirements.budget_usd, requirements.power_w_max
    if budget is not None and money.total_usd > budget:
        return f"over budget: ${money.total_usd:,.0f} > ${budget:,.0f}", money.total_usd / budget
    if most is not None and watts > most:
        return f"draws {watts:.0f} W, {most:.0f} W allowed", watts / most
    return None, 1.0
