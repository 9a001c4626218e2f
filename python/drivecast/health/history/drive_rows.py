"""The rows of drives: which sample belongs to whom, and what an import changes in them.

A drive is its serial number, model and capacity; where a source does not report the capacity, the drive of that serial
number and model is meant. The same serial number with another model or capacity is another drive.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl
import sqlalchemy as sa

from drivecast.document.record import NAMES
from drivecast.health.history import life, sample, schema, segment
from drivecast.health.history.sample import KNOWN

WHO = ["serial", "model", "capacity_bytes"]
STATIC = tuple(name for name in KNOWN if name not in ("group", "sources"))
"""Columns that the newest sample decides."""
TYPES = {column.name: column.type.python_type for column in schema.drive.columns}
AT_ONCE = 900
"""Values in one condition; SQLite takes 32,766, and a statement of a thousand is long enough."""
STEPS = (2.0**30, 1e9, 2.0**25, 512_000.0, 512.0)
"""GiB, GB, 32 MiB, 1,000 sectors, a sector."""
BYTES = tuple(name for name in NAMES if name.endswith("_bytes"))
RATIOS = tuple(name for name in NAMES if name.endswith("_ratio"))
SUMMARY = ("first_seen_s", "last_seen_s", "hours_seen_s", "passed", *NAMES)
KEYS = ("id", "origin", "begins_s", "continues")
NEEDED = (*KEYS, *WHO, *STATIC, "source", "last_seen_s", "hours_seen_s", *life.TRACK[2:])
"""Columns that an import reads."""


def rows(
    connection: sa.Connection,
    column: sa.Column[Any],
    values: Sequence[Any] | None,
    columns: Sequence[str] | None = None,
) -> pl.DataFrame:
    """Rows of `health_drive` whose `column` is among `values`, or all; sorted by `origin` and `begins_s`."""
    table = schema.drive
    names = columns or table.columns.keys()
    steps: list[Sequence[Any] | None] = [None]
    if values is not None and len(values) <= 20 * AT_ONCE:
        steps = [values[at : at + AT_ONCE] for at in range(0, len(values), AT_ONCE)]
    found: list[Any] = []
    for some in steps:
        query = sa.select(*(table.c[name] for name in names))
        query = query if some is None else query.where(column.in_(some))
        found += map(tuple, connection.execute(query))
    frame = pl.DataFrame(found, schema={name: TYPES[name] for name in names}, orient="row")
    return frame.sort("origin", "begins_s")


def lives(connection: sa.Connection, origins: Sequence[int]) -> pl.DataFrame:
    """Which identity the samples of an origin belong to, from when on: see `life.assign`."""
    found = rows(connection, schema.drive.c.origin, origins, KEYS)
    return found.select("origin", "continues", drive="id", begins=pl.col("begins_s") * 1000)


def sources(connection: sa.Connection, texts: Iterable[str]) -> dict[str, int]:
    """Keys of what figures rest on, new ones stored."""
    table = schema.source
    known = {text: key for key, text in connection.execute(sa.select(table.c.id, table.c.figures)).all()}
    for text in sorted(set(texts) - set(known)):
        stored = sa.insert(table).values(figures=text).returning(table.c.id)
        known[text] = connection.execute(stored).scalar_one()
    return known


def resolve(
    connection: sa.Connection, samples: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame, list[str]]:
    """Whom the samples are of: drives as their newest sample says, with `origin`; their rows; the samples; notes.

    New drives are stored. The third table has the columns of `segment.SHAPE`, sorted by drive and time.
    """
    newest = _stated(sample.known(_newest(samples)))
    known = rows(connection, schema.drive.c.serial, newest["serial"].unique().to_list(), NEEDED)
    keys = sources(connection, [*newest["sources"].unique(), "{}"])
    newest = newest.with_columns(source=pl.col("sources").replace_strict(keys, return_dtype=pl.Int64))
    first = known.filter(pl.col("id") == pl.col("origin")).select(*WHO, "origin")
    matched = newest.join(first, on=WHO, how="left", nulls_equal=True)
    unknown = matched.filter(pl.col("origin").is_null()).drop("origin")
    notes: list[str] = []
    if unknown.height:
        origins, fresh, notes = _identify(connection, unknown, known)
        unknown = unknown.with_columns(origin=origins)
        matched = pl.concat([matched.filter(pl.col("origin").is_not_null()), unknown])
        known = pl.concat([known, fresh], how="diagonal").sort("origin", "begins_s")
    return matched, known, _sorted(samples, matched), notes


def _newest(samples: pl.DataFrame) -> pl.DataFrame:
    """The newest sample of each drive."""
    rows = samples.lazy().with_row_index("row").group_by(WHO)
    last = rows.agg(pl.col("row").last(), newest=pl.col("time").max()).collect()
    if (samples["time"].gather(last["row"]) == last["newest"]).all():  # as a rule: they come in order
        return samples[last["row"]]
    return samples[rows.agg(pl.col("row").get(pl.col("time").arg_max())).collect()["row"]]


def _sorted(samples: pl.DataFrame, matched: pl.DataFrame) -> pl.DataFrame:
    """The samples with their `origin`, in the columns of `segment.SHAPE`, by drive and time."""
    alone = matched.filter(pl.len().over("serial") == 1).select("serial", "origin")
    found = samples.select(pl.exclude(*KNOWN)).join(alone, on="serial", how="left", maintain_order="left")
    if alone.height < matched.height:  # of two drives with one serial number all that is known decides
        several = matched.filter(pl.len().over("serial") > 1).select(*WHO, "origin")
        rest = found.filter(pl.col("origin").is_null()).drop("origin").join(several, on=WHO, nulls_equal=True)
        found = pl.concat([found.filter(pl.col("origin").is_not_null()), rest.select(found.columns)])
    found = found.select(list(segment.SHAPE))
    key = pl.col("origin") * 2**36 + pl.col("time").dt.epoch("s")  # one key sorts in half the time of two
    found = found.with_columns(key=key)
    return (found if found["key"].is_sorted() else found.sort("key")).drop("key")


def _identify(
    connection: sa.Connection, unknown: pl.DataFrame, known: pl.DataFrame
) -> tuple[pl.Series, pl.DataFrame, list[str]]:
    """The drives that are no row's exactly: of another capacity, or new. Their keys, new rows, and notes."""
    places: dict[str, dict[tuple[str, int | None], int]] = {}
    for serial, model, capacity, origin in known.select(*WHO, "origin").rows():
        places.setdefault(serial, {})[model, capacity] = origin
    following = (connection.execute(sa.select(sa.func.max(schema.drive.c.id))).scalar() or 0) + 1
    notes: list[str] = []
    fresh: list[dict[str, Any]] = []
    sized: list[dict[str, Any]] = []
    found: dict[int, int] = {}
    ordered = unknown.with_row_index("place").sort(pl.col("capacity_bytes").is_null(), *WHO)
    for row in ordered.iter_rows(named=True):
        mine = places.setdefault(row["serial"], {})
        origin = _match(mine, row["model"], row["capacity_bytes"])
        if origin is None:
            origin = following + len(fresh)
            if mine:
                notes.append(_another(row, mine))
            mine[row["model"], row["capacity_bytes"]] = origin
            fresh.append(_new(row, origin))
        elif row["capacity_bytes"] and mine.pop((row["model"], None), None) == origin:
            sized.append({"key": origin, "size": row["capacity_bytes"]})
            mine[row["model"], row["capacity_bytes"]] = origin
        found[row["place"]] = origin
    if fresh:
        connection.execute(sa.insert(schema.drive), fresh)
    if sized:
        sizing = sa.update(schema.drive).where(schema.drive.c.origin == sa.bindparam("key"))
        connection.execute(sizing.values(capacity_bytes=sa.bindparam("size")), sized)
    origins = pl.Series([found[place] for place in range(unknown.height)], dtype=pl.Int64)
    return origins, pl.DataFrame(fresh, schema={name: TYPES[name] for name in NEEDED}), notes


