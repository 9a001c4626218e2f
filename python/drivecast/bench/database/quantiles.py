"""Quantiles of latencies that were counted in buckets.

The quantile q of n latencies is the least value that at least q × n of them do not exceed. It is given only where a
latency lies beyond it (n (1 − q) ≥ 1): with a thousand transactions there is a q0.999 and no q0.9999.
"""

from collections.abc import Sequence
from itertools import accumulate

QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999)


def quantiles(buckets: Sequence[tuple[float, int]]) -> dict[str, float]:
    """By name (`q0.95`), from rows of value and count; values in any unit, in ascending order."""
    whole = sum(count for _value, count in buckets)
    sums = list(accumulate(count for _value, count in buckets))
    found = {}
    for quantile in QUANTILES:
        if whole * (1 - quantile) < 1 - 1e-9:
            break
        wanted = quantile * whole
        at = next(index for index, sum_ in enumerate(sums) if sum_ >= wanted - 1e-9 * whole)
        found[f"q{quantile:.10g}"] = float(buckets[at][0])
    return found
