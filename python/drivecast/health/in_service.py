"""The drives in service, a row each: identity, newest figures, ratings and forecast.

Metrics, reports and checks are views of this one table, so that they never disagree. Drives that were not seen for long
are left out: they were taken away, and nobody wants to hear of them for ever.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import polars as pl
from pydantic import TypeAdapter

from drivecast.document.drive_health import DriveInService

if TYPE_CHECKING:
    from drivecast.health.history import History

FORGET = timedelta(days=30)
ERRORS_SINCE = timedelta(days=30)
ERRORS = ("media_errors", "reallocated_sectors")


def drives_in_service(history: "History", *, now: datetime, forget: timedelta = FORGET) -> pl.DataFrame:
    """The drives of a history that were seen within `forget` of `now`, sorted by serial number."""
    from drivecast.health import warranty  # noqa: PLC0415
    from drivecast.health.forecast import forecast_batches  # noqa: PLC0415

    known: list[pl.DataFrame] = []

    def batches() -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        for drives, samples in history.batches():
            current = present(drives, now, forget)
            if current.height:
                recent = samples.join(current.select("drive"), on="drive", how="semi").filter(
                    pl.col("time") <= now
                )
                known.append(current.join(errors_recent(recent, now), on="drive", how="left"))
                yield current, recent

    forecasts = forecast_batches(batches(), warranty.ratings, now=now)
    return joined(pl.concat(known), forecasts) if known else empty()


def listed(table: pl.DataFrame) -> list[DriveInService]:
    """Return the rows of the table as documents."""
    return TypeAdapter(list[DriveInService]).validate_python(table.to_dicts())


def empty() -> pl.DataFrame:
    """The table of no drives."""
    return pl.DataFrame(schema={"drive": pl.Int64, "serial": pl.String, "time": pl.Datetime("ms", "UTC")})


def present(drives: pl.DataFrame, now: datetime, forget: timedelta) -> pl.DataFrame:
    """Drives seen not too long ago; of the lives of one drive, which begin where its counters did, the last."""
    recent = drives.filter(pl.col("last_seen") >= now - forget).sort("last_seen", "drive")
    return recent.unique(["serial", "model", "capacity_bytes"], keep="last", maintain_order=True)


def joined(drives: pl.DataFrame, forecasts: pl.DataFrame) -> pl.DataFrame:
    """Drives with their forecasts; where both name a column, the drive's own word counts."""
    added = forecasts.select(
        "drive", *(name for name in forecasts.columns if name not in drives.columns and name != "drive")
    )
    table = drives.join(added, on="drive", how="left").with_columns(pl.col("last_seen").alias("time"))
    return table.sort("serial", "time")


def errors_recent(samples: pl.DataFrame, now: datetime) -> pl.DataFrame:
    """Errors counted within the last days, a drive."""
    since = samples.filter(pl.col("time") >= now - ERRORS_SINCE)
    risen = [
        (pl.col(name).drop_nulls().last() - pl.col(name).drop_nulls().first()).clip(lower_bound=0)
        for name in ERRORS
    ]
    return since.group_by("drive").agg(pl.sum_horizontal(risen).alias("errors_recent"))
