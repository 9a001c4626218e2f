"""The rate at which a counter rises, and what may become of it: a local level with noise, drift and jumps.

Model. y(k), the logarithm of the mean daily rate in block k of n days, is

    y(k) = m(k) − s(n) / 2 + noise of variance s(n) + error of counting        s(n) = ln(1 + c / n)
    m(k + 1) = m(k) + drift of variance q × days between, + at a change of workload a jump of variance j

c is the variance of a day's writes over their mean squared, long-run (days): means of n days of positive, bursty
writes are near log-normal with the variance s(n), and their logarithm lies s(n)/2 below that of their mean. q is a
random walk of the level (a day). Counting in steps of b bytes errs by b²/6 on a difference, relative to the bytes of
the block.

Every drive is filtered (Kalman 1960) under every pair (c, q) of a grid, which gives the likelihood of the pair, the
level now and its variance. Which pairs are usual is learned from the fleet: `fleet.py`.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from drivecast.health.forecast.grid import Floats

NOISE_DAYS = np.geomspace(1e-4, 60.0, 12)
"""c: from a clock-like writer to one whose month is a single burst."""
DRIFT_PER_DAY = np.concatenate([[0.0], np.geomspace(1e-5, 1e-2, 7)])
"""q: none; then a standard deviation of 6 % to a factor of 6.8 (e^1.9) over a year."""

NOISE, DRIFT = (axis.ravel() for axis in np.meshgrid(NOISE_DAYS, DRIFT_PER_DAY, indexing="ij"))
"""The grid of pairs, flat."""


@dataclass(frozen=True)
class Blocks:
    """What the filter reads, drives × blocks, oldest first; the last block ends at the last sample."""

    logarithm: Floats
    """y: ln of the mean daily rate."""
    days: Floats
    """n: days in the block; 0 where there is none."""
    counting: Floats
    """Variance that counting in steps adds to y."""
    centre: Floats
    """Days from the middle of the block to the last sample."""
    jumped: NDArray[np.bool_]
    """A change of workload lies between the block and the one before."""


@dataclass(frozen=True)
class Level:
    """The state now, drives × pairs of the grid."""

    mean: Floats
    variance: Floats
    likelihood: Floats
    """Logarithm, up to a constant of the drive."""
    noise: Floats
    """c of each pair, for all drives or for each."""
    drift: Floats
    """q likewise."""

    def compact(self) -> "Level":
        """The same in single precision, to keep for a whole fleet."""
        mean, variance, likelihood = (
            np.asarray(part.astype(np.float32)) for part in (self.mean, self.variance, self.likelihood)
        )
        return Level(mean, variance, likelihood, self.noise, self.drift)

    def heaviest(self, weight: Floats, count: int) -> tuple["Level", Floats]:
        """Keep the pairs of greatest weight of each drive; what is left out of a mixture of many is tiny."""
        order = np.argpartition(-weight, count - 1, axis=1)[:, :count]
        kept = np.take_along_axis(weight, order, axis=1)
        mean, variance, likelihood = (
            np.take_along_axis(part, order, axis=1).astype(np.float64)
            for part in (self.mean, self.variance, self.likelihood)
        )
        level = Level(mean, variance, likelihood, NOISE[order], DRIFT[order])
        return level, kept / kept.sum(axis=1, keepdims=True)

    def rows(self, rows: slice | NDArray[np.int64]) -> "Level":
        """Some of the drives, where each has its own pairs."""
        return Level(*(getattr(self, field.name)[rows] for field in fields(self)))


def filtered(blocks: Blocks, jump: float) -> Level:
    """Filter every drive under every pair; `jump` is the variance of a change of workload."""
    drives, count = blocks.logarithm.shape
    mean = np.zeros((drives, NOISE.size))
    variance = np.zeros_like(mean)
    likelihood = np.zeros_like(mean)
    begun = np.zeros(drives, dtype=bool)
    last = np.zeros(drives)
    for k in range(count):
        days = blocks.days[:, k]
        read = days > 0
        if not read.any():
            continue
        noise = np.log1p(NOISE / np.maximum(days, 1.0)[:, None])
        passed = np.where(begun, np.maximum(last - blocks.centre[:, k], 0.0), 0.0)
        jumps = np.where(begun & blocks.jumped[:, k], jump, 0.0)
        ahead = variance + passed[:, None] * DRIFT + jumps[:, None]
        error = noise + blocks.counting[:, k, None]
        total = ahead + error
        surprise = blocks.logarithm[:, k, None] + noise / 2 - mean
        follows, starts = (read & begun)[:, None], (read & ~begun)[:, None]
        likelihood -= np.where(follows, 0.5 * (np.log(total) + surprise**2 / total), 0.0)
        gain = np.where(starts, 1.0, np.where(follows, ahead / total, 0.0))
        mean += gain * surprise
        variance = np.where(starts, error, np.where(follows, ahead * (1.0 - gain), variance))
        last = np.where(read, blocks.centre[:, k], last)
        begun |= read
    variance += np.maximum(last, 0.0)[:, None] * DRIFT
    return Level(mean, variance, likelihood, NOISE, DRIFT)
