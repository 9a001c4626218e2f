"""The caches worth a thought: a flash drive, or a mirror of two, before an array of disks.

Model. The disks are arrays of the search, at every count, that hold the data, tolerate the failures and are on sale;
what rotation alone rules out is not, since a cache may take those reads. The cache is one drive with write-through, or a
mirror with write-back, smaller than what is behind it. Cheapest first, since more money buys more of either side: what
costs more than a design that fits without a cache need not be tried. Left out: caches of several striped drives, flash
behind flash, RAM (`drivecast cache --ram`).
"""

import math
from collections.abc import Iterator
from dataclasses import replace

from drivecast.catalog import Catalog
from drivecast.plan.bound import Limits, least_cost_usd, missed
from drivecast.plan.space import LADDERS
from drivecast.stage.cached_design import CachedDesign
from drivecast.stage.design import Design

PASSED = {"rotation"}
"""Bounds on disks that a cache may lift."""


def combinations(catalog: Catalog, limits: Limits, most_usd: float = math.inf) -> list[CachedDesign]:
    """Every cached design that may cost so little, cheapest first."""
    caches = [(least_cost_usd(fast, limits), fast) for fast in fronts(catalog, limits)]
    found: list[tuple[float, CachedDesign]] = []
    for slow in behind(catalog, limits):
        slow_usd = least_cost_usd(slow, limits)
        for fast_usd, fast in caches:
            if fast.usable_bytes < slow.usable_bytes and fast_usd + slow_usd <= most_usd:
                mode = "writeback" if fast.failures_tolerated else "writethrough"
                found.append((fast_usd + slow_usd, CachedDesign(fast, slow, mode)))
    return [design for _, design in sorted(found, key=lambda each: (each[0], each[1].line))]


def behind(catalog: Catalog, limits: Limits) -> Iterator[Design]:
    """The arrays of disks that a cache may stand before."""
    for _, drive in sorted(catalog.drives.items()):
        if drive.is_flash:
            continue
        for steps in LADDERS:
            for level, count in steps:
                design = Design(drive, level, count)
                if all(miss.kind in PASSED for miss in missed(design, limits)):
                    yield design


def fronts(catalog: Catalog, limits: Limits) -> Iterator[Design]:
    """The caches: of the size of a drive, alone and mirrored."""
    alone = replace(limits, requirements=replace(limits.requirements, drive_losses=0, capacity_bytes=0))
    for _, drive in sorted(catalog.drives.items()):
        if not drive.is_flash:
            continue
        single = Design(drive, "single", 1)
        if any(miss.kind == "not-sold" for miss in missed(single, alone)):
            continue
        yield single
        yield Design(drive, "raid1", 2)
