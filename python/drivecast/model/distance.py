"""How far two distributions are apart.

Kolmogorov-Smirnov: the largest difference of the two shares below a value, in [0, 1]; blind to how far values
lie apart, so it suits anything. Wasserstein-1 of log₁₀: how many decades the mean value would have to be
moved, over both quantile functions; it sees how far the tails are off. A value of zero counts as one unit.
"""

from dataclasses import dataclass

import polars as pl

POINTS = 400
"""Quantiles at which two distributions are compared by Wasserstein's distance."""


@dataclass(frozen=True)
class Distance:
    """Between the values of a trace and of its model."""

    ks: float
    decades: float


def distance(ours: pl.Series, theirs: pl.Series) -> Distance | None:
    """The distance of two sets of values; `None` where either is empty."""
    if ours.is_empty() or theirs.is_empty():
        return None
    return Distance(_ks(ours, theirs), _decades(ours, theirs))


def _ks(ours: pl.Series, theirs: pl.Series) -> float:
    own = pl.DataFrame({"value": ours.cast(pl.Float64), "step": 1.0 / len(ours)})
    other = pl.DataFrame({"value": theirs.cast(pl.Float64), "step": -1.0 / len(theirs)})
    steps = pl.concat([own, other]).group_by("value").agg(pl.col("step").sum()).sort("value")
    return float(steps["step"].cum_sum().abs().max() or 0.0)  # type: ignore[arg-type]


def _decades(ours: pl.Series, theirs: pl.Series) -> float:
    logs = [quantiles(values).clip(lower_bound=1.0).log10() for values in (ours, theirs)]
    return float((logs[0] - logs[1]).abs().mean() or 0.0)  # type: ignore[arg-type]


def quantiles(values: pl.Series) -> pl.Series:
    """The values at even shares."""
    ordered = values.cast(pl.Float64).sort()
    places = [round(point * (len(ordered) - 1) / (POINTS - 1)) for point in range(POINTS)]
    return ordered.gather(places)
