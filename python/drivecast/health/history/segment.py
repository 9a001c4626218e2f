"""Samples of 256 drives in one month, their columns in a Parquet file: how one is read, joined and written.

Joining is a maximum in each column over the rows of one drive and second. A maximum does not mind order or
repetition, so neither does an import.
"""

import io
from collections.abc import Iterable, Sequence
from typing import Any, cast

import polars as pl
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from drivecast.health.history import schema
from drivecast.health.history.sample import TIME
from drivecast.health.record import NAMES

SHAPE: dict[str, pl.DataType] = {
    "origin": pl.Int64(),
    "time": TIME,
    **dict.fromkeys(NAMES, pl.Float64()),
    "passed": pl.Boolean(),
    "doubtful": pl.UInt16(),
}

KEY = ["origin", "time"]

BUCKETS_AT_ONCE = 64
"""Joined together; bounds the memory of a large import."""


def bucket(origin: int) -> int:
    """The segment column of a drive."""
    return origin // schema.DRIVES_PER_SEGMENT


def encode(samples: pl.DataFrame) -> bytes:
    """The samples as a Parquet file."""
    file = io.BytesIO()
    samples.write_parquet(file, compression="zstd", compression_level=1, statistics=False)
    return file.getvalue()


def decode(data: bytes, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """The samples of `encode`."""
    return pl.read_parquet(io.BytesIO(data), columns=list(columns) if columns else None)


def load(
    connection: sa.Connection, where: sa.ColumnElement[bool], columns: Sequence[str] | None = None
) -> pl.DataFrame:
    """The samples of the segments `where`, sorted by drive and time."""
    table = schema.segment
    query = sa.select(table.c.data).where(where).order_by(table.c.bucket, table.c.month)
    parts = [decode(data, columns) for (data,) in connection.execute(query)]
    if not parts:
        return pl.DataFrame(schema={name: SHAPE[name] for name in columns or SHAPE})
    return pl.concat(parts).sort(KEY)


def join(old: pl.DataFrame, new: pl.DataFrame) -> tuple[pl.DataFrame, bool]:
    """Both, one row a drive and second, sorted; and whether some had two."""
    both = pl.concat([old, new]).sort(KEY) if old.height else new
    twice = (pl.col("origin") == pl.col("origin").shift(1)) & (pl.col("time") == pl.col("time").shift(1))
    if not both.select(twice.any()).item():
        return both, False
    largest = [pl.col(name).max() for name in NAMES]
    worst = [pl.col("passed").min(), pl.col("doubtful").bitwise_or()]
    known = pl.lit(0, pl.UInt16)
    for place, name in enumerate(NAMES):
        known = known | pl.when(pl.col(name).is_not_null()).then(1 << place).otherwise(0).cast(pl.UInt16)
    joined = both.group_by(KEY).agg(*largest, *worst)
    joined = joined.with_columns(doubtful=pl.col("doubtful") & ~known)  # another reading of that second knew
    return joined.select(list(SHAPE)).sort(KEY), True


def merge(connection: sa.Connection, rows: pl.DataFrame) -> pl.DataFrame:
    """Store the samples; those that were not known so, which have `added` false where they only complete one.

    `rows` is sorted by drive and time, and so is what comes back.
    """
    changed = []
    width = schema.DRIVES_PER_SEGMENT * BUCKETS_AT_ONCE
    first = 0
    while first < rows.height:
        group = rows["origin"][first] // width
        after = rows["origin"].search_sorted((group + 1) * width, side="left")
        changed.append(_merge(connection, rows.slice(first, after - first)))
        first = after
    return pl.concat(changed)


def _merge(connection: sa.Connection, rows: pl.DataFrame) -> pl.DataFrame:
    keyed = {
        "bucket": pl.col("origin") // schema.DRIVES_PER_SEGMENT,
        "start": pl.col("time").dt.truncate("1mo"),
    }
    touched = rows.select(**keyed).unique()
    table = schema.segment
    old = load(
        connection,
        table.c.bucket.between(touched["bucket"].min(), touched["bucket"].max())
        & table.c.month.in_(touched["start"].unique().dt.strftime("%Y-%m").to_list()),
    )
    whole, twice = join(old, rows)
    changed = rows.with_columns(added=pl.lit(value=True))
    if twice:
        changed = whole.join(old, on=list(SHAPE), how="anti", nulls_equal=True)
        fresh = changed.join(old, on=KEY, how="anti").select(*KEY, added=pl.lit(value=True))
        changed = changed.join(fresh, on=KEY, how="left", maintain_order="left")
        changed = changed.with_columns(pl.col("added").fill_null(value=False))
        touched = changed.select(**keyed).unique()
    whole = whole.with_columns(**keyed)
    if old.height:
        whole = whole.join(touched, on=["bucket", "start"], how="semi", maintain_order="left")
    store(connection, whole)
    return changed


def store(connection: sa.Connection, whole: pl.DataFrame) -> None:
    """Write segments anew; `whole` has all their samples, with columns `bucket` and `start` of the month."""
    parts = whole.partition_by("bucket", "start", as_dict=True, include_key=False, maintain_order=True)
    values = (_row(number, begins.strftime("%Y-%m"), part) for (number, begins), part in parts.items())
    upsert(connection, values)


def _row(number: int, name: str, part: pl.DataFrame) -> dict[str, Any]:
    times = part["time"].to_physical()
    return {
        "bucket": number,
        "month": name,
        "samples": part.height,
        "first_s": cast("int", times.min()) // 1000,
        "last_s": cast("int", times.max()) // 1000,
        "data": encode(part),
    }


def upsert(connection: sa.Connection, values: Iterable[dict[str, Any]]) -> None:
    """Put segments in the place of those with their keys."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = insert(schema.segment)
    renewed = {name: statement.excluded[name] for name in ("samples", "first_s", "last_s", "data")}
    statement = statement.on_conflict_do_update(index_elements=["bucket", "month"], set_=renewed)
    for row in values:
        connection.execute(statement, row)
