"""A drive calibrated: its sheet, with what tables of its latency under load add.

How reads wait and how cleaning holds writes up are estimated in `ssd_tail`. The time of a program follows from the rate
of steady writes W by simulation, since it needs the write amplification: W falls as one over it, so two or three runs
find it. Flash that data can move in (`effective_gib`) follows from steady writes on less than the whole drive, where
there are such runs: with A(P/U) of Xiang and Kurkoski, W A is the same for all regions U at the right P.

Results of `drivecast bench` are taken as rows of latency under load and of steady writes, too (`load_rows`).
Represented: a point whose workload is a line `random(4KiB, …)`, on a drive that is full and in steady state. Reads and
writes at a rate (`bench replay 'random(4KiB, read=0.1, rate=50000iops)'`) are a load, writes alone without a rate a
steady run.
Left out: all other points; whether the drive was in steady state, which the result does not say.
"""

import csv
import math
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from drivecast.calibration import calibrated_file, load_table, ssd_tail
from drivecast.calibration.load_table import Load, Steady
from drivecast.catalog import Catalog
from drivecast.catalog.calibrated import Batch, Calibrated
from drivecast.catalog.figure import Figure
from drivecast.catalog.full_amplification import full_drive_amplification
from drivecast.catalog.latency_error import QUANTILES
from drivecast.catalog.sheet import SsdSheet
from drivecast.document import result
from drivecast.document.calibration import Calibration
from drivecast.document.outcome import Outcome
from drivecast.document.result import Point
from drivecast.errors import HintedError, InputError
from drivecast.files import read_text
from drivecast.stage import simulate

PAGES_PER_PROGRAM = 3
"""Of flash with three bits a cell, programmed in one shot. Assumed."""
PROGRAM_US = 1900.0
"""Where the search begins."""
DIE_BUFFER_MIB = 0.5
"""Buffer a die: a program and what waits behind it. Assumed."""
BATCH_BUFFER_SHARE = 0.375
"""Of that where batches show how little is taken besides. Assumed."""
TOLERANCE = 0.01
SPARE_MAX = 1.1
"""Of the flash that the sheet implies, the most that spare blocks of the dies may add. Assumed."""
PAGE_BYTES = 4096
LINE = re.compile(r"\s*random\(\s*4\s*KiB\s*((?:,[^,()]+)*)\)\s*")
RATE = re.compile(r"([0-9.]+)\s*iops")


@dataclass(frozen=True)
class Data:
    """What was measured of one drive, and where it is from."""

    loads: Sequence[Load]
    steady: Sequence[Steady]
    key: str

    @property
    def whole(self) -> Steady:
        """The run of uniform writes over the largest region."""
        uniform = _uniform(self.steady)
        if not uniform:
            raise HintedError(
                f"{self.key}: expected a steady run of uniform writes, found none",
                "give a table of steady writes, too",
            )
        return max(uniform, key=lambda run: run.region_gib)


def _uniform(steady: Sequence[Steady]) -> list[Steady]:
    return [run for run in steady if run.pattern == "uniform"]


