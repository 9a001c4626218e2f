"""A history of drives: samples in, tables out.

It may forget samples older than some days, and most of those that are older than others. Thinned samples leave the
first and the last of each drive's identity, and the last of each day or week (from Monday, UTC). Counters only grow,
so rates over longer times stay what they were; temperatures between are lost. A drive without a sample left is
forgotten too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Self

import polars as pl
import sqlalchemy as sa

from drivecast.document.history import Added, HistorySummary, Pruned, VanishedDrive
from drivecast.document.record import NAMES, Record
from drivecast.errors import InputError
from drivecast.health.history import drive_rows, life, reconcile, sample, schema, segment
from drivecast.health.history.database import WAIT_S, Database, parse
from drivecast.health.history.sample import TIME
from drivecast.health.signs import reading_interval

ROWS_AT_ONCE = 3_500_000
"""Samples in one transaction of a large import: a month of 100,000 drives is 3.1 million."""
RECORDS_AT_ONCE = 20_000
RHYTHM_SINCE = timedelta(days=100)
"""Samples that show how often drives are read."""


class History(AbstractContextManager["History"]):
    """Samples of drives, in one database; a context manager."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self.database = database
        self._now = now

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        create: bool = True,
        wait_s: float = WAIT_S,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Self:
        """The history at `url`: a path, or `postgresql://…`; by default the user's own file.

        Raises `InputError` where it cannot be opened, or is of a newer schema.
        """
        return cls(Database(parse(url), create=create, wait_s=wait_s), now)

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def add(self, records: Iterable[Record], group: str | None = None) -> Added:
        """Store the records; `group` names the array, or whatever else they have in common."""
        added, rest = Added(), iter(records)
        while some := list(islice(rest, RECORDS_AT_ONCE)):
            added += self.add_parts([sample.from_records(some, group)])
        return added

    def add_table(self, samples: pl.DataFrame) -> Added:
        """Store a table of samples, with the columns of `sample.COLUMNS`.

        Raises `InputError` for columns that are unknown, missing or of another type.
        """
        parts = (self.add_parts([part]) for part in samples.iter_slices(ROWS_AT_ONCE))
        return sum(parts, Added())

    def add_parts(self, parts: list[pl.DataFrame]) -> Added:
        """Store tables in one transaction; the list is emptied, so that their memory is free as soon as it can be."""
        samples, refused = sample.checked(pl.concat(parts), self._now())
        parts.clear()
        if not samples.height:
            return Added(refused=refused)
        with self.database.writing() as connection:
            before = _count(connection)
            newest, lives, rows, notes = drive_rows.resolve(connection, samples)
            del samples
            taken = rows.height
            changed = segment.merge(connection, rows)
            del rows
            notes += reconcile.reconcile(connection, newest, lives, changed)
            after = _count(connection)
        fresh = int(changed["added"].sum())
        return Added(
            drives_new=after - before,
            samples_new=fresh,
            samples_repeated=taken - fresh,
            refused=refused,
            notes=notes,
        )

    def drives(self) -> pl.DataFrame:
        """One row a drive, by its key `drive`: identity, where and when it was seen, its newest figures, `sources`."""
        with self.database.reading() as connection:
            return _drives(connection, None)

    def placed(self) -> tuple[int, int]:
        """How many drives there are, and of how many the host is known."""
        table = schema.drive.c
        counts = sa.select(sa.func.count(), sa.func.count(table.host)).where(table.continues.is_(None))
        with self.database.reading() as connection:
            drives, placed = connection.execute(counts).one()
        return int(drives), int(placed)

    def samples(self, drives: Sequence[int] | None = None, since: datetime | None = None) -> pl.DataFrame:
        """Samples by drive and time, of all or the given drives, from `since` on."""
        with self.database.reading() as connection:
            return _samples(connection, _drives(connection, drives), since, some=drives is not None)

    def batches(self, drives_per_batch: int = 4096) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Drives and their samples, some drives at a time; all are of one state of the database."""
        with self.database.reading() as connection:
            known = _drives(connection, None).sort("origin", "first_seen")
            buckets = max(1, drives_per_batch // schema.DRIVES_PER_SEGMENT)
            known = known.with_columns(batch=pl.col("origin") // (schema.DRIVES_PER_SEGMENT * buckets))
            for some in known.partition_by("batch", maintain_order=True, include_key=False):
                yield some, _samples(connection, some, None, some=False)

    def prune(
        self,
        keep_days: float | None = None,
        thin_after_days: float | None = None,
        *,
        weekly: bool = False,
        report: Callable[[float, str], None] = lambda _share, _what: None,
    ) -> Pruned:
        """Remove samples older than `keep_days`; keep one a day, or week, of those older than `thin_after_days`."""
        now = self._now()
        older, thin = (
            None if days is None else now - timedelta(days) for days in (keep_days, thin_after_days)
        )
        return prune(self.database, older, thin, "1w" if weekly else "1d", report)

    def summary(self, stale: timedelta | None = None) -> HistorySummary:
        """Return what it holds; drives not seen for `stale` before the newest samples of all have vanished.

        Without `stale` it is the rhythm of each drive's host that decides. One sample alone at the end of the history
        may have a wrong time: what counts is the newest hour but one.
        """
        known = self.drives()
        with self.database.reading() as connection:
            samples = connection.execute(sa.select(sa.func.sum(schema.segment.c.samples))).scalar() or 0
        first, last = known.select(pl.col("first_seen").min(), pl.col("last_seen").max()).row(0)
        recent = self.samples(since=last - RHYTHM_SINCE) if last else None
        gaps = (
            pl.DataFrame(schema=reading_interval.SCHEMA)
            if recent is None or stale
            else reading_interval.gaps(recent)
        )
        judged = last if recent is None else _newest_but_one(recent)
        known = reading_interval.silent_after(
            known.join(gaps, on="drive", how="left", maintain_order="left"), stale
        )
        newest = pl.col("last_seen") == pl.col("last_seen").max().over("origin")
        silent = (pl.lit(judged) - pl.col("last_seen")).dt.total_seconds() > pl.col("silent_after_s")
        gone = known.filter(newest & silent) if last else known
        return HistorySummary(
            history=self.database.shown,
            version=self.database.version,
            drives=known.height,
            hosts=known["host"].drop_nulls().n_unique(),
            without_host=known["host"].null_count(),
            renewed=int(known["reason"].count()),
            samples=int(samples),
            first_seen=first,
            last_seen=last,
            size_bytes=self.database.size_bytes,
            vanished=VanishedDrive.rows(gone.sort("last_seen", "serial")),
        )


def _newest_but_one(samples: pl.DataFrame) -> datetime | None:
    """The newest sample of the last hour but one that has any; of a single hour that."""
    hours = samples.group_by(pl.col("time").dt.truncate("1h")).agg(newest=pl.col("time").max()).sort("time")
    newest: datetime | None = hours["newest"].tail(2).min()  # type: ignore[assignment]  # a column of times
    return newest


def _count(connection: sa.Connection) -> int:
    identities = sa.select(sa.func.count()).where(schema.drive.c.continues.is_(None))
    return int(connection.execute(identities).scalar_one())


def _drives(connection: sa.Connection, keys: Sequence[int] | None) -> pl.DataFrame:
    found = drive_rows.rows(connection, schema.drive.c.id, keys).filter(pl.col("continues").is_null())
    stored = connection.execute(sa.select(schema.source.c.id, schema.source.c.figures))
    texts = {key: text for key, text in stored}  # noqa: C416 (a result is no pair)
    times = {name: (pl.col(f"{name}_s") * 1000).cast(TIME) for name in ("first_seen", "last_seen", "begins")}
    sources = pl.col("source").replace_strict(texts, return_dtype=pl.String)
    found = found.with_columns(**times, reason=drive_rows.reason(), sources=sources)
    who = (*drive_rows.WHO, *drive_rows.STATIC)
    figures = (*NAMES, "passed", "reason", "sources", "origin", "begins")
    return (
        found.rename({"id": "drive", "group_name": "group"})
        .select("drive", *who, "group", "first_seen", "last_seen", *figures)
        .sort("drive")
    )


def _samples(
    connection: sa.Connection, known: pl.DataFrame, since: datetime | None, *, some: bool
) -> pl.DataFrame:
    """Samples of the drives; `some` where `known` are not all drives of their segments."""
    table = schema.segment
    origins = known["origin"].unique()
    buckets = (origins // schema.DRIVES_PER_SEGMENT).unique().sort().to_list()
    where: sa.ColumnElement[bool] = table.c.bucket.between(buckets[0], buckets[-1]) if buckets else sa.false()
    if since is not None:
        where &= table.c.last_s >= int(since.timestamp())
    lives = drive_rows.lives(connection, origins.to_list())
    found = life.assign(segment.load(connection, where), lives)
    if some:
        found = found.join(known.select("drive"), on="drive", how="semi", maintain_order="left")
    if since is not None:
        found = found.filter(pl.col("time") >= since)
    found = found.select("drive", "time", *NAMES, "passed", "doubtful")
    return sample.named(found if lives.height == origins.len() else found.sort("drive", "time"))


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
