"""What rates by threads say: a drive's time for each command, and what a thread submits.

Model. With more outstanding than a drive takes, reads alone and writes alone of 4 KiB do 1/c a second: c is the
controller's time for a command, or that of the program rate where the drive's file has one of its own. A thread alone
submits n a second to a drive which does more by several: that is the host's.

Rates without latencies determine nothing else: neither overheads nor flash, dies or waits. Rows by other numbers of
threads, depths, sizes and engines, and all mixes, judge.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from drivecast.calibration import calibrated_file
from drivecast.calibration.thread_table import DEPTH, Row, host_bound, read
from drivecast.catalog import Catalog
from drivecast.catalog.family import with_table
from drivecast.catalog.figure import Figure
from drivecast.catalog.sheet import SsdSheet
from drivecast.document.calibration import Calibration
from drivecast.document.catalog import Provenance
from drivecast.errors import HintedError, InputError
from drivecast.files import read_text
from drivecast.stage import simulate

THREAD_DRIVE = "intel-optane-p5800x-800gb"
"""The drive whose rows of one thread are what a thread submits: it does more by several."""
FITTED_THREADS, FITTED_ENGINE, FITTED_BYTES = 32, "libaio", 4096
"""Reads alone and writes alone of this kind give what a drive's controller takes; all others judge."""
FITTED_CHANNEL_BYTES = 65_536
"""Reads alone of this size gave what the channels of the drive above carry (`nand.toml`)."""
SECONDS, WARMUP_S = 0.5, 0.1
UNKNOWN = "rates without latencies do not determine it"
HEAD = """# Requests of 4 KiB a second that a thread submits, by engine: rows of one thread on a drive that does more by
# several (Intel Optane P5800X, nvme-by-threads.csv). Written by `scripts/calibrated.py`.
"""


def was_fitted(row: Row, catalog: Catalog) -> bool:
    """Whether a row was used for its drive, or for the host."""
    load = row.load
    if load.write_share not in {0, 1} or load.pattern != "random":
        return False
    if load.block_bytes == FITTED_CHANNEL_BYTES:
        return load.write_share == 0 and load.drive == THREAD_DRIVE
    return _for_host(row) or (_for_drive(row) and _is_fitted(catalog, load.drive))


def _for_host(row: Row) -> bool:
    load = row.load
    return load.threads == 1 and load.drive == THREAD_DRIVE and load.block_bytes == FITTED_BYTES


def _for_drive(row: Row) -> bool:
    load = row.load
    kind = (load.threads, load.depth, row.engine, load.block_bytes, load.pattern)
    return load.write_share in {0, 1} and kind == (
        FITTED_THREADS,
        DEPTH,
        FITTED_ENGINE,
        FITTED_BYTES,
        "random",
    )


def _is_fitted(catalog: Catalog, name: str) -> bool:
    sheet = catalog.get(name).sheet
    command = sheet.fitted.read_command_ns if isinstance(sheet, SsdSheet) else None
    return command is not None and command.provenance is Provenance.MEASURED


def host_toml(table: Path, catalog: Catalog) -> str:
    """Return `thread_rates.toml`, from the rows of one thread. Raises `InputError` without them."""
    rows = [row for row in read(table, catalog) if _for_host(row) and row.load.pattern == "random"]
    lines = [HEAD]
    for engine in dict.fromkeys(row.engine for row in rows):
        lines += [f"[engines.{engine}]"]
        for name, share in (("reads", 0), ("writes", 1)):
            rate = _rate([row for row in rows if row.engine == engine], share, table, "1 thread")
            lines.append(f"{name}_per_s = {rate:.0f}")
        lines.append("")
    if not rows:
        raise InputError(f"{table}: expected rows of one thread on `{THREAD_DRIVE}`, found none")
    return "\n".join(lines)


def _rate(rows: Sequence[Row], write_share: float, table: Path, threads: str) -> float:
    found = [row.iops for row in rows if row.load.write_share == write_share]
    if not found:
        what = "writes" if write_share else "reads"
        raise HintedError(
            f"{table}: expected {what} alone of 4 KiB at random by {threads}, found none",
            "all other rows judge, or say nothing of the drive's commands",
        )
    return statistics.fmean(found)


