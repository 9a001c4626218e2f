"""When a drive's spare reaches the threshold at which it expects to fail.

Model. Spare is lost in steps of a percent, on days that are a Poisson process of rate λ, several steps s at once. With
the mean m of s and φ = Σ s² / Σ s, as many as come together, R steps are gone after

    T = G(R / φ) / (λ m / φ)        G(a): a Gamma variable of shape a; mean and variance are those of the sum

where m, known from k losses only, is Σ s / G(k + 1). λ has a flat prior over its logarithm, from one loss in thirty
years to ten a day (assumed). It may have changed once, as when a chip goes bad: on any day of the drive's life with the
same small chance, since 2 to 7 % of drives have a bad chip within four years ("Flash Reliability in Production", FAST
2016, section 6); the upper end is taken. What follows the change counts, weighed over all days by their likelihood.
A single reading that dips and returns is left out.

The threshold is the drive's own; where it states none 10 % is assumed, which most makers use. Below it NVMe drives
raise a critical warning (NVM Express Base Specification 2.0c, log page 02h), ATA drives expect to fail (ACS-4). After a
second bad block half of all drives go on to about 200 (the same study), which is why the losses of one day are not
taken to be independent.
"""

import functools
import math
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast.document.drive_health import LIFETIME_DAYS_MIN, SPAN_DAYS_MIN
from drivecast.health.forecast.day_grid import ENDS
from drivecast.health.forecast.horizon import YEAR_DAYS, YEARS_MAX
from drivecast.health.forecast.limit_dates import SHARES
from drivecast.quantity.year import DAY_S

Floats = NDArray[np.floating[Any]]
THRESHOLD = 0.1
"""Assumed where a drive states none."""
YOUNG_LOSS = 0.05
"""A history that is too short for a rate shows one where so much is lost in it (assumed)."""
STEP = 0.01
RATES = np.geomspace(1 / (30 * YEAR_DAYS), 10.0, 48)
"""λ, losses a day."""
CHANGES_PER_DAY = 0.07 / (4 * YEAR_DAYS)
POINTS = 48
"""Of each distribution, in equal shares of chance."""
SIZES = 8
ALIKE = 1.1
"""Histories of drives without a loss differ by less than this factor, or are taken to be alike."""
DAYS = pl.Array(pl.Float64, len(SHARES))
SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "drive": pl.Int64,
    "spare_lost_per_day": pl.Float64,
    **{f"spare_end{part}": pl.Date for part in ENDS},
    "spare_days": DAYS,
}


def spare_left(samples: pl.DataFrame, level: float) -> pl.DataFrame:
    """Return a row for each drive whose spare can be forecast: its loss a day, and when it reaches its threshold.

    `samples` has `drive`, `time`, `spare_ratio` and if known `spare_threshold_ratio` and `power_on_hours`, sorted by
    drive and time. Dates more than fifty years away are null; `spare_days` are the quantiles at `SHARES`.
    """
    if "spare_ratio" not in samples.columns:
        return pl.DataFrame(schema=SCHEMA)
    drives = _drives(samples)
    if drives.is_empty():
        return pl.DataFrame(schema=SCHEMA)
    tail = (1 - level) / 2
    shares = (*SHARES, 0.5, tail, 1 - tail)
    found = [_forecast(row, shares) for row in drives.iter_rows(named=True)]
    days = np.array([row for row, _ in found])
    table = drives.select("drive", "last", spare_lost_per_day=np.array([lost for _, lost in found]))
    for number, part in enumerate(ENDS, len(SHARES)):
        seconds = np.where(days[:, number] <= YEARS_MAX * YEAR_DAYS, days[:, number] * DAY_S, np.nan)
        later = pl.Series("later", seconds).fill_nan(None).round().cast(pl.Int64)
        ends = (pl.col("last") + pl.duration(seconds="later")).dt.date()
        table = table.with_columns(later).with_columns(ends.alias(f"spare_end{part}"))
    return table.with_columns(spare_days=pl.Series(days[:, : len(SHARES)], dtype=DAYS)).select(*SCHEMA)


def _drives(samples: pl.DataFrame) -> pl.DataFrame:
    """A row a drive that was watched for long enough, with its losses and when they were seen."""
    absent = (name for name in ("spare_threshold_ratio", "power_on_hours") if name not in samples.columns)
    samples = samples.with_columns(pl.lit(None, pl.Float64).alias(name) for name in absent)
    spare = pl.col("spare_ratio").filter(pl.col("spare_ratio").is_finite())
    drives = samples.group_by("drive", maintain_order=True).agg(
        first=pl.col("time").first(),
        last=pl.col("time").last(),
        began=spare.first(),
        spare=spare.last(),
        moves=spare.max() > spare.min(),
        threshold=pl.col("spare_threshold_ratio").drop_nulls().last().fill_null(THRESHOLD),
        life=pl.col("power_on_hours").drop_nulls().first().fill_null(0.0) / 24,
    )
    span = (pl.col("last") - pl.col("first")).dt.total_seconds() / DAY_S
    drives = drives.with_columns(span=span).drop_nulls("spare")
    enough = (pl.col("span") >= SPAN_DAYS_MIN) | (pl.col("life") >= LIFETIME_DAYS_MIN)
    drives = drives.filter(enough | (pl.col("began") - pl.col("spare") >= YOUNG_LOSS - 1e-9))
    moving = samples.join(
        drives.filter("moves").select("drive"), on="drive", how="semi", maintain_order="left"
    )
    return drives.join(_losses(moving), on="drive", how="left", maintain_order="left")