def effective_gib(steady: Sequence[Steady], raw_gib: float) -> float | None:
    """Return the flash P at which W A(P/U) varies least over the regions U; none with fewer than three."""
    runs = _uniform(steady)
    if len({run.region_gib for run in runs}) < 3:
        return None

    def unevenness(flash: float) -> float:
        work = [math.log(run.writes_per_s * full_drive_amplification(flash / run.region_gib)) for run in runs]
        middle = sorted(work)[len(work) // 2]
        return sum(abs(value - middle) for value in work)

    steps = [raw_gib * (1 + (SPARE_MAX - 1) * step / 100) for step in range(101)]
    return min(steps, key=unevenness)


def calibrate(
    data: Data, raw_gib: float, buffer_mib: float, steady_rate: Callable[[Calibrated], float]
) -> Calibrated:
    """Return the table of a drive; `steady_rate` gives the steady writes a second of the drive with it.

    `buffer_mib` is that of a drive which does not clean in batches.

    Raises `NoAnswer` where the data cannot carry the fit.
    """
    rate = data.whole.writes_per_s
    waits = ssd_tail.reads(data.loads, rate)
    written = ssd_tail.writes(data.loads)
    held = ssd_tail.batches(data.loads)

    def measured(estimate: ssd_tail.Estimate) -> Figure[float]:
        value, low, high = (float(f"{v:.3g}") for v in (estimate.value, estimate.low, estimate.high))
        return Figure[float](value=value, low=low, high=high, measured=data.key)

    def plain(value: float) -> Figure[float]:
        return Figure[float](value=float(f"{value:.3g}"), measured=data.key)

    flash = effective_gib(data.steady, raw_gib)
    table = Calibrated(
        by=data.key,
        error="not judged yet",
        fitted_per_s=[],
        fitted_gib=sorted({run.region_gib for run in (_uniform(data.steady) if flash else [data.whole])}),
        lone_read_us=measured(waits.lone_us),
        read_type_spread_us=measured(waits.type_spread_us),
        suspend_wait_us=measured(waits.suspend_wait_us),
        pages_per_program=Figure[int](
            value=PAGES_PER_PROGRAM,
            assumed="flash with three bits a cell is programmed a word line at a time",
        ),
        program_us=plain(PROGRAM_US),
        write_us=plain(written.fixed_us),
        write_jitter_us=plain(written.jitter_us),
        buffer_mib=Figure[float](
            value=buffer_mib * (1 if held is None else BATCH_BUFFER_SHARE),
            assumed="a program and what waits behind it on every die",
        ),
        full=_full(data, waits),
        effective_gib=None if flash is None else plain(flash),
        batch=None
        if held is None
        else Batch(
            every_mb=plain(held.every_pages * PAGE_BYTES / 1e6),
            time_ms=plain(held.time_us / 1e3),
            slack_kb=plain(held.slack_pages * PAGE_BYTES / 1e3),
        ),
    )
    for _ in range(4):
        ours = steady_rate(table)
        if abs(ours / rate - 1) < TOLERANCE:
            break
        table = table.model_copy(update={"program_us": plain(table.program_us.value * ours / rate)})
    return table


def _full(data: Data, waits: ssd_tail.Reads) -> Figure[ssd_tail.Full]:
    if not ssd_tail.saturated(data.loads):
        return Figure[ssd_tail.Full](
            value="reads-first", assumed="no run was saturated; what most drives do below saturation"
        )
    return Figure[ssd_tail.Full](value=ssd_tail.when_full(data.loads, waits), measured=data.key)


def run(
    name: str,
    tables: Sequence[Path],
    catalog: Catalog,
    *,
    by: str,
    hold_out: Sequence[int],
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
) -> tuple[Calibration, str]:
    """Calibrate a drive of the catalog; the result, and the drive's file with it.

    Raises `InputError` for tables without the drive, `NoAnswer` where they cannot carry the fit.
    """
    drive = catalog.get(name)
    sheet = drive.sheet
    if not isinstance(sheet, SsdSheet):
        raise InputError(f"`{name}` is a disk: expected a solid-state drive")
    loads, steady = _of_drive(tables, name)
    judged = [row for row in loads if row.offered_per_s in hold_out]
    data = Data([row for row in loads if row.offered_per_s not in hold_out], steady, by)

    def on(table: Calibrated) -> Catalog:
        calibrated = replace(drive, sheet=sheet.model_copy(update={"calibrated": table}))
        return replace(catalog, drives={**catalog.drives, name: calibrated})

    def steady_rate(table: Calibrated) -> float:
        if progress is not None:
            progress(0.2, f"steady writes with programs of {table.program_us.value:g} us")
        options = simulate.Options(
            seed=seed, duration_s=load_table.SECONDS_STEADY, warmup_s=load_table.WARMUP_S
        )
        load = simulate.workload(f"random(4KiB, read=0, iodepth={load_table.WRITERS})")
        return simulate.simulate(name, load, on(table), options).write.iops

    dies = sheet.flash.channels.value * sheet.flash.dies_per_channel.value
    table = calibrate(data, sheet.capacity.raw_gib.value, dies * DIE_BUFFER_MIB, steady_rate)
    factors = []
    for at, row in enumerate(judged):
        if progress is not None:
            progress(0.6 + 0.4 * at / len(judged), f"held out: {row.offered_per_s:g} writes/s")
        options = simulate.Options(
            seed=seed, duration_s=load_table.SECONDS_LOAD, warmup_s=load_table.WARMUP_S
        )
        found = simulate.simulate(name, simulate.workload(row.line(drive.user_bytes)), on(table), options)
        for op, values in (("read", row.read_us), ("write", row.write_us)):
            ratios = [found.latency_of(op, key) / 1e3 / values[q] for q, key in QUANTILES.items()]
            factors += [max(ratio, 1 / ratio) for ratio in ratios]
    error = "no run was held out"
    if factors:
        error = (
            f"median {statistics.median(factors) - 1:.0%}, worst {max(factors):.3g} times, over "
            f"{len(factors)} quantiles of {len(judged)} run{'s' if len(judged) > 1 else ''} held out"
        )
    table = table.model_copy(
        update={"error": error, "fitted_per_s": sorted(int(row.offered_per_s) for row in data.loads)}
    )
    return calibrated_file.made(name, table), calibrated_file.with_table(drive, table, tables)


def _of_drive(tables: Sequence[Path], name: str) -> tuple[list[Load], list[Steady]]:
    """Read the tables, by their columns, and results of `bench`; keep the rows of a drive."""
    loads: list[Load] = []
    steady: list[Steady] = []
    for table in tables:
        text = read_text(table)
        head = next(csv.reader([text.partition("\n")[0]]), [])
        if text.lstrip().startswith("{"):
            more, runs = load_rows(table, name)
            loads, steady = loads + more, steady + runs
        elif "write_iops_last_third" in head:
            steady += load_table.steady(table)
        else:
            loads += load_table.loads(table)
    found = {row.drive for row in loads} | {run.drive for run in steady}
    loads = [row for row in loads if load_table.catalog_name(row.drive) == name]
    steady = [row for row in steady if load_table.catalog_name(row.drive) == name]
    if not loads:
        raise InputError(
            f"expected loads of `{name}` in the tables, found those of {', '.join(sorted(found))}"
        )
    return loads, steady


def load_rows(path: Path, drive: str) -> tuple[list[Load], list[Steady]]:
    """Return the points of a result as rows of a drive.

    Raises `InputError` for a file that is no result, or one without such points.
    """
    loads: list[Load] = []
    steady: list[Steady] = []
    for at, point in enumerate(result.read(path).points):
        options = _options(point)
        if options is None or point.outcome is None:
            continue
        region_gib = (point.span_bytes or 0) / (1 << 30)
        rate = RATE.fullmatch(options.get("rate", ""))
        if rate is None and not point.outcome.read.requests:
            steady.append(Steady(drive, region_gib, "uniform", "", float(point.outcome.write.iops)))
        elif rate is not None and point.outcome.read.requests and point.outcome.write.requests:
            share, where = float(options.get("read", "1")), f"{path}, point {at + 1}"
            loads.append(_load(drive, region_gib, float(rate[1]), share, point.outcome, where, options))
    if not loads and not steady:
        raise InputError(
            f"{path}: expected points of `random(4KiB, read=…, rate=…iops)`, or of writes alone; found none"
        )
    return loads, steady


def _options(point: Point) -> dict[str, str] | None:
    """Return the options of a line of random 4 KiB requests; none for any other workload."""
    found = LINE.fullmatch(point.workload or "")
    if found is None:
        return None
    parts = (part.partition("=") for part in found[1].split(",")[1:])
    return {key.strip(): value.strip() for key, _, value in parts}


def _load(
    drive: str,
    region_gib: float,
    rate: float,
    share: float,
    outcome: Outcome,
    where: str,
    options: dict[str, str],
) -> Load:
    return Load(
        drive,
        region_gib,
        "uniform",
        rate * (1 - share),
        float(outcome.read.iops),
        float(outcome.write.iops),
        _quantiles(outcome, "read", where),
        _quantiles(outcome, "write", where),
        offered_reads_per_s=rate * share,
        arrivals=options.get("arrivals", "poisson"),
    )


def _quantiles(outcome: Outcome, op: str, where: str) -> dict[str, float]:
    found = {name: outcome.latency(op, f"q{share:g}") for name, share in load_table.QUANTILES.items()}
    missing = [name for name, value in found.items() if value is None]
    if missing:
        raise InputError(
            f"{where}: expected the {', '.join(missing)} of {op}s, found none: measure for longer"
        )
    return {name: value / 1e3 for name, value in found.items() if value is not None}
