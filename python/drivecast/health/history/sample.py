"""Samples as a table: what its columns may hold, and which rows cannot be stored.

One row a drive and second: `serial`, `model`, `time`, the figures of `record.NAMES`, and what else is known of the
drive. A figure that is no finite number, or is negative where it counts, becomes doubtful. Refused: rows
without a time, rows with neither a serial number nor host and device, and rows from before 2005 or from the future,
which only a wrong clock can have written.
"""

import difflib
import functools
import json
import operator
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

import polars as pl

from drivecast.document.record import NAMES, Record
from drivecast.errors import HintedError, InputError

TIME = pl.Datetime("ms", "UTC")
EARLIEST = datetime(2005, 1, 1, tzinfo=UTC)
"""Before the first SSD that reported its wear: a machine without a clock starts in 1970 or 2000."""
AHEAD = timedelta(hours=1)
"""By how much the clock of another machine may differ."""
UNCLEAN = r"^\s|\s$|\x00"
"""Blanks around a name are none of it, and PostgreSQL takes no zero byte."""
_RUN = r"^'*(\s*[=+\-@]|[\t\r])"
"""A formula of a spreadsheet, with any number of quotes before it."""
SECONDS_MOST = 2**36
"""Beyond it a whole number is no time in seconds, but one in milliseconds or in nanoseconds."""
IDENTITY: dict[str, pl.DataType] = {
    "serial": pl.String(),
    "model": pl.String(),
    "capacity_bytes": pl.Int64(),
}
"""What distinguishes drives."""
KNOWN: dict[str, pl.DataType] = {
    **dict.fromkeys(("firmware", "bus"), pl.String()),
    "rotating": pl.Boolean(),
    **dict.fromkeys(("vendor", "catalog", "host", "device", "group", "sources"), pl.String()),
}
"""What else may be known of a drive; its newest sample decides."""
ABSENT = {"firmware": "", "bus": "", "rotating": False, "vendor": "standard"}
"""Values of columns that a table leaves out; null for the others."""
TYPES: dict[str, pl.DataType] = {**IDENTITY, **KNOWN, "time": TIME, **dict.fromkeys(NAMES, pl.Float64())}
SEEN = ("time", *NAMES, "passed", "doubtful")
COLUMNS = (*IDENTITY, *SEEN, *KNOWN)
TYPES |= {"passed": pl.Boolean(), "doubtful": pl.String()}


def from_records(records: Iterable[Record], group: str | None = None) -> pl.DataFrame:
    """Records as such a table."""
    rows = [
        {
            **{name: getattr(record, name, None) for name in (*IDENTITY, *KNOWN, "time", "passed")},
            **{name: record.value(name) for name in NAMES},
            "doubtful": ",".join(record.doubtful),
            "group": group,
            "sources": json.dumps(
                {
                    name: {"attribute": figure.attribute, "trust": figure.trust, "step": figure.step}
                    for name, figure in sorted(record.figures.items())
                }
            ),
        }
        for record in records
    ]
    return pl.DataFrame(rows, schema=TYPES)


def checked(table: pl.DataFrame, now: datetime) -> tuple[pl.DataFrame, list[str]]:
    """All columns in their types, rows that can be kept, and why the others cannot.

    Raises `InputError` for columns that are missing, unknown or of another type.
    """
    table, refused = _kept(_placed(typed(table)), now)
    table = table.with_columns(
        pl.lit(None, kind).alias(name)
        for name, kind in TYPES.items()
        if name not in table.columns and name not in KNOWN
    )
    named = pl.col("doubtful")
    named = named.str.split(",") if table.schema["doubtful"] == pl.String else named
    table = table.with_columns(doubtful=bits(named.list.contains))
    good = table.select(_good(name).all().alias(name) for name in NAMES).row(0, named=True)
    # Most columns are good throughout, and need no copy.
    figures = [pl.col(name) if good[name] else pl.when(_good(name)).then(name).alias(name) for name in NAMES]
    doubtful = pl.col("doubtful") | bits(lambda name: pl.lit(value=False) if good[name] else ~_good(name))
    others = (name for name in KNOWN if name in table.columns)
    return table.select(*IDENTITY, "time", *figures, "passed", doubtful, *others), refused


def quoted(text: pl.Expr) -> pl.Expr:
    """Text for a CSV, with a quote before what a spreadsheet would run, and before what `unquoted` would change."""
    return pl.when(text.str.contains(_RUN)).then(pl.lit("'") + text).otherwise(text).name.keep()


