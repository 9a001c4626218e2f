"""What a fleet's drives have in common, learned from what their samples show."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from drivecast.health.forecast import prior
from drivecast.health.forecast.day_grid import DAYS_MAX, Floats
from drivecast.health.forecast.estimate import Estimate
from drivecast.health.forecast.horizon import Jumps
from drivecast.health.forecast.level import NOISE

LEARNERS_MAX = 20_000
"""More drives would move no share by as much as its own error."""


@dataclass(frozen=True)
class FleetPrior:
    """Shares of the fleet, and the size of its changes."""

    pairs: Floats
    """Of each pair (noise, drift)."""
    rates: Floats
    """Of each rate of change."""
    jump_variance: float

    def weights(self, estimate: Estimate) -> Floats:
        """Return the weight of each pair for each drive."""
        return prior.weights(estimate.level.likelihood, self.pairs)

    def jumps(self, estimate: Estimate) -> Jumps:
        """Return the changes of workload that each drive has to expect."""
        likelihood = prior.change_likelihood(estimate.changes, _days(estimate))
        return Jumps(prior.weights(likelihood, self.rates), self.jump_variance)


def fleet_prior(estimates: Sequence[Estimate]) -> FleetPrior:
    """Learn from the drives that write and have a history of their own; of many, from part in so many."""
    thin = max(1, sum(part.table.height for part in estimates) // LEARNERS_MAX)
    chosen = [
        np.flatnonzero((part.table["writes"] & part.table["enough"]).to_numpy())[::thin] for part in estimates
    ]
    parts = list(zip(estimates, chosen, strict=True))
    pairs = [part.level.likelihood[rows] for part, rows in parts]
    rates = [prior.change_likelihood(part.changes, _days(part))[rows] for part, rows in parts]
    heights = [np.log(part.steps["factor"].to_numpy()) for part in estimates]
    return FleetPrior(
        prior.shares(_stacked(pairs, NOISE.size)),
        prior.shares(_stacked(rates, prior.CHANGES_PER_DAY.size)),
        prior.jump_variance(_stacked(heights, 0)),
    )


def _stacked(parts: Sequence[Floats], width: int) -> Floats:
    return np.concatenate(parts) if parts else np.zeros((0, width) if width else 0)


def _days(estimate: Estimate) -> Floats:
    """Days in which changes were looked for."""
    return np.asarray(np.minimum(estimate.table["span_days"].to_numpy(), DAYS_MAX))
