"""A drive calibrated to runs by queue depth and processes: the figures, what they leave open, and the error.

`depth_fit` has the model. A figure that the runs do not determine stays as the drive's file assumes it, or is that of
its sheet and its generation. Runs that are not fitted judge: each is simulated, and the medians of their errors are
stated.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from drivecast.calibration import calibrated_file, depth_fit, depth_run, depth_table
from drivecast.calibration.depth_fit import Fitted
from drivecast.calibration.depth_table import Depth
from drivecast.calibration.drive_title import drive_titled
from drivecast.catalog import Catalog
from drivecast.catalog.calibrated import PAGE_BYTES, Batch, Calibrated
from drivecast.catalog.controller import MB
from drivecast.catalog.drive import Drive
from drivecast.catalog.figure import Figure, correction
from drivecast.catalog.sheet import Nand, SsdSheet
from drivecast.document.calibration import Calibration
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError, InputError
from drivecast.thread import over_cores

NOT_NAMED = "model not named"
OFF = 1.25
"""Times by which the calibrated drive may miss the rate of a run it was fitted to."""
Progress = Callable[[float, str], None] | None


@dataclass
class _Bench:
    """A drive with what has been found of it so far."""

    drive: Drive
    sheet: SsdSheet
    nand: Nand
    catalog: Catalog
    by: str
    seed: int
    table: Calibrated
    unknown: list[str]

    def catalog_with(self, table: Calibrated) -> Catalog:
        """Return the catalog with the drive so calibrated."""
        calibrated = replace(self.drive, sheet=self.sheet.model_copy(update={"calibrated": table}))
        return replace(self.catalog, drives={**self.catalog.drives, self.drive.name: calibrated})

    def play(self, row: Depth, **changed: object) -> Outcome:
        """Simulate a row, with some figures changed."""
        table = self.table.model_copy(update=changed)
        return depth_run.play(row, self.drive.name, self.catalog_with(table), self.seed)

    def measured(self, value: float) -> Figure[float]:
        """Return what the runs determine, in four digits."""
        return Figure[float](value=float(f"{value:.4g}"), measured=self.by)

    def found(self, **figures: object) -> None:
        """Note figures."""
        self.table = self.table.model_copy(update=figures)

    def path_per_s(self, row: Depth) -> float:
        """Return the requests a second that the path, or the drive's link, carries."""
        name = depth_run.controller(row, self.catalog)
        port = None if name is None else self.catalog.controller(name)
        link = self.drive.interface.bytes_per_s
        if port is not None and port.port_mb_s is not None:
            link = min(link, port.port_mb_s.value * MB)
        command = None if port is None else port.port_read_us if row.op == "read" else port.port_write_us
        return 1 / (row.block_bytes / link + (0 if command is None else command.value / 1e6))


def run(
    name: str,
    tables: Sequence[Path],
    catalog: Catalog,
    *,
    by: str,
    fit: Sequence[str] = (),
    seed: int = 0,
    progress: Progress = None,
) -> tuple[Calibration, str]:
    """Calibrate a drive of the catalog to the runs that `fit` names; the result, and the drive's file with it.

    `fit` are patterns such as `ibm-m1015 randread 1x*`; without, the runs with a depth of 1 on the first path.

    Raises `InputError` for tables without the drive, and where they cannot carry the fit.
    """
    drive = catalog.get(name)
    sheet, nand = drive.sheet, drive.nand
    if not isinstance(sheet, SsdSheet) or nand is None:
        raise InputError(f"`{name}` is a disk: expected a solid-state drive")
    rows = _of_drive(tables, name, catalog)
    fitted = _chosen(rows, fit, catalog)
    bench = _Bench(drive, sheet, nand, catalog, by, seed, calibrated_file.start(drive, sheet, nand, by), [])
    if progress is not None:
        progress(0.1, f"fitting {len(fitted)} runs")
    reads = Fitted([row for row in fitted if row.op == "read"])
    writes = [row for row in fitted if row.op == "write"]
    _reads(bench, reads)
    _writes(bench, Fitted([row for row in writes if not depth_run.written_through(row)]))
    _programs(bench, Fitted([row for row in writes if depth_run.written_through(row)]))
    _check(bench, fitted)
    names = list(dict.fromkeys(depth_run.name(row, catalog) for row in fitted))
    bench.found(fitted_runs=names)
    judged = [row for row in rows if not depth_run.was_fitted(row, name, names, catalog)]
    bench.found(error=_error(bench, judged, progress))
    made = calibrated_file.made(name, bench.table, bench.unknown)
    return made, calibrated_file.with_table(drive, bench.table, tables)


