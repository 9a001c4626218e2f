"""Samples as a table: what its columns may hold, and which rows cannot be stored.

One row a drive and second: `serial`, `model`, `time`, the figures of `record.NAMES`, and what else is known of the
drive. A figure that is no finite number, or is negative where it counts, becomes doubtful. Refused: rows without
serial or time, from before 2005 or from the future, which only a wrong clock can have written.
"""

import difflib
import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import polars as pl

from drivecast.document.record import NAMES, Record
from drivecast.errors import InputError

TIME = pl.Datetime("ms", "UTC")

EARLIEST = datetime(2005, 1, 1, tzinfo=UTC)
"""Before the first SSD that told its wear: a machine without a clock starts in 1970 or 2000."""

AHEAD = timedelta(hours=1)
"""By how much the clock of another machine may differ."""

UNCLEAN = r"^\s|\s$|\x00"
"""Blanks around a name are none of it, and PostgreSQL takes no zero byte."""

SECONDS_MOST = 2**36
"""Beyond it a whole number is no time in seconds, but one in milliseconds or in nanoseconds."""

IDENTITY: dict[str, pl.DataType] = {
    "serial": pl.String(),
    "model": pl.String(),
    "capacity_bytes": pl.Int64(),
}
"""What distinguishes drives."""

KNOWN: dict[str, tuple[pl.DataType, object]] = {
    "firmware": (pl.String(), ""),
    "bus": (pl.String(), ""),
    "rotating": (pl.Boolean(), False),
    "vendor": (pl.String(), "standard"),
    "catalog": (pl.String(), None),
    "host": (pl.String(), None),
    "device": (pl.String(), None),
    "group": (pl.String(), None),
    "sources": (pl.String(), None),
}
"""What else may be known of a drive; its newest sample decides."""

COLUMNS = (*IDENTITY, "time", *NAMES, "passed", "doubtful", *KNOWN)


def from_records(records: Iterable[Record], group: str | None = None) -> pl.DataFrame:
    """Records as such a table."""
    rows = []
    for record in records:
        rows.append(
            {
                **{name: getattr(record, name) for name in (*IDENTITY, *KNOWN) if hasattr(record, name)},
                "time": record.time,
                **{name: record.value(name) for name in NAMES},
                "passed": record.passed,
                "doubtful": ",".join(record.doubtful),
                "group": group,
                "sources": json.dumps(
                    {
                        name: {"attribute": figure.attribute, "trust": figure.trust, "step": figure.step}
                        for name, figure in sorted(record.figures.items())
                    }
                ),
            }
        )
    types = {**IDENTITY, **{name: kind for name, (kind, _) in KNOWN.items()}}
    figures = dict.fromkeys(NAMES, pl.Float64())
    return pl.DataFrame(
        rows, schema={**types, "time": TIME, **figures, "passed": pl.Boolean(), "doubtful": pl.String()}
    )


def checked(table: pl.DataFrame, now: datetime) -> tuple[pl.DataFrame, list[str]]:
    """All columns in their types, rows that can be kept, and why the others cannot.

    Raises `InputError` for columns that are missing, unknown or of another type.
    """
    table = typed(table)
    table, refused = _kept(table, now)
    judged = table.select(_good(table, name).all().alias(name) for name in NAMES)
    doubtful = _mask(table)
    figures = []
    for place, name in enumerate(NAMES):
        column = pl.col(name) if name in table.columns else pl.lit(None, pl.Float64)
        if not judged[name][0]:  # most columns are good throughout, and need no copy
            bit, good = pl.lit(1 << place, pl.UInt16), _good(table, name)
            doubtful = doubtful | pl.when(good).then(pl.lit(0, pl.UInt16)).otherwise(bit)
            column = pl.when(good).then(column)
        figures.append(column.alias(name))
    whole = table.select(
        *IDENTITY,
        "time",
        *figures,
        pl.col("passed") if "passed" in table.columns else pl.lit(None, pl.Boolean).alias("passed"),
        doubtful.alias("doubtful"),
        *(name for name in KNOWN if name in table.columns),
    )
    return whole, refused


def known(newest: pl.DataFrame) -> pl.DataFrame:
    """All columns of `KNOWN`, with what stands for those that a table leaves out."""
    whole = newest.with_columns(
        pl.col(name).fill_null(pl.lit(absent, kind))
        if name in newest.columns
        else pl.lit(absent, kind).alias(name)
        for name, (kind, absent) in KNOWN.items()
    )
    return whole.with_columns(pl.col(pl.String).str.replace_all("\0", "", literal=True))


def _good(table: pl.DataFrame, name: str) -> pl.Expr:
    """Whether a figure is missing or can be computed with."""
    if name not in table.columns:
        return pl.lit(value=True)
    column = pl.col(name)
    right = column.is_finite() & (column >= 0) if name != "temperature_c" else column.is_finite()
    right = right | column.is_null()
    if "doubtful" in table.columns:
        bit = pl.lit(1 << NAMES.index(name), pl.UInt16)
        right = right & ((_mask(table) & bit == 0) | column.is_null())
    return right


def typed(table: pl.DataFrame) -> pl.DataFrame:
    """The columns in their types.

    Raises `InputError` for columns that are missing, unknown or of another type.
    """
    _known_columns(table.columns)
    try:
        return table.with_columns(_typed(table))
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"a column of a table of samples cannot be read: {str(error).splitlines()[0]}"
        ) from None