def run(
    name: str,
    tables: Sequence[Path],
    catalog: Catalog,
    *,
    by: str,
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
) -> tuple[Calibration, str]:
    """Find what a drive's commands take; the result, and the drive's file with it.

    Raises `InputError` for tables without the drive, and where they have no row that determines it.
    """
    drive = catalog.get(name)
    sheet = drive.sheet
    if not isinstance(sheet, SsdSheet):
        raise InputError(f"`{name}` is a disk: expected a solid-state drive")
    every = [row for table in tables for row in read(table, catalog)]
    rows = [row for row in every if row.load.drive == name]
    if not rows:
        others = ", ".join(sorted({row.load.drive for row in every})) or "none of the catalog"
        raise InputError(f"{tables[0]}: expected rows of `{name}`, found those of {others}")
    fitted = [row for row in rows if _for_drive(row)]
    threads = f"{FITTED_THREADS} threads of {DEPTH} by {FITTED_ENGINE}"
    reads, writes = (_rate(fitted, share, tables[0], threads) for share in (0, 1))
    figures = {"read_command_ns": round(1e9 / reads)}
    if sheet.fitted.program_mb_s is None:
        figures["write_command_ns"] = round(1e9 / writes)
    else:
        figures["program_mb_s"] = round(writes * FITTED_BYTES / 1e6)
    made = _table(sheet, figures, by)
    text = with_table(read_text(drive.file), drive.row, f"{made}\n", "fitted")
    text = calibrated_file.with_source(text, by, tables)
    error = _error(rows, figures, name, catalog, seed, progress)
    unknown = [f"{figure}: {UNKNOWN}" for figure in ("read_overhead_ns", "write_overhead_ns", "read_ns")]
    if "program_mb_s" in figures:
        unknown.append("write_command_ns: programs are slower; any time below theirs gives the same rates")
    return Calibration(drive=name, error=error, table=made.rstrip("\n"), undetermined=unknown), text


def _table(sheet: SsdSheet, figures: dict[str, int], by: str) -> str:
    """Return the drive's table `[fitted]` with these figures in it."""
    known = {name: calibrated_file.figure(figure) for name, figure in sheet.fitted if figure is not None}
    known |= {name: f'{{ value = {value}, measured = "{by}" }}' for name, value in figures.items()}
    return "\n".join(["[fitted]", *(f"{name} = {figure}" for name, figure in known.items()), ""])


def _error(
    rows: Sequence[Row],
    figures: dict[str, int],
    name: str,
    catalog: Catalog,
    seed: int,
    progress: Callable[[float, str], None] | None,
) -> str:
    """Return how far the drive so fitted is off the rows of other kinds that a host does not limit, in words."""
    known = _fitted_catalog(catalog, name, figures)
    judged = [
        row
        for row, bound in zip(rows, host_bound(rows), strict=True)
        if not (bound or _for_drive(row) or _for_host(row))
    ]
    outcomes = {}
    for at, line in enumerate(dict.fromkeys(row.load.line(catalog) for row in judged)):
        if progress is not None:
            progress(at / len(judged), f"held out: {line}")
        options = simulate.Options(seed=seed, duration_s=SECONDS, warmup_s=WARMUP_S)
        outcomes[line] = simulate.simulate(name, simulate.workload(line), known, options)
    if not judged:
        return "no run was held out"
    ratios = [row.ours(outcomes[row.load.line(catalog)]) / row.iops for row in judged]
    factors = [max(ratio, 1 / ratio) for ratio in ratios]
    return (
        f"median {statistics.median(factors) - 1:.0%} of the rate, worst {max(factors):.3g} times, over "
        f"{len(factors)} row{'s' if len(factors) > 1 else ''} held out"
    )


def _fitted_catalog(catalog: Catalog, name: str, figures: dict[str, int]) -> Catalog:
    drive = catalog.get(name)
    sheet = drive.sheet
    if not isinstance(sheet, SsdSheet):
        return catalog
    found = {
        key: Figure[float](value=float(value), fitted="rows by threads") for key, value in figures.items()
    }
    changed = sheet.model_copy(update={"fitted": sheet.fitted.model_copy(update=found)})
    return replace(catalog, drives={**catalog.drives, name: replace(drive, sheet=changed)})
