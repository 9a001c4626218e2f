"""Tables of samples in files: Parquet and CSV, in parts that fit the memory."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from drivecast.errors import InputError
from drivecast.health.history import backblaze
from drivecast.health.history.sample import IDENTITY, KNOWN
from drivecast.health.record import NAMES

SUFFIXES = (".parquet", ".csv", ".csv.gz")

TYPES: dict[str, pl.DataType] = {
    **IDENTITY,
    **{name: kind for name, (kind, _) in KNOWN.items()},
    **dict.fromkeys(NAMES, pl.Float64()),
}


def is_table(path: Path) -> bool:
    """Whether its name is that of a table."""
    return path.name.lower().endswith(SUFFIXES)


def is_daily(table: pl.DataFrame) -> bool:
    """Whether it has the columns of Backblaze's daily statistics."""
    return all(name in table.columns for name in backblaze.COLUMNS)


def parts(path: Path, rows: int) -> Iterator[tuple[float, pl.DataFrame]]:
    """The table in `path`, some rows at a time, and the share of the file that is read by then.

    How long a CSV is nobody knows before its end, so its share halves what is left.

    Raises `InputError` for what is no such table, or is cut off.
    """
    try:
        frame = pl.scan_parquet(path) if path.suffix.lower() == ".parquet" else _csv(path)
        if path.suffix.lower() == ".parquet":
            total = frame.select(pl.len()).collect().item()
            for first in range(0, total, rows):
                yield min(1.0, (first + rows) / total), frame.slice(first, rows).collect()
        else:
            for number, part in enumerate(frame.collect_batches(chunk_size=rows, maintain_order=True), 1):
                yield 1 - 0.5**number, part
    except (pl.exceptions.PolarsError, OSError, EOFError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"cannot read `{path}` as a table: {reason}") from None


def _csv(path: Path) -> pl.LazyFrame:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        try:
            header = file.readline().rstrip("\r\n").split(",")
        except UnicodeDecodeError:
            raise InputError(f"cannot read `{path}` as a table: it is no text") from None
    names = [name.strip('"') for name in header]
    if all(name in names for name in backblaze.COLUMNS):
        return pl.scan_csv(path, infer_schema=False)
    types = {name: kind for name, kind in TYPES.items() if name in names}
    return pl.scan_csv(path, schema_overrides=types, infer_schema_length=1000)
