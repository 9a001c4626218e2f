"""Cheap bounds: what rules a design out before anything is simulated.

Each bound is optimistic, so that nothing that could fit is lost:

- capacity and redundancy by arithmetic;
- cost ≥ the price of drives and bays, less what the drives bring at the end unworn; power ≥ idle power;
- rotation: a random read of a disk waits for a uniformly distributed share of a turn, so with a share s of reads
  that are not sequential, p99 ≥ (0.99 − (1 − s)) / s of a turn, however short the seeks (s > 0.01). Where counters let
  infer s alone, it is the least that they allow;
- link: throughput of the peak over the links of the data drives, both copies of mirrors reading;
- data loss in closed form, which the simulation may find up to half as large again;
- wear: rated writes ÷ daily writes of each drive at a write amplification of 1, growth included; of counters with the
  parity that small writes renew (`busy_time`);
- the best disk: the array of the largest disk that is no worse in any figure misses the load, too (`best_disk`);
- time: the required load of counters keeps all drives busy for longer than there is time (`busy_time`);
- the array: the required load on drives that take no time (`array_part.work_alone`), one run for all drives. Assumed:
  faster drives do not slow an array down.

`most_times` bounds a load in the same way: the search for headroom starts there.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from drivecast.assess.endurance import years_until
from drivecast.catalog import Catalog, Drive
from drivecast.catalog.sheet import HddSheet
from drivecast.document.miss import Miss, MissKind
from drivecast.document.outcome import Outcome
from drivecast.document.profile import Profile
from drivecast.plan import data_loss
from drivecast.plan.requirement import Requirements
from drivecast.stage.design import Design, Moved, Played

MORE_IS_FASTER = ("rpm", "outer_mb_s", "inner_mb_s", "cache_mib", "queue_depth")
LESS_IS_FASTER = (
    *("seek_track_ms", "seek_mean_ms", "seek_full_ms"),
    *("write_settle_ms", "head_switch_ms", "overhead_us"),
)
"""Figures of a disk."""
ABSORBED_S = 0.1
"""Work beyond their rates that the buffers of drives and a limit on latency let pass in a burst (assumed)."""


@dataclass(frozen=True)
class Limits:
    """What the bounds are compared with."""

    catalog: Catalog
    requirements: Requirements
    profile: Profile
    include_old: bool
    trimmed: bool
    consumer: bool = False

    def sells(self, drive: Drive) -> bool:
        """Whether a drive is among those that are searched."""
        return is_sold(drive, self.catalog, include_old=self.include_old) and self.unasked(drive) is None

    def unasked(self, drive: Drive) -> MissKind | None:
        """Why a drive that can be bought is only taken where it is asked for; none where it is searched."""
        if drive.is_host_managed:
            return "host-managed"
        return "no-power-loss-protection" if drive.is_consumer and not self.consumer else None


def rule_out(design: Design, limits: Limits) -> Miss | None:
    """The first reason why `design` cannot fit; `None` where only a simulation can tell."""
    return next(_missed_in_turn(design, limits), None)


def missed(design: Design, limits: Limits) -> list[Miss]:
    """All that the bounds know a design to miss."""
    return list(_missed_in_turn(design, limits))


def _missed_in_turn(design: Design, limits: Limits) -> Iterator[Miss]:
    bounds = (_on_sale, _redundancy, _partition, _capacity, _cost, _power, _rotation, _link, _wear, _loss)
    return (miss for bound in bounds if (miss := bound(design, limits)) is not None)


def _missed(kind: MissKind, found: float, limit: float, shortfall: float) -> Miss:
    return Miss(kind=kind, found=found, limit=limit, shortfall=shortfall, is_bound=True)


def _on_sale(design: Design, limits: Limits) -> Miss | None:
    if not is_sold(design.drive, limits.catalog, include_old=limits.include_old):
        return Miss(kind="not-sold", is_bound=True)
    unasked = limits.unasked(design.drive)
    return None if unasked is None else Miss(kind=unasked, is_bound=True)


def is_sold(drive: Drive, catalog: Catalog, *, include_old: bool) -> bool:
    """Whether a drive can be bought: new, by a quote, or used where that is wanted; it needs a price for any of it."""
    wanted = include_old or drive.available_today or catalog.prices.is_quoted(drive.name)
    return wanted and drive.name in catalog.prices.drives


def _redundancy(design: Design, limits: Limits) -> Miss | None:
    return too_few_losses(design.failures_tolerated, limits.requirements)


def too_few_losses(tolerated: int, requirements: Requirements) -> Miss | None:
    """Whether fewer drives may fail than is required."""
    needed = requirements.drive_losses
    if tolerated >= needed:
        return None
    return Miss(kind="failures-tolerated", found=tolerated, limit=needed, is_bound=True)


def _partition(design: Design, limits: Limits) -> Miss | None:
    if design.partition < 1.0 and limits.trimmed:
        return Miss(kind="trimmed", is_bound=True)
    return None


def _capacity(design: Design, limits: Limits) -> Miss | None:
    needed, usable = limits.requirements.capacity_bytes, design.usable_bytes
    if usable >= needed:
        return None
    return _missed("capacity", usable, needed, needed / usable)


def _cost(design: Design, limits: Limits) -> Miss | None:
    budget = limits.requirements.budget_usd
    if budget is None:
        return None
    least = least_cost_usd(design, limits)
    if least <= budget:
        return None
    rate = limits.catalog.prices.per_dollar
    return _missed("budget", least * rate, budget * rate, least / budget)


def least_cost_usd(design: Design, limits: Limits) -> float:
    """The price of drives and bays, less what the drives bring at the end unworn."""
    market = limits.catalog.prices.market
    decline = market.decline_per_year(flash=design.drive.is_flash)
    back = market.residual_share.value * (1 - decline.value) ** limits.requirements.years
    bay_usd = limits.catalog.prices.host.bay_usd(design.drive.bay).value
    return float(design.bays * (limits.catalog.price_usd(design.drive.name) * max(0.0, 1 - back) + bay_usd))


def affordable(design: Design, limits: Limits, most_usd: float) -> bool:
    """Whether a design is on sale, and may cost that little."""
    return _on_sale(design, limits) is None and least_cost_usd(design, limits) <= most_usd


def dearer(design: Design, limits: Limits, cheapest_usd: float) -> Miss:
    """That a design costs more than one that fits, and offers nothing that others do not for less."""
    least, rate = least_cost_usd(design, limits), limits.catalog.prices.per_dollar
    if math.isinf(cheapest_usd):
        return Miss(kind="dearer", is_bound=True)
    return _missed("dearer", least * rate, cheapest_usd * rate, least / cheapest_usd)


def _power(design: Design, limits: Limits) -> Miss | None:
    most = limits.requirements.power_w_max
    idle = design.bays * design.drive.idle_w
    if most is None or idle <= most:
        return None
    return _missed("power", idle, most, idle / most)


def _rotation(design: Design, limits: Limits) -> Miss | None:
    sheet, p99 = design.drive.sheet, limits.requirements.p99_read_ns
    if not isinstance(sheet, HddSheet) or p99 is None:
        return None
    random = 1 - _sequential_at_most(limits.profile)
    if random <= 0.01:
        return None
    turn_ns = 60e9 / sheet.disk.rpm.value
    least = (0.99 - (1 - random)) / random * turn_ns
    if least <= p99:
        return None
    return _missed("rotation", least, p99, least / p99)


def _sequential_at_most(profile: Profile) -> float:
    """The largest share of reads that may be sequential."""
    inferred = profile.sequential_share
    if inferred is None:
        return profile.sequential_fraction or 0.0
    return (inferred.read or inferred.all).high


def _link(design: Design, limits: Limits) -> Miss | None:
    peak = limits.profile.peak_window
    wanted = (peak.throughput_bytes_per_s if peak else None) or 0
    most = design.count * design.drive.interface.bytes_per_s
    if wanted <= most:
        return None
    return _missed("link", most, wanted, wanted / most)


def _wear(design: Design, limits: Limits) -> Miss | None:
    return over_rated(design, limits, design.count / design.data_drives)


def over_rated(design: Design, limits: Limits, times: float) -> Miss | None:
    """Whether drives are written more than they are rated for; all of them write `times` what the host does."""
    requirements = limits.requirements
    tbw, per_day = design.drive.tbw_bytes, requirements.write_bytes_per_day(limits.profile)
    if tbw is None or not per_day:
        return None
    years = years_until(
        tbw, bytes_per_day=per_day * times / design.count, growth_per_year=requirements.growth_per_year
    )
    if years >= requirements.endures_years:
        return None
    return _missed("rated-writes", years, requirements.years, requirements.years / years)


def _loss(design: Design, limits: Limits) -> Miss | None:
    if not limits.requirements.limits_data_loss:
        return None
    found, limit = data_loss.likely(design, limits.requirements), limits.requirements.data_loss
    if found <= data_loss.CLOSED_FORM_SLACK * limit:
        return None
    return _missed("data-loss", found, limit, found / limit)


def best_disk(design: Design, limits: Limits) -> Design:
    """The same array of the largest disk on sale that is no worse in any figure: what it misses, this one misses."""
    best = design.drive
    for drive in limits.catalog.drives.values():
        if drive.user_bytes > best.user_bytes and limits.sells(drive) and is_no_slower(drive, design.drive):
            best = drive
    return replace(design, drive=best)


def is_no_slower(drive: Drive, other: Drive) -> bool:
    """Whether a disk is as fast as another by each figure of its mechanics and electronics."""
    if not isinstance(drive.sheet, HddSheet) or not isinstance(other.sheet, HddSheet):
        return False
    of, than = drive.sheet.disk, other.sheet.disk
    return (
        all(getattr(of, name).value >= getattr(than, name).value for name in MORE_IS_FASTER)
        and all(getattr(of, name).value <= getattr(than, name).value for name in LESS_IS_FASTER)
        and of.write_cache.value == than.write_cache.value
        and drive.interface.bytes_per_s >= other.interface.bytes_per_s
    )


def most_times(design: Played, outcome: Outcome) -> float:
    """How many times the load of a run the drives could carry at most, at their own rates and those of their links."""
    return min(_most_times(moved, outcome.duration_s) for moved in design.moved(outcome))


def _most_times(moved: Moved, duration_s: float) -> float:
    design = moved.design
    link = design.drive.interface.bytes_per_s
    read_rate, write_rate = design.drive.moves_bytes_per_s
    work_s = moved.read_bytes / min(read_rate, link), moved.written_bytes / min(write_rate, link)
    busiest_s = max(work_s) / design.count - ABSORBED_S
    return duration_s / busiest_s if busiest_s > 0 else math.inf