def _of_drive(tables: Sequence[Path], name: str, catalog: Catalog) -> list[Depth]:
    rows = [(row, table) for table in tables for row in depth_table.depths(table)]
    named = [(row, table) for row, table in rows if NOT_NAMED not in row.device]
    found = [(row, drive_titled(row.device, table, catalog)) for row, table in named]
    own = [row for row, drive in found if drive == name]
    if not own:
        others = ", ".join(sorted({drive for _, drive in found})) or "none of the catalog"
        raise InputError(f"{tables[0]}: expected runs of `{name}`, found those of {others}")
    return own


def _chosen(rows: Sequence[Depth], fit: Sequence[str], catalog: Catalog) -> list[Depth]:
    """Return the rows to fit to. Raises `InputError` for a pattern that no run has."""
    names = [depth_run.name(row, catalog) for row in rows]
    patterns = fit or [f"{names[0].partition(' ')[0]} rand* 1x*"]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            hint = correction(pattern, names)
            raise HintedError(f"{rows[0].place}: expected a run `{pattern}` of the drive, found none", hint)
    found = {
        at: row
        for pattern in patterns
        for at, (row, name) in enumerate(zip(rows, names, strict=True))
        if fnmatchcase(name, pattern)
    }
    return list(found.values())


def _reads(bench: _Bench, runs: Fitted) -> None:
    """Find the lone read, the types of page, the rate, the dies. Raises `InputError` without a lone read."""
    lone = runs.lone
    if not lone:
        fewest = min((f"{row.outstanding} outstanding" for row in runs.rows), default="no read")
        raise HintedError(
            f"`{bench.drive.name}`: expected a run of reads with at most {depth_fit.LONE_MAX} outstanding among "
            f"those to fit to, found {fewest}",
            "its time cannot be separated from waiting; `--fit` names the runs",
        )
    spread = depth_fit.type_spread_us(lone, bench.drive.cell_bits)
    if spread is not None:
        bench.found(read_type_spread_us=bench.measured(spread))
    _rate(bench, runs, "reads_per_s")
    _lone(bench, lone, "lone_read_us")
    _dies(bench, runs, lone)


def _writes(bench: _Bench, runs: Fitted) -> None:
    if runs.lone:
        _lone(bench, runs.lone, "write_us")
    full = runs.full(bench.sheet.performance.queue_depth.value)
    batch, row_pages = (
        bench.table.batch,
        bench.nand.page_kib.value * bench.nand.planes.value * 1024 // PAGE_BYTES,
    )
    known = None if batch is None or batch.slack_kb is None else _pages(batch)
    pages = depth_fit.batch_pages(runs.rows, row_pages) or known
    if pages is None or not full:
        bench.found(batch=None if pages is None else batch)
        _rate(bench, runs, "writes_per_s")
        return
    time_ms = pages / depth_fit.mean([row.iops for row in full]) * 1e3
    bench.found(batch=_batch(bench, pages, known, time_ms))


def _pages(batch: Batch) -> int:
    return round((batch.every_mb.value * 1e6 + batch.slack_kb.value * 1e3) / PAGE_BYTES)


def _batch(bench: _Bench, pages: int, known: int | None, time_ms: float) -> Batch:
    """Return a batch behind each batch, of so many pages each; the rest as the file has it, where it agrees."""
    time = bench.measured(time_ms)
    before = bench.table.batch
    if before is not None and pages == known:
        return before.model_copy(update={"time_ms": time})
    slack_kb = (pages - 1) * PAGE_BYTES / 1e3
    return Batch(
        every_mb=Figure[float](
            value=PAGE_BYTES / 1e6, assumed="one follows the other: each begins with a page"
        ),
        time_ms=time,
        slack_kb=Figure[float](
            value=slack_kb, fitted="rate times p99 of writes held up, in rows of flash pages"
        ),
        without_reads=Figure[bool](value=True, assumed="the runs are of writes alone"),
    )


def _programs(bench: _Bench, runs: Fitted) -> None:
    """Find the time of a program, where writes end in flash."""
    if runs.lone:
        _lone(bench, runs.lone, "program_us")
    elif bench.table.program_us.assumed is not None:
        bench.unknown.append("program_us: writes end in the buffer; a run with the write cache off has it")


