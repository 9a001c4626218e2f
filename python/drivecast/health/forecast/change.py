"""Days at which a drive's workload changed its level, by binary segmentation of the logarithm of daily writes.

Model. z(d) = ln(bytes of day d) is level + weekday + noise, and the level jumps at a few unknown days. A part of n
days is split after k of them where

    C(k)² = n / (k (n − k)) × (S(k) − k / n × S(n))²  /  v        S: sums of z

is largest and above 3 ln N, N the days in all: the modified BIC (Zhang and Siegmund 2007) of one more change. v is
the long-run variance of the noise, v = s² (1 + f) / (1 − f) for noise that remembers a share f from day to day; s²
and f come from the 95 % quantile of the sizes of differences over one and two days: a few jumps or idle days do not
move it, and a backup a month does. Weekdays are taken off as the median of each where there are four weeks or more.
Slow drift looks like small steps too: a change between parts of a and b days stays one only where its square is above
3 ln N times v (1/a + 1/b) + q (a + b) / 3, with the drift q that the filter finds. Left out: changes of the pattern
that keep the level.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivecast.health.forecast.day_grid import Floats

PART_DAYS_MIN = 3
"""Shorter parts are bursts, not levels."""
PENALTY = 3.0
"""Times ln N, the modified BIC."""
PASSES_MAX = 12
CHUNK = 256
SPREAD_SHARE, SPREAD_NORMAL = 0.95, 1.96
"""A quantile, and where it lies for the size of a standard normal variable."""


@dataclass(frozen=True)
class Steps:
    """Changes of level, one a row, those of a drive in order of time."""

    row: NDArray[np.int64]
    """Of the matrix."""
    day: NDArray[np.int64]
    """Column of the first day of the new level."""
    height: Floats
    """ln of the mean daily bytes after over those before."""
    score: Floats
    """Square of the change of z over what noise and drift explain."""


def logarithms(total: Floats, step: Floats) -> Floats:
    """Return ln of each day's increment, drives × (days − 1), never below half a step of the counter."""
    with np.errstate(invalid="ignore"):
        return np.log(np.maximum(np.diff(total, axis=1), step[:, None] / 2))


def without_weekdays(z: Floats) -> Floats:
    """Take off each weekday's median distance from its week, for drives with four weeks or more."""
    drives, days = z.shape
    weeks = days // 7
    if weeks < 4:
        return z
    part = z[:, days - 7 * weeks :].reshape(drives, weeks, 7)
    with np.errstate(invalid="ignore"):
        offset = part - np.median(part, axis=2, keepdims=True)
    usual = _median_weeks(offset)
    enough = np.isfinite(part).all(axis=2).sum(axis=1) >= 4
    usual = np.where(enough[:, None], usual - usual.mean(axis=1, keepdims=True), 0.0)
    weekday = (np.arange(days) - days) % 7
    return z - usual[:, weekday]


