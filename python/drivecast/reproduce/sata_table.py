"""SATA drives and disks by queue depth and processes, on the host paths they were measured on.

Represented: `fio-sata-and-disks.csv`, 4 KiB at random in a closed loop, each row a run of a minute
(`calibration.depth_run`). Disks that the table does not name are of their class (`unnamed_disks`).

Left out: what a minute does besides: warming up, and patrol reads.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from drivecast.calibration import depth_run, depth_table
from drivecast.calibration.depth_table import Depth
from drivecast.calibration.drive_title import drive_titled
from drivecast.catalog import Catalog, latency_error
from drivecast.catalog.sheet import HddSheet
from drivecast.document.outcome import Outcome
from drivecast.reproduce import unnamed_disks
from drivecast.reproduce.measured_run import Blind, Kind, Reading, Run, Table, quantile_us
from drivecast.reproduce.unnamed_disks import Spans

LIGHT = 4
"""Outstanding, up to which neither drive nor path is the limit, but for writes."""


def _runs(path: Path, catalog: Catalog) -> Iterable[Run]:
    rows = depth_table.depths(path)
    spans = Spans(rows, catalog)
    return [_run(path, row, spans, catalog) for row in rows]


def _run(path: Path, row: Depth, spans: Spans, catalog: Catalog) -> Run:
    if unnamed_disks.NOT_NAMED in row.device:
        drive = unnamed_disks.drive(row, path)
        design = unnamed_disks.design(row, drive, depth_run.controller(row, catalog))
        span = spans.of(row, design)
        fitted, is_disk = span is not None and row.outstanding == 1, True
    else:
        drive = drive_titled(row.device, path, catalog)
        design, span = depth_run.design(row, drive, catalog), None
        sheet, calibrated = catalog.get(drive).sheet, catalog.get(drive).calibrated
        own = sheet.fitted_runs if isinstance(sheet, HddSheet) else []
        fitted = depth_run.was_fitted(
            row, drive, own if calibrated is None else calibrated.fitted_runs, catalog
        )
        is_disk = isinstance(sheet, HddSheet)
    long = depth_run.length(row, depth_run.DISK_REQUESTS if is_disk else depth_run.REQUESTS)
    return Run(
        source=path.name,
        drive=drive,
        workload=depth_run.line(row, span),
        seconds=long.seconds,
        fitted=fitted,
        figures=_figures(row, "disk " if is_disk else ""),
        design=design,
        warmup_s=long.warmup_s,
        state="fresh",
        light=None if is_disk else row.outstanding <= LIGHT and not depth_run.written_through(row),
    )


def _figures(row: Depth, kind: str) -> list[Reading]:
    tails: list[Reading] = [
        (f"{kind}{row.op} {name}", row.latency_us[name], quantile_us(row.op, key))
        for name, key in latency_error.QUANTILES.items()
    ]
    return [(f"{kind}{row.op} IOPS", row.iops, _iops(row.op)), *tails]


def _iops(op: str) -> Callable[[Outcome], float]:
    return lambda outcome: outcome.read.iops if op == "read" else outcome.write.iops


TAILS = [f"{op} {name}" for op in latency_error.OPS for name in ("p99", "p999")]
SATA = Table(
    "fio-sata-and-disks.csv",
    [
        Kind("SATA IOPS", ["read IOPS", "write IOPS"], 0.10),
        Kind("SATA p99", ["read p99", "write p99"], 0.30),
        Kind("disk IOPS", ["disk read IOPS"], 0.10),
        Kind("disk p99", ["disk read p99"], 0.25),
    ],
    _runs,
    Blind("SATA, sheet only: p99, p99.9", TAILS, rows=lambda run: run.light is True),
)
