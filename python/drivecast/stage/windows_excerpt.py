"""A shorter pass of windows for what takes a pass as long as its trace: the busiest stretch, and a part of the rest.

Model. A pass of more than `REQUESTS_MAX` requests becomes its busiest stretch, whole, and of all other windows every
k-th of each cluster, in the order of the pass, with the least k that leaves so many requests. So rates, mix and bytes a
second are those of the pass; how often data are accessed again is that of a trace k times shorter. The map is read only
for these windows, so the time this takes does not grow with the length of the trace.

Source: systematic sampling of a population in strata (Cochran, Sampling Techniques, 1977, chapter 8).
"""

import math
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast.stage import windows_file
from drivecast.stage.windows_file import Archive

REQUESTS_MAX = 400_000
REST_MIN = 0.5
"""Of these for windows beside the busiest stretch, at least."""

Whole = NDArray[np.int64]


def excerpt(found: Archive, stretch_s: float, requests_max: int = REQUESTS_MAX) -> Archive:
    """The archive with such a pass; as it is where its pass is no longer."""
    turns = found.turns["window"].to_numpy().astype(np.int64)
    counts = windows_file.requests_by_window(found)[turns]
    if counts.sum() <= requests_max:
        return found
    busiest = _busiest(counts, math.ceil(stretch_s / found.header.window_s) + 1)
    others = counts.sum() - counts[busiest].sum()
    room = max(requests_max - counts[busiest].sum(), REST_MIN * requests_max)
    every = max(1, math.ceil(others / room))
    picked = turns[_picked(found.order["cluster"].to_numpy()[turns], busiest, every)]
    header = found.header.model_copy(update={"duration_s": len(picked) * found.header.window_s})
    return replace(
        found,
        header=header,
        map=found.map.filter(pl.col("window").is_in(np.unique(picked).tolist())),
        turns=pl.DataFrame({"window": pl.Series(picked, dtype=pl.UInt32)}),
    )


def _busiest(counts: NDArray[np.float64], length: int) -> slice:
    """The turns in a row with the most requests."""
    length = min(length, len(counts))
    sums = np.cumsum(np.r_[0.0, counts])
    first = int(np.argmax(sums[length:] - sums[:-length]))
    return slice(first, first + length)


def _picked(cluster: Whole, busiest: slice, every: int) -> Whole:
    """The turns that are left, in order."""
    rest = np.ones(len(cluster), dtype=bool)
    rest[busiest] = False
    others = np.flatnonzero(rest)
    ordered = others[np.argsort(cluster[others], kind="stable")]
    # One grid over all clusters in turn: small ones are represented on average, and none by more than its share.
    rest[:] = False
    rest[ordered[every // 2 :: every]] = True
    rest[busiest] = True
    return np.flatnonzero(rest)
