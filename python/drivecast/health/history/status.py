"""What a history holds, at a glance."""

from datetime import timedelta
from typing import Any

import polars as pl
import sqlalchemy as sa

from drivecast.health.history import schema
from drivecast.health.history.history import History


def status(history: History, stale: timedelta) -> dict[str, Any]:
    """Schema, counts, span and size; drives not seen for `stale` before the newest sample of all.

    Times are ISO 8601 in UTC; `drives_table` is `History.drives`.
    """
    drives = history.drives()
    with history.database.reading() as connection:
        samples = connection.execute(sa.select(sa.func.sum(schema.segment.c.samples))).scalar() or 0
    first, last = drives.select(pl.col("first_seen").min(), pl.col("last_seen").max()).row(0)
    last_of_origin = pl.col("last_seen") == pl.col("last_seen").max().over("origin")
    gone = drives.filter(last_of_origin & (pl.col("last_seen") < last - stale)) if last else drives
    shown = gone.sort("last_seen", "serial").select(
        "serial", "model", "host", "device", last_seen=pl.col("last_seen").dt.strftime("%Y-%m-%dT%H:%M:%SZ")
    )
    return {
        "history": history.database.shown,
        "version": history.version,
        "drives": drives.height,
        "renewed": drives["reason"].count(),
        "samples": int(samples),
        "first_seen": first.isoformat() if first else None,
        "last_seen": last.isoformat() if last else None,
        "size_bytes": history.database.size_bytes,
        "stale_days": stale / timedelta(days=1),
        "vanished": shown.to_dicts(),
        "drives_table": drives,
    }
