"""A history as one table in a file: a row a drive and second, which `import` takes again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from drivecast.errors import InputError
from drivecast.health.history.history import History
from drivecast.health.history.sample import KNOWN
from drivecast.health.record import NAMES

IDENTITY = ("serial", "model", "capacity_bytes", *KNOWN)

Report = Callable[[float, str], None]


def tables(history: History) -> Iterator[pl.DataFrame]:
    """All samples with the identity of their drives, some drives at a time."""
    for drives, samples in history.batches():
        joined = samples.join(drives.select("drive", *IDENTITY), on="drive", maintain_order="left")
        yield joined.select("drive", *IDENTITY, "time", *NAMES, "passed", pl.col("doubtful").list.join(","))


def write(history: History, path: Path, report: Report = lambda _share, _what: None) -> int:
    """Write the table to `path`, Parquet or CSV as its name says; its rows.

    Raises `InputError` for another name or where it cannot be written; a file is there whole or not at all.
    """
    kind = path.suffix.lower()
    if kind not in (".parquet", ".csv"):
        raise InputError(f"cannot tell the format of `{path}`\nhint: end its name with `.parquet` or `.csv`")
    total = max(1, history.drives().height)
    rows = done = 0
    partial = path.with_name(f".{path.name}.partial")
    try:
        parts = []
        for table in tables(history):
            parts.append(table)
            rows += table.height
            done += table["drive"].n_unique()
            report(done / total, f"{rows:,} samples")
        whole = pl.concat(parts) if parts else pl.DataFrame()
        (whole.write_parquet if kind == ".parquet" else whole.write_csv)(partial)
        partial.replace(path)
    except OSError as error:
        raise InputError(f"cannot write `{path}`: {error.strerror or error}; nothing was written") from None
    finally:
        partial.unlink(missing_ok=True)
    return rows
