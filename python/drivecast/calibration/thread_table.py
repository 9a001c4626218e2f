"""A table of NVMe drives by threads, depth and size of requests: rates without latencies.

Represented: each row is a closed loop on a file of the drive, `numjobs` threads with `iodepth` requests
each, uniform; only that file is ever written, so that cleaning finds empty blocks. A thread submits a
request in c seconds at best, by engine and operation, so that n threads do n/c a second: the host's
limit (`thread_rates.toml`). What is over the drive's queue waits in the host and changes no rate. Left out: rows of
several drives or files; the file system.
"""

import functools
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from drivecast.calibration import load_table
from drivecast.calibration.drive_title import drive_titled
from drivecast.calibration.load_table import Wanted, any_drive
from drivecast.catalog import Catalog
from drivecast.catalog.sheet import SsdSheet
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError, InputError

DEPTH = 128
"""Of a thread where the row states none; that of the rows which do."""
HOST_BOUND = 1.25
"""Engines differ by up to 1.21 in writes alone, by 1.27 and more in mixes."""
LINK_SLACK = 1.02
COLUMNS = [
    "device", "array", "n_files", "rw", "write_frac", "bs_bytes", "iodepth", "numjobs", "size_bytes", "ioengine",
    "total_iops",
]  # fmt: skip
ONE_DRIVE = "1 file(s)/device(s)"
RATES = "thread_rates.toml"


@functools.cache
def thread_per_s() -> dict[str, tuple[float, float]]:
    """Return the reads and writes a second that a thread submits, by engine."""
    text = (files("drivecast.calibration") / RATES).read_text(encoding="utf-8")
    return {
        engine: (rates["reads_per_s"], rates["writes_per_s"])
        for engine, rates in tomllib.loads(text)["engines"].items()
    }


@dataclass(frozen=True)
class Load:
    """What threads did, apart from the engine by which they did it."""

    drive: str
    pattern: str
    write_share: float
    block_bytes: int
    depth: int
    threads: int
    region_bytes: int

    def line(self, catalog: Catalog) -> str:
        """Return the workload, with no more outstanding than the drive takes."""
        drive = catalog.get(self.drive)
        sheet = drive.sheet
        takes = (sheet.performance if isinstance(sheet, SsdSheet) else sheet.disk).queue_depth.value
        depth = min(self.threads * self.depth, takes)
        share = min(self.region_bytes / drive.user_bytes, 1.0)
        return f"{self.pattern}({self.block_bytes}B, read={1 - self.write_share:g}, iodepth={depth}, span={share:.6g})"


@dataclass(frozen=True)
class Row:
    """A load and its measured rate."""

    load: Load
    engine: str
    iops: float

    @property
    def host_per_s(self) -> float:
        """What the threads submit at most."""
        reads, writes = thread_per_s()[self.engine]
        share = self.load.write_share
        return self.load.threads / ((1 - share) / reads + share / writes)

    def ours(self, outcome: Outcome) -> float:
        """Return the rate of the simulated drive, or of the host where that is less."""
        return min(outcome.iops, self.host_per_s)


def host_bound(rows: Sequence[Row]) -> list[bool]:
    """Whether the host was the limit of each row: the same load did much more by another engine."""
    most: dict[Load, float] = defaultdict(float)
    for row in rows:
        most[row.load] = max(most[row.load], row.iops)
    return [most[row.load] > HOST_BOUND * row.iops for row in rows]


def read(path: Path, catalog: Catalog, wanted: Wanted = any_drive) -> list[Row]:
    """Read the rows of single drives. Raises `InputError` with the line of what cannot be."""
    return [
        _row(row, at, path, catalog)
        for at, row in load_table.rows(path, COLUMNS, wanted)
        if row["array"] == ONE_DRIVE and row["n_files"] == "1"
    ]


def _row(row: dict[str, str], at: str, path: Path, catalog: Catalog) -> Row:
    name = drive_titled(row["device"], path, catalog)
    engine = row["ioengine"]
    if engine not in thread_per_s():
        raise InputError(f"{at}: ioengine: expected {' or '.join(thread_per_s())}, found `{engine}`")
    load = Load(
        drive=name,
        pattern="sequential" if row["rw"].startswith("seq") else "random",
        write_share=load_table.share(row, "write_frac", at),
        block_bytes=load_table.whole(row, "bs_bytes", at),
        depth=load_table.whole(row, "iodepth", at) if row["iodepth"] else DEPTH,
        threads=load_table.whole(row, "numjobs", at),
        region_bytes=load_table.whole(row, "size_bytes", at),
    )
    iops = load_table.number(row, "total_iops", at)
    link = catalog.get(name).interface.bytes_per_s * LINK_SLACK
    one_way = iops * load.block_bytes * max(load.write_share, 1 - load.write_share)
    if one_way > link:
        raise HintedError(
            f"{at}: total_iops: expected at most {link / load.block_bytes:,.0f} a second, what the drive's link "
            f"carries in blocks of {load.block_bytes:,} bytes; found {iops:,.0f}",
            "is `bs_bytes` in bytes?",
        )
    return Row(load, engine, iops)
