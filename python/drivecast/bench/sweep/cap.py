"""Limits that somebody set: a rate that stays the same whatever the size of the requests.

MODEL. A medium needs time for each request and time for each byte, so that from one size to the next both rates move:
requests a second fall and bytes a second rise. Where one of the two stays the same over a factor of `REACH` in size,
one of the two costs nothing any more: something counts requests (a volume's provisioned IOPS, a controller's processor)
or bytes (a volume's provisioned throughput, a link, flash that is programmed as fast as it can be).

What does not follow: who counts. A link and a cloud's limit look alike; that reads and writes meet the same figure
speaks for a limit outside the medium.
"""

from collections.abc import Sequence
from statistics import fmean

from drivecast.document.findings import Caps, Level

SAME = 0.05
"""Rates within this share of each other are one rate. Assumed: the variance that repeats are allowed."""

REACH = 4
"""Factor in size over which a rate must stay."""

SIZES_LEAST = 3
"""Of the sizes that were measured: two may be alike by chance."""


def caps(sizes: Sequence[tuple[int, float]]) -> Caps:
    """The limits in rows of request size and requests a second."""
    rows = sorted((size, iops) for size, iops in sizes if iops > 0)
    return Caps(iops=_level(rows), bytes_per_s=_level([(size, size * iops) for size, iops in rows]))


def _level(rows: Sequence[tuple[int, float]]) -> Level | None:
    """The stretch of sizes with one rate that reaches furthest, if it reaches far enough."""
    found = []
    for low, (from_bytes, _) in enumerate(rows):
        rates: list[float] = []
        for size, rate in rows[low:]:
            rates.append(rate)
            if max(rates) > min(rates) * (1 + SAME):
                break
            if len(rates) >= SIZES_LEAST and size / from_bytes >= REACH:
                found.append(Level(per_s=fmean(rates), from_bytes=from_bytes, to_bytes=size))
    return max(found, key=lambda level: level.to_bytes / level.from_bytes, default=None)


def same(first: Level | None, second: Level | None) -> bool:
    """Whether two limits are one."""
    rates = [level.per_s for level in (first, second) if level is not None]
    return len(rates) == 2 and max(rates) <= min(rates) * (1 + SAME)
