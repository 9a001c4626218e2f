"""Which windows stand for a trace, and how far that may be off.

Model. Windows are points: the logarithm of 1 + the requests above each bound of each operation on each device
(`panel`), scaled to a spread of one. Windows with more than a k-th of all requests above some bound stand for
themselves, at most half of the k that are kept, as in sampling with probabilities by size (Hansen and Hurwitz 1943).
The others are grouped by k-means (Lloyd; k-means++), and the window nearest to its centre stands for each group
(Sherwood and others 2002, SimPoint).

How far that is off is estimated on a device that the choice did not see: each is left out in turn, windows are chosen
by the others, and p50 and p99 of the windows chosen, weighted, are compared with those of all windows. The error is the
factor that four fifths of these are within. The number of windows is the least that keeps the error that is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2

from drivecast.model.panel import Fared

CERTAIN_SHARE = 0.5
"""Of the windows that are kept, those that may stand for themselves."""
WITHIN_SHARE = 0.8
QUANTILES = (0.5, 0.99)
TRIES = 8
"""Starts of k-means, of which the tightest is taken."""


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
    best: tuple[float, NDArray[np.float64], NDArray[np.int32]] | None = None
    for start in range(TRIES):
        rng = np.random.default_rng([seed, start])
        centres, labels = kmeans2(points, count, iter=50, minit="++", missing="warn", rng=rng)
        apart = float(((points - centres[labels]) ** 2).sum())
        if best is None or apart < best[0]:
            best = (apart, centres, labels)
    _, centres, labels = best  # type: ignore[misc]
    found = []
    for label in np.unique(labels):
        places = np.flatnonzero(labels == label)
        nearest = ((points[places] - centres[label]) ** 2).sum(axis=1).argmin()
        found.append(([int(place) for place in places], int(places[nearest])))
    return found


def error(fared: Sequence[Fared], keep: int, seed: int) -> float:
    """How far p50 and p99 may be off on another device, as a factor less 1."""
    devices = list(dict.fromkeys(each.device for each in fared))
    off = []
    for device in devices:
        others = [each for each in fared if each.device != device] or list(fared)
        weights = choose(others, keep, seed).weights(len(fared[0].counts))
        for each in fared:
            if each.device == device:
                off += [_off(each, share, weights) for share in QUANTILES]
    return float(np.exp(np.quantile(off, WITHIN_SHARE)) - 1)


def _off(fared: Fared, share: float, weights: NDArray[np.float64]) -> float:
    """The logarithm of the factor between a quantile of weighted windows and that of all."""
    ours, truth = fared.quantile(share, weights), fared.quantile(share, np.ones_like(weights))
    return abs(float(np.log(max(ours, 1.0) / max(truth, 1.0))))