def _lone(bench: _Bench, rows: Sequence[Depth], name: str) -> None:
    """Add to a time what the simulated drive lacks of the measured mean. Raises `InputError` where none is left."""
    before = getattr(bench.table, name).value
    missing = [row.mean_us - row.outstanding / bench.play(row).iops * 1e6 for row in rows]
    after = before + statistics.fmean(missing)
    if after <= 0:
        raise HintedError(
            f"{rows[0].place}: {name}: the path alone takes longer than the {rows[0].mean_us:g} us measured",
            "is the path the one that it was measured on?",
        )
    bench.found(**{name: bench.measured(after)})


def _rate(bench: _Bench, runs: Fitted, name: str) -> None:
    """Find the rate at a full queue, unless the path is the limit."""
    queue = bench.sheet.performance.queue_depth.value
    rows = runs.full(queue)
    what = name.replace("_", " ").replace("per s", "a second")
    if not rows:
        bench.unknown.append(f"{name}: no run to fit to has {queue} or more outstanding")
        return
    most = max(rows, key=lambda row: row.iops)
    carried = bench.path_per_s(most)
    if most.iops >= depth_fit.PATH_LIMIT * carried:
        bench.unknown.append(
            f"{name}: the path carries {carried:,.0f} {what}, the drive does {most.iops:,.0f}: it takes at least that"
        )
        return
    bench.found(**{name: bench.measured(depth_fit.mean([row.iops for row in rows]))})


def _dies(bench: _Bench, runs: Fitted, lone: Sequence[Depth]) -> None:
    """Find the dies that read at a time, and for how long, where runs between a lone read and a full queue say."""
    queue = bench.sheet.performance.queue_depth.value
    rows = [row for row in runs.between(queue) if row not in lone]
    flash, typical = bench.sheet.flash, bench.nand.read_us.typical
    sheet = flash.channels.value * flash.dies_per_channel.value
    if len(rows) < 2:
        bench.unknown.append(
            f"parallel_units, read_us: fewer than two runs to fit to have 3 to {queue // 2} reads outstanding"
        )
        return

    def play(units: int, read_us: float, row: Depth) -> Outcome:
        return bench.play(row, parallel_units=bench_count(units), read_us=bench.measured(read_us))

    def bench_count(units: int) -> Figure[int]:
        return Figure[int](value=units, measured=bench.by)

    found = depth_fit.dies(rows, sheet, typical, play)
    if found.units_low <= sheet <= found.units_high:
        bench.unknown.append(
            f"parallel_units: {found.units_low} to {found.units_high} agree with the runs, the sheet's {sheet} too"
        )
    else:
        count = Figure[int](value=found.units, low=found.units_low, high=found.units_high, measured=bench.by)
        bench.found(parallel_units=count)
    if found.read_us_low <= typical <= found.read_us_high:
        bench.unknown.append(
            f"read_us: {found.read_us_low:.3g} to {found.read_us_high:.3g} agree with the runs, the generation's "
            f"{typical:g} too"
        )
    else:
        time = bench.measured(found.read_us).model_copy(
            update={"low": found.read_us_low, "high": found.read_us_high}
        )
        bench.found(read_us=time)


def _check(bench: _Bench, rows: Sequence[Depth]) -> None:
    """Raise `InputError` where the calibrated drive misses a run that it was fitted to."""
    for row in rows:
        ratio = bench.play(row).iops / row.iops
        if not 1 / OFF <= ratio <= OFF:
            raise HintedError(
                f"{row.place}: {row.name}: the data cannot carry the fit: calibrated, the drive does {ratio:.2g} times "
                f"the {row.iops:g} a second measured",
                "leave the run out with `--fit`, or look at the sheet's flash, channels and dies",
            )


def _error(bench: _Bench, rows: Sequence[Depth], progress: Progress) -> str:
    """Return how far the drive is off the runs that were held out, in words."""
    if not rows:
        return "no run was held out"
    known = bench.catalog_with(bench.table)

    def off(row: Depth) -> tuple[float, float]:
        outcome = depth_run.play(row, bench.drive.name, known, bench.seed)
        tail = outcome.latency_of(row.op, "q0.99") / 1e3 / row.latency_us["p99"]
        rate = outcome.iops / row.iops
        return max(rate, 1 / rate), max(tail, 1 / tail)

    def done(share: float, row: Depth) -> None:
        if progress is not None:
            progress(0.3 + 0.7 * share, f"held out: {row.name}")

    rates, tails = zip(*over_cores(off, rows, done), strict=True)
    return (
        f"median {statistics.median(rates) - 1:.0%} of the rate and {statistics.median(tails) - 1:.0%} of p99, "
        f"worst {max(*rates, *tails):.3g} times, over {len(rows)} run{'s' if len(rows) > 1 else ''} held out"
    )
