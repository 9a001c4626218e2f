"""SATA drives and disks by queue depth and processes, on the host paths they were measured on.

Represented: `fio-sata-and-disks.csv`, 4 KiB at random in a closed loop, each row a run of a minute
(`calibration.depth_run`). Disks that the table does not name are of their class: a disk is that of its capacity and
speed, with the seek time usual for the speed. An array is md's. Of a file the table says how large it is and not
where it lies, scattered over a file system: the part of the disk that its seeks cross is what makes the simulated
latency of one request outstanding the measured one. The row with one outstanding is used up by this, and judges
nothing.

Left out: what a minute does besides (warming up, and patrol reads), and other files on the disks.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from drivecast.calibration import depth_run, depth_table
from drivecast.calibration.depth_table import Depth
from drivecast.calibration.drive_title import drive_titled
from drivecast.calibration.load_table import Wanted
from drivecast.catalog import Catalog, latency_error
from drivecast.catalog.sheet import HddSheet
from drivecast.document.outcome import Outcome
from drivecast.errors import InputError
from drivecast.reproduce.measured_run import Blind, Kind, Reading, Run, Table, quantile_us
from drivecast.stage import simulate

NOT_NAMED = "model not named"
SEEK_MS = {5400: 12.0, 7200: 8.5, 10000: 4.7, 15000: 3.5}
"""Mean seek by speed. Assumed: usual for disks of 3.5 inch."""
CHUNK = "512KiB"
"""What mdadm sets where nobody says otherwise."""
ARRAY = re.compile(r"mdadm RAID(?P<level>[0156]|10) (?P<disks>[0-9]+) disks")
STEPS = 9
"""Halvings of the span: to 0.2 % of the disk."""
SECONDS = 30.0


def unnamed_drive(row: Depth, table: Path) -> str:
    """Return the disk of the class. Raises `InputError` where the table does not say which."""
    found = re.search(r"(?P<capacity>[0-9.]+[GT]B).*?\b(?P<rpm>[0-9.]+)k", row.device)
    rpm = round(float(found["rpm"]) * 1000) if found else 0
    if found is None or rpm not in SEEK_MS:
        speeds = ", ".join(f"{rpm / 1000:g}k" for rpm in SEEK_MS)
        raise InputError(
            f"{table}: device `{row.device}`: expected a capacity and a speed of {speeds}, such as `2TB 7.2k`"
        )
    capacity = found["capacity"]
    return (
        f"hdd(capacity={capacity}, rpm={rpm}, seek_mean={SEEK_MS[rpm]:g}ms, queue_depth=32, write_cache=on)"
    )


def unnamed_design(row: Depth, disk: str, controller: str | None) -> str:
    """Return the array that a row was measured on, or the disk alone."""
    member = disk if controller is None else f"raid0(1 * {disk}, controller={controller})"
    array = ARRAY.match(row.path)
    if array is None:
        return member
    return f"raid{array['level']}({array['disks']} * {member}, chunk={CHUNK}, controller=software)"


class Spans:
    """The share of its disks that the file of each set of rows lies on."""

    def __init__(self, rows: Sequence[Depth], catalog: Catalog) -> None:
        self._alone = {_set(row): row for row in rows if row.outstanding == 1}
        self._catalog = catalog
        self._found: dict[tuple[str, str, str], float] = {}

    def of(self, row: Depth, place: str) -> float | None:
        """Return the share; none where the whole device was used, or no row has one outstanding."""
        alone = self._alone.get(_set(row))
        if row.file_bytes is None or alone is None:
            return None
        if _set(row) not in self._found:
            self._found[_set(row)] = _span(alone, place, self._catalog)
        return self._found[_set(row)]


def _set(row: Depth) -> tuple[str, str, str]:
    return row.device, row.path, row.op


def _span(row: Depth, place: str, catalog: Catalog) -> float:
    """Halve the interval in which the simulated rate is the measured one; it falls with the span."""
    options = simulate.Options(duration_s=SECONDS, state="fresh")
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        load = f"random({row.block_bytes}B, read={1 if row.op == 'read' else 0}, span={middle:.4f})"
        outcome = simulate.simulate(place, simulate.workload(load), catalog, options)
        low, high = (middle, high) if outcome.iops > row.iops else (low, middle)
    return (low + high) / 2


LIGHT = 4
"""Outstanding, up to which neither drive nor path is the limit, but for writes."""


def _drive(title: str, path: Path, catalog: Catalog) -> str:
    """Return the drive that a table means; one that it does not name is of a class."""
    return title if NOT_NAMED in title else drive_titled(title, path, catalog)


def _runs(path: Path, catalog: Catalog, wanted: Wanted) -> Iterable[Run]:
    rows = depth_table.depths(path, wanted)
    spans = Spans(rows, catalog)
    return [_run(path, row, spans, catalog) for row in rows]


def _run(path: Path, row: Depth, spans: Spans, catalog: Catalog) -> Run:
    if NOT_NAMED in row.device:
        drive = unnamed_drive(row, path)
        design = unnamed_design(row, drive, depth_run.controller(row, catalog))
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
    _drive,
    Blind("SATA, sheet only: p99, p99.9", TAILS, rows=lambda run: run.light is True),
)
