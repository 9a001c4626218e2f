"""One row a drive: who it is, what it said last, what is rated, and what the forecast says.

What is served, reported and checked is this one table, so that a metric, a mail and a pager never disagree. Drives that
have not been seen for long are left out: they were taken away, and nobody wants to hear of them for ever.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from drivecast.health.history import History

FORGET = timedelta(days=30)
ERRORS_SINCE = timedelta(days=30)
DRIVES_AT_ONCE = 4096
ERRORS = ("media_errors", "reallocated_sectors")


def outlook(history: "History", *, now: datetime, forget: timedelta = FORGET) -> pl.DataFrame:
    """The drives of a history that were seen within `forget` of `now`, sorted by serial number."""
    from drivecast.health import rating  # noqa: PLC0415
    from drivecast.health.forecast import forecast  # noqa: PLC0415

    parts = []
    for drives, samples in history.batches(DRIVES_AT_ONCE):
        current = present(drives, now, forget)
        kept = samples.join(current.select("drive"), on="drive", how="semi")
        if current.height:
            rated = rating.ratings(current)
            parts.append(joined(current, kept, forecast(current, kept, rated, now=now), now))
    return pl.concat(parts, how="diagonal_relaxed").sort("serial", "time") if parts else empty()


def empty() -> pl.DataFrame:
    """The outlook of no drives."""
    return pl.DataFrame(schema={"drive": pl.Int64, "serial": pl.String, "time": pl.Datetime("us")})


def present(drives: pl.DataFrame, now: datetime, forget: timedelta) -> pl.DataFrame:
    """Drives seen not too long ago; of the lives of one drive, which begin where its counters did, the last."""
    recent = drives.filter(pl.col("last_seen") >= now - forget).sort("last_seen")
    same = [name for name in ("serial", "model", "capacity_bytes") if name in drives.columns]
    return recent.unique(same, keep="last", maintain_order=True)


def joined(
    drives: pl.DataFrame, samples: pl.DataFrame, forecasts: pl.DataFrame, now: datetime
) -> pl.DataFrame:
    """Drives with their forecasts and the errors of late; where both name a column, the drive's word counts."""
    said = forecasts.select(
        "drive", *(name for name in forecasts.columns if name not in drives.columns and name != "drive")
    )
    return (
        drives.join(said, on="drive", how="left")
        .join(errors_recent(samples, now), on="drive", how="left")
        .with_columns(pl.col("last_seen").alias("time"))
    )


def errors_recent(samples: pl.DataFrame, now: datetime) -> pl.DataFrame:
    """Errors counted within the last days, a drive."""
    since = samples.filter(pl.col("time") >= now - ERRORS_SINCE)
    total = [
        (pl.col(name).drop_nulls().last() - pl.col(name).drop_nulls().first()).clip(lower_bound=0)
        for name in ERRORS
    ]
    return since.group_by("drive").agg(pl.sum_horizontal(total).alias("errors_recent"))