def _match(mine: dict[tuple[str, int | None], int], model: str, capacity: int | None) -> int | None:
    """The drive of this serial number that is meant; an unknown capacity is that of any."""
    if (model, capacity) in mine or capacity is not None:
        return mine.get((model, capacity), mine.get((model, None)))
    alike = sorted((size or 0, key) for (name, size), key in mine.items() if name == model)
    return alike[0][1] if alike else None


def _another(row: dict[str, Any], mine: dict[tuple[str, int | None], int]) -> str:
    first, *others = sorted(f"{model} of {capacity or 'unknown'} bytes" for model, capacity in mine)
    return (
        f"{row['serial']}: stored as another drive, {row['model']} of {row['capacity_bytes'] or 'unknown'} bytes: "
        f"so far this serial number was {first}" + (f" and {len(others)} others" if others else "")
    )


def _new(row: dict[str, Any], origin: int) -> dict[str, Any]:
    return {
        "id": origin,
        "origin": origin,
        "begins_s": 0,
        **{name: row[name] for name in (*WHO, *STATIC, "source")},
        "group_name": row["group"],
        "first_seen_s": int(row["time"].timestamp()),
        "last_seen_s": -1,
    }


def reason() -> pl.Expr:
    """Why a row is a drive of its own, though another has its serial number."""
    others = pl.col("origin").n_unique().over("serial") > 1
    first = pl.col("first_seen_s").min().over("serial")
    earlier = others & (pl.col("first_seen_s") > first)
    text = pl.lit("another model or capacity has reported this serial number before")
    return pl.coalesce("reason", pl.when(earlier).then(text))


def _stated(samples: pl.DataFrame) -> pl.DataFrame:
    """The samples, with `sources` where they had none, which a table does not bring.

    The step of a counter of bytes is the largest of the usual ones that divides all newest values of a model; that of
    wear is a whole percent where all values are whole percents. Other counters count by one.
    """
    if not samples["sources"].null_count():
        return samples
    silent = samples.filter(pl.col("sources").is_null())
    last = silent.group_by("serial", "model").agg(pl.col(*NAMES).last())
    stated = {model: _sources(part) for (model,), part in last.partition_by("model", as_dict=True).items()}
    by_model = pl.col("model").replace_strict(stated, default=None, return_dtype=pl.String)
    return samples.with_columns(sources=pl.coalesce("sources", by_model))


def _sources(newest: pl.DataFrame) -> str:
    """What the figures of one model's drives rest on."""
    return json.dumps(
        {
            name: {"attribute": f"column {name}", "trust": "observed", "step": _step(name, newest[name])}
            for name in sorted(NAMES)
            if newest[name].null_count() < newest.height
        }
    )


def _step(name: str, values: pl.Series) -> float:
    """What the values move by at least; 0 where they are continuous."""
    above = values.drop_nulls().filter(values.drop_nulls() > 0)
    if name in BYTES:
        return next((size for size in STEPS if above.len() and ((above % size) == 0).all()), 1.0)
    if name in RATIOS:
        percent = above * 100
        return 0.01 if ((percent - percent.round()).abs() < 1e-9).all() else 0.0
    return 1.0
