"""The knee of a miss-ratio curve: how large a cache is worth having.

MODEL. An unlimited cache misses first references alone; its hits are all that can be had. The knee is the smallest
cache with nine tenths of them, as `bench.sweep.knee` takes a depth that reaches nine tenths of the most: a share of
what can be had depends on no scale of an axis. Rejected for the same reasons as there: rules of curvature. Of LRU by
block every size is known and the knee is exact; of other policies it is the smallest of the sizes listed.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from drivecast.document.cache import CacheKnee, CachePoint

if TYPE_CHECKING:
    from drivecast import _core

ENOUGH = 0.9
"""Of the hits that can be had: the same share as of the most that a sweep carries."""
UNLIMITED = 1 << 62
"""Bytes of a cache that holds everything."""


def miss_ratio(counts: Mapping[str, float]) -> float:
    """The share of references that miss; 0 of none."""
    references = counts["reads"] + counts["writes"]
    return (counts["read_misses"] + counts["write_misses"]) / references if references else 0.0


def falling(accesses: "_core.Accesses", misses: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Sizes from which on fewer references miss, with the miss ratio in place of the misses."""
    references = accesses.reads + accesses.writes
    return [(size, count / references) for size, count in misses]


def of(
    policy: str, points: Sequence[CachePoint], every: Sequence[tuple[int, float]], least: float
) -> CacheKnee | None:
    """The knee of one policy; none where nothing is referenced twice, or no size listed is large enough.

    `every` are the sizes at which the miss ratio falls, where all are known, with the ratio from there on; `least` is
    the miss ratio of an unlimited cache.
    """
    if least >= 1:
        return None
    known = every or [(point.size_bytes, point.miss_ratio) for point in points]
    most = 1 - ENOUGH * (1 - least)
    found = next(((size, ratio) for size, ratio in known if ratio <= most), None)
    if found is None:
        return None
    return CacheKnee(policy=policy, size_bytes=found[0], miss_ratio=found[1], exact=bool(every))
