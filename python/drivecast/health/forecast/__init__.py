"""When each drive in service will be worn out, and when its warranty ends, with intervals that hold what they say.

One direction, over batches of drives so that memory holds one: samples ──► `grid` ──► `change` ──► `block` ──►
`level` ──► `observed`, small enough to keep for a whole fleet; then `usual` (what the fleet has in common) ──►
`horizon` ──► `outlook` ──► `verdict`, the table; and `fleet` counts over it. `docs/explanation/health-forecast.md`
has the model.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import polars as pl

from drivecast.health.forecast.observed import Observed, observe
from drivecast.health.forecast.outlook import outlook
from drivecast.health.forecast.usual import usual
from drivecast.health.forecast.verdict import verdicts

Batch = tuple[pl.DataFrame, pl.DataFrame]
"""Some drives and their samples, as the history gives them."""
Ratings = Callable[[pl.DataFrame], pl.DataFrame]
"""From drives to a row each of `drive`, `rated_bytes` and `warranty_years`."""

LEVEL = 0.8
THREADS = 2


def forecast(
    drives: pl.DataFrame, samples: pl.DataFrame, ratings: pl.DataFrame, *, now: datetime, level: float = LEVEL
) -> pl.DataFrame:
    """Forecast drives whose samples fit in memory: a row a drive, those that end first above.

    `drives` has `drive` and `serial`, and if known `model`, `host`, `group`, `capacity_bytes` and `sources`; `samples`
    has `drive`, `time` (UTC) and figures by their names, sorted by both; `ratings` has `drive`, `rated_bytes` and
    `warranty_years`. Intervals hold the truth with the chance `level`.
    """
    return forecast_batches([(drives, samples)], lambda _drives: ratings, now=now, level=level)


def forecast_batches(
    batches: Iterable[Batch],
    ratings: Ratings,
    *,
    now: datetime,
    level: float = LEVEL,
    done: Callable[[int], None] = lambda _drives: None,
) -> pl.DataFrame:
    """Forecast a fleet batch by batch; `done` hears how many drives have been read."""
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval lies between 0 and 1, not at {level}")
    known: list[pl.DataFrame] = []
    observed: list[Observed] = []
    for drives, samples in batches:
        known.append(drives)
        observed.append(observe(drives, samples))
        done(sum(part.height for part in known))
    if not known:
        return pl.DataFrame()
    fleet = usual(observed)
    with ThreadPoolExecutor(THREADS) as pool:
        ends = pool.map(
            lambda part: outlook(part[1], fleet, ratings(part[0]), level), zip(known, observed, strict=True)
        )
        tables = [verdicts(*pair, now) for pair in zip(known, ends, strict=True)]
    return pl.concat(tables).sort(
        _urgency(), pl.min_horizontal("media_end", "warranty_end"), "drive", nulls_last=True
    )


def _urgency() -> pl.Expr:
    order = {"alarm": 0, "soon": 1, "ok": 2, "not enough data": 3}
    return pl.col("status").replace_strict(order, return_dtype=pl.Int8)


__all__ = ["forecast", "forecast_batches"]
