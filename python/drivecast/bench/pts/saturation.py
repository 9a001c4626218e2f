"""Where writes fall off the cliff: the steepest fall from one five steps to the next that all of these stay below.

    before_k = median(y_{k−5} … y_{k−1})    after_k = mean(y_k … y_{k+4})
    cliff    = the k of least after_k / before_k among those with max(y_k … y_{k+4}) < 0.8 · before_k
               and median(y_k … y_n) < 0.8 · before_k

Five steps are a measurement window, so that a single slow minute is no cliff, and most of what follows stays low; near
the beginning there are fewer before it, since a small cache is full within minutes. A fifth of the level is the range
that steady state allows. A drive that slows over hours has no cliff, but a settled level all the same: the mean of the
last five steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from drivecast.bench.pts.steady import RANGE_MAX, WINDOW


@dataclass(frozen=True)
class Cliff:
    """A steep fall of write performance that lasts."""

    step: int
    """The first step below; steps count from 1."""
    before: float
    """Median of up to five steps before, in the series' unit: the step in which it falls is among them."""
    settled: float
    """Mean of the last five steps of all."""


def cliff(values: Sequence[float]) -> Cliff | None:
    """Find the cliff in a series of equal steps; none where there is none."""
    found: tuple[float, int] | None = None
    for at in range(1, len(values) - WINDOW + 1):
        before, ahead = _before(values, at), values[at : at + WINDOW]
        low = (1 - RANGE_MAX) * before
        if max(ahead) >= low or fmean(ahead) / before >= (found or (1.0, 0))[0]:
            continue
        if median(values[at:]) < low:
            found = (fmean(ahead) / before, at)
    if found is None:
        return None
    return Cliff(found[1] + 1, _before(values, found[1]), fmean(values[-WINDOW:]))


def _before(values: Sequence[float], at: int) -> float:
    return median(values[max(0, at - WINDOW) : at])
