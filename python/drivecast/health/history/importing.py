"""Sources into a history: tables in Parquet or CSV, and whatever `read` understands.

Tables are read in parts that fit the memory; a source that cannot be read does not stop the others.
"""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import cast

import polars as pl

from drivecast.document.history import Added
from drivecast.document.record import NAMES, Record, Unread
from drivecast.errors import InputError
from drivecast.files import read_bytes
from drivecast.health import rules
from drivecast.health.history import backblaze, sample
from drivecast.health.history.history import ROWS_AT_ONCE, History
from drivecast.health.read import HostNames, records
from drivecast.health.read.stream import BYTES_MAX

PART_ROWS = 500_000
"""Of a file read at once."""
HEADER_MAX = 1 << 20
"""Characters of the line that names the columns."""
SUFFIXES = (".parquet", ".csv", ".csv.gz")

Report = Callable[[float, str], None]


def take(
    history: History,
    sources: Sequence[str],
    group: str | None = None,
    report: Report = lambda _share, _what: None,
    hosts: HostNames | None = None,
) -> Added:
    """Store the samples in the sources, on the machines that `hosts` states.

    What could not be read is among `refused`.
    """
    hosts = hosts or HostNames()
    tables, others = _sorted_out(sources)
    added, refused = Added(), list[str]()
    sizes = [path.stat().st_size for path in tables]
    done, total = 0, sum(sizes) + len(others) or 1
    waiting: list[pl.DataFrame] = []
    for path, size in zip(tables, sizes, strict=True):
        named = hosts.named(str(path))
        for share, part in _readable(path, refused):
            report((done + share * size) / total, f"{added.samples_new + added.samples_repeated:,} samples")
            if _is_daily(part):
                added += _readings(history, backblaze.records(part, str(path), rules.load(), named), group)
                continue
            stated = {"group": group, "host": named.host, "device": named.device}
            own = part.with_columns(
                **{name: pl.lit(text) for name, text in stated.items() if text is not None}
            )
            if waiting and waiting[0].schema != own.schema:
                added += history.add_parts(waiting)
            elif waiting and sum(each.height for each in waiting) + own.height > ROWS_AT_ONCE:
                added += history.add_parts(_earlier(waiting))
            waiting.append(own)
        done += size
    if waiting:
        added += history.add_parts(waiting)
    for number, source in enumerate(others, 1):
        try:
            added += _readings(history, records([source], hosts=hosts), group)
        except InputError as error:
            refused.append(str(error).replace("\n", "; "))
        report((done + number) / total, source)
    return added + Added(refused=refused)


def _sorted_out(sources: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Tables, also those in folders, by name; and all else."""
    tables: list[Path] = []
    others: list[str] = []
    for source in sources:
        path = Path(source)
        files = [file for file in (path, *sorted(path.rglob("*"))) if file.is_file()]
        found = [file for file in files if file.name.lower().endswith(SUFFIXES)]
        tables += found
        if not found or len(found) < len(files):
            others.append(source)
    return tables, others


def _readable(path: Path, refused: list[str]) -> Iterator[tuple[float, pl.DataFrame]]:
    """The parts of a table, as far as it can be read; the reason where it cannot."""
    first = True
    try:
        for share, part in _parts(path, PART_ROWS):
            yield share, part if _is_daily(part) else sample.typed(part)
            first = False
    except InputError as error:
        stored = "" if first else "; what comes before it was stored"
        refused.append(f"{path}: {str(error).replace(chr(10), '; ')}{stored}")


def _earlier(waiting: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """All that waits, but for the newest month where all drives come day by day: the rest of it is still to come.

    A segment holds a month; written once it takes half the time. What stays is left in `waiting`.
    """
    newest = max(_latest(part) for part in waiting)
    month = newest.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    taken = waiting.copy()
    waiting.clear()
    if _latest(taken[0]) >= month:
        return taken
    to_come = pl.col("time") >= month
    waiting += [late for part in taken if (late := part.filter(to_come)).height]
    # Rows without a time are refused with their reason, so they go along.
    return [part.filter(to_come.not_().fill_null(value=True)) for part in taken]


def _latest(part: pl.DataFrame) -> datetime:
    return cast("datetime | None", part["time"].max()) or sample.EARLIEST


def _readings(history: History, found: Iterator[Record | Unread], group: str | None) -> Added:
    unread: list[str] = []

    def readable() -> Iterator[Record]:
        for answer in found:
            if isinstance(answer, Record):
                yield answer
            else:
                unread.append(f"{answer}; {answer.hint}" if answer.hint else str(answer))

    return history.add(readable(), group) + Added(refused=unread)


def _is_daily(table: pl.DataFrame) -> bool:
    """Whether it has the columns of Backblaze's daily statistics."""
    return all(name in table.columns for name in backblaze.COLUMNS)


def _parts(path: Path, rows: int) -> Iterator[tuple[float, pl.DataFrame]]:
    """The table in `path`, some rows at a time, and the share of the file that is read by then.

    How long a CSV is nobody knows before its end, so its share halves what is left.

    Raises `InputError` for what is no such table, or is cut off.
    """
    try:
        if path.suffix.lower() == ".parquet":
            # By its path a file is mapped, and ends the process where it is cut off meanwhile; by its URL it is read.
            small = path.stat().st_size <= BYTES_MAX
            frame = pl.scan_parquet(
                io.BytesIO(read_bytes(path, BYTES_MAX)) if small else path.absolute().as_uri()
            )
            total = frame.select(pl.len()).collect().item()
            for first in range(0, total, rows):
                yield min(1.0, (first + rows) / total), frame.slice(first, rows).collect()
        else:
            batches = _csv(path).collect_batches(chunk_size=rows, maintain_order=True)
            for number, part in enumerate(batches, 1):
                yield 1 - 0.5**number, part.with_columns(pl.col(pl.String).pipe(sample.unquoted))
    except (pl.exceptions.PolarsError, OSError, EOFError, zlib.error) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"cannot read `{path}` as a table: {reason}") from None
    except pl.exceptions.PanicException:
        reason = "it is damaged, or was cut off while it was read"
        raise InputError(f"cannot read `{path}` as a table: {reason}") from None


def _refuse_large(path: Path) -> None:
    """Raise `InputError` for what does not fit the memory: what is packed cannot be read in parts."""
    with gzip.open(path) as file:
        unpacked = 0
        while part := file.read(1 << 20):
            unpacked += len(part)
            if unpacked > BYTES_MAX:
                raise InputError(
                    f"`{path}` has more than {BYTES_MAX >> 20} MiB when unpacked; unpack it first"
                )


def _csv(path: Path) -> pl.LazyFrame:
    if path.suffix.lower() == ".gz":
        _refuse_large(path)
    with gzip.open(path, "rt") if path.suffix.lower() == ".gz" else path.open() as file:
        try:
            first = file.readline(HEADER_MAX)
        except UnicodeDecodeError:
            raise InputError(f"cannot read `{path}` as a table: it is no text") from None
    if len(first) == HEADER_MAX:
        raise InputError(f"cannot read `{path}` as a table: its first line does not end within 1 MiB")
    header = first.rstrip("\r\n").split(",")
    names = [name.strip('"') for name in header]
    if all(name in names for name in backblaze.COLUMNS):
        return pl.scan_csv(path, infer_schema=False)
    own = (*sample.IDENTITY, *sample.KNOWN, *NAMES)
    types = {name: sample.TYPES[name] for name in own if name in names}
    return pl.scan_csv(path, schema_overrides=types, infer_schema_length=1000)
