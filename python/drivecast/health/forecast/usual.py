"""What a fleet's drives have in common, learned from all that was observed of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from drivecast.health.forecast import prior
from drivecast.health.forecast.grid import DAYS_MAX, Floats
from drivecast.health.forecast.horizon import Jumps
from drivecast.health.forecast.level import NOISE
from drivecast.health.forecast.observed import Observed

LEARNERS_MAX = 20_000
"""More drives would move no share by as much as its own error."""


@dataclass(frozen=True)
class Usual:
    """Shares of the fleet, and the size of its changes."""

    pairs: Floats
    """Of each pair (noise, drift)."""
    rates: Floats
    """Of each rate of change."""
    jump_variance: float

    def weights(self, observed: Observed) -> Floats:
        """Give the weight of each pair for each drive."""
        return prior.weights(observed.level.likelihood, self.pairs)

    def jumps(self, observed: Observed) -> Jumps:
        """Give the changes of workload that each drive has to expect."""
        likelihood = prior.change_likelihood(observed.changes, _days(observed))
        return Jumps(prior.weights(likelihood, self.rates), self.jump_variance)


def usual(observed: Sequence[Observed]) -> Usual:
    """Learn from the drives that write and have a history of their own; of many, from one in so many."""
    thin = max(1, sum(one.table.height for one in observed) // LEARNERS_MAX)
    chosen = [
        np.flatnonzero((one.table["writes"] & one.table["enough"]).to_numpy())[::thin] for one in observed
    ]
    parts = list(zip(observed, chosen, strict=True))
    pairs = [one.level.likelihood[rows] for one, rows in parts]
    rates = [prior.change_likelihood(one.changes, _days(one))[rows] for one, rows in parts]
    heights = [np.log(one.steps["factor"].to_numpy()) for one in observed]
    return Usual(
        prior.shares(_stacked(pairs, NOISE.size)),
        prior.shares(_stacked(rates, prior.CHANGES_PER_DAY.size)),
        prior.jump_variance(_stacked(heights, 0)),
    )


def _stacked(parts: Sequence[Floats], width: int) -> Floats:
    return np.concatenate(parts) if parts else np.zeros((0, width) if width else 0)


def _days(observed: Observed) -> Floats:
    """Days in which changes were looked for."""
    return np.asarray(np.minimum(observed.table["span_days"].to_numpy(), DAYS_MAX))
