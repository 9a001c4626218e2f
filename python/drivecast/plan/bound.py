"""Cheap bounds: what rules a design out before anything is simulated.

Each bound is optimistic, so that nothing that could fit is lost:

- capacity and redundancy by arithmetic;
- cost ≥ the drives' price, less what they bring at the end unworn; power ≥ idle power;
- rotation: a random read of a disk waits for a uniformly distributed share of a turn, so with a share s of reads
  that are not sequential, p99 ≥ (0.99 − (1 − s)) / s of a turn, however short the seeks (s > 0.01);
- link: throughput of the peak over the links of the data drives, both copies of mirrors reading;
- wear: rated writes ÷ daily writes of each data drive at a write amplification of 1, growth included.
"""

import math
from dataclasses import dataclass

from drivecast import assess
from drivecast.catalog import Catalog
from drivecast.catalog.sheet import HddSheet
from drivecast.document.profile import Profile
from drivecast.plan.requirement import Requirements
from drivecast.plan.space import LOSSES, Design


@dataclass(frozen=True)
class Ruling:
    """Why a design is out, and by how much: needed over found, infinite where more of it would not help."""

    reason: str
    shortfall: float = math.inf


@dataclass(frozen=True)
class Limits:
    """What the bounds are held against."""

    catalog: Catalog
    requirements: Requirements
    profile: Profile
    include_old: bool
    trimmed: bool


def rule_out(design: Design, limits: Limits) -> Ruling | None:
    """The first reason why `design` cannot fit or need not be tried; `None` where only a simulation can tell."""
    for bound in (_on_sale, _redundancy, _partition, _capacity, _cost, _power, _rotation, _link, _wear):
        ruling = bound(design, limits)
        if ruling is not None:
            return ruling
    return None


def _on_sale(design: Design, limits: Limits) -> Ruling | None:
    if limits.include_old or design.drive.available_today:
        return None
    return Ruling("no longer sold (`--include-old` considers it)")


def _redundancy(design: Design, limits: Limits) -> Ruling | None:
    losses, needed = LOSSES[design.level], limits.requirements.drive_losses
    if losses > max(needed, 1):
        return Ruling(
            f"survives {losses} drive failures, {needed} needed (`--drive-losses {losses}` considers it)"
        )
    if losses >= needed:
        return None
    return Ruling(f"survives {losses} drive failure{'' if losses == 1 else 's'}, {needed} needed")


def _partition(design: Design, limits: Limits) -> Ruling | None:
    if design.partition < 1.0 and limits.trimmed:
        return Ruling("partitioning adds no spare where free space is trimmed")
    return None


def _capacity(design: Design, limits: Limits) -> Ruling | None:
    needed, usable = limits.requirements.capacity_bytes, design.usable_bytes
    if usable >= needed:
        return None
    return Ruling(f"too small: {usable / 1e9:,.0f} GB usable, {needed / 1e9:,.0f} GB needed", needed / usable)


def _cost(design: Design, limits: Limits) -> Ruling | None:
    budget = limits.requirements.budget_usd
    if budget is None:
        return None
    market = limits.catalog.prices.market
    decline = market.flash_decline_per_year if design.drive.is_flash else market.disk_decline_per_year
    back = market.residual_share.value * (1 - decline.value) ** limits.requirements.years
    least = design.count * limits.catalog.price_usd(design.drive.name) * max(0.0, 1 - back)
    if least <= budget:
        return None
    return Ruling(f"over budget: the drives alone {limits.catalog.prices.amount(least)}", least / budget)


def _power(design: Design, limits: Limits) -> Ruling | None:
    most = limits.requirements.power_w_max
    idle = design.count * design.drive.idle_w
    if most is None or idle <= most:
        return None
    return Ruling(f"draws {idle:.0f} W idle, {most:.0f} W allowed", idle / most)


def _rotation(design: Design, limits: Limits) -> Ruling | None:
    sheet, p99 = design.drive.sheet, limits.requirements.p99_read_ns
    if not isinstance(sheet, HddSheet) or p99 is None:
        return None
    random = 1 - (limits.profile.sequential_fraction or 0)
    if random <= 0.01:
        return None
    turn_ns = 60e9 / sheet.disk.rpm.value
    least = (0.99 - (1 - random)) / random * turn_ns
    if least <= p99:
        return None
    return Ruling(f"turns too slowly: p99 read at least {least / 1e6:.1f} ms even when idle", least / p99)


def _link(design: Design, limits: Limits) -> Ruling | None:
    peak = limits.profile.peak_window
    wanted = (peak.throughput_bytes_per_s if peak else None) or 0
    most = design.count * design.drive.interface.bytes_per_s
    if wanted <= most:
        return None
    return Ruling(f"links carry {most / 1e6:,.0f} MB/s, the peak has {wanted / 1e6:,.0f} MB/s", wanted / most)


def _wear(design: Design, limits: Limits) -> Ruling | None:
    requirements = limits.requirements
    tbw, per_day = design.drive.tbw_bytes, requirements.write_bytes_per_day(limits.profile)
    if tbw is None or not per_day:
        return None
    years = assess.years_until(
        tbw, bytes_per_day=per_day / design.data_drives, growth_per_year=requirements.growth_per_year
    )
    if years >= requirements.years:
        return None
    return Ruling(f"worn out: rated writes last {years:.1f} years at most", requirements.years / years)
