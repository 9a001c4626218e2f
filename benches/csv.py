"""How fast a trace in CSV is read, beside the CSV readers of polars and DuckDB on the same file, one thread each.

Each program reads the same file from the page cache and ends with the same table: every column a number, reads and
writes told apart, offsets and sizes summed so that nothing can be left out. The runs alternate; the medians of the
processor time count.
"""

import os

os.environ["POLARS_MAX_THREADS"] = "1"  # before polars is imported

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl

from drivecast import _core

LINES = 4_000_000
RUNS = 5
COLUMNS = ["timestamp", "host", "disk", "type", "offset", "size", "response"]


def write(path: Path) -> int:
    """A trace in MSR Cambridge's columns; its size."""
    index = pl.int_range(0, LINES, dtype=pl.UInt64, eager=True)
    scrambled = index.hash(seed=7) % (1 << 24)
    pl.DataFrame(
        {
            "timestamp": index * 7_000 + 128_166_372_000_000_000,
            "host": pl.Series(["hm"]).extend_constant("hm", LINES - 1),
            "disk": index % 2,
            "type": pl.select(
                pl.when(index % 3 == 0).then(pl.lit("Read")).otherwise(pl.lit("Write"))
            ).to_series(),
            "offset": scrambled * 4096,
            "size": 4096 * (1 + index % 5),
            "response": 400 + scrambled % 90_000,
        }
    ).write_csv(path, include_header=False)
    return path.stat().st_size


def ours(path: Path) -> int:
    """Through the reader that every verb uses, as Arrow."""
    table = pl.DataFrame(_core.read([path], None))
    # The sum of a column of 32 bits has 32 bits.
    return int(table["offset_bytes"].sum()) + int(table["size_bytes"].cast(pl.UInt64).sum())


def polars(path: Path) -> int:
    """The reader of polars, with the types given."""
    types = dict.fromkeys(COLUMNS, pl.UInt64) | {"host": pl.String, "type": pl.String}
    table = pl.read_csv(path, has_header=False, new_columns=COLUMNS, schema_overrides=list(types.values()))
    return int(table["offset"].sum()) + int(table["size"].sum())


def duckdb(path: Path) -> int:
    """DuckDB's reader with the types given, into a table."""
    import duckdb as engine  # noqa: PLC0415 (a peer, for this benchmark alone)

    types = ", ".join(
        f"'{name}': '{'VARCHAR' if name in ('host', 'type') else 'UBIGINT'}'" for name in COLUMNS
    )
    with engine.connect() as session:
        session.execute("SET threads = 1")
        source = f"read_csv('{path}', header = false, columns = {{{types}}})"
        session.execute(f"CREATE TABLE t AS SELECT * FROM {source}")  # noqa: S608 (the names are ours)
        found = session.execute('SELECT sum("offset") + sum(size) FROM t').fetchone()
    return int(found[0]) if found else 0


def main() -> None:
    """Print each reader's speed and the ratios."""
    readers: dict[str, Callable[[Path], int]] = {"drivecast": ours, "polars": polars, "duckdb": duckdb}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "msr.csv"
        size = write(path)
        if len({read(path) for read in readers.values()}) != 1:
            raise SystemExit("the readers disagree")
        seconds: dict[str, list[float]] = {name: [] for name in readers}
        for _ in range(RUNS):
            for name, read in readers.items():
                start = time.process_time()
                read(path)
                seconds[name].append(time.process_time() - start)
    method = (
        f"{LINES} lines, {size / 1e6:.0f} MB, 1 thread, page cache, processor time, median of {RUNS} in turn"
    )
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    for name, median in medians.items():
        print(f"csv of {name}: {size / 1e6 / median:.0f} MB/s ({method})")
    for name in ("polars", "duckdb"):
        print(
            f"csv, drivecast against {name}: {medians[name] / medians['drivecast']:.2f} x (ratio of medians)"
        )


if __name__ == "__main__":
    main()