def _losses(samples: pl.DataFrame) -> pl.DataFrame:
    """When each drive `lost` spare, `until` the reading that shows it, single dips left out."""
    drive, value = pl.col("drive"), pl.col("spare")
    before = pl.when(drive == drive.shift(1)).then(value.shift(1))
    after = pl.when(drive == drive.shift(-1)).then(value.shift(-1))
    dip = (value < before) & (after >= before)
    rows = samples.lazy().select("drive", "time", spare="spare_ratio").filter(value.is_finite())
    rows = rows.filter(~dip.fill_null(value=False)).with_columns(lost=((before - value) / STEP))
    fell = rows.filter(pl.col("lost") > 1e-9).group_by("drive", maintain_order=True)
    return fell.agg(until=pl.col("time").dt.epoch("s"), lost="lost").collect()


def _forecast(row: dict[str, Any], shares: tuple[float, ...]) -> tuple[Floats, float]:
    """Days until the threshold at each of `shares` of chance, and what is lost a day now."""
    day, lost = _by_day(row)
    steps = round((row["spare"] - row["threshold"]) / STEP, 6)
    before = max(0.0, 1.0 - row["began"]) / STEP
    span, life = row["span"], row["life"]
    if not lost:  # most drives: alike enough to be worked out once, shorter rather than longer
        span, life = (
            ALIKE ** math.floor(math.log(days, ALIKE)) if days >= 1 else 0.0 for days in (span, life)
        )
    return _quantiles(steps, day, lost, span, life, round(before, 6), shares)


@functools.lru_cache(maxsize=4096)
def _quantiles(
    steps: float,
    day: tuple[float, ...],
    lost: tuple[float, ...],
    span: float,
    life: float,
    before: float,
    shares: tuple[float, ...],
) -> tuple[Floats, float]:
    sizes = np.array(lost or (1.0,))
    mean, together = float(sizes.mean()), float((sizes**2).sum() / sizes.sum())
    weight = _rates(day, span, life, before / mean)
    pace = float((weight * RATES).sum()) * mean
    if steps <= 0:
        return np.zeros(len(shares)), pace * STEP
    left = _gamma(steps / together, POINTS) * together / mean
    if sizes.max() > 1:
        known = len(lost) + 1.0
        left = (left[:, None] * _gamma(known, SIZES) / known).ravel()
    days = (left[:, None] / RATES).ravel()
    order = np.argsort(days)
    chance = np.broadcast_to(weight / left.size, (left.size, RATES.size)).ravel()[order].cumsum()
    return np.interp(shares, chance, days[order]), pace * STEP


def _by_day(row: dict[str, Any]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Days of the history on which spare was lost, and how much on each."""
    if not row["lost"]:
        return (), ()
    until = np.array(row["until"], dtype=np.float64)
    first = np.flatnonzero(np.diff(until // DAY_S, prepend=-1.0))
    days = (until[first] - row["first"].timestamp()) / DAY_S
    return tuple(days), tuple(np.add.reduceat(np.array(row["lost"]), first))


def _rates(day: tuple[float, ...], span: float, life: float, before: float) -> Floats:
    """The weight of each rate now, after losses on `day` of `span` days, and `before` in a life of so many days."""
    logs = np.log(RATES)
    places = np.arange(1.0, max(span, 1.0))
    late = (len(day) - np.searchsorted(np.array(day), places, side="right")).astype(np.float64)
    earlier = before * logs - RATES * life if life else np.zeros(RATES.size)
    whole = len(day) * logs - RATES * span
    likely = _log_mean(earlier)
    changed = -math.expm1(-CHANGES_PER_DAY * life)
    parts = [(earlier + whole + math.log1p(-changed))[None, :]]
    if life:
        parts.append((whole + likely + math.log(changed))[None, :])
    if places.size:
        first = (len(day) - late)[:, None] * logs - RATES * places[:, None]
        after = late[:, None] * logs - RATES * (span - places)[:, None]
        parts.append(after + _log_mean(first + earlier, axis=1)[:, None] + math.log(CHANGES_PER_DAY))
    log = np.logaddexp.reduce(np.concatenate(parts), axis=0)
    weight = np.exp(log - log.max())
    return np.asarray(weight / weight.sum())


def _log_mean(logs: Floats, axis: int = -1) -> Floats:
    return np.asarray(np.logaddexp.reduce(logs, axis=axis) - math.log(RATES.size))


@functools.lru_cache(maxsize=4096)
def _gamma(shape: float, points: int) -> Floats:
    """Quantiles of G(`shape`) in the middle of so many equal shares of chance.

    ln G has the density e^(a y − e^y) up to a constant: log-concave, its tails exponential and steeper.
    """
    middle, low = math.log(shape), 40.0 / min(shape, math.sqrt(shape))
    y = middle + np.where((bend := _bend()) < 0, bend * low, bend * 12.0 / min(1.0, math.sqrt(shape)))
    log = shape * y - np.exp(np.minimum(y, 700.0))
    density = np.exp(log - log.max())
    mass = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(y))])
    return np.asarray(np.exp(np.interp((np.arange(points) + 0.5) / points, mass / mass[-1], y)))


@functools.cache
def _bend() -> Floats:
    """Places from −1 to 1, denser in the middle."""
    return np.asarray(np.sinh(np.linspace(-5.0, 5.0, 1201)) / np.sinh(5.0))
