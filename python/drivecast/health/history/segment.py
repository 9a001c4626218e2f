"""Samples of 256 drives in one month, their columns in a Parquet file: how one is read, joined and written.

Joining is a maximum in each column over the rows of one drive and second. A maximum does not mind order or
repetition, so neither does an import.
"""

import io
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import polars as pl
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from drivecast.document.record import NAMES
from drivecast.health.history import sample, schema

SHAPE: dict[str, pl.DataType] = {"origin": pl.Int64(), **{name: sample.TYPES[name] for name in sample.SEEN}}
SHAPE["doubtful"] = pl.UInt16()

KEY = ["origin", "time"]
PLACE = {
    "bucket": pl.col("origin") // schema.DRIVES_PER_SEGMENT,
    "start": pl.col("time").dt.truncate("1mo"),
}
"""Of a sample: its drives and its month."""
ROWS_AT_ONCE = 250_000
"""Joined together, and what is known of the same drives and months; bounds the memory of a large import."""


def bucket(origin: int) -> int:
    """The segment column of a drive."""
    return origin // schema.DRIVES_PER_SEGMENT


def encode(samples: pl.DataFrame) -> bytes:
    """The samples as a Parquet file, without figures that none of them has."""
    file = io.BytesIO()
    known = samples.select(
        name for name in samples.columns if name not in NAMES or samples[name].null_count() < samples.height
    )
    known.write_parquet(file, compression="zstd", compression_level=1, statistics=False)
    return file.getvalue()


def decode(data: bytes) -> pl.DataFrame:
    """The samples of `encode`: what was left out, or was no figure yet when they were stored, is null."""
    known = pl.read_parquet(io.BytesIO(data))
    return known.select(
        pl.col(name) if name in known.columns else pl.lit(None, kind).alias(name)
        for name, kind in SHAPE.items()
    )


def load(connection: sa.Connection, where: sa.ColumnElement[bool]) -> pl.DataFrame:
    """The samples of the segments `where`, sorted by drive and time."""
    table = schema.segment
    query = sa.select(table.c.data).where(where).order_by(table.c.bucket, table.c.month)
    parts = [decode(data) for (data,) in connection.execute(query)]
    if not parts:
        return pl.DataFrame(schema=SHAPE)
    return pl.concat(parts).sort(KEY)


def join(old: pl.DataFrame, new: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both, one row a drive and second, sorted; and those that are not in `old` so.

    The second has a column `added`, false where the row only completes one of that second.
    """
    both = pl.concat(part.with_columns(added=pl.lit(added)) for part, added in ((old, False), (new, True)))
    both = both.sort(*KEY, "added", maintain_order=True)
    again = pl.all_horizontal(pl.col(name).eq_missing(pl.col(name).shift(1)) for name in SHAPE)
    both = both.filter(~again)  # most that was known comes again as it was
    twice = pl.all_horizontal(pl.col(name).eq_missing(pl.col(name).shift(1)) for name in KEY)
    if not both.select(twice.any()).item():
        return both.drop("added"), both.filter("added")
    largest = [pl.col(name).max() for name in NAMES]
    worst = [pl.col("passed").min(), pl.col("doubtful").bitwise_or(), pl.col("added").all()]
    known = sample.bits(lambda name: pl.col(name).is_not_null())
    joined = both.group_by(KEY).agg(*largest, *worst)
    joined = joined.with_columns(doubtful=pl.col("doubtful") & ~known)  # another reading of that second knew
    joined = joined.select(*SHAPE, "added").sort(KEY)
    return joined.drop("added"), joined.join(old, on=list(SHAPE), how="anti", nulls_equal=True).sort(KEY)


def merge(connection: sa.Connection, rows: pl.DataFrame) -> pl.DataFrame:
    """Store the samples; those that were not known so, with `added` as in `join`.

    `rows` is sorted by drive and time, and so is what comes back.
    """
    changed = []
    first = 0
    while first < rows.height:
        last = rows["origin"][min(first + ROWS_AT_ONCE, rows.height) - 1]
        beyond = (bucket(last) + 1) * schema.DRIVES_PER_SEGMENT
        after = rows["origin"].search_sorted(beyond, side="left")
        changed.append(_merge(connection, rows.slice(first, after - first)))
        first = after
    return pl.concat(changed)


def _merge(connection: sa.Connection, rows: pl.DataFrame) -> pl.DataFrame:
    table = schema.segment
    months = rows.select(pl.col("time").dt.truncate("1mo").unique()).to_series().dt.strftime("%Y-%m")
    buckets = table.c.bucket.between(bucket(rows["origin"][0]), bucket(rows["origin"][-1]))
    whole, changed = join(load(connection, buckets & table.c.month.in_(months.to_list())), rows)
    whole = whole.with_columns(**PLACE)
    if changed.height < whole.height:
        stored_anew = changed.select(**PLACE).unique()
        whole = whole.join(stored_anew, on=[*PLACE], how="semi", maintain_order="left")
    store(connection, whole)
    return changed


def store(connection: sa.Connection, whole: pl.DataFrame) -> None:
    """Put segments in the place of those with their keys; `whole` has all their samples, and `PLACE`."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = insert(schema.segment)
    renewed = {name: statement.excluded[name] for name in ("samples", "first_s", "last_s", "data")}
    statement = statement.on_conflict_do_update(index_elements=["bucket", "month"], set_=renewed)
    parts = whole.partition_by(*PLACE, as_dict=True, include_key=False, maintain_order=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # encoding is the larger part of an import
        for row in pool.map(_row, parts.keys(), parts.values()):
            connection.execute(statement, row)


def _row(key: tuple[Any, ...], part: pl.DataFrame) -> dict[str, Any]:
    number, start = key
    times = part["time"].to_physical()
    return {
        "bucket": number,
        "month": start.strftime("%Y-%m"),
        "samples": part.height,
        "first_s": cast("int", times.min()) // 1000,
        "last_s": cast("int", times.max()) // 1000,
        "data": encode(part),
    }
