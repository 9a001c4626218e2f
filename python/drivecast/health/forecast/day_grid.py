"""A counter of many drives, read at odd times, as one matrix of drives × days.

Column d holds the counter's total at the same hour d − last days from each drive's last sample; the last column is
that sample. Between two samples the counter is taken to rise evenly. A total that falls back and stays low was reset,
and what was counted before is added to what follows; one sample that falls and rises again, or jumps and returns, is
left out. Days further back than a drive's first sample are NaN.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast.quantity.year import DAY_S

Floats = NDArray[np.floating[Any]]
ENDS = ("", "_low", "_high")
"""Of the names of an interval's middle and bounds."""
DAYS_MAX = 1100
"""Three years: what is older says nothing of the present rate that newer samples do not show better."""


@dataclass(frozen=True)
class Grid:
    """One counter, drives by days."""

    drives: NDArray[np.int64]
    """Keys of the rows, rising."""
    total: Floats
    """Counter at each day, drives × days, NaN before the first sample; resets are bridged."""
    gap: Floats
    """Days from each grid point to the nearest sample."""
    span: Floats
    """Days between first and last sample, with fractions."""
    samples: NDArray[np.int64]
    """Samples used, a drive."""
    last_s: NDArray[np.int64]
    """Time of the last sample, seconds of the Unix epoch."""
    first: Floats
    """Counter at the first sample."""
    resets: NDArray[np.int64]
    """Times the counter fell back, a drive."""

    def of(self, rows: NDArray[np.int64]) -> "Grid":
        """Some of the drives."""
        return Grid(*(getattr(self, field.name)[rows] for field in fields(self)))


def moment(second: str | pl.Expr) -> pl.Expr:
    """A time from its seconds of the Unix epoch."""
    return pl.from_epoch(second, time_unit="s").dt.cast_time_unit("us").dt.replace_time_zone("UTC")


def cleaned(samples: pl.DataFrame, counter: str) -> pl.DataFrame:
    """Return `drive`, `second` and `total` of one counter with the other columns: glitches left out, resets bridged.

    `reset` marks where the counter fell back.
    """
    value, same = pl.col("total"), pl.col("drive") == pl.col("drive").shift(1)
    before = pl.when(same).then(value.shift(1))
    after = pl.when(pl.col("drive") == pl.col("drive").shift(-1)).then(value.shift(-1))
    dip = (value < before) & (after >= before)
    spike = (after < value) & (after >= before)
    rows = (
        samples.lazy()
        .select(
            pl.exclude(counter, "time"),
            pl.col("time").dt.epoch("s").alias("second"),
            pl.col(counter).cast(pl.Float64).alias("total"),
        )
        .filter(value.is_finite() & (value >= 0))
        .filter(~(dip | spike).fill_null(value=False))
        .with_columns(reset=(value < before).fill_null(value=False))
        .collect()
    )
    if not rows["reset"].any():
        return rows
    lost = pl.when("reset").then(value.shift(1)).otherwise(0.0)
    return rows.with_columns(total=value + lost.cum_sum().over("drive"))


def grid(rows: pl.DataFrame) -> Grid:
    """Lay a counter on a grid of days; `rows` are `cleaned` and sorted by drive and second."""
    ends = rows.group_by("drive", maintain_order=True).agg(
        pl.len(),
        pl.col("second").first().alias("begin"),
        pl.col("second").last(),
        pl.col("total").first().alias("first"),
        pl.col("reset").cast(pl.Int64).sum(),
    )
    begin, last = ends["begin"].to_numpy(), ends["second"].to_numpy()
    span = (last - begin) / DAY_S
    width = int(min(np.floor(span.max(initial=0.0)), DAYS_MAX)) + 1
    counts = ends["len"].to_numpy().astype(np.int64)
    row = np.repeat(np.arange(len(counts)), counts)
    # One rising axis for all drives, so that one search serves every grid point.
    stride = float(2 * (int(span.max(initial=0.0)) + 2) * DAY_S)
    axis = (rows["second"].to_numpy() - last[row]) + (row + 1) * stride
    total = rows["total"].to_numpy()
    days = np.arange(width - 1, -1, -1.0) * DAY_S
    points = ((np.arange(len(counts))[:, None] + 1) * stride - days).ravel()
    place = np.searchsorted(axis, points, side="left").clip(0, max(len(axis) - 1, 0))
    earlier = (place - 1).clip(0)
    length = axis[place] - axis[earlier]
    share = np.divide(points - axis[earlier], length, out=np.ones_like(length), where=length > 0)
    laid = total[earlier] + share * (total[place] - total[earlier])
    near = np.minimum(axis[place] - points, points - axis[earlier]) / DAY_S
    known = days <= (span * DAY_S)[:, None] + 0.5
    shape = known.shape
    return Grid(
        ends["drive"].to_numpy().astype(np.int64),
        np.where(known, laid.reshape(shape), np.nan),
        np.where(known, np.abs(near.reshape(shape)), np.inf),
        span,
        counts,
        last.astype(np.int64),
        ends["first"].to_numpy().astype(np.float64),
        ends["reset"].to_numpy().astype(np.int64),
    )
