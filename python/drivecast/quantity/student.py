"""Student's t distribution for a whole number of degrees of freedom: the factor of an interval from few samples.

With θ = atan(t/√ν), P(|T| ≤ t) is a finite sum of powers of cos θ (Abramowitz and Stegun 26.7.3 and 26.7.4). The
quantile is where it is reached, by bisection.
"""

import math

_HALVINGS = 200
"""Bisection ends before, where the two sides are neighbours."""


def quantile(degrees: int, probability: float) -> float:
    """The value that T does not exceed with `probability`, which is at least 1/2 and below 1."""
    wanted = 2 * probability - 1
    low, high = 0.0, 1.0
    while _within(high, degrees) < wanted:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if _within(middle, degrees) < wanted else (low, middle)
    return high


def _within(value: float, degrees: int) -> float:
    """P(|T| ≤ value)."""
    angle = math.atan(value / math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    term, total = (cosine, 0.0) if degrees % 2 else (1.0, 0.0)
    for power in range(degrees % 2, degrees - 1, 2):
        total += term
        term *= cosine**2 * (power + 1) / (power + 2)
    return 2 / math.pi * (angle + sine * total) if degrees % 2 else sine * total
