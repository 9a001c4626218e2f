"""When each drive in service will be worn out, and when its warranty ends, with intervals that hold what they say.

One direction, over batches of drives so that memory holds one: samples ──► `grid` ──► `change` ──► `block` ──►
`local_level` ──► `estimates`, small enough to keep for a whole fleet; then `usual` (what the fleet has in common) ──►
`horizon` ──► `limit_dates` ──► `end_of_life`, the table; and `fleet` counts over it.
`docs/explanation/health-forecast.md` has the model.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime

import polars as pl

from drivecast.document.forecast import Trajectory
from drivecast.health.forecast.end_of_life import empty, forecast_table
from drivecast.health.forecast.estimate import Estimate, estimate
from drivecast.health.forecast.limit_dates import fleet_prior, outlook
from drivecast.health.forecast.trajectory import trajectory

Batch = tuple[pl.DataFrame, pl.DataFrame]
"""Some drives and their samples, as the history gives them."""
Ratings = Callable[[pl.DataFrame], pl.DataFrame]
"""From drives to a row each of `drive`, `rated_bytes` and `warranty_years`."""
Done = Callable[[int], None]
"""Hears how many drives have been read."""
LEVEL = 0.8
THREADS = 2


def forecast(
    drives: pl.DataFrame, samples: pl.DataFrame, ratings: pl.DataFrame, *, now: datetime, level: float = LEVEL
) -> pl.DataFrame:
    """Forecast drives whose samples fit in memory: a row a drive, those that end first above, by flash or warranty.

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
    done: Done = lambda _drives: None,
) -> pl.DataFrame:
    """Forecast a fleet batch by batch."""
    known, estimates = _read(batches, done)
    if not known:
        return empty()
    fleet = fleet_prior(estimates)

    def judged(drives: pl.DataFrame, own: Estimate) -> pl.DataFrame:
        return forecast_table(drives, outlook(own, fleet, ratings(drives), level), now)

    with ThreadPoolExecutor(THREADS) as pool:
        table = pl.concat(pool.map(judged, known, estimates))
    return table.sort(pl.min_horizontal("media_end", "warranty_end"), "drive", nulls_last=True)


def trajectory_of(
    serial: str,
    batches: Iterable[Batch],
    ratings: Ratings,
    *,
    now: datetime,
    level: float = LEVEL,
    done: Done = lambda _drives: None,
    complete: Callable[[pl.DataFrame], pl.DataFrame] = lambda table: table,
) -> Trajectory | None:
    """Forecast one drive in full, beside its fleet, from which it learns; none where there is no such drive.

    `complete` adds to its row of the forecast what else is known of it.
    """
    sought: list[tuple[int, pl.DataFrame]] = []

    def heard() -> Iterator[Batch]:
        for place, (drives, samples) in enumerate(batches):
            keys = drives.filter(pl.col("serial") == serial)["drive"]
            own = samples.filter(pl.col("drive").is_in(keys.implode())).sort("time")
            if own.height:
                sought.append((place, own.filter(pl.col("drive") == own["drive"][-1])))
            yield drives, samples

    known, estimates = _read(heard(), done)
    if not sought:
        return None
    # Serial numbers recur; the drive with the newest sample is meant.
    place, samples = max(sought, key=lambda found: found[1]["time"][-1])
    drives, own, fleet = known[place], estimates[place], fleet_prior(estimates)
    table = forecast_table(drives, outlook(own, fleet, ratings(drives), level), now)
    row = complete(table.filter(pl.col("drive") == samples["drive"][0])).row(0, named=True)
    return trajectory(own, fleet, samples, row, now.date(), level)


def _read(batches: Iterable[Batch], done: Done) -> tuple[list[pl.DataFrame], list[Estimate]]:
    """The drives of each batch, and what their samples say."""
    known: list[pl.DataFrame] = []
    estimates: list[Estimate] = []
    pending: deque[Future[Estimate]] = deque()
    with ThreadPoolExecutor(THREADS) as pool:
        for drives, samples in batches:
            known.append(drives)
            pending.append(pool.submit(estimate, drives, samples))
            del samples
            if len(pending) == THREADS:  # the next batch is read while these are worked on
                estimates.append(pending.popleft().result())
            done(sum(part.height for part in known))
        estimates += [part.result() for part in pending]
    return known, estimates


__all__ = ["Trajectory", "forecast", "forecast_batches", "trajectory_of"]
