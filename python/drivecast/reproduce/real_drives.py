"""Real drives, simulated as others measured them, table by table.

Represented: each table is a list of runs, each a workload on a drive (`nvme_tables` and its neighbours say how a row
becomes one); a figure of the outcome is put next to the measured one, with an interval, and judged where its row was
not used to calibrate the drive. Left out: rows that no workload line describes.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from drivecast import __version__
from drivecast.assess.latency_interval import bounds
from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import STALL, DriveErrors, Spread
from drivecast.document.measured_drives import Agreement, MeasuredDrives, MeasuredFigure
from drivecast.errors import HintedError
from drivecast.reproduce import act_table, left_out, nvme_tables, sata_table
from drivecast.reproduce.measured_run import Blind, Kind, Run, Table
from drivecast.thread import over_cores

TABLES = (
    nvme_tables.LATENCY,
    nvme_tables.WRITES,
    nvme_tables.THREADS,
    act_table.ACT,
    sata_table.SATA,
)
"""What is understood, in the order shown."""

Progress = Callable[[float, str], None] | None


def run(folder: Path, catalog: Catalog, *, seed: int = 0, progress: Progress = None) -> MeasuredDrives:
    """Simulate every row of the tables in `folder`. Raises `InputError` for a table that cannot be read."""
    present = [table for table in TABLES if (folder / table.file).exists()]
    if not present:
        names = ", ".join(table.file for table in TABLES)
        raise HintedError(f"{folder}: expected one of {names}; found none", "`--data DIR` names their folder")
    runs = list(_runs(folder, present, catalog))

    def play(each: tuple[Run, Catalog]) -> list[MeasuredFigure]:
        row, known = each
        outcome = row.play(known, seed)
        calibrated = row.drive in known.drives and known.get(row.drive).latency_measured
        fitted = row.fitted and known is catalog
        saturated = row.saturated(outcome)
        return [
            _figure(row, name, measured, ours(outcome), calibrated, fitted=fitted, saturated=saturated)
            for name, measured, ours in row.figures
        ]

    def done(share: float, each: tuple[Run, Catalog]) -> None:
        if progress is not None:
            progress(share, f"{each[0].drive}: {each[0].workload}")

    figures = [figure for found in over_cores(play, runs, done) for figure in found]
    figures = [with_interval(figure, figures) for figure in figures]
    kinds = [(table.file, kind) for table in present for kind in table.kinds]
    summary = [found for file, kind in kinds if (found := agreement(file, kind, figures)) is not None]
    blind = [(table.file, table.blind) for table in present if table.blind is not None]
    summary += [found for file, kind in blind if (found := coverage(file, kind, figures)) is not None]
    return MeasuredDrives(
        version=__version__,
        seed=seed,
        figures=figures,
        summary=summary,
        passed=all(each.passed for each in summary),
    )


def _runs(folder: Path, present: Sequence[Table], catalog: Catalog) -> Iterator[tuple[Run, Catalog]]:
    """Yield every row with the catalog, and with one that leaves its drive out where that is judged."""
    for table in present:
        runs = list(table.runs(folder / table.file, catalog))
        yield from ((each, catalog) for each in runs)
        if table.blind is not None:
            measured = {name for name, drive in catalog.drives.items() if drive.latency_measured}
            chosen = [each for each in runs if each.drive in measured and table.blind.rows(each)]
            names = sorted({each.drive for each in chosen})
            without = {name: left_out.catalog_without(catalog, name) for name in names}
            yield from ((each, without[each.drive]) for each in chosen)


def _figure(
    each: Run,
    name: str,
    measured: float,
    predicted: float,
    calibrated: bool,
    *,
    fitted: bool,
    saturated: bool,
) -> MeasuredFigure:
    return MeasuredFigure(
        source=each.source,
        drive=each.drive,
        design=each.design or each.drive,
        workload=each.workload,
        quantity=name,
        measured=measured,
        predicted=predicted,
        low=None,
        high=None,
        ratio=predicted / measured,
        calibrated=calibrated,
        saturated=saturated,
        fitted=fitted,
    )


def with_interval(figure: MeasuredFigure, figures: Sequence[MeasuredFigure]) -> MeasuredFigure:
    """Return the figure with the 80 % interval that the errors at other drives give it."""
    others = [
        other
        for other in figures
        if other.drive != figure.drive
        and min(other.measured, other.predicted) > 0
        and (other.source, other.quantity, other.calibrated, other.saturated)
        == (figure.source, figure.quantity, figure.calibrated, figure.saturated)
    ]
    if len({other.drive for other in others}) < 2:
        return figure
    low, high = (end / 1e3 for end in bounds(spread(others, "the other drives"), figure.predicted * 1e3))
    return figure.model_copy(update={"low": low, "high": high})


def spread(figures: Sequence[MeasuredFigure], measured: str) -> Spread:
    """Return how far figures of one quantity are off, those of two drives at least."""
    drives: dict[str, DriveErrors] = {}
    for each in figures:
        errors = drives.setdefault(each.drive, DriveErrors(drive=each.drive))
        if each.measured > STALL * each.predicted:
            errors.excess_us.append(each.measured - each.predicted)
        else:
            errors.ratios.append(each.measured / each.predicted)
    return Spread(drives=list(drives.values()), measured=measured)


def agreement(file: str, kind: Kind, figures: Sequence[MeasuredFigure]) -> Agreement | None:
    """Return how far the figures of a kind are off, those that were not fitted; none where there are none."""
    known = [f for f in figures if f.source == file and f.quantity in kind.quantities and not f.fitted]
    left = {f.drive for f in known if f.calibrated}
    judged = [f for f in known if f.calibrated or f.drive not in left]
    if not judged:
        return None
    return _agreement(kind.name, judged, error_goal=kind.error_goal, factor_goal=kind.factor_goal)


def coverage(file: str, kind: Blind, figures: Sequence[MeasuredFigure]) -> Agreement | None:
    """Return how many figures of drives known from their sheets lie in their intervals; none where there are none."""
    judged = [f for f in figures if f.source == file and f.quantity in kind.quantities and not f.calibrated]
    if not judged:
        return None
    return _agreement(kind.name, judged, coverage_goal=kind.coverage_goal, width_goal=kind.width_goal)


def _agreement(
    name: str,
    judged: Sequence[MeasuredFigure],
    *,
    error_goal: float | None = None,
    factor_goal: float | None = None,
    coverage_goal: tuple[float, float] | None = None,
    width_goal: float | None = None,
) -> Agreement:
    factors = [max(figure.ratio, 1 / figure.ratio) for figure in judged]
    bounded = [(f, f.low, f.high) for f in judged if f.low is not None and f.high is not None]
    inside = [low <= f.measured <= high for f, low, high in bounded]
    widths = [high / low for f, low, high in bounded if "read" in f.quantity and not f.saturated]
    covered, width = _share(inside), max(widths, default=None)

    def within(most: float) -> float:
        return sum(factor <= most for factor in factors) / len(factors)

    error, worst = statistics.median(factors) - 1, max(factors)
    return Agreement(
        quantities=name,
        figures=len(judged),
        error_median=error,
        within_10_percent=within(1.1),
        within_25_percent=within(1.25),
        within_factor_2=within(2.0),
        factor_worst=worst,
        coverage=covered,
        width_reads=width,
        error_goal=error_goal,
        factor_goal=factor_goal,
        coverage_goal=coverage_goal,
        width_goal=width_goal,
        passed=(error_goal is None or error <= error_goal)
        and (factor_goal is None or worst <= factor_goal)
        and (coverage_goal is None or (covered is not None and _between(covered, coverage_goal)))
        and (width_goal is None or width is None or width <= width_goal),
    )


def _share(inside: Sequence[bool]) -> float | None:
    return sum(inside) / len(inside) if inside else None


def _between(value: float, ends: tuple[float, float]) -> bool:
    return ends[0] <= value <= ends[1]