def _median_weeks(offset: Floats) -> Floats:
    """Median over weeks; weeks with a missing day are the oldest and are left out."""
    if np.isfinite(offset).all():
        return np.asarray(np.median(offset, axis=1))
    ordered = np.sort(offset, axis=1)  # NaN goes last
    known = np.isfinite(ordered).sum(axis=1, keepdims=True)
    pair = [np.clip(place, 0, None) for place in ((known - 1) // 2, known // 2)]
    middle = [np.take_along_axis(ordered, np.minimum(place, ordered.shape[1] - 1), axis=1) for place in pair]
    return np.nan_to_num((middle[0] + middle[1])[:, 0] / 2.0)


def long_run_variance(flat: Floats, z: Floats, step: Floats) -> Floats:
    """Return v of each drive, from the sizes of differences over one and two days of `flat`, z without weekdays.

    Counting in steps errs by step² / 6 on a difference, and a counter that often gives the same number hides its noise:
    this is added.
    """
    floor = 1e-8
    days = flat.shape[1]
    daily, two = (
        _spread(flat[:, lag:] - flat[:, :-lag]) if days > lag else np.zeros(len(z)) for lag in (1, 2)
    )
    memory = np.clip(two / np.maximum(daily, floor) - 1.0, 0.0, 0.9)  # variance of two days / of one = 1 + f
    variance = np.maximum(daily, floor) / (2.0 * (1.0 - memory))
    known = np.isfinite(z)
    usual = np.exp(np.where(known, z, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1))
    return np.asarray(variance * (1.0 + memory) / (1.0 - memory) + step**2 / 6 / usual**2)


def penalty(z: Floats) -> Floats:
    """Return 3 ln N of each drive."""
    return np.asarray(PENALTY * np.log(np.maximum(np.isfinite(z).sum(axis=1), 2)))


def steps(
    total: Floats, z: Floats, marks: NDArray[np.bool_], step: Floats, variance: Floats, drift: Floats
) -> Steps:
    """Measure every marked change; `drift` is q of each drive."""
    known = np.isfinite(z)
    first = z.shape[1] - known.sum(axis=1)
    begins = marks | (known & (np.arange(z.shape[1]) == first[:, None]))
    row, start = np.nonzero(begins)
    last = np.append(row[1:] != row[:-1], True)[: row.size]
    end = np.where(last, z.shape[1], np.append(start[1:], 0)[: row.size])
    length = (end - start).astype(np.float64)
    rate = np.log(np.maximum(total[row, end] - total[row, start], step[row] / 2) / np.maximum(length, 1.0))
    sums = np.zeros((len(z), z.shape[1] + 1))
    np.cumsum(np.where(known, z, 0.0), axis=1, out=sums[:, 1:])
    level = (sums[row, end] - sums[row, start]) / np.maximum(length, 1.0)
    follows = np.flatnonzero(marks[row, start])
    before = follows - 1
    a, b, where = length[before], length[follows], row[follows]
    chance = variance[where] * (1 / a + 1 / b) + drift[where] * (a + b) / 3
    score = (level[follows] - level[before]) ** 2 / chance
    return Steps(where, start[follows], rate[follows] - rate[before], score)


def _spread(differences: Floats) -> Floats:
    """Variance by a quantile of the sizes, NaN left out."""
    ordered = np.sort(np.abs(differences), axis=1)  # NaN goes last
    known = np.isfinite(ordered).sum(axis=1)
    place = np.clip(np.ceil(SPREAD_SHARE * known).astype(np.int64) - 1, 0, None)
    size = np.take_along_axis(ordered, place[:, None], axis=1)[:, 0]
    return np.nan_to_num((size / SPREAD_NORMAL) ** 2)


def without_spikes(flat: Floats) -> Floats:
    """Return, for each day, the median of itself and its neighbours, the first and last of the three at their end."""
    days = flat.shape[1]
    if days < 3:
        return flat
    a, b, c = flat[:, :-2], flat[:, 1:-1], flat[:, 2:]
    middle = np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))
    calm = np.concatenate([middle[:, :1], middle, middle[:, -1:]], axis=1)
    return np.where(np.isfinite(calm), calm, flat)  # beside days before the first, which are NaN


def changes(flat: Floats, variance: Floats) -> NDArray[np.bool_]:
    """Mark the first day of each new level, drives × days of `flat`, z without weekdays; `variance` is v."""
    marks = np.zeros(flat.shape, dtype=bool)
    if flat.shape[1] >= 2 * PART_DAYS_MIN:
        for first in range(0, len(flat), CHUNK):
            rows = slice(first, first + CHUNK)
            _mark(flat[rows], penalty(flat[rows]) * variance[rows], marks[rows])
    return marks


def _mark(flat: Floats, threshold: Floats, marks: NDArray[np.bool_]) -> None:
    """Split the parts of drives few enough for the cache, until none deserves it."""
    known = np.isfinite(flat)
    days = flat.shape[1]
    first = days - known.sum(axis=1)  # known days are at the right
    sums = np.zeros((len(flat), days + 1))
    np.cumsum(np.where(known, flat, 0.0), axis=1, out=sums[:, 1:])
    active = np.arange(len(flat))
    for _ in range(PASSES_MAX):
        found = _split(sums[active], marks[active], first[active], threshold[active])
        if not found.any():
            break
        marks[active] |= found
        active = active[found.any(axis=1)]


def _split(
    sums: Floats, marks: NDArray[np.bool_], first: NDArray[np.int64], threshold: Floats
) -> NDArray[np.bool_]:
    """Mark the best split of every part that deserves one."""
    days = marks.shape[1]
    index = np.arange(days)
    start = np.maximum.accumulate(np.where(marks, index, first[:, None]), axis=1)
    edge = np.where(np.roll(marks, -1, axis=1), index + 1, days)
    edge[:, -1] = days
    end = np.minimum.accumulate(edge[:, ::-1], axis=1)[:, ::-1]
    low, high = np.take_along_axis(sums, start, axis=1), np.take_along_axis(sums, end, axis=1)
    before, whole = (index - start).astype(np.float64), (end - start).astype(np.float64)
    fits = (index - start >= PART_DAYS_MIN) & (end - index >= PART_DAYS_MIN)
    part = np.where(fits, before / np.maximum(whole, 1.0), 0.5)
    excess = sums[:, :-1] - low - part * (high - low)
    score = np.where(fits, excess**2 / (np.maximum(whole, 1.0) * part * (1.0 - part)), 0.0)
    begins = marks | (index == first[:, None]) | (index == 0)
    places = np.flatnonzero(begins)
    lengths = np.diff(np.append(places, begins.size))
    highest = np.repeat(np.maximum.reduceat(score.ravel(), places), lengths).reshape(score.shape)
    found = fits & (score >= highest) & (score > threshold[:, None])
    # Of equal scores in one part the first counts.
    earlier = np.maximum.accumulate(np.where(found, start, -1), axis=1)
    found[:, 1:] &= earlier[:, :-1] != start[:, 1:]
    return found
