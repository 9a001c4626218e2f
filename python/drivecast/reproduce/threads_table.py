"""NVMe drives by threads, depth and size of requests: a table of rates without latencies.

Represented: each row is a closed loop on a file of the drive, `numjobs` threads with `iodepth` requests
each, uniform; only that file is ever written, so that cleaning finds empty blocks. A thread submits a
request in c seconds at best, by engine and operation, so that n threads do n/c a second: the host's
limit, taken from the rows of one thread of one drive (`THREAD_PER_S`). What is over the drive's queue
waits in the host and changes no rate.

A drive does as much by one engine as by another. Where the same load did `HOST_BOUND` times as much by
another engine, the host was the limit (threads wait for the lock of the file): such a row is shown, and
not judged. Left out: rows of several drives or files; the file system.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from drivecast.calibration import load_table
from drivecast.catalog import Catalog
from drivecast.catalog.sheet import SsdSheet
from drivecast.document.catalog import Provenance
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError, InputError
from drivecast.reproduce.measured_run import Kind, Reading, Run, Table, drive_titled

IOPS = "IOPS by threads"
HOST_IOPS = "IOPS by threads, limited by the host"
THREAD_PER_S = {"libaio": (555_880, 426_800), "io_uring": (607_780, 444_680)}
"""Reads and writes a second that a thread submits: the rows of one thread on the P5800X, which does more."""
THREAD_DRIVE = "intel-optane-p5800x-800gb"
FITTED_THREADS, FITTED_ENGINE, FITTED_BYTES = 32, "libaio", 4096
"""Reads alone and writes alone of this kind gave what the drives' controllers take; all others judge."""
FITTED_CHANNEL_BYTES = 65_536
"""Reads alone of this size gave what the channels of the same drive carry."""
HOST_BOUND = 1.25
"""Engines differ by up to 1.21 in writes alone, by 1.27 and more in mixes."""
DEPTH = 128
"""Of a thread where the row states none; that of the rows which do."""
SECONDS = 1.0
LINK_SLACK = 1.02
COLUMNS = [
    "device", "array", "n_files", "rw", "write_frac", "bs_bytes", "iodepth", "numjobs", "size_bytes", "ioengine",
    "total_iops",
]  # fmt: skip
ONE_DRIVE = "1 file(s)/device(s)"


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
        reads, writes = THREAD_PER_S[self.engine]
        share = self.load.write_share
        return self.load.threads / ((1 - share) / reads + share / writes)

    def fitted(self, catalog: Catalog) -> bool:
        """Whether it was used for the drive, or for the host."""
        load = self.load
        if load.write_share not in {0, 1} or load.pattern != "random":
            return False
        if load.block_bytes == FITTED_CHANNEL_BYTES:
            return load.write_share == 0 and load.drive == THREAD_DRIVE
        if load.block_bytes != FITTED_BYTES:
            return False
        for_host = load.threads == 1 and load.drive == THREAD_DRIVE
        for_drive = (load.threads, load.depth, self.engine) == (FITTED_THREADS, DEPTH, FITTED_ENGINE)
        return for_host or (for_drive and _is_fitted(catalog, load.drive))

    def ours(self, outcome: Outcome) -> float:
        """Return the rate of the simulated drive, or of the host where that is less."""
        return min(outcome.iops, self.host_per_s)


def _is_fitted(catalog: Catalog, name: str) -> bool:
    sheet = catalog.get(name).sheet
    command = sheet.fitted.read_command_ns if isinstance(sheet, SsdSheet) else None
    return command is not None and command.provenance is Provenance.MEASURED


def read(path: Path, catalog: Catalog) -> list[Row]:
    """Read the rows of single drives. Raises `InputError` with the line of what cannot be."""
    return [
        _row(row, at, path, catalog)
        for at, row in load_table.rows(path, COLUMNS)
        if row["array"] == ONE_DRIVE and row["n_files"] == "1"
    ]


def _row(row: dict[str, str], at: str, path: Path, catalog: Catalog) -> Row:
    name = drive_titled(row["device"], path, catalog)
    engine = row["ioengine"]
    if engine not in THREAD_PER_S:
        raise InputError(f"{at}: ioengine: expected {' or '.join(THREAD_PER_S)}, found `{engine}`")
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


def _runs(path: Path, catalog: Catalog) -> Iterable[Run]:
    """Return a run for each line, since many rows differ in nothing that the drive sees."""
    rows = read(path, catalog)
    most: dict[Load, float] = defaultdict(float)
    for row in rows:
        most[row.load] = max(most[row.load], row.iops)
    alike: dict[tuple[str, str, bool], list[Reading]] = defaultdict(list)
    for row in rows:
        bound = most[row.load] > HOST_BOUND * row.iops
        key = (row.load.drive, row.load.line(catalog), row.fitted(catalog))
        alike[key].append((HOST_IOPS if bound else IOPS, row.iops, row.ours))
    return [
        Run(source=path.name, drive=drive, workload=line, seconds=SECONDS, fitted=fitted, figures=figures)
        for (drive, line, fitted), figures in alike.items()
    ]


THREADS = Table("nvme-by-threads.csv", [Kind(IOPS, [IOPS], 0.10)], _runs)
