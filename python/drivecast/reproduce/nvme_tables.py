"""NVMe drives under load, in steady writes, and by threads: three of the tables.

Represented: `nvme-latency-under-load.csv`, requests of 4 KiB at fixed intervals, 5,000 reads a second and the writes
offered, uniform over the region, on a drive that is full and in steady state; `nvme-steady-writes.csv`, writes alone;
`nvme-by-threads.csv`, rates by threads, depth and size of requests (`calibration.thread_table`). Left out: zones of
more than two rates, which no workload line describes.

A drive does as much by one engine as by another. Where the same load did much more by another engine, the host was
the limit (threads wait for the lock of the file): such a row is shown, and not judged.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from drivecast.calibration import load_table, thread_calibrate
from drivecast.calibration.drive_title import drive_named, drive_titled
from drivecast.calibration.load_table import Load, Steady, Wanted
from drivecast.calibration.thread_table import host_bound, read
from drivecast.catalog import Catalog, latency_error
from drivecast.catalog.calibrated import Calibrated
from drivecast.document.outcome import Outcome
from drivecast.reproduce.measured_run import Blind, Kind, Reading, Run, Table, quantile_us

STREAMS_FITTED = {
    ("samsung-pm9a3-960gb", details)
    for details in ("0.400000", "0.800000", "s0.2 f0 s0.8 f1", "s0.8 f0 s0.2 f1")
}
"""The skewed and static writes that chose the streams of `nand.toml`."""
WRITES_PER_S = "steady writes a second"
CARRIED = "IOPS carried"
"""Of a load that is more than the drive serves."""
QUANTILES = [f"{op} {name}" for op in ("read", "write") for name in latency_error.QUANTILES]


def _under_load(path: Path, catalog: Catalog, wanted: Wanted) -> Iterable[Run]:
    rows = load_table.loads(path, wanted)
    most = _most_carried(path, rows)
    return [_load(path, row, catalog, most.get(row.drive)) for row in rows]


def _most_carried(path: Path, rows: Sequence[Load]) -> dict[str, float]:
    """Return what each drive was measured to carry: of too much, or else of steady writes beside these rows."""
    most = {
        row.drive: row.reads_per_s + row.writes_per_s
        for row in rows
        if row.reads_per_s + row.writes_per_s < load_table.BELOW_SATURATION * row.offered_in_all_per_s
    }
    beside = path.with_name(WRITES.file)
    for each in load_table.steady(beside) if beside.exists() else ():
        if each.pattern == "uniform":
            most.setdefault(each.drive, each.writes_per_s)
    return most


def _load(path: Path, row: Load, catalog: Catalog, most: float | None) -> Run:
    drive = drive_named(row.drive, path, catalog)
    measured = {"read": row.read_us, "write": row.write_us}
    offered, carried = row.offered_in_all_per_s, row.reads_per_s + row.writes_per_s
    rate: list[Reading] = [(CARRIED, carried, lambda outcome: outcome.iops)]
    return Run(
        source=path.name,
        drive=drive,
        workload=row.line(catalog.get(drive).user_bytes),
        seconds=load_table.SECONDS_LOAD,
        fitted=_was_fitted(row, catalog.get(drive).calibrated),
        figures=[
            (f"{op} {name}", values[name], quantile_us(op, key))
            for op, values in measured.items()
            for name, key in latency_error.QUANTILES.items()
        ]
        + (rate if carried < load_table.BELOW_SATURATION * offered else []),
        offered_per_s=offered,
        load=None if most is None else offered / most,
    )


def _was_fitted(row: Load, table: Calibrated | None) -> bool:
    return (
        table is not None and row.offered_per_s in table.fitted_per_s and row.region_gib in table.fitted_gib
    )


def _steady(path: Path, catalog: Catalog, wanted: Wanted) -> Iterable[Run]:
    for row in load_table.steady(path, wanted):
        drive = drive_named(row.drive, path, catalog)
        if (line := _line(row, catalog.get(drive).user_bytes)) is not None:
            yield Run(
                source=path.name,
                drive=drive,
                workload=line,
                seconds=load_table.SECONDS_STEADY,
                fitted=_steady_was_fitted(row, drive, catalog.get(drive).calibrated),
                figures=[(WRITES_PER_S, row.writes_per_s, _writes_per_s)],
            )


def _steady_was_fitted(row: Steady, drive: str, table: Calibrated | None) -> bool:
    if row.pattern == "uniform":
        return table is not None and row.region_gib in table.fitted_gib
    return (drive, row.details) in STREAMS_FITTED


def _writes_per_s(outcome: Outcome) -> float:
    return outcome.write.iops


def _line(run: Steady, user_bytes: float) -> str | None:
    """Return the workload of a steady run; none for a pattern that no line describes."""
    span = load_table.span(run.region_gib, user_bytes)
    if run.pattern == "uniform":
        return f"random(4KiB, read=0, iodepth={load_table.WRITERS}{span})"
    if run.pattern == "zipf":
        return f"zipf(4KiB, theta={float(run.details):g}, read=0, iodepth={load_table.WRITERS}{span})"
    zones = dict(zip(*[iter(run.details.replace("s", "").replace("f", "").split())] * 2, strict=True))
    written = [size for size, share in zones.items() if float(share) == 1]
    if run.pattern != "zones" or len(written) != 1:
        return None
    return f"hotcold(4KiB, hot={written[0]}, share=1, read=0, iodepth={load_table.WRITERS}{span})"


FULL = f"random(4KiB, read=0, iodepth={load_table.WRITERS})"
"""Steady writes over the whole drive."""
TAILS = [name for name in QUANTILES if "p50" not in name]
LATENCY = Table(
    "nvme-latency-under-load.csv",
    [Kind("latency", QUANTILES, 0.25, 3.0)],
    _under_load,
    drive_named,
    Blind("sheet only: p99, p99.9", TAILS, (0.75, 0.9), 8.0),
)
WRITES = Table(
    "nvme-steady-writes.csv",
    [Kind("steady writes", [WRITES_PER_S], 0.08, 1.25)],
    _steady,
    drive_named,
    Blind("sheet only: steady writes", [WRITES_PER_S], rows=lambda run: run.workload == FULL),
)


THREADS_IOPS = "IOPS by threads"
THREADS_HOST_IOPS = "IOPS by threads, limited by the host"
THREADS_SECONDS = 1.0


def _threads_runs(path: Path, catalog: Catalog, wanted: Wanted) -> Iterable[Run]:
    """Return a run for each line, since many rows differ in nothing that the drive sees."""
    rows = read(path, catalog, wanted)
    alike: dict[tuple[str, str, bool], list[Reading]] = defaultdict(list)
    for row, bound in zip(rows, host_bound(rows), strict=True):
        key = (row.load.drive, row.load.line(catalog), thread_calibrate.was_fitted(row, catalog))
        alike[key].append((THREADS_HOST_IOPS if bound else THREADS_IOPS, row.iops, row.ours))
    return [
        Run(
            source=path.name,
            drive=drive,
            workload=line,
            seconds=THREADS_SECONDS,
            fitted=fitted,
            figures=figures,
        )
        for (drive, line, fitted), figures in alike.items()
    ]


THREADS = Table(
    "nvme-by-threads.csv", [Kind(THREADS_IOPS, [THREADS_IOPS], 0.10)], _threads_runs, drive_titled
)
