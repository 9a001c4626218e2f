"""What is usual in the fleet: how noise, drift and changes of workload are spread over its drives.

Empirical Bayes. Each drive has a likelihood for every point of a grid: the pairs (noise, drift) from the filter, and
rates of change l from the number of changes found in its days, e^(−l T) (l T)^n. How large a share of the fleet each
point has is the nonparametric estimate of greatest likelihood (Kiefer and Wolfowitz 1956), by expectation and
maximisation, from a flat start over the logarithmic grid that keeps the weight of one drive: a drive on its own is
judged by its own history, a young drive in a large fleet by its neighbours. Changes have the mean square of the
fleet's logarithms for their size, with a prior of one change by a factor of two. These two priors and the ends of the
grids are assumed.
"""

import math

import numpy as np

from drivecast.health.forecast.day_grid import Floats

PRIOR_DRIVES = 1.0
PRIOR_JUMP = math.log(2.0) ** 2
STEPS = 60
CHANGES_PER_DAY = np.geomspace(0.01, 10.0, 10) / 365.25
"""l: from one change in a hundred years to ten a year."""


def shares(likelihood: Floats) -> Floats:
    """Return the share of each point of a grid in the fleet, from log-likelihoods, drives × points."""
    drives, points = likelihood.shape
    relative = (
        np.exp(likelihood - likelihood.max(axis=1, keepdims=True, initial=-np.inf)) if drives else likelihood
    )
    flat = np.full(points, 1.0 / points)
    found = flat
    for _ in range(STEPS):
        weight = relative * found
        weight /= weight.sum(axis=1, keepdims=True)
        found = (PRIOR_DRIVES * flat + weight.sum(axis=0)) / (PRIOR_DRIVES + drives)
    return np.asarray(found)


def weights(likelihood: Floats, usual: Floats) -> Floats:
    """Return the weight of each point for each drive; `usual` are the shares in the fleet."""
    relative = np.exp(likelihood - likelihood.max(axis=1, keepdims=True)) * usual
    return np.asarray(relative / relative.sum(axis=1, keepdims=True))


def change_likelihood(found: Floats, days: Floats) -> Floats:
    """Return the log-likelihood of every rate of change, drives × rates, from those found in each drive's days."""
    return np.asarray(found[:, None] * np.log(CHANGES_PER_DAY) - days[:, None] * CHANGES_PER_DAY)


def jump_variance(jumps: Floats) -> float:
    """Return the mean square of the logarithms of the fleet's changes."""
    return float((PRIOR_JUMP + (jumps**2).sum()) / (1 + jumps.size))
