"""Where writes fall off the cliff: the first step from which on they stay far below what came before.

    cliff = first step k with max(y_k … y_{k+4}) < 0.8 · median(y_1 … y_{k−1})

Five steps in a row, a measurement window, so that a single slow minute is none; a fifth of the level, the range that
steady state allows, so that what the rule would call steady is none. A drive that slows gradually has a cliff too,
where it has lost a fifth; `after`, the mean of the last five steps, tells how deep it goes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from drivecast.bench.pts.steady import RANGE_MAX, WINDOW


@dataclass(frozen=True)
class Cliff:
    """A fall of write performance that lasts."""

    step: int
    """The first step below; steps count from 1."""
    before: float
    """Median of the steps before, in the series' unit."""
    after: float
    """Mean of the last five steps."""


def cliff(values: Sequence[float]) -> Cliff | None:
    """Find the cliff in a series of equal steps; none where there is none."""
    for at in range(1, len(values) - WINDOW + 1):
        before = median(values[:at])
        if max(values[at : at + WINDOW]) < (1 - RANGE_MAX) * before:
            return Cliff(at + 1, before, fmean(values[-WINDOW:]))
    return None
