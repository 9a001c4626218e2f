"""Points in groups around centres: k-means (Lloyd 1982).

Of several starts, whose centres are far apart (Arthur and Vassilvitskii 2007), the tightest is taken. Each ends
when no point changes its group.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2
from scipy.spatial.distance import cdist

from drivecast.thread import over_cores

TRIES = 8
"""Starts, of which the tightest is taken."""
ROUNDS = 10
STEPS = 5
"""Of a round, after which it is seen whether a point changed its group."""

Points = NDArray[np.float64]


def tightest(points: Points, count: int, seed: int) -> tuple[Points, NDArray[np.int32]]:
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
