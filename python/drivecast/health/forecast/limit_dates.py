"""From the states of the filter to the days on which each drive's counter reaches its limits.

What the drives of a fleet have in common is learned first, from what their samples show (`prior.py`).

Two limits: the bytes at which the flash is worn to its rating (`gauge.py`), and the rated writes. Of the first every
row carries the quantiles that counts over a fleet are made of: used-up writes end a warranty and replace no drive.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import polars as pl

from drivecast.health.forecast import prior
from drivecast.health.forecast.day_grid import DAYS_MAX, ENDS, Floats
from drivecast.health.forecast.estimate import Estimate
from drivecast.health.forecast.horizon import Jumps, arrival, rate
from drivecast.health.forecast.local_level import LocalLevel

SHARES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Quantiles of the end of the flash that each row carries, for counts over the fleet."""
LEARNERS_MAX = 20_000
"""More drives would move no share by as much as its own error."""


PAIRS_KEPT = 24
CHUNK = 4096


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
        return Jumps(prior.weights(_rates(estimate), self.rates), self.jump_variance)


def fleet_prior(estimates: Sequence[Estimate]) -> FleetPrior:
    """Learn from the drives that write and have a history of their own; of many, from part in so many."""
    thin = max(1, sum(part.table.height for part in estimates) // LEARNERS_MAX)
    chosen = [
        np.flatnonzero((part.table["writes"] & part.table["enough"]).to_numpy())[::thin] for part in estimates
    ]
    parts = list(zip(estimates, chosen, strict=True))
    return FleetPrior(
        prior.shares(np.concatenate([part.level.likelihood[rows] for part, rows in parts])),
        prior.shares(np.concatenate([_rates(part)[rows] for part, rows in parts])),
        prior.jump_variance(np.concatenate([np.log(part.steps["factor"].to_numpy()) for part in estimates])),
    )


def _rates(estimate: Estimate) -> Floats:
    """The log-likelihood of every rate of change, by the days in which changes were looked for."""
    days = np.minimum(estimate.table["span_days"].to_numpy(), DAYS_MAX)
    return prior.change_likelihood(estimate.changes, days)


def outlook(estimate: Estimate, fleet: FleetPrior, ratings: pl.DataFrame, level: float) -> pl.DataFrame:
    """Return rates and ends of drives: days from the last sample as `…_days`, infinite where there is no end."""
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval lies between 0 and 1, not at {level}")
    rated = ratings.select("drive", "rated_bytes", "warranty_years")
    table = estimate.table.join(rated, on="drive", how="left", maintain_order="left")
    states, weight = estimate.level.heaviest(fleet.weights(estimate), PAIRS_KEPT)
    jumps = fleet.jumps(estimate)
    parts = []
    for first in range(0, max(table.height, 1), CHUNK):
        rows = slice(first, first + CHUNK)
        some = Jumps(jumps.weight[rows], jumps.variance)
        parts.append(_chunk(table[rows], states.rows(rows), weight[rows], some, level))
    return pl.concat([*parts, estimate.mute], how="diagonal_relaxed")


def _chunk(
    table: pl.DataFrame, states: LocalLevel, weight: Floats, jumps: Jumps, level: float
) -> pl.DataFrame:
    tail = (1 - level) / 2
    known = (table["enough"] & table["writes"]).to_numpy()
    z = NormalDist().inv_cdf(1 - tail)
    columns: dict[str, Floats] = {}
    for name, values in zip(ENDS, rate(states, weight, z), strict=True):
        columns[f"rate{name}"] = np.where(known, values, np.nan)
    quantiles: list[Floats] = []
    for name, remaining, spread in (
        ("media", _numbers(table, "media_remaining"), _numbers(table, "media_spread")),
        ("writes", _rated_left(table), np.zeros(table.height)),
    ):
        there = known & np.isfinite(remaining) & (remaining > 0)
        found = arrival(states, weight, jumps, np.where(there, remaining, 1.0), np.nan_to_num(spread))
        for part, share in zip(ENDS, (0.5, tail, 1 - tail), strict=True):
            columns[f"{name}_days{part}"] = np.where(there, found.quantile(share), np.inf)
        if name == "media":
            quantiles = [np.where(there, found.quantile(share), np.inf) for share in SHARES]
    kept = pl.Series("end_days", np.stack(quantiles, axis=1), dtype=pl.Array(pl.Float64, len(SHARES)))
    return pl.concat([table, pl.DataFrame(columns).with_columns(kept)], how="horizontal")


def _rated_left(table: pl.DataFrame) -> Floats:
    """Rated writes are host bytes: no other counter reaches them."""
    left = _numbers(table, "rated_bytes") - _numbers(table, "total")
    return np.where((table["counter"] == "host_written_bytes").to_numpy(), left, np.nan)


def _numbers(table: pl.DataFrame, name: str) -> Floats:
    return table[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
