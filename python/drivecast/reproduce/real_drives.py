"""Real drives under load, simulated as they were measured.

Represented: `nvme-latency-under-load.csv`, requests of 4 KiB at fixed intervals, 5,000 reads a second and the writes
offered, uniform over the region, on a drive that is full and in steady state; `nvme-steady-writes.csv`, writes alone.
Left out: the SATA, thread and ACT tables.
"""

import math
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from drivecast import __version__
from drivecast.calibration import load_table
from drivecast.calibration.load_table import Load, Steady
from drivecast.catalog import Catalog
from drivecast.catalog.figure import correction
from drivecast.document.measured_drives import Agreement, MeasuredDrives, MeasuredFigure
from drivecast.document.outcome import Outcome
from drivecast.errors import InputError
from drivecast.stage import simulate

SECONDS = 4.0
WARMUP_S = 0.5
WRITERS = 512
"""Outstanding writes of a steady run: four threads of 128. Assumed."""
LATENCY, WRITES = "nvme-latency-under-load.csv", "nvme-steady-writes.csv"
QUANTILES = {"p50": "q0.5", "p99": "q0.99", "p999": "q0.999"}
INTERVAL = (0.1, 0.9)
GOALS = {"latency": (0.25, 3.0), "steady writes": (0.08, 1.25)}
"""Median error and worst factor that count as reproduced."""

Progress = Callable[[float, str], None] | None


@dataclass(frozen=True)
class _Run:
    """A workload on a drive, and what is read off the outcome: quantity, measured, how to find ours."""

    source: str
    drive: str
    workload: str
    seconds: float
    fitted: bool
    figures: Sequence[tuple[str, float, Callable[[Outcome], float]]]


def run(folder: Path, catalog: Catalog, *, seed: int = 0, progress: Progress = None) -> MeasuredDrives:
    """Simulate every row of the tables in `folder`. Raises `InputError` for a table that cannot be read."""
    runs = list(_runs(folder, catalog))
    done = 0

    def play(each: _Run) -> list[MeasuredFigure]:
        nonlocal done
        options = simulate.Options(seed=seed, duration_s=each.seconds, warmup_s=WARMUP_S)
        outcome = simulate.simulate(each.drive, simulate.workload(each.workload), catalog, options)
        done += 1
        if progress is not None:
            progress(done / len(runs), f"{each.drive}: {each.workload}")
        calibrated = _is_calibrated(catalog, each.drive)
        return [
            _figure(each, name, measured, ours(outcome), calibrated) for name, measured, ours in each.figures
        ]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        figures = [figure for found in pool.map(play, runs) for figure in found]
    figures = [with_interval(figure, figures) for figure in figures]
    summary = [each for kind in GOALS if (each := agreement(kind, figures)) is not None]
    return MeasuredDrives(
        version=__version__,
        seed=seed,
        figures=figures,
        summary=summary,
        passed=all(each.passed for each in summary),
    )


def _figure(each: _Run, name: str, measured: float, predicted: float, calibrated: bool) -> MeasuredFigure:
    return MeasuredFigure(
        source=each.source,
        drive=each.drive,
        workload=each.workload,
        quantity=name,
        measured=measured,
        predicted=predicted,
        low=None,
        high=None,
        ratio=predicted / measured,
        calibrated=calibrated,
        fitted=calibrated and each.fitted,
    )


def _runs(folder: Path, catalog: Catalog) -> Iterable[_Run]:
    tables = [folder / name for name in (LATENCY, WRITES)]
    if not any(table.exists() for table in tables):
        raise InputError(
            f"{folder}: expected {LATENCY} or {WRITES}, found neither\nhint: `--data DIR` names their folder"
        )
    if tables[0].exists():
        for row in load_table.loads(tables[0]):
            yield _under_load(row, _drive(row.drive, tables[0], catalog), catalog)
    if tables[1].exists():
        for run in load_table.steady(tables[1]):
            if (line := _line(run, catalog, name := _drive(run.drive, tables[1], catalog))) is not None:
                fitted = run.pattern == "uniform"
                figures = [("steady writes a second", run.writes_per_s, _writes_per_s)]
                yield _Run(WRITES, name, line, SECONDS / 2, fitted, figures)


