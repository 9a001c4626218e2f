"""The drives in service, a row each: identity, newest figures, ratings and forecast.

Metrics, reports and checks are views of this one table, so that they never disagree. Drives that were not seen for long
are left out: they were taken away, and nobody wants to hear of them for ever.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from drivecast.health.history import History

FORGET = timedelta(days=30)
ERRORS_SINCE = timedelta(days=30)
TIME = pl.Datetime("ms", "UTC")
ERRORS = ("media_errors", "reallocated_sectors")


def drives_in_service(history: "History", *, now: datetime, forget: timedelta = FORGET) -> pl.DataFrame:
    """The drives of a history that were seen within `forget` of `now`, sorted by serial number."""
    from drivecast.health import warranty  # noqa: PLC0415
    from drivecast.health.forecast import forecast_batches  # noqa: PLC0415

    known: list[pl.DataFrame] = []

    def batches() -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        for drives, samples in history.batches():
            current = drives.filter(pl.col("last_seen") >= now - forget).sort("last_seen", "drive")
            # Of the lives of one drive, which begin where its counters did, the last.
            current = current.unique(["serial", "model", "capacity_bytes"], keep="last", maintain_order=True)
            if current.height:
                recent = samples.join(current.select("drive"), on="drive", how="semi")
                recent = recent.filter(pl.col("time") <= now)
                known.append(current.join(errors_recent(recent, now), on="drive", how="left"))
                yield current, recent

    forecasts = forecast_batches(batches(), warranty.ratings, now=now)
    if not known:
        return pl.DataFrame(schema={"drive": pl.Int64, "serial": pl.String, "time": TIME})
    drives = pl.concat(known)
    added = forecasts.select("drive", pl.exclude(drives.columns))  # of both, the drive's own word counts
    return drives.join(added, on="drive", how="left").with_columns(time="last_seen").sort("serial", "time")


def errors_recent(samples: pl.DataFrame, now: datetime) -> pl.DataFrame:
    """Errors counted within the last days, a drive."""
    counted = pl.col(*ERRORS).drop_nulls()
    risen = (counted.last() - counted.first()).clip(lower_bound=0)
    recent = samples.filter(pl.col("time") >= now - ERRORS_SINCE).group_by("drive").agg(risen)
    return recent.select("drive", errors_recent=pl.sum_horizontal(ERRORS))
