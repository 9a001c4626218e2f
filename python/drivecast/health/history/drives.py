"""The rows of drives: which sample belongs to whom, and what an import changes in them.

A drive is its serial number, model and capacity; where a source does not tell the capacity, the drive of that serial
number and model is meant. The same serial number with another model or capacity is another drive.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl
import sqlalchemy as sa

from drivecast.health.history import schema, segment
from drivecast.health.history.sample import KNOWN
from drivecast.health.record import NAMES

WHO = ["serial", "model", "capacity_bytes"]

STATIC = tuple(name for name in KNOWN if name not in ("group", "sources"))
"""Columns that the newest sample decides."""

AT_ONCE = 900
"""Values in one condition; SQLite takes 32,766, and a statement of a thousand is long enough."""

SUMMARY = ("first_seen_s", "last_seen_s", "hours_seen_s", "passed", *NAMES)


def rows(connection: sa.Connection, column: sa.Column[Any], values: Sequence[Any] | None) -> pl.DataFrame:
    """Rows of `health_drive` whose `column` is among `values`, or all; sorted by `origin` and `begins_s`."""
    table = schema.drive
    steps: list[Sequence[Any] | None] = [None]
    if values is not None and len(values) <= 20 * AT_ONCE:
        steps = [values[at : at + AT_ONCE] for at in range(0, len(values), AT_ONCE)]
    found: list[Any] = []
    for some in steps:
        query = sa.select(table) if some is None else sa.select(table).where(column.in_(some))
        found += [tuple(row) for row in connection.execute(query)]
    frame = pl.DataFrame(found, schema=_types(), orient="row")
    return frame.sort("origin", "begins_s")


def _types() -> dict[str, pl.DataType]:
    kinds = {sa.Integer: pl.Int64(), sa.Text: pl.String(), sa.Boolean: pl.Boolean(), sa.Double: pl.Float64()}
    return {
        column.name: next(kind for sql, kind in kinds.items() if isinstance(column.type, sql))
        for column in schema.drive.columns
    }


def sources(connection: sa.Connection, texts: Iterable[str]) -> dict[str, int]:
    """Keys of what figures rest on, new ones stored."""
    table = schema.source
    known = {text: key for key, text in connection.execute(sa.select(table.c.id, table.c.figures)).all()}
    for text in sorted(set(texts) - set(known)):
        known[text] = connection.execute(
            sa.insert(table).values(figures=text).returning(table.c.id)
        ).scalar_one()
    return known


def resolve(connection: sa.Connection, samples: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, list[str]]:
    """Whom the samples are of: drives with their `origin` and what their newest sample says; rows; notes.

    New drives are stored. The second table has the columns of `segment.SHAPE`.
    """
    newest = samples.sort("time").group_by(WHO, maintain_order=True).agg(pl.col("time", *KNOWN).last())
    known = rows(connection, schema.drive.c.serial, newest["serial"].unique().to_list())
    places: dict[str, dict[tuple[str, int | None], int]] = {}
    for serial, model, capacity, origin in known.select(*WHO, "origin").rows():
        places.setdefault(serial, {})[model, capacity] = origin
    keys = sources(connection, [*newest["sources"].drop_nulls(), "{}"])
    following = (connection.execute(sa.select(sa.func.max(schema.drive.c.id))).scalar() or 0) + 1
    origins: list[tuple[Any, ...]] = []
    notes: list[str] = []
    fresh: list[dict[str, Any]] = []
    sized: list[dict[str, Any]] = []
    for row in newest.sort(pl.col("capacity_bytes").is_null(), *WHO).iter_rows(named=True):
        mine = places.setdefault(row["serial"], {})
        origin = _match(mine, row["model"], row["capacity_bytes"])
        if origin is None:
            origin = following + len(fresh)
            if mine:
                notes.append(_another(row, mine))
            mine[row["model"], row["capacity_bytes"]] = origin
            fresh.append(_new(row, origin, keys))
        elif row["capacity_bytes"] and mine.pop((row["model"], None), None) == origin:
            sized.append({"key": origin, "size": row["capacity_bytes"]})
            mine[row["model"], row["capacity_bytes"]] = origin
        origins.append((*(row[name] for name in WHO), origin))
    if fresh:
        connection.execute(sa.insert(schema.drive), fresh)
    if sized:
        told = sa.update(schema.drive).where(schema.drive.c.origin == sa.bindparam("key"))
        connection.execute(told.values(capacity_bytes=sa.bindparam("size")), sized)
    found = pl.DataFrame(origins, schema={**dict.fromkeys(WHO), "origin": pl.Int64()}, orient="row")
    found = found.cast({"serial": pl.String(), "model": pl.String(), "capacity_bytes": pl.Int64()})
    newest = newest.join(found, on=WHO, nulls_equal=True).with_columns(
        source=pl.col("sources").fill_null("{}").replace_strict(keys, return_dtype=pl.Int64)
    )
    samples = samples.join(found, on=WHO, nulls_equal=True).select(list(segment.SHAPE))
    return newest, samples, notes


def _match(mine: dict[tuple[str, int | None], int], model: str, capacity: int | None) -> int | None:
    """The drive of this serial number that is meant; an unknown capacity is that of any."""
    if (model, capacity) in mine:
        return mine[model, capacity]
    alike = sorted((size or 0, key) for (name, size), key in mine.items() if name == model)
    if capacity is None:
        return alike[0][1] if alike else None
    return mine.get((model, None))


def _another(row: dict[str, Any], mine: dict[tuple[str, int | None], int]) -> str:
    others = ", ".join(sorted(f"{model} of {capacity or 'unknown'} bytes" for model, capacity in mine))
    return (
        f"{row['serial']}: kept as another drive, {row['model']} of {row['capacity_bytes'] or 'unknown'} bytes: "
        f"so far this serial number was {others}"
    )


def _new(row: dict[str, Any], origin: int, keys: dict[str, int]) -> dict[str, Any]:
    at = int(row["time"].timestamp())
    return {
        "id": origin,
        "origin": origin,
        "begins_s": 0,
        **{name: row[name] for name in (*WHO, *STATIC)},
        "group_name": row["group"],
        "source": keys[row["sources"] or "{}"],
        "first_seen_s": at,
        "last_seen_s": -1,
    }


def reason() -> pl.Expr:
    """Why a row is a drive of its own, though another has its serial number."""
    others = pl.col("origin").n_unique().over("serial") > 1
    first = pl.col("first_seen_s").min().over("serial")
    earlier = others & (pl.col("first_seen_s") > first)
    text = pl.lit("this serial number was also told by another model or capacity before")
    return pl.coalesce("reason", pl.when(earlier).then(text))
