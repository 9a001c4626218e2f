"""Whether a workload changes for good, and when.

Model. A figure of the load in `INTERVALS` of equal length is one level before a moment and another after it. Of all
moments with a tenth of the time on either side the one is taken whose two levels explain the most of the figure's
variance: η² = 1 - (variance within both sides) / (variance of the whole). Two levels explain three quarters of a
straight ramp, and less of a day and its night, so a change is for good above `EXPLAINED_MIN`.

Figures: the logarithms of 1 + requests and of 1 + bytes, and the share of reads. Left out: a change of addresses, and
a second change.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

INTERVALS = 60
SIDE_MIN = INTERVALS // 10
EXPLAINED_MIN = 0.8


@dataclass(frozen=True)
class Shift:
    """A change for good."""

    at_s: float
    iops: tuple[float, float]
    """Before and after, mean."""
    read_fraction: tuple[float, float]


def found(data: pl.DataFrame, duration_s: float) -> Shift | None:
    """The change of these reads and writes (`measures.requests`), in a trace of this length, if there is one."""
    counts = _counts(data, duration_s)
    places = [_place(figure) for figure in _figures(counts)]
    explained, at = max(places)
    if explained < EXPLAINED_MIN:
        return None
    width_s = duration_s / INTERVALS
    sides = (counts[:, :at].sum(axis=1), counts[:, at:].sum(axis=1))
    before, after = at * width_s, (INTERVALS - at) * width_s
    (requests, _, reads), (requests_after, _, reads_after) = sides
    return Shift(
        at_s=before,
        iops=(requests / before, requests_after / after),
        read_fraction=(reads / max(requests, 1.0), reads_after / max(requests_after, 1.0)),
    )


def _counts(data: pl.DataFrame, duration_s: float) -> NDArray[np.float64]:
    """Requests, bytes and reads in each interval."""
    at = np.minimum(data["time_ns"].to_numpy() / 1e9 * INTERVALS / duration_s, INTERVALS - 1).astype(int)
    weights = (None, data["size_bytes"].to_numpy(), (data["op"] == "read").to_numpy().astype(float))
    return np.array([np.bincount(at, weights=weight, minlength=INTERVALS) for weight in weights], dtype=float)


def _figures(counts: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    requests, moved, reads = counts
    yield np.log1p(requests)
    yield np.log1p(moved)
    mean = reads.sum() / max(requests.sum(), 1.0)
    yield np.where(requests > 0, reads / np.maximum(requests, 1.0), mean)


def _place(figure: NDArray[np.float64]) -> tuple[float, int]:
    """How much of the variance two levels explain, and where the second begins."""
    whole = float(((figure - figure.mean()) ** 2).sum())
    if whole <= 1e-9 * len(figure):
        return 0.0, 0

    def within(at: int) -> float:
        return sum(float(((side - side.mean()) ** 2).sum()) for side in (figure[:at], figure[at:]))

    return max((1 - within(at) / whole, at) for at in range(SIDE_MIN, INTERVALS - SIDE_MIN + 1))
