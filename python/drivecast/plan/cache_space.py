"""Which cached designs are worth a thought: arrays of disks that turn too slowly by themselves, and flash before them.

Model. Behind: arrays of the search, with a hot spare or without, that meet every bound but that of rotation, which a
cache may lift. Of these the cheapest, the cheapest that leaves half of the allowed loss of data to the cache, and the
cheapest with twice as many turns over all spindles. Before: of SATA and
of NVMe the cheapest drive on sale whose rated writes last for what an LRU cache of its size would be written to, or the
one that lasts longest; large enough for the log's footprint as it grows, and for the knee of its hits. One drive with
write-through, and a mirror with write-back; one drive with write-back where no failure need be tolerated, else as one
that is ruled out. A fifth of the flash is left unpartitioned, for caches do not trim. Left out: caches of striped
drives, flash before flash, other policies (judge such a design by naming it), RAM (`drivecast cache --ram`).

Bounds, as of designs without a cache, of both sides together; and hits: where a share m of reads misses, p99 is at
least (0.99 − (1 − m)) / m of a turn, so within a limit L the misses are at most 0.01 / (1 − L / turn).
"""

from dataclasses import dataclass

from drivecast.assess.endurance import years_until
from drivecast.assess.rating import failure_rate
from drivecast.caching.reuse import Reuse
from drivecast.catalog import Catalog, Drive
from drivecast.catalog.sheet import HddSheet
from drivecast.document.miss import Miss
from drivecast.plan import data_loss, space
from drivecast.plan.bound import Limits, is_sold, least_cost_usd, missed, too_few_losses
from drivecast.plan.verdict import over_budget, over_power
from drivecast.stage.cached_design import CachedDesign
from drivecast.stage.design import Design

FASTER = 2.0
"""How many times as fast as the cheapest array the fast one is, by spindles and turns."""
LEAVES = 0.5
"""Share of the allowed loss of data that the safe array takes: with write-back the cache takes some, too."""
TAKEN = 0.8
"""Share of the flash that is partitioned: as published for endurance (`space.PARTITIONS`)."""
SETS = 1.25
"""How much larger than what it is to hold a cache is, whose sets fill unevenly (assumed)."""
LIFTED = {"rotation"}
"""Bounds on disks that a cache may lift."""
COMBINED = 12
"""Cached designs that are considered, the cheapest; of a long log fewer are tried:"""
PLAYED_MAX = 6_000_000
"""references to blocks, of all that are tried together: a run takes some microseconds for each."""
TRIED_MIN = 4
"""With write-through and with write-back, before the cheapest array and before the safe one."""
AMPLE = 8
"""How many times the footprint a cache drive holds: below, it is brought to a steady state before each run, which takes
minutes."""
LATE = 0.01
"""Of the reads: so many may be later than p99."""


@dataclass(frozen=True)
class Considered:
    """A cached design, and the bound that rules it out."""

    design: CachedDesign
    least_usd: float
    ruling: Miss | None


def considered(limits: Limits, reuse: Reuse, cheapest_usd: float) -> list[Considered]:
    """The cached designs, cheapest first; `cheapest_usd` is the least that fits without a cache."""
    slow = list(behind(limits))
    fast = list(_before(limits, reuse)) if slow else []
    combined = [
        CachedDesign(_front(drive, mirrored=mirrored), each, mode)
        for each in slow
        for drive in fast
        for mirrored, mode in ((False, "writethrough"), (True, "writeback"), (False, "writeback"))
    ]
    found = [
        Considered(design, least_usd, ruled_out(design, least_usd, limits, reuse, cheapest_usd))
        for design in combined
        if design.cache_bytes < design.usable_bytes
        for least_usd in (least_usd_of(design, limits),)
    ]
    found.sort(key=lambda each: (each.least_usd, each.design.line))
    lossy = [each for each in found if each.design.failures_tolerated < limits.requirements.drive_losses]
    most = min(COMBINED, max(TRIED_MIN, int(PLAYED_MAX / max(1.0, reuse.references))))
    safe = [each for each in found if each not in lossy]
    to_try = [each for each in safe if each.ruling is None][:most]
    others = [each for each in safe if each.ruling is not None][: COMBINED - len(to_try)]
    return sorted([*to_try, *others, *lossy[:1]], key=lambda each: (each.least_usd, each.design.line))


def least_usd_of(design: CachedDesign, limits: Limits) -> float:
    """What its drives cost, less what they bring at the end unworn."""
    return least_cost_usd(design.fast, limits) + least_cost_usd(design.slow, limits)


def has_disks(catalog: Catalog, *, include_old: bool) -> bool:
    """Whether disks are among the drives of the search."""
    drives = catalog.drives.values()
    return any(not drive.is_flash and is_sold(drive, catalog, include_old=include_old) for drive in drives)


def behind(limits: Limits) -> list[Design]:
    """The arrays of disks that a cache may stand before: the cheapest, the cheapest safe one, the cheapest fast one."""
    needs = limits.requirements
    designs = [
        design
        for ladder in space.ladders(limits.catalog)
        if not ladder[0].drive.is_flash and limits.sells(ladder[0].drive)
        for design in (*ladder, *space.with_spare(ladder, needs))
        if all(miss.kind in LIFTED for miss in missed(design, limits))
    ]
    designs.sort(key=lambda design: (least_cost_usd(design, limits), -_turns(design), design.line))
    first = designs[:1]
    safe = [each for each in designs if data_loss.likely(each, needs) <= LEAVES * needs.data_loss][:1]
    fast = [each for each in designs if _turns(each) >= FASTER * _turns(first[0])][:1]
    return list({design.line: design for design in (*first, *safe, *fast)}.values())


