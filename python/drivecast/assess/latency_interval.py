"""What a predicted latency may be in truth, by how far predictions of real drives were off.

Model. n drives were measured (`catalog.latency_error`). The 80 % interval is that of one more drive: with m and s the
mean and deviation of the logarithms of the errors, cut off at a factor of two, it is the prediction times
exp(m ± t s √(1 + 1/n)), t the 90 % point of Student's distribution with n - 1 degrees of freedom. Where half of the
drives stall or more, the upper end is at least the 90 % point of the prediction with each error applied. The share of
these within a limit is the chance that the limit holds: there every stall counts.

Left out: that errors of one drive resemble each other, but for n in place of the number of errors.
"""

import math
from collections.abc import Sequence

import numpy as np

from drivecast.catalog.latency_error import STALL, DriveErrors, Spread
from drivecast.quantity import student

COVERED = 0.8


def bounds(spread: Spread, predicted_ns: float) -> tuple[float, float]:
    """Return the 80 % interval of a prediction, which it holds, in ns."""
    logarithms = [error for each in spread.drives for error in _logarithms(each)]
    count = len(spread.drives)
    low, high = (predicted_ns * factor for factor in one_more(logarithms, count))
    if 2 * sum(bool(each.excess_us) for each in spread.drives) >= count:
        high = max(high, float(np.quantile(_possible(spread, predicted_ns), (1 + COVERED) / 2)))
    return min(low, predicted_ns), max(high, predicted_ns)


def one_more(logarithms: Sequence[float], count: int) -> tuple[float, float]:
    """Return the 80 % interval of the factor of one more device, by the logarithms of those of `count` devices."""
    mean = float(np.mean(logarithms))
    half = (
        student.quantile(count - 1, (1 + COVERED) / 2)
        * float(np.std(logarithms, ddof=1))
        * math.sqrt(1 + 1 / count)
    )
    return math.exp(mean - half), math.exp(mean + half)


def chance(spread: Spread, predicted_ns: float, limit_ns: float) -> float:
    """Return the chance that the true value is at most `limit_ns`; never certain, for want of more errors."""
    possible = _possible(spread, predicted_ns)
    within = sum(value <= limit_ns for value in possible)
    return min(max(within, 1 / 2), len(possible) - 1 / 2) / len(possible)


def _logarithms(errors: DriveErrors) -> list[float]:
    """Return the errors of a drive, cut off at a factor of two."""
    cut = (min(max(ratio, 1 / STALL), STALL) for ratio in errors.ratios)
    return [math.log(ratio) for ratio in cut] + [math.log(STALL)] * len(errors.excess_us)


def _possible(spread: Spread, predicted_ns: float) -> list[float]:
    """Return the prediction with each error applied."""
    ratios = [predicted_ns * ratio for each in spread.drives for ratio in each.ratios]
    return ratios + [predicted_ns + excess * 1e3 for each in spread.drives for excess in each.excess_us]
