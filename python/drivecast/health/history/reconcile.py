"""Bringing the rows of drives up to their samples, after an import or a removal.

Most imports only add at the end: then the new samples and the newest figures in the row are enough. Where one adds
before what is known, or a counter went back, the whole series of that drive is checked again, so that the result
is the same as if the samples had come in order.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import polars as pl
import sqlalchemy as sa

from drivecast.health.history import drive_rows, life, schema, segment
from drivecast.health.history.drive_rows import STATIC, SUMMARY
from drivecast.health.history.sample import TIME


def reconcile(
    connection: sa.Connection, newest: pl.DataFrame, lives: pl.DataFrame, changed: pl.DataFrame
) -> list[str]:
    """Update the drives of `newest` for the samples `changed`; notes on those under a new identity.

    `lives` are their rows before; `changed` is sorted by drive and time.
    """
    newest = newest.sort("time").unique("origin", keep="last", maintain_order=True)
    lives = lives.join(newest.select("origin"), on="origin", how="semi", maintain_order="left")
    _static(connection, newest, lives)
    current = lives.unique("origin", keep="last", maintain_order=True)
    first = changed.group_by("origin", maintain_order=True).agg(first=pl.col("time").first().dt.epoch("s"))
    behind = first.join(current.select("origin", "last_seen_s", "continues"), on="origin")
    behind = behind.filter((pl.col("first") <= pl.col("last_seen_s")) | pl.col("continues").is_not_null())
    appended = changed.join(behind, on="origin", how="anti", maintain_order="left")
    broken = life.broken(_track(current, appended))
    appended = appended.filter(~pl.col("origin").is_in(broken.implode()))
    _append(connection, current, appended)
    return review(connection, [*behind["origin"], *broken])


def _track(current: pl.DataFrame, appended: pl.DataFrame) -> pl.DataFrame:
    """What the rows know of the counters, before the new samples."""
    known = current.join(appended.select("origin").unique(), on="origin", how="semi")
    known = known.filter(pl.col("last_seen_s") >= 0)
    parts = [
        known.select("origin", (pl.col(seen) * 1000).cast(TIME).alias("time"), name).drop_nulls("time")
        for seen, name in (("hours_seen_s", "power_on_hours"), ("last_seen_s", "host_written_bytes"))
        if known.height
    ]
    whole = pl.concat([*parts, appended.select(life.TRACK)], how="diagonal").select(life.TRACK)
    return whole.sort("origin", "time", maintain_order=True) if parts else whole


def _static(connection: sa.Connection, newest: pl.DataFrame, lives: pl.DataFrame) -> None:
    """Where a drive was last seen, and what it rests on: as its newest sample says, for all its identities.

    A sample that names no host leaves the place as it was, and one that does completes it, however old it is.
    """
    names = (*STATIC, "source")
    last = lives.group_by("origin").agg(pl.col("last_seen_s").max(), pl.col(*names).last())
    joined = newest.join(last, on="origin", suffix="_before")
    newer = pl.col("time").dt.epoch("s") >= pl.col("last_seen_s")
    placed = pl.col("host").is_not_null() & (newer | pl.col("host_before").is_null())
    placed |= newer & pl.col("host_before").is_null()
    takes = {name: placed if name in ("host", "device") else newer for name in names}
    joined = joined.with_columns(
        pl.when(holds).then(name).otherwise(f"{name}_before") for name, holds in takes.items()
    )
    differs = pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_before")) for name in names)
    renewed = joined.filter(differs)
    grouped = newest.filter(pl.col("group").is_not_null()).rename({"group": "group_name"})
    mine = sa.update(schema.drive).where(schema.drive.c.origin == sa.bindparam("key"))
    for rows, columns in ((renewed, names), (grouped, ("group_name",))):
        if rows.height:
            values: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in columns}
            parameters = rows.select(key="origin", **{f"new_{name}": pl.col(name) for name in columns})
            connection.execute(mine.values(**values), parameters.to_dicts())


def _append(connection: sa.Connection, current: pl.DataFrame, appended: pl.DataFrame) -> None:
    """Rows of drives whose samples only continue."""
    if not appended.height:
        return
    keys = current.select("origin", drive="id", known_s="last_seen_s")
    fresh = life.summary(appended.join(keys, on="origin", maintain_order="left")).join(
        keys.select("drive", "known_s"), on="drive"
    )
    table = schema.drive
    news: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in SUMMARY}
    begun = fresh.filter(pl.col("known_s") < 0)
    resumed_rows = fresh.filter(pl.col("known_s") >= 0)
    mine = sa.update(table).where(table.c.id == sa.bindparam("key"))
    merged = {name: sa.func.coalesce(news[name], table.c[name]) for name in SUMMARY if name != "first_seen_s"}
    for statement, rows in ((mine.values(**news), begun), (mine.values(**merged), resumed_rows)):
        if rows.height:
            parameters = rows.select(key="drive", **{f"new_{name}": pl.col(name) for name in SUMMARY})
            # By hand to the driver: SQLAlchemy's care for each of a million parameters costs more than SQLite.
            text = str(statement.compile(dialect=connection.dialect))
            connection.exec_driver_sql(text, parameters.to_dicts())


def review(connection: sa.Connection, origins: Sequence[int]) -> list[str]:
    """Look at all samples of these drives again; notes on identities that are new."""
    notes: list[str] = []
    for bucket, each in groupby(sorted(set(origins)), segment.bucket):
        some = [*each]
        samples = segment.load(connection, schema.segment.c.bucket == bucket)
        notes += _review(connection, some, samples.filter(pl.col("origin").is_in(some)))
    return notes


def _review(connection: sa.Connection, origins: Sequence[int], samples: pl.DataFrame) -> list[str]:
    table = schema.drive
    before = drive_rows.rows(connection, table.c.origin, origins)
    rows = before.rows_by_key("origin", named=True, include_key=True)
    found = _pieces(samples)
    following = (connection.execute(sa.select(sa.func.max(table.c.id))).scalar() or 0) + 1
    notes, lives, old = [], [], []
    for origin in origins:
        known, wanted = rows[origin], found.get(origin, [])
        old += [row["id"] for row in known]
        before_ = {(row["begins_s"], row["reason"]) for row in known}
        keys = [row["id"] for row in known[: len(wanted)]]
        fresh = len(wanted) - len(keys)
        keys += range(following, following + fresh)
        following += fresh
        for key, piece in zip(keys, wanted, strict=True):
            whom = None if piece.continues is None else keys[piece.continues]
            part = {"begins_s": piece.begins_s, "reason": piece.reason, "continues": whom}
            lives.append({**known[0], "id": key, **part})
            if piece.reason and (piece.begins_s, piece.reason) not in before_:
                notes.append(_note(known[0], piece))
    forget = sa.delete(table).where(table.c.id == sa.bindparam("key"))
    connection.execute(forget, [{"key": key} for key in old])
    if lives:
        connection.execute(sa.insert(table), _summed(samples, lives))
    return notes


def _pieces(samples: pl.DataFrame) -> dict[int, list[life.Piece]]:
    """The identities of each drive of `samples`, which are sorted by drive and time."""
    track = samples.select(life.TRACK)
    found = {origin: [life.Piece(0, None, None)] for origin in track["origin"].unique().sort()}
    for origin in life.broken(track):
        mine = track.filter(pl.col("origin") == origin).drop("origin")
        found[origin] = life.pieces(mine.iter_rows())
    return found


def _note(row: dict[str, Any], piece: life.Piece) -> str:
    at = datetime.fromtimestamp(piece.begins_s, UTC)
    what = "stored as another drive" if piece.continues is None else "stored as the earlier drive again"
    return f"{row['serial']}: {what} from {at:%Y-%m-%d %H:%M} UTC on: {piece.reason}"


def _summed(samples: pl.DataFrame, lives: list[dict[str, Any]]) -> list[dict[str, Any]]:
    keys = pl.DataFrame(
        [(live["id"], live["origin"], live["begins_s"] * 1000, live["continues"]) for live in lives],
        schema=dict.fromkeys(("drive", "origin", "begins", "continues"), pl.Int64),
        orient="row",
    )
    fresh = life.summary(life.assign(samples, keys).sort("drive", "time"))
    values = {row["drive"]: row for row in fresh.iter_rows(named=True)}
    return [
        live | {name: values[live["continues"] or live["id"]][name] for name in SUMMARY} for live in lives
    ]