def _turns(design: Design) -> float:
    sheet = design.drive.sheet
    return design.count * sheet.disk.rpm.value if isinstance(sheet, HddSheet) else 0.0


def _front(drive: Drive, *, mirrored: bool) -> Design:
    return Design(drive, "raid1" if mirrored else "single", 2 if mirrored else 1, TAKEN)


def _before(limits: Limits, reuse: Reuse) -> list[Drive]:
    """The drives of caches."""
    grown = SETS * limits.requirements.growth
    wanted = [size * grown for size in (reuse.footprint_bytes, reuse.knee_bytes) if size is not None]
    sold = [
        drive for _, drive in sorted(limits.catalog.drives.items()) if drive.is_flash and limits.sells(drive)
    ]
    found: list[Drive] = []
    least = AMPLE * reuse.footprint_bytes
    for is_sata in (True, False):
        kind = [drive for drive in sold if (drive.bay == "sata") is is_sata]
        for size in wanted:
            enough = [drive for drive in kind if TAKEN * drive.user_bytes >= max(size, least)]
            lasting = [drive for drive in enough if _lasts_years(drive, limits, reuse) >= _years(limits)]
            if lasting:
                found.append(min(lasting, key=lambda drive: (_least_usd(drive, limits), drive.name)))
            elif enough:
                found.append(max(enough, key=lambda drive: (_lasts_years(drive, limits, reuse), drive.name)))
    return list({drive.name: drive for drive in found}.values())


def _years(limits: Limits) -> float:
    return limits.requirements.endures_years


def _least_usd(drive: Drive, limits: Limits) -> float:
    return least_cost_usd(Design(drive, "single", 1), limits)


def _lasts_years(drive: Drive, limits: Limits, reuse: Reuse) -> float:
    """How long the rated writes of a cache drive last; for ever where nothing is rated."""
    needs = limits.requirements
    per_day = reuse.written_bytes_per_day(round(TAKEN * drive.user_bytes)) * needs.hours_per_day / 24
    if drive.tbw_bytes is None or not per_day:
        return float("inf")
    return years_until(drive.tbw_bytes, bytes_per_day=per_day, growth_per_year=needs.growth_per_year)


def ruled_out(
    design: CachedDesign, least_usd: float, limits: Limits, reuse: Reuse, cheapest_usd: float
) -> Miss | None:
    """The first reason why a design cannot fit or need not be tried; `None` where only a simulation can tell."""
    needs, catalog = limits.requirements, limits.catalog
    idle_w = sum(side.bays * side.drive.idle_w for side in (design.fast, design.slow))
    lossy = too_few_losses(design.failures_tolerated, needs)
    found = (
        lossy and lossy.model_copy(update={"volume": "cache"}),
        over_budget(least_usd, needs, catalog),
        over_power(idle_w, needs),
        too_many_misses(design, limits, reuse),
        _worn_out(design, limits, reuse),
        _lossy(design, limits),
    )
    first = next((miss for miss in found if miss is not None), None)
    if first is not None:
        return first.model_copy(update={"is_bound": True})
    return None if least_usd <= cheapest_usd else dearer(least_usd, cheapest_usd, limits)


def dearer(least_usd: float, cheapest_usd: float, limits: Limits) -> Miss:
    """That a design whose drives cost so much costs more than one that fits."""
    rate, shortfall = limits.catalog.prices.per_dollar, least_usd / cheapest_usd
    found, limit = least_usd * rate, cheapest_usd * rate
    return Miss(kind="dearer", found=found, limit=limit, shortfall=shortfall, is_bound=True)


def too_many_misses(design: CachedDesign, limits: Limits, reuse: Reuse, times: float = 1.0) -> Miss | None:
    """Whether more reads miss the cache than may be as slow as a turn, where it misses so many times as expected."""
    most = read_misses_max(design.slow, limits.requirements.p99_read_ns)
    found = min(1.0, times * reuse.read_miss_ratio(design.cache_bytes, limits.requirements.capacity_bytes))
    if most is None or found <= most:
        return None
    return Miss(kind="cache-misses", found=found, limit=most, shortfall=found / most)


def read_misses_max(slow: Design, p99_read_ns: float | None) -> float | None:
    """The share of reads that may miss a cache before disks; none where any may."""
    sheet = slow.drive.sheet
    if not isinstance(sheet, HddSheet) or p99_read_ns is None:
        return None
    turn_ns = 60e9 / sheet.disk.rpm.value
    return None if p99_read_ns >= turn_ns else min(1.0, LATE / (1 - p99_read_ns / turn_ns))


def _worn_out(design: CachedDesign, limits: Limits, reuse: Reuse) -> Miss | None:
    years, needed = _lasts_years(design.fast.drive, limits, reuse), limits.requirements.years
    if years >= _years(limits):
        return None
    return Miss(kind="rated-writes", found=years, limit=needed, shortfall=needed / years, volume="cache")


def _lossy(design: CachedDesign, limits: Limits) -> Miss | None:
    needs = limits.requirements
    sides = (design.slow, design.fast) if design.is_write_back else (design.slow,)
    chances = (data_loss.closed(side, failure_rate(side.drive), needs).probability.value for side in sides)
    chance = data_loss.of_any(chances)
    if chance <= data_loss.CLOSED_FORM_SLACK * needs.data_loss:
        return None
    return data_loss.too_likely(chance, needs)
