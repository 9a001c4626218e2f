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

from drivecast.health.forecast.day_grid import Floats

NOISE_DAYS = np.geomspace(1e-4, 60.0, 12)
"""c: from a clock-like writer to one whose month is a single burst."""
DRIFT_PER_DAY = np.concatenate([[0.0], np.geomspace(1e-5, 1e-2, 7)])
"""q: none; then a standard deviation of 6 % to a factor of 6.8 (e^1.9) over a year."""

NOISE, DRIFT = (axis.ravel() for axis in np.meshgrid(NOISE_DAYS, DRIFT_PER_DAY, indexing="ij"))
"""The grid of pairs, flat."""
DIFFUSE = 1e6
"""Variance of the level before anything is known: next to it, what is drawn from the first block is all there is."""
CHUNK = 512


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

    def rows(self, rows: slice) -> "Blocks":
        """Some of the drives."""
        return Blocks(*(getattr(self, field.name)[rows] for field in fields(self)))


@dataclass(frozen=True)
class LocalLevel:
    """The state now, drives × pairs of the grid."""

    mean: Floats
    variance: Floats
    likelihood: Floats
    """Logarithm, up to a constant of the drive."""
    noise: Floats
    """c of each pair, for all drives or for each."""
    drift: Floats
    """q likewise."""

    def heaviest(self, weight: Floats, count: int) -> tuple["LocalLevel", Floats]:
        """Keep the pairs of greatest weight of each drive; what is left out of a mixture of many is tiny."""
        order = np.argpartition(-weight, count - 1, axis=1)[:, :count]
        kept = np.take_along_axis(weight, order, axis=1)
        mean, variance, likelihood = (
            np.take_along_axis(part, order, axis=1).astype(np.float64)
            for part in (self.mean, self.variance, self.likelihood)
        )
        level = LocalLevel(mean, variance, likelihood, NOISE[order], DRIFT[order])
        return level, kept / kept.sum(axis=1, keepdims=True)

    def rows(self, rows: slice | NDArray[np.int64]) -> "LocalLevel":
        """Some of the drives, where each has its own pairs."""
        return LocalLevel(*(getattr(self, field.name)[rows] for field in fields(self)))


def filtered(blocks: Blocks, jump: float) -> LocalLevel:
    """Filter every drive under every pair, in single precision; `jump` is the variance of a change of workload."""
    drives = len(blocks.days)
    parts = [
        _some(blocks.rows(slice(first, first + CHUNK)), jump) for first in range(0, max(drives, 1), CHUNK)
    ]
    mean, variance, likelihood = (np.concatenate(part) for part in zip(*parts, strict=True))
    return LocalLevel(mean, variance, likelihood, NOISE, DRIFT)


def _some(blocks: Blocks, jump: float) -> tuple[Floats, Floats, Floats]:
    """Mean, variance and log-likelihood of drives few enough for the cache."""
    single = np.float32
    read = blocks.days > 0
    lengths, kind = np.unique(blocks.days, return_inverse=True)
    noises = np.log1p(NOISE / np.maximum(lengths, 1.0)[:, None]).astype(single)
    kind = kind.reshape(blocks.days.shape)
    drift = DRIFT.astype(single)
    logarithm, counting = blocks.logarithm.astype(single), blocks.counting.astype(single)
    begins = read.argmax(axis=1)[:, None]
    first, last = (
        np.where(read.any(axis=1), np.take_along_axis(part, begins, 1)[:, 0], 0.0)
        for part in (logarithm, blocks.centre)
    )
    mean: Floats = np.repeat(first.astype(single)[:, None], NOISE.size, axis=1)
    variance: Floats = np.full_like(mean, DIFFUSE)
    likelihood: Floats = np.zeros_like(mean)
    for k in np.flatnonzero(read.any(axis=0)):
        passed = np.where(read[:, k], last - blocks.centre[:, k], 0.0).clip(0.0)
        last = np.where(read[:, k], blocks.centre[:, k], last)
        jumps = np.where(blocks.jumped[:, k] & read[:, k], jump, 0.0)
        noise = noises[kind[:, k]]
        ahead = variance + passed.astype(single)[:, None] * drift + jumps.astype(single)[:, None]
        error = noise + counting[:, k, None]
        total = ahead + error
        surprise = logarithm[:, k, None] - mean + noise * single(0.5)
        gain = ahead / total
        loss = single(0.5) * (np.log(total) + surprise * surprise / total)
        following = gain * error
        if not read[:, k].all():
            seen = read[:, k, None]
            loss, gain = np.where(seen, loss, 0.0), np.where(seen, gain, 0.0)
            following = np.where(seen, following, variance)
        likelihood -= loss
        mean += gain * surprise
        variance = following
    # A change after the last block that could be read: the lifetime's rate is all there is.
    changed = np.where(blocks.jumped[:, -1] & ~read[:, -1], jump, 0.0)
    variance = variance + last.clip(0.0).astype(single)[:, None] * drift + changed.astype(single)[:, None]
    return mean, variance, likelihood