def unquoted(text: pl.Expr) -> pl.Expr:
    """What was `quoted`."""
    return pl.when(text.str.contains(f"^'{_RUN[1:]}")).then(text.str.slice(1)).otherwise(text).name.keep()


def bits(holds: Callable[[str], pl.Expr]) -> pl.Expr:
    """The figures of which something holds, as bits in the order of `NAMES`."""
    marks = (pl.when(holds(name)).then(1 << place).otherwise(0) for place, name in enumerate(NAMES))
    return functools.reduce(operator.or_, (mark.cast(pl.UInt16) for mark in marks))


def known(newest: pl.DataFrame) -> pl.DataFrame:
    """All columns of `KNOWN`, with defaults for those that a table leaves out."""
    absent = {name: pl.lit(ABSENT.get(name), kind) for name, kind in KNOWN.items()}
    whole = newest.with_columns(
        (pl.col(name).fill_null(value) if name in newest.columns else value).alias(name)
        for name, value in absent.items()
    )
    return whole.with_columns(pl.col(pl.String).str.replace_all("\0", "", literal=True))


def _good(name: str) -> pl.Expr:
    """Whether a figure is missing or can be computed with."""
    column = pl.col(name)
    right = column.is_finite() & (column >= 0) if name != "temperature_c" else column.is_finite()
    return (right & (pl.col("doubtful") & (1 << NAMES.index(name)) == 0)) | column.is_null()


def typed(table: pl.DataFrame) -> pl.DataFrame:
    """The columns in their types; raises `InputError` for columns that are missing, unknown or of another type."""
    columns = table.columns
    for name in ("serial", "model", "time"):
        if name not in columns:
            raise InputError(f"a table of samples needs a column `{name}`; it has {', '.join(columns)}")
    for name in columns:
        if name not in TYPES and name != "drive":
            near = difflib.get_close_matches(name, COLUMNS, 1)
            hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(COLUMNS)}"
            raise HintedError(f"a table of samples has no column `{name}`", hint)
    try:
        return table.with_columns(**_typed(table))
    except pl.exceptions.PolarsError as error:
        what = str(error).splitlines()[0]
        raise InputError(f"a column of a table of samples cannot be read: {what}") from None


def _typed(table: pl.DataFrame) -> dict[str, pl.Expr]:
    given: dict[str, pl.Expr] = {"time": _time(table)}
    for name, kind in TYPES.items():
        if name in table.columns and name not in ("time", "doubtful"):
            if table[name].dtype == pl.String and kind.is_numeric():
                raise InputError(f"column `{name}` of a table of samples is text, and must be a number")
            given[name] = pl.col(name).cast(kind)
            if name in ("serial", "model") and table.select(given[name].str.contains(UNCLEAN).any()).item():
                given[name] = given[name].str.replace_all("\0", "", literal=True).str.strip_chars()
    return {"capacity_bytes": pl.lit(None, pl.Int64), **given}


def _time(table: pl.DataFrame) -> pl.Expr:
    kind, column = table["time"].dtype, pl.col("time")
    if isinstance(kind, pl.Datetime):
        utc = column.dt.convert_time_zone("UTC") if kind.time_zone else column.dt.replace_time_zone("UTC")
        return utc.dt.cast_time_unit("ms").dt.truncate("1s")
    if kind == pl.Date:
        return column.cast(pl.Datetime("ms")).dt.replace_time_zone("UTC")
    if kind == pl.String:
        text = column.str.replace("Z$", "+00:00").str.replace(" ", "T", literal=True)
        forms = ("%Y-%m-%dT%H:%M:%S%.f%:z", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d")
        return pl.coalesce(
            text.str.to_datetime(form, time_unit="ms", time_zone="UTC", strict=False) for form in forms
        ).dt.truncate("1s")
    if kind.is_integer() or kind.is_float():
        seconds = pl.when(column.is_between(0, SECONDS_MOST)).then(column).cast(pl.Int64)
        return (seconds * 1000).cast(TIME)
    raise InputError(
        f"column `time` of a table of samples is {kind}, and must be a time or seconds since 1970"
    )


def _placed(table: pl.DataFrame) -> pl.DataFrame:
    """The rows, those without a serial number known by their host and device as records are."""
    if not {"host", "device"} <= {*table.columns}:
        return table
    silent = pl.col("serial").is_null() | (pl.col("serial") == "")
    place = pl.concat_str(pl.lit("no-serial"), "host", "device", separator=":")  # null where a part of it is
    return table.with_columns(serial=pl.when(silent).then(place).otherwise("serial"))


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