def _under_load(row: Load, drive: str, catalog: Catalog) -> _Run:
    line = row.line(catalog.get(drive).user_bytes)
    measured = {"read": row.read_us, "write": row.write_us}
    figures = [
        (f"{op} {name}", values[name], _quantile(op, key))
        for op, values in measured.items()
        for name, key in QUANTILES.items()
    ]
    return _Run(LATENCY, drive, line, SECONDS, _was_fitted(catalog, drive, row.offered_per_s), figures)


def _quantile(op: str, key: str) -> Callable[[Outcome], float]:
    return lambda outcome: outcome.latency_of(op, key) / 1e3


def _writes_per_s(outcome: Outcome) -> float:
    return outcome.write.iops


def _line(run: Steady, catalog: Catalog, drive: str) -> str | None:
    """Return the workload of a steady run; none for a pattern that no line describes."""
    span = load_table.span(run.region_gib, catalog.get(drive).user_bytes)
    if run.pattern == "uniform":
        return f"random(4KiB, read=0, iodepth={WRITERS}{span})"
    if run.pattern == "zipf":
        return f"zipf(4KiB, theta={float(run.details):g}, read=0, iodepth={WRITERS}{span})"
    zones = dict(zip(*[iter(run.details.replace("s", "").replace("f", "").split())] * 2, strict=True))
    written = [size for size, share in zones.items() if float(share) == 1]
    if run.pattern != "zones" or len(written) != 1:
        return None
    return f"hotcold(4KiB, hot={written[0]}, share=1, read=0, iodepth={WRITERS}{span})"


def _drive(title: str, table: Path, catalog: Catalog) -> str:
    name = load_table.catalog_name(title)
    if name not in catalog.drives:
        hint = correction(name, list(catalog.drives), "`drivecast catalog list` lists them")
        raise InputError(
            f"{table}: drive `{title}`: expected a drive of the catalog, found no `{name}`\nhint: {hint}"
        )
    return name


def _is_calibrated(catalog: Catalog, drive: str) -> bool:
    return getattr(catalog.get(drive).sheet, "calibrated", None) is not None


def _was_fitted(catalog: Catalog, drive: str, offered_per_s: float) -> bool:
    table = getattr(catalog.get(drive).sheet, "calibrated", None)
    return table is not None and offered_per_s not in table.held_out_per_s


def with_interval(figure: MeasuredFigure, figures: Sequence[MeasuredFigure]) -> MeasuredFigure:
    """Return the figure with the 80 % interval that the errors at other drives give it."""
    others = sorted(
        1 / other.ratio
        for other in figures
        if other.quantity == figure.quantity and other.drive != figure.drive and other.ratio > 0
    )
    if len(others) < 2:
        return figure
    low, high = (_point(others, share) * figure.predicted for share in INTERVAL)
    return figure.model_copy(update={"low": low, "high": high})


def _point(values: Sequence[float], share: float) -> float:
    """Return the point of sorted values, by straight lines between them."""
    at = share * (len(values) - 1)
    below = math.floor(at)
    above = min(below + 1, len(values) - 1)
    return values[below] + (at - below) * (values[above] - values[below])


def agreement(kind: str, figures: Sequence[MeasuredFigure]) -> Agreement | None:
    """Return how far the figures of a kind are off, those that were not fitted; none where there are none."""
    source = LATENCY if kind == "latency" else WRITES
    judged = [figure for figure in figures if figure.source == source and not figure.fitted]
    if not judged:
        return None
    factors = sorted(max(figure.ratio, 1 / figure.ratio) for figure in judged)
    inside = [f.low <= f.measured <= f.high for f in judged if f.low is not None and f.high is not None]

    def share(most: float) -> float:
        return sum(factor <= most for factor in factors) / len(factors)

    error, worst = _point(factors, 0.5) - 1, factors[-1]
    error_goal, factor_goal = GOALS[kind]
    return Agreement(
        quantities=kind,
        figures=len(judged),
        error_median=error,
        within_10_percent=share(1.1),
        within_25_percent=share(1.25),
        within_factor_2=share(2.0),
        factor_worst=worst,
        coverage=sum(inside) / len(inside) if inside else None,
        error_goal=error_goal,
        factor_goal=factor_goal,
        passed=error <= error_goal and worst <= factor_goal,
    )
