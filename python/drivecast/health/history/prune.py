"""What a history may forget: samples older than some days, and most of those that are older than others.

Thinned samples leave the first and the last of each drive's identity, and the last of each day or week (from Monday,
UTC). Counters only grow, so rates over longer times stay what they were; temperatures between are lost. A drive
without a sample left is forgotten too.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

import polars as pl
import sqlalchemy as sa

from drivecast.document.history import Pruned
from drivecast.errors import InputError
from drivecast.health.history import drive_rows, life, reconcile, schema, segment
from drivecast.health.history.database import Database


def prune(
    database: Database,
    older: datetime | None,
    thin_older: datetime | None,
    every: str,
    report: Callable[[float, str], None],
) -> Pruned:
    """Remove samples from before `older`, thin those from before `thin_older` to one in `every` (`1d`, `1w`)."""
    size = database.size_bytes
    table = schema.segment
    limit = max(int(time.timestamp()) for time in (older, thin_older) if time is not None)
    with database.reading() as connection:
        counts = sa.select(sa.func.sum(table.c.samples), sa.func.count()).select_from(table)
        before = connection.execute(counts).one()[0] or 0
        query = sa.select(table.c.bucket).where(table.c.first_s < limit).distinct().order_by(table.c.bucket)
        buckets = [bucket for (bucket,) in connection.execute(query)]
    known = 0
    for place, bucket in enumerate(buckets, 1):  # a transaction for each: others can write between them
        with database.writing() as connection:
            known += _bucket(connection, bucket, older, thin_older, every)
        report(place / len(buckets), f"{known:,} drives forgotten")
    with database.reading() as connection:
        left = connection.execute(counts).one()[0] or 0
    returned = before == left
    if not returned:
        with suppress(InputError):
            database.vacuum()
            returned = True
    return Pruned(
        samples_removed=before - left,
        samples_left=left,
        drives_forgotten=known,
        space_returned=returned,
        size_before_bytes=size,
        size_bytes=database.size_bytes,
    )


def _bucket(
    connection: sa.Connection, bucket: int, older: datetime | None, thin_older: datetime | None, every: str
) -> int:
    """Prune 256 drives; how many were forgotten."""
    samples = segment.load(connection, schema.segment.c.bucket == bucket)
    first = bucket * schema.DRIVES_PER_SEGMENT
    origins = list(range(first, first + schema.DRIVES_PER_SEGMENT))
    lives = drive_rows.lives(connection, origins)
    kept = _thinned(life.assign(samples, lives).sort(segment.KEY), thin_older, every)
    if older is not None:
        kept = kept.filter(pl.col("time") >= older)
    if kept.height == samples.height:
        return 0
    connection.execute(sa.delete(schema.segment).where(schema.segment.c.bucket == bucket))
    kept = kept.select(list(segment.SHAPE)).sort(segment.KEY)
    segment.store(connection, kept.with_columns(**segment.PLACE))
    reconcile.review(connection, lives["origin"].unique().to_list())
    identities = sa.select(sa.func.count()).where(schema.drive.c.origin.in_(origins))
    left = connection.execute(identities.where(schema.drive.c.continues.is_(None))).scalar_one()
    return int(lives["continues"].is_null().sum()) - int(left)


def _thinned(samples: pl.DataFrame, thin_older: datetime | None, every: str) -> pl.DataFrame:
    """The samples, sorted by origin and time, without most of those from before `thin_older`."""
    if thin_older is None:
        return samples
    period = pl.col("time").dt.truncate(every)
    another = pl.col("piece").ne_missing(pl.col("piece").shift(-1))
    ends = another | period.ne_missing(period.shift(-1))
    begins = pl.col("piece").ne_missing(pl.col("piece").shift(1))
    return samples.filter((pl.col("time") >= thin_older) | ends | begins)
