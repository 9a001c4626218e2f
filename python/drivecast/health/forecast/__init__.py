"""When each drive in service will be worn out, and when its warranty ends, with intervals that hold what they say.

One direction, over batches of drives so that memory holds one: samples ──► `grid` ──► `change` ──► `block` ──►
`level` ──► `estimates`, small enough to keep for a whole fleet; then `usual` (what the fleet has in common) ──►
`horizon` ──► `outlook` ──► `verdict`, the table; and `fleet` counts over it. `docs/explanation/health-forecast.md`
has the model.
"""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from typing import get_args

import polars as pl

from drivecast.document.drive_health import Status
from drivecast.document.forecast import Trajectory
from drivecast.health.forecast.estimate import Estimate, estimate
from drivecast.health.forecast.outlook import fleet_prior, outlook
from drivecast.health.forecast.status import empty, forecast_table
from drivecast.health.forecast.trajectory import trajectory

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
    return _study(batches, ratings, now, level, done, None)[0]


def trajectory_of(
    serial: str,
    batches: Iterable[Batch],
    ratings: Ratings,
    *,
    now: datetime,
    level: float = LEVEL,
    done: Callable[[int], None] = lambda _drives: None,
) -> Trajectory | None:
    """Forecast one drive in full, beside its fleet, from which it learns; none where there is no such drive."""
    return _study(batches, ratings, now, level, done, serial)[1]


def _study(
    batches: Iterable[Batch],
    ratings: Ratings,
    now: datetime,
    level: float,
    done: Callable[[int], None],
    serial: str | None,
) -> tuple[pl.DataFrame, Trajectory | None]:
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval lies between 0 and 1, not at {level}")
    known: list[pl.DataFrame] = []
    estimates: list[Estimate] = []
    pending: deque[Future[Estimate]] = deque()
    sought: tuple[int, pl.DataFrame] | None = None
    with ThreadPoolExecutor(THREADS) as pool:
        for drives, samples in batches:
            keys = drives.filter(pl.col("serial") == serial)["drive"]
            own = samples.filter(pl.col("drive").is_in(keys.implode())).sort("time")
            # Serial numbers recur; the drive with the newest sample is meant.
            if own.height and (sought is None or own["time"][-1] > sought[1]["time"][-1]):
                sought = (len(known), own.filter(pl.col("drive") == own["drive"][-1]))
            known.append(drives)
            pending.append(pool.submit(estimate, drives, samples))
            del samples
            if len(pending) == THREADS:  # the next batch is read while these are worked on
                estimates.append(pending.popleft().result())
            done(sum(part.height for part in known))
        estimates += [part.result() for part in pending]
    if not known:
        return empty(), None
    fleet = fleet_prior(estimates)

    def judged(place: int) -> pl.DataFrame:
        ends = outlook(estimates[place], fleet, ratings(known[place]), level)
        return forecast_table(known[place], ends, now)

    if serial is None:
        with ThreadPoolExecutor(THREADS) as pool:
            table = pl.concat(pool.map(judged, range(len(known))))
        urgency = pl.col("status").cast(pl.Enum(get_args(Status)))
        ends = pl.min_horizontal("media_end", "warranty_end")
        return table.sort(urgency, ends, "drive", nulls_last=True), None
    if sought is None:
        return empty(), None
    place, samples = sought
    row = judged(place).filter(pl.col("drive") == samples["drive"][0])
    return row, trajectory(estimates[place], fleet, samples, row.row(0, named=True), now.date(), level)


__all__ = ["Trajectory", "forecast", "forecast_batches", "trajectory_of"]