def _known_columns(columns: list[str]) -> None:
    for name in ("serial", "model", "time"):
        if name not in columns:
            raise InputError(f"a table of samples needs a column `{name}`; it has {', '.join(columns)}")
    for name in columns:
        if name not in COLUMNS and name != "drive":
            near = difflib.get_close_matches(name, COLUMNS, 1)
            hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(COLUMNS)}"
            raise InputError(f"a table of samples has no column `{name}`\nhint: {hint}")


def _typed(table: pl.DataFrame) -> list[pl.Expr]:
    types = {**IDENTITY, **{name: kind for name, (kind, _) in KNOWN.items()}, "passed": pl.Boolean()}
    types |= dict.fromkeys(NAMES, pl.Float64())
    given: dict[str, pl.Expr] = {"time": _time(table)}
    for name, kind in types.items():
        if name in table.columns:
            if table[name].dtype == pl.String and kind.is_numeric():
                raise InputError(f"column `{name}` of a table of samples is text, and must be a number")
            given[name] = pl.col(name).cast(kind)
            if name in ("serial", "model") and table.select(given[name].str.contains(UNCLEAN).any()).item():
                given[name] = given[name].str.replace_all("\0", "", literal=True).str.strip_chars()
    if "capacity_bytes" not in given:
        given["capacity_bytes"] = pl.lit(None, pl.Int64)
    return [column.alias(name) for name, column in given.items()]


def _time(table: pl.DataFrame) -> pl.Expr:
    kind, column = table["time"].dtype, pl.col("time")
    if isinstance(kind, pl.Datetime):
        utc = column.dt.convert_time_zone("UTC") if kind.time_zone else column.dt.replace_time_zone("UTC")
        return utc.dt.cast_time_unit("ms").dt.truncate("1s") if kind != TIME else utc.dt.truncate("1s")
    if kind == pl.Date:
        return column.cast(pl.Datetime("ms")).dt.replace_time_zone("UTC")
    if kind == pl.String:
        text = column.str.replace("Z$", "+00:00").str.replace(" ", "T", literal=True)
        whole = pl.coalesce(
            text.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", time_unit="ms", time_zone="UTC", strict=False),
            text.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="ms", strict=False).dt.replace_time_zone(
                "UTC"
            ),
            text.str.to_datetime("%Y-%m-%d", time_unit="ms", strict=False).dt.replace_time_zone("UTC"),
        )
        return whole.dt.truncate("1s")
    if kind.is_integer() or kind.is_float():
        seconds = pl.when(column.is_between(0, SECONDS_MOST)).then(column).cast(pl.Int64)
        return (seconds * 1000).cast(TIME)
    raise InputError(
        f"column `time` of a table of samples is {kind}, and must be a time or seconds since 1970"
    )


def _kept(table: pl.DataFrame, now: datetime) -> tuple[pl.DataFrame, list[str]]:
    time = pl.col("time")
    reasons = (
        pl.when(pl.col("serial").is_null() | (pl.col("serial") == "") | pl.col("model").is_null())
        .then(pl.lit("without a serial number or a model"))
        .when(time.is_null())
        .then(pl.lit("without a time that can be read"))
        .when(time > now + AHEAD)
        .then(pl.lit("from the future: the clock of that machine is wrong, or this one's"))
        .when(time < EARLIEST)
        .then(pl.lit(f"from before {EARLIEST:%Y}: the clock of that machine was not set"))
    )
    bad = table.select("serial", "time", reason=reasons).filter(pl.col("reason").is_not_null())
    if not bad.height:
        return table, []
    bad_rows = bad.group_by("serial", "reason", maintain_order=True).agg(
        pl.len(), pl.col("time").min().dt.strftime("%Y-%m-%d %H:%M:%S")
    )
    refused = [
        f"{serial or 'a drive'}: {count} sample{'s' * (count != 1)} {reason}"
        + (f" ({first} UTC)" if first is not None else "")
        for serial, reason, count, first in bad_rows.rows()
    ]
    return table.filter(reasons.is_null()), refused


def _mask(table: pl.DataFrame) -> pl.Expr:
    """The doubtful figures as bits, from their names; text with commas or a list of names."""
    if "doubtful" not in table.columns:
        return pl.lit(0, pl.UInt16)
    names = pl.col("doubtful")
    if table["doubtful"].dtype == pl.String:
        names = names.str.split(",")
    bits = pl.lit(0, pl.UInt16)
    for place, name in enumerate(NAMES):
        bits = bits | pl.when(names.list.contains(name)).then(1 << place).otherwise(0).cast(pl.UInt16)
    return bits


def named(samples: pl.DataFrame) -> pl.DataFrame:
    """The samples with `doubtful` as a list of names in place of bits."""
    few = samples["doubtful"].unique()
    lists = [[name for place, name in enumerate(NAMES) if bits >> place & 1] for bits in few]
    kind = pl.List(pl.String)
    if few.to_list() == [0]:
        return samples.with_columns(doubtful=pl.lit([], kind))
    table = pl.DataFrame({"doubtful": few, "names": lists}, schema={"doubtful": pl.UInt16, "names": kind})
    joined = samples.join(table, on="doubtful", how="left", maintain_order="left")
    return joined.with_columns(doubtful="names").drop("names")
