"""How fast a year of daily samples of 100,000 drives enters a history and comes out of it, and in how much memory.

The whole program, as a person runs it, on Parquet files of the fleet of `benches/fleet.py`: ten thousand drives with
all their days in a file, and thirty days of all drives in a file as a collector leaves them. Beside it, on a tenth of
the samples, a row a sample through the `executemany` of the sqlite3 module: what a plain table would cost. Processor
time is next to the time on the clock, which other work on the machine lengthens.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import fleet
import polars as pl

from drivecast.document.record import NAMES

PROGRAM = Path(sys.executable).parent / "drivecast"
DAYS = 365

READ = """
import sys
from drivecast.health.history import History
with History.open(sys.argv[1]) as history:
    print(sum(samples.height for _, samples in history.batches()))
"""


def run(*command: str | Path) -> tuple[float, float, float]:
    """Seconds on the clock, of processor time, and the largest memory in MiB of a program."""
    start = time.perf_counter()
    process = subprocess.Popen([str(argument) for argument in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[0]} failed")
    process.returncode = 0
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def tell(name: str, figures: tuple[float, float, float], samples: int, method: str) -> None:
    """Print what one run took."""
    wall, processor, memory = figures
    print(f"{name}: {wall:.1f} s ({samples / wall / 1e6:.2f} million samples/s, {method})")
    print(f"{name}_cpu: {processor:.1f} s (processor time of all threads)")
    print(f"{name}_memory: {memory:.0f} MiB (largest resident set)")


def plain(table: pl.DataFrame, path: Path) -> float:
    """Seconds that a row a sample takes, by the driver's own executemany."""
    number = table["serial"].rank("dense")
    rows = table.select(number, pl.col("time").dt.epoch("s"), *NAMES)
    start = time.perf_counter()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    columns = ", ".join(f"{name} REAL" for name in NAMES)
    connection.execute(
        f"CREATE TABLE sample (drive INTEGER, time INTEGER, {columns}, PRIMARY KEY (drive, time)) WITHOUT ROWID"
    )
    marks = ", ".join("?" * (2 + len(NAMES)))
    connection.executemany(f"INSERT OR IGNORE INTO sample VALUES ({marks})", rows.iter_rows())  # noqa: S608
    connection.commit()
    connection.close()
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drives", type=int, default=100_000)
    parser.add_argument("--layout", choices=["drives", "days", "both"], default="both")
    given = parser.parse_args()
    samples = given.drives * DAYS
    with tempfile.TemporaryDirectory() as folder:
        for layout in ("drives", "days") if given.layout == "both" else (given.layout,):
            files = Path(folder) / layout
            files.mkdir()
            fleet.write(files, given.drives, DAYS, by_day=layout == "days")
            url = Path(folder) / f"{layout}.sqlite3"
            method = f"`health import`, {given.drives:,} drives × {DAYS} days, SQLite, Parquet by {layout}"
            command = (PROGRAM, "health", "import", files, "--history", url, "--quiet")
            tell(f"health_import_by_{layout}", run(*command), samples, method)
            size = url.stat().st_size
            print(f"health_history_size: {size / samples:.1f} bytes a sample (file of {size / 1e6:,.0f} MB)")
            method = "every drive and sample as tables, `History.batches`"
            tell("health_read", run(sys.executable, "-c", READ, url), samples, method)
            if layout == "drives":
                known = run(*command)
                tell("health_import_again", known, samples, "the same files again: nothing is new")
            for path in (*files.iterdir(), url):
                path.unlink()
        tenth = next(fleet.by_drives(given.drives // 10, DAYS, given.drives // 10))
        path = Path(folder) / "plain.sqlite3"
        seconds = plain(tenth, path)
        print(
            f"health_plain_rows: {10 * seconds:.0f} s (a row a sample by sqlite3's executemany, ten times a tenth, "
            f"{path.stat().st_size / tenth.height:.0f} bytes a sample)"
        )


if __name__ == "__main__":
    main()
