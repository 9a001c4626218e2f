"""Limits that somebody set: a rate that stays the same whatever the size of the requests.

MODEL. A medium needs time for each request and time for each byte, so that from one size to the next both rates move:
requests a second fall and bytes a second rise. Where one of the two stays the same over a factor of `REACH` in size,
one of the two costs nothing any more: something counts requests (a volume's provisioned IOPS, a controller's processor)
or bytes (a volume's provisioned throughput, a link, flash that is programmed as fast as it can be).

What does not follow: who counts. A link and a cloud's limit look alike; that reads and writes meet the same figure
speaks for a limit outside the medium.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

SAME = 0.05
"""Rates within this share of each other are one rate. Assumed: the variance that repeats are allowed."""

REACH = 4
"""Factor in size over which a rate must stay."""

SIZES_LEAST = 3
"""Of the sizes that were measured: two may be alike by chance."""


@dataclass(frozen=True)
class Level:
    """A rate that does not move with the size."""

    per_s: float
    """Requests or bytes."""
    from_bytes: int
    to_bytes: int


@dataclass(frozen=True)
class Caps:
    """The rates that stay; none where none does."""

    iops: Level | None
    bytes_per_s: Level | None


def caps(sizes: Sequence[tuple[int, float]]) -> Caps:
    """The limits in rows of request size and requests a second."""
    rows = sorted((size, iops) for size, iops in sizes if iops > 0)
    return Caps(_level(rows), _level([(size, size * iops) for size, iops in rows]))


def _level(rows: Sequence[tuple[int, float]]) -> Level | None:
    """The stretch of sizes with one rate that reaches furthest, if it reaches far enough."""
    best: Level | None = None
    for low in range(len(rows)):
        rates: list[float] = []
        for size, rate in rows[low:]:
            rates.append(rate)
            if max(rates) > min(rates) * (1 + SAME):
                break
            reach = size / rows[low][0]
            if (
                len(rates) >= SIZES_LEAST
                and reach >= REACH
                and (best is None or reach > best.to_bytes / best.from_bytes)
            ):
                best = Level(fmean(rates), rows[low][0], size)
    return best


def same(one: Level | None, other: Level | None) -> bool:
    """Whether two limits are one."""
    if one is None or other is None:
        return False
    return max(one.per_s, other.per_s) <= min(one.per_s, other.per_s) * (1 + SAME)
