"""fio's histogram of latencies, and its arithmetic.

MODEL. A latency of n nanoseconds below 128 has a bin of its own; above, each octave is cut into 64 equal bins. JSON+
names a bin by the middle of its range, so that a value read from a bin is off by at most 1/128 of it (0.8 %). Counts
are exact, and bins are the same in every job: jobs and threads are merged without further error by adding counts. The
sum and the longest are kept beside the bins and are exact.

Source: `plat_val_to_idx` and `plat_idx_to_val` as fio's `stat.h` describes them (`FIO_IO_U_PLAT_BITS` = 6).
"""

import functools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from drivecast.document.outcome import QUANTILES, Latency, LatencyBucket

BITS = 6


@dataclass(frozen=True)
class Histogram:
    """Latencies of one kind of request."""

    count: int = 0
    sum_ns: float = 0.0
    longest_ns: int = 0
    bins: Mapping[int, int] = field(default_factory=dict)
    """Middle of the bin in ns, and how many."""

    @property
    def mean_ns(self) -> float:
        """Mean; 0 of none."""
        return self.sum_ns / self.count if self.count else 0.0

    def latency(self) -> Latency | None:
        """Mean, quantiles, longest; none of none, and without quantiles where there are no bins."""
        if not self.count:
            return None
        found = dict(zip(QUANTILES, self.at(list(QUANTILES.values())), strict=False))
        return Latency.model_validate({"mean": self.mean_ns, **found, "max": self.longest_ns})

    def at(self, quantiles: Sequence[float]) -> list[int]:
        """The latencies that these shares of the requests do not exceed, in ns."""
        middles = sorted(self.bins)
        reached = np.cumsum([self.bins[middle] for middle in middles])
        whole = int(reached[-1]) if middles else 0
        if not whole:
            return []
        places = [int(np.searchsorted(reached, quantile * whole)) for quantile in quantiles]
        # The middle of the last bin may lie beyond the longest.
        return [min(middles[min(place, len(middles) - 1)], self.longest_ns) for place in places]

    def rows(self, op: str) -> list[LatencyBucket]:
        """A row a bin: `op`, `latency_ns`, `count`, `quantile` (share of the requests up to here)."""
        whole, reached, rows = sum(self.bins.values()), 0, list[LatencyBucket]()
        for middle, count in sorted(self.bins.items()):
            reached, latency_ns = reached + count, min(middle, self.longest_ns)
            rows.append({"latency_ns": latency_ns, "count": count, "op": op, "quantile": reached / whole})
        if rows:
            rows[-1]["latency_ns"] = self.longest_ns
        return rows


def merged(parts: Iterable[Histogram]) -> Histogram:
    """All of them as one; exact."""
    bins: Counter[int] = Counter()
    count, sum_ns, longest_ns = 0, 0.0, 0
    for part in parts:
        bins.update(part.bins)
        count, sum_ns, longest_ns = count + part.count, sum_ns + part.sum_ns, max(longest_ns, part.longest_ns)
    return Histogram(count, sum_ns, longest_ns, dict(bins))


@functools.cache
def middles(bins: int) -> NDArray[np.float64]:
    """The middles, in ns, of the first so many bins."""
    index = np.arange(bins)
    octave = np.maximum(index >> BITS, 1) - 1
    base = np.where(index < 2 << BITS, 0, np.left_shift(1, octave + BITS))
    place = np.where(index < 2 << BITS, index, index % (1 << BITS)).astype(float)
    wide = np.where(index < 2 << BITS, 0.0, 0.5)
    return np.asarray(base + np.floor((place + wide) * np.exp2(octave)), dtype=np.float64)


def middle_of(latency_ns: float) -> int:
    """The middle of the bin that a latency falls into."""
    whole = max(0, math.floor(latency_ns))
    shift = max(0, whole.bit_length() - BITS - 1)
    return ((whole >> shift) << shift) + ((1 << shift) >> 1)
