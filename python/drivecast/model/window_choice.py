"""Which windows stand for a trace, and how far that may be off.

Model. Windows are points: the logarithm of 1 + the requests above each bound of each operation on each device
(`panel`), scaled to a spread of one. Windows with more than a k-th of all requests above some bound stand for
themselves, at most half of the k that are kept, as in sampling with probabilities by size (Hansen and Hurwitz 1943).
The others are grouped by k-means (Lloyd 1982): of several starts, whose centres are far apart (Arthur and
Vassilvitskii 2007), the tightest is taken, and each ends when no point changes its group. Then the window nearest to
its centre stands for each group (Sherwood and others 2002, SimPoint).

How far that is off is estimated on a device that the choice did not see: each is left out in turn, windows are chosen
by the others, and quantiles of the windows chosen, weighted, are compared with those of all windows. The error is the
factor that four fifths of these are within.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2
from scipy.spatial.distance import cdist

from drivecast.catalog.latency_error import Op
from drivecast.model.panel import Fared
from drivecast.thread import over_cores

CERTAIN_SHARE = 0.5
"""Of the windows that are kept, those that may stand for themselves."""
WITHIN_SHARE = 0.8
QUANTILES = (0.5, 0.9, 0.99, 0.999)
TRIES = 8
"""Starts, of which the tightest is taken."""
ROUNDS = 10
STEPS = 5
"""Of a round, after which it is seen whether a point changed its group."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """Groups of windows, and the window that stands for each."""

    groups: list[list[int]]
    chosen: list[int]

    def weights(self, windows: int) -> NDArray[np.float64]:
        """How often each window counts."""
        found = np.zeros(windows)
        for group, number in zip(self.groups, self.chosen, strict=True):
            found[number] += len(group)
        return found


def choose(fared: Sequence[Fared], keep: int, seed: int) -> Choice:
    """Choose so many windows, or all where there are no more."""
    above = np.hstack([each.above for each in fared])
    windows = len(above)
    if keep >= windows:
        return Choice([[number] for number in range(windows)], list(range(windows)))
    share = (above / np.maximum(above.sum(axis=0), 1.0)).max(axis=1)
    heaviest = np.argsort(-share, kind="stable")[: int(CERTAIN_SHARE * keep)]
    certain = sorted(int(number) for number in heaviest if share[number] > 1 / keep)
    rest = np.setdiff1d(np.arange(windows), certain)
    groups = _alike(above[rest], keep - len(certain), seed)
    found = [([number], number) for number in certain]
    for places, nearest in groups:
        found.append(([int(rest[place]) for place in places], int(rest[nearest])))
    return Choice([group for group, _ in found], [number for _, number in found])


def _alike(above: NDArray[np.float64], count: int, seed: int) -> list[tuple[list[int], int]]:
    """Groups of windows by their places, each with the one nearest to its centre."""
    points = np.log1p(above)
    spread = points.std(axis=0)
    points = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    centres, labels = k_means(points, count, seed)
    found = []
    for label in np.unique(labels):
        places = np.flatnonzero(labels == label)
        nearest = ((points[places] - centres[label]) ** 2).sum(axis=1).argmin()
        found.append(([int(place) for place in places], int(places[nearest])))
    return found


def left_out(fared: Sequence[Fared], keep: int, seed: int) -> dict[str, Choice]:
    """Of each device the choice by all others."""
    devices = dict.fromkeys(each.device for each in fared)
    return {
        device: choose([each for each in fared if each.device != device] or fared, keep, seed)
        for device in devices
    }


Figure = tuple[Op, float]
"""An operation, and a quantile of its latencies."""


def off(fared: Sequence[Fared], choices: Mapping[str, Choice]) -> dict[Figure, list[float]]:
    """The logarithms of the factors between quantiles of windows, weighted, and those of all, device by device."""
    found: dict[Figure, list[float]] = {}
    for each in fared:
        weights = choices[each.device].weights(len(each.counts))
        every = np.ones_like(weights)
        for share in QUANTILES:
            ours, truth = each.quantile(share, weights), each.quantile(share, every)
            found.setdefault((each.op, share), []).append(math.log(max(ours, 1.0) / max(truth, 1.0)))
    return found


def error(off: Mapping[Figure, Sequence[float]]) -> float:
    """The factor less 1 that four fifths of these are within."""
    every = [abs(value) for values in off.values() for value in values]
    return math.expm1(float(np.quantile(every, WITHIN_SHARE)))


def k_means(points: Points, count: int, seed: int) -> tuple[Points, NDArray[np.int32]]:
    """The centres of so many groups of points (one a row), or of all that differ, and the group of each."""
    count = min(count, len(np.unique(points, axis=0)))

    def tried(start: int) -> tuple[float, Points, NDArray[np.int32]]:
        rng = np.random.default_rng([seed, start])
        centres, labels = _settled(points, points[_starts(points, count, rng)])
        return float(((points - centres[labels]) ** 2).sum()), centres, labels

    _, centres, labels = min(over_cores(tried, range(TRIES)), key=lambda found: found[0])
    return centres, labels


def _starts(points: Points, count: int, rng: np.random.Generator) -> list[int]:
    """Points to start from, each drawn by the square of its distance to the nearest drawn before (k-means++)."""
    found = [int(rng.integers(len(points)))]
    apart = np.full(len(points), np.inf)
    while len(found) < count:
        last = points[found[-1]][None, :]
        apart = np.minimum(apart, cdist(last, points, metric="sqeuclidean")[0])
        reached = (apart / apart.sum()).cumsum()
        found.append(min(int(np.searchsorted(reached, rng.uniform())), len(points) - 1))
    return found


def _settled(points: Points, centres: Points) -> tuple[Points, NDArray[np.int32]]:
    """The centres and groups that points settle in."""
    before = None
    for _ in range(ROUNDS):
        centres, labels = kmeans2(points, centres, iter=STEPS, minit="matrix", missing="warn")
        if before is not None and np.array_equal(labels, before):
            break
        before = labels
    return centres, labels
