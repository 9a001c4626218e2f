"""Real drives, simulated as others measured them, table by table.

Represented: each table is a list of runs, each a workload on a drive (`nvme_tables` and its neighbours say how a row
becomes one); a figure of the outcome is put next to the measured one, with an interval, and judged where its row was
not used to calibrate the drive. Left out: rows that no workload line describes.
"""

import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from drivecast import __version__
from drivecast.catalog import Catalog
from drivecast.document.measured_drives import Agreement, MeasuredDrives, MeasuredFigure
from drivecast.errors import InputError
from drivecast.reproduce import act_table, nvme_tables, threads_table
from drivecast.reproduce.measured_run import Kind, Run
from drivecast.thread import over_cores

TABLES = (nvme_tables.LATENCY, nvme_tables.WRITES, threads_table.THREADS, act_table.ACT)
"""What is understood, in the order shown."""
INTERVAL = (0.1, 0.9)

Progress = Callable[[float, str], None] | None


def run(folder: Path, catalog: Catalog, *, seed: int = 0, progress: Progress = None) -> MeasuredDrives:
    """Simulate every row of the tables in `folder`. Raises `InputError` for a table that cannot be read."""
    present = [table for table in TABLES if (folder / table.file).exists()]
    if not present:
        names = ", ".join(table.file for table in TABLES)
        raise InputError(
            f"{folder}: expected one of {names}; found none\nhint: `--data DIR` names their folder"
        )
    runs = [each for table in present for each in table.runs(folder / table.file, catalog)]

    def play(each: Run) -> list[MeasuredFigure]:
        outcome = each.play(catalog, seed)
        calibrated = catalog.get(each.drive).latency_measured
        return [
            _figure(each, name, measured, ours(outcome), calibrated) for name, measured, ours in each.figures
        ]

    def done(share: float, each: Run) -> None:
        if progress is not None:
            progress(share, f"{each.drive}: {each.workload}")

    figures = [figure for found in over_cores(play, runs, done) for figure in found]
    figures = [with_interval(figure, figures) for figure in figures]
    kinds = [(table.file, kind) for table in present for kind in table.kinds]
    summary = [found for file, kind in kinds if (found := agreement(file, kind, figures)) is not None]
    return MeasuredDrives(
        version=__version__,
        seed=seed,
        figures=figures,
        summary=summary,
        passed=all(each.passed for each in summary),
    )


def _figure(each: Run, name: str, measured: float, predicted: float, calibrated: bool) -> MeasuredFigure:
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
        fitted=each.fitted,
    )


def with_interval(figure: MeasuredFigure, figures: Sequence[MeasuredFigure]) -> MeasuredFigure:
    """Return the figure with the 80 % interval that the errors at other drives give it."""
    others = [
        1 / other.ratio
        for other in figures
        if other.quantity == figure.quantity and other.drive != figure.drive and other.ratio > 0
    ]
    if len(others) < 2:
        return figure
    low, high = (float(point) * figure.predicted for point in np.quantile(others, INTERVAL))
    return figure.model_copy(update={"low": low, "high": high})


def agreement(file: str, kind: Kind, figures: Sequence[MeasuredFigure]) -> Agreement | None:
    """Return how far the figures of a kind are off, those that were not fitted; none where there are none."""
    judged = [f for f in figures if f.source == file and f.quantity in kind.quantities and not f.fitted]
    if not judged:
        return None
    factors = [max(figure.ratio, 1 / figure.ratio) for figure in judged]
    inside = [f.low <= f.measured <= f.high for f in judged if f.low is not None and f.high is not None]

    def share(most: float) -> float:
        return sum(factor <= most for factor in factors) / len(factors)

    error, worst = statistics.median(factors) - 1, max(factors)
    return Agreement(
        quantities=kind.name,
        figures=len(judged),
        error_median=error,
        within_10_percent=share(1.1),
        within_25_percent=share(1.25),
        within_factor_2=share(2.0),
        factor_worst=worst,
        coverage=sum(inside) / len(inside) if inside else None,
        error_goal=kind.error_goal,
        factor_goal=kind.factor_goal,
        passed=error <= kind.error_goal and (kind.factor_goal is None or worst <= kind.factor_goal),
    )
