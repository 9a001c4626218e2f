"""When a counter reaches a limit: the distribution of that day, and its quantiles.

Model. Over the next h days the mean daily rate is log-normal. With the level m and its variance P under one pair (c,
q), changes of workload at a rate of l a day and of variance j,

    ln(mean rate) ~ N(m − s(h)/2 + q h / 12,  P + q h / 3 + s(h) + J)           s(h) = ln(1 + c / h)
    J = 0 with the chance e^(−l h);  else  j / 3 × l h / (1 − e^(−l h))          both averaged over l

q h / 3 and j / 3 are the variances of the mean of a random walk and of a jump at a random moment, q h / 12 is half
the walk's variance about its own mean. The limit lies R away, known up to a variance of its logarithm, so

    P(reached within h) = sum over pairs of  weight × Φ( (m − s(h)/2 + q h/12 + ln h − ln R) / sd )
"""

from dataclasses import dataclass

import numpy as np

from drivecast.health.forecast.day_grid import Floats
from drivecast.health.forecast.local_level import LocalLevel
from drivecast.health.forecast.prior import CHANGES_PER_DAY

YEAR_DAYS = 365.25
YEARS_MAX = 50.0
DEVIATIONS = np.sinh(np.linspace(-5.0, 5.0, 41)) / np.sinh(5.0) * 8.0
"""Where a distribution is worked out, in its own standard deviations: 0.003 apart in the middle, since most of a
mixture may be far narrower than the whole; it is interpolated between."""


@dataclass(frozen=True)
class Jumps:
    """Changes of workload to come."""

    weight: Floats
    """Of each rate of `CHANGES_PER_DAY`, drives × rates."""
    variance: float
    """j: of the logarithm of a change's factor."""


def normal_share(z: Floats) -> Floats:
    """Φ, to 2 × 10⁻⁴ (the usual tanh approximation)."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.7978845608 * z * (1.0 + 0.044715 * z * z))))


@dataclass(frozen=True)
class Arrival:
    """The distribution of the day a limit is reached, drives × points."""

    days: Floats
    """Days from the last sample, rising."""
    chance: Floats
    """Of having reached it by then."""

    def quantile(self, share: float) -> Floats:
        """Return the day by which the limit is reached with the chance `share`; infinite where there is none."""
        above = self.chance >= share
        right = above.argmax(axis=1)[:, None]
        left = np.maximum(right - 1, 0)
        low, high = (np.take_along_axis(self.chance, place, axis=1) for place in (left, right))
        part = np.clip((share - low) / np.maximum(high - low, 1e-12), 0.0, 1.0)
        times = np.log(self.days)
        start, end = (np.take_along_axis(times, place, axis=1) for place in (left, right))
        days = np.exp(start + part * (end - start))[:, 0]
        return np.where(above.any(axis=1), days, np.inf)


def arrival(level: LocalLevel, weight: Floats, jumps: Jumps, remaining: Floats, spread: Floats) -> Arrival:
    """Return the distribution of the day on which a limit is reached.

    `remaining` is R in the counter's unit, `spread` the variance of its logarithm.
    """
    goal = np.log(np.maximum(remaining, 1e-300))
    mean = (weight * level.mean).sum(axis=1)
    usual = np.clip(np.exp(np.clip(goal - mean, -20.0, 20.0)), 1e-3, 1e6)
    calm, busy, _ = _variances(level, jumps, usual)
    scatter = (weight * (calm + busy + (level.mean - mean[:, None]) ** 2)).sum(axis=1) + spread
    days = usual[:, None] * np.exp(np.clip(np.sqrt(scatter)[:, None] * DEVIATIONS, -60.0, 60.0))
    chance = np.empty_like(days)
    for index in range(DEVIATIONS.size):
        passed = days[:, index]
        calm, busy, still = _variances(level, jumps, passed)
        calm += spread[:, None]
        noise = np.log1p(level.noise / passed[:, None])
        middle = (
            level.mean + level.drift * (passed / 12)[:, None] - noise / 2 + (np.log(passed) - goal)[:, None]
        )
        quiet = normal_share(middle / np.sqrt(calm))
        moved = normal_share(middle / np.sqrt(calm + busy))
        chance[:, index] = (weight * (moved + still * (quiet - moved))).sum(axis=1)
    return Arrival(days, np.maximum.accumulate(chance, axis=1))


def _variances(level: LocalLevel, jumps: Jumps, days: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the variance without changes over `days`, what changes add, and the chance of none."""
    calm = level.variance + level.drift * (days / 3)[:, None] + np.log1p(level.noise / days[:, None])
    expected = (jumps.weight @ CHANGES_PER_DAY * days)[:, None]
    still = (jumps.weight * np.exp(-days[:, None] * CHANGES_PER_DAY)).sum(axis=1, keepdims=True)
    return calm, jumps.variance / 3 * expected / np.maximum(1.0 - still, 1e-12), still


def rate(level: LocalLevel, weight: Floats, z: float) -> tuple[Floats, Floats, Floats]:
    """Return the daily rate now with its bounds, z standard deviations of the logarithm each way."""
    mean = (weight * level.mean).sum(axis=1)
    variance = (weight * (level.variance + (level.mean - mean[:, None]) ** 2)).sum(axis=1)
    bound = np.minimum(z * np.sqrt(variance), 100.0)  # where nothing is known, e^100 is as good as any
    return np.exp(mean), np.exp(mean - bound), np.exp(mean + bound)
