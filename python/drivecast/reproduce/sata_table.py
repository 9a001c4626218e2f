"""SATA drives and disks by queue depth and processes, on the host paths they were measured on.

Represented: `fio-sata-and-disks.csv`, 4 KiB at random in a closed loop, each row on the drive behind the controller
that the table names: the adapter with the operating system's queue (`catalog/controllers.toml`). Runs last a minute,
of which as many requests are simulated as their quantiles need; flash begins erased, for the drives had hardly been
written before, and none became slower in the hours that their table took. Disks that the table does not name are of
their class (`unnamed_disks`).

Left out: what a minute does besides: warming up, and patrol reads.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from drivecast.calibration import depth_table
from drivecast.calibration.depth_table import Depth
from drivecast.catalog import Catalog
from drivecast.catalog.sheet import HddSheet
from drivecast.document.outcome import Outcome
from drivecast.errors import InputError
from drivecast.reproduce import unnamed_disks
from drivecast.reproduce.measured_run import Kind, Reading, Run, Table, drive_titled, quantile_us
from drivecast.reproduce.unnamed_disks import Spans

PATHS = {
    "IBM M1015": "ibm-m1015",
    "P420i HBA mode": "hp-p420i-hba",
    "P420i RAID mode": "hp-p420i-raid",
    "Microserver G8": "hp-microserver-g8-ahci",
    "Microserver G10": "hp-microserver-g10-ahci",
    "HighPoint": "highpoint-hba",
}
"""What the table calls a path, and what the catalog does."""
UNNAMED_PATH = "single sdc"
WRITTEN_THROUGH = "write cache disabled"
REQUESTS, DISK_REQUESTS = 30_000, 10_000
"""Completed in a run: p99 rests on a hundredth of them."""
ROUNDS = 6
"""Requests of a run for each that is outstanding, at least."""
SECONDS_MIN, WARMUP_MIN_S = 0.4, 0.1
"""Simulated at least, so that slices of the scheduler follow each other."""


def _runs(path: Path, catalog: Catalog) -> Iterable[Run]:
    rows = depth_table.depths(path)
    spans = Spans(rows, catalog)
    return [_run(path, row, spans, catalog) for row in rows]


def _run(path: Path, row: Depth, spans: Spans, catalog: Catalog) -> Run:
    controller = _controller(row, path)
    if unnamed_disks.NOT_NAMED in row.device:
        drive = unnamed_disks.drive(row, path)
        design = unnamed_disks.design(row, drive, controller)
        span = spans.of(row, design)
        fitted, is_disk = span is not None and row.outstanding == 1, True
    else:
        drive = drive_titled(row.device, path, catalog)
        option = "[write_cache=off]" if WRITTEN_THROUGH in row.path else ""
        design = drive if controller is None else f"raid0(1 * {drive}{option}, controller={controller})"
        span = None
        fitted = _was_fitted(row, drive, controller, catalog)
        is_disk = isinstance(catalog.get(drive).sheet, HddSheet)
    requests = max(DISK_REQUESTS if is_disk else REQUESTS, ROUNDS * row.outstanding)
    return Run(
        source=path.name,
        drive=drive,
        workload=line(row, span),
        seconds=max(requests / row.iops, SECONDS_MIN),
        fitted=fitted,
        figures=_figures(row, "disk " if is_disk else ""),
        design=design,
        warmup_s=max(2 * row.outstanding / row.iops, WARMUP_MIN_S),
        state="fresh",
    )


def line(row: Depth, span: float | None) -> str:
    """Return the workload of a row, on this share of the device."""
    jobs = f", jobs={row.jobs}" if row.jobs > 1 else ""
    part = "" if span is None else f", span={span:.4f}"
    read = 1 if row.op == "read" else 0
    return f"random({row.block_bytes}B, read={read}, iodepth={row.iodepth}{jobs}{part})"


def _controller(row: Depth, table: Path) -> str | None:
    if row.path == UNNAMED_PATH:
        return None
    for title, name in PATHS.items():
        if title in row.path:
            return name
    known = ", ".join(f"`{title}`" for title in PATHS)
    raise InputError(f"{table}: array `{row.path}`: expected a path with one of {known} in its name")


def _was_fitted(row: Depth, drive: str, controller: str | None, catalog: Catalog) -> bool:
    if controller is None:
        return False
    sheet, calibrated = catalog.get(drive).sheet, catalog.get(drive).calibrated
    own = sheet.fitted_runs if isinstance(sheet, HddSheet) else []
    own = own if calibrated is None else calibrated.fitted_runs
    return (
        f"{controller} {row.name}" in own
        or f"{drive} {row.name}" in catalog.controller(controller).fitted_runs
    )


def _figures(row: Depth, kind: str) -> list[Reading]:
    tails: list[Reading] = [
        (f"{kind}{row.op} {name}", row.latency_us[name], quantile_us(row.op, key))
        for name, key in (("p50", "q0.5"), ("p99", "q0.99"))
    ]
    return [(f"{kind}{row.op} IOPS", row.iops, _iops(row.op)), *tails]


def _iops(op: str) -> Callable[[Outcome], float]:
    return lambda outcome: outcome.read.iops if op == "read" else outcome.write.iops


SATA = Table(
    "fio-sata-and-disks.csv",
    [
        Kind("SATA IOPS", ["read IOPS", "write IOPS"], 0.10),
        Kind("SATA p99", ["read p99", "write p99"], 0.30),
        Kind("disk IOPS", ["disk read IOPS"], 0.10),
        Kind("disk p99", ["disk read p99"], 0.25),
    ],
    _runs,
)
