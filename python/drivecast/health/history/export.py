"""A history as one table in a file: a row a drive and second, which `import` takes again.

What the figures rest on is at the newest sample of each drive: it is as long as all else together.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
from polars.io.plugins import register_io_source

from drivecast.errors import HintedError, InputError
from drivecast.files import full_disk_told, written
from drivecast.health.history import sample
from drivecast.health.history.history import History

IDENTITY = (*sample.IDENTITY, *sample.KNOWN)
SCHEMA: dict[str, pl.DataType] = {"drive": pl.Int64(), **sample.TYPES}
DRIVES_AT_ONCE = 1024

Report = Callable[[float, str], None]


def tables(history: History) -> Iterator[pl.DataFrame]:
    """All samples with the identity of their drives, some drives at a time."""
    newest = pl.col("drive").ne_missing(pl.col("drive").shift(-1))
    for drives, samples in history.batches(DRIVES_AT_ONCE):
        joined = samples.join(drives.select("drive", *IDENTITY), on="drive", maintain_order="left")
        joined = joined.with_columns(pl.when(newest).then("sources"), pl.col("doubtful").list.join(","))
        yield joined.select(list(SCHEMA))


def write(history: History, path: Path, report: Report = lambda _share, _what: None) -> int:
    """Write the table to `path`, Parquet or CSV as its name says; its rows.

    Raises `InputError` for another name or where it cannot be written; a file is there whole or not at all.
    """
    kind = path.suffix.lower()
    if kind not in (".parquet", ".csv"):
        raise HintedError(f"`{path}` names no format", "end its name with `.parquet` or `.csv`")
    total = max(1, history.drives().height)
    rows = 0

    def some(columns: list[str] | None, *_: object) -> Iterator[pl.DataFrame]:
        nonlocal rows
        drives = 0
        for table in tables(history):
            rows += table.height
            drives += table["drive"].n_unique()
            report(drives / total, f"{rows:,} samples")
            yield table.select(columns) if columns else table

    whole = register_io_source(some, schema=SCHEMA)  # streamed: a large fleet does not fit the memory
    try:
        with written(path) as partial, full_disk_told(partial.parent):
            if kind == ".parquet":
                whole.sink_parquet(partial)
            else:
                whole.with_columns(pl.col(pl.String).pipe(sample.quoted)).sink_csv(partial)
    except (OSError, pl.exceptions.ComputeError) as error:
        why = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise InputError(f"cannot write `{path}`: {why}; nothing was written") from None
    return rows
