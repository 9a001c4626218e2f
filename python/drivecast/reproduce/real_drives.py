"""Real drives, simulated as others measured them, table by table.

Represented: each table is a list of runs, each a workload on a drive (`nvme_tables` and its neighbours say how a row
becomes one); a figure of the outcome is put next to the measured one, with an interval, and judged where its row was
not used to calibrate the drive. Left out: rows that no workload line describes.
"""

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path

from drivecast import __version__
from drivecast.assess.latency_interval import bounds
from drivecast.calibration.drive_title import UnknownDriveError
from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import QUANTILES, STALL, DriveErrors, Spread
from drivecast.document.measured_drives import Agreement, LeftOut, MeasuredDrives, MeasuredFigure
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.reproduce import act_table, leave_one_out, nvme_tables, sata_table
from drivecast.reproduce.measured_run import Blind, Kind, Run, Table
from drivecast.reproduce.nvme_tables import CARRIED
from drivecast.thread import over_cores

TABLES = (
    nvme_tables.LATENCY,
    nvme_tables.WRITES,
    nvme_tables.THREADS,
    act_table.ACT,
    sata_table.SATA,
)
"""What is understood, in the order shown."""

LOADS = ((0.0, 0.6), (0.6, 0.85), (0.85, 1.0), (1.0, math.inf))
"""Shares of what a drive carries, between which it is judged."""
NEAR = 0.75
"""What a drive carries is known to about a quarter: from here on it may be in saturation, and intervals are wide."""
Progress = Callable[[float, str], None] | None


def run(folder: Path, catalog: Catalog, *, seed: int = 0, progress: Progress = None) -> MeasuredDrives:
    """Simulate every row of the tables in `folder`. Raises `InputError` for a table that cannot be read."""
    present = [table for table in TABLES if (folder / table.file).exists()]
    if not present:
        names = ", ".join(table.file for table in TABLES)
        raise HintedError(f"{folder}: expected one of {names}; found none", "`--data DIR` names their folder")
    skipped: dict[str, UnknownDriveError] = {}
    runs = list(_runs(folder, present, catalog, skipped))
    if not runs:
        raise next(iter(skipped.values()))

    def play(each: tuple[Run, Catalog, bool]) -> list[MeasuredFigure]:
        row, known, blind = each
        return _figures(row, row.play(known, seed), calibrated=_is_measured(row.drive, known), blind=blind)

    def done(share: float, each: tuple[Run, Catalog, bool]) -> None:
        if progress is not None:
            progress(share, f"{each[0].drive}: {each[0].workload}")

    figures = [figure for found in over_cores(play, runs, done) for figure in found]
    figures = [figure if figure.low else with_interval(figure, figures) for figure in figures]
    kinds = [(table.file, kind) for table in present for kind in table.kinds]
    summary = [found for file, kind in kinds if (found := agreement(file, kind, figures)) is not None]
    blind = [(table.file, table.blind) for table in present if table.blind is not None]
    summary += [found for file, kind in blind if (found := coverage(file, kind, figures)) is not None]
    return MeasuredDrives(
        version=__version__,
        seed=seed,
        figures=figures,
        summary=summary,
        left_out=by_load(figures),
        skipped=[error.reason for error in skipped.values()],
        passed=all(each.passed for each in summary),
    )


def _runs(
    folder: Path, present: Sequence[Table], catalog: Catalog, skipped: dict[str, UnknownDriveError]
) -> Iterator[tuple[Run, Catalog, bool]]:
    """Yield every row with the catalog, and with one that leaves its drive out where that is judged.

    Intervals of a drive never come from its own errors. Rows of drives that the catalog does not have are `skipped`.
    """
    judge = cache(partial(leave_one_out.without_errors_of, catalog))
    without = cache(partial(leave_one_out.catalog_without, catalog))
    for table in present:
        path = folder / table.file
        runs = list(table.runs(path, catalog, cache(partial(_is_known, table, path, catalog, skipped))))
        yield from ((each, judge(each.drive), False) for each in runs)
        if table.blind is not None:
            chosen = [each for each in runs if _is_measured(each.drive, catalog) and table.blind.rows(each)]
            yield from ((each, without(each.drive), True) for each in chosen)


def _is_known(
    table: Table, path: Path, catalog: Catalog, skipped: dict[str, UnknownDriveError], title: str
) -> bool:
    try:
        table.drive(title, path, catalog)
    except UnknownDriveError as error:
        skipped.setdefault(title, error)
        return False
    return True


def _is_measured(name: str, catalog: Catalog) -> bool:
    return name in catalog.drives and catalog.get(name).latency_measured


def _figures(row: Run, outcome: Outcome, *, calibrated: bool, blind: bool) -> list[MeasuredFigure]:
    intervals = _intervals(outcome) if row.light is not False else {}
    found = []
    for name, measured, ours in row.figures:
        predicted, (low, high) = ours(outcome), intervals.get(name, (None, None))
        found.append(
            MeasuredFigure(
                source=row.source,
                drive=row.drive,
                design=row.design or row.drive,
                workload=row.workload,
                quantity=name,
                measured=measured,
                predicted=predicted,
                low=low,
                high=high,
                ratio=predicted / measured,
                calibrated=calibrated,
                saturated=row.saturated(outcome),
                fitted=row.fitted and not blind,
                load=row.load,
            )
        )
    return found


def _intervals(outcome: Outcome) -> dict[str, tuple[float, float | None]]:
    """Return the intervals that an outcome shows, by quantity; latencies in microseconds."""
    known = outcome.latency_known
    if known is None:
        return {}
    names = {key: name for name, key in QUANTILES.items()}
    found = {
        f"{each.op} {names[each.quantile]}": (each.low / 1e3, None if each.high is None else each.high / 1e3)
        for each in known.intervals
    }
    if known.served is not None:
        found[CARRIED] = known.served.low, known.served.high
    return found


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


def by_load(figures: Sequence[MeasuredFigure]) -> list[LeftOut]:
    """Return how far the drives left out are off, by quantity and by their load."""
    rows = []
    for quantity, (least, most) in product(nvme_tables.QUANTILES, LOADS):
        of = [
            f
            for f in figures
            if f.load is not None and not f.calibrated and f.quantity == quantity and least <= f.load < most
        ]
        if of:
            factors = [max(f.ratio, 1 / f.ratio) for f in of]
            widths = [f.high / f.low for f in of if f.low and f.high]
            rows.append(
                LeftOut(
                    quantity=quantity,
                    load_least=least,
                    load_below=None if math.isinf(most) else most,
                    figures=len(of),
                    error_median=statistics.median(factors) - 1,
                    beyond_3=sum(factor > 3 for factor in factors) / len(factors),
                    coverage=_share([f.is_inside for f in of if f.is_inside is not None]),
                    width_median=statistics.median(widths) if widths else None,
                )
            )
    return rows


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
    inside = [f.is_inside for f in judged if f.is_inside is not None]
    reads = [f for f in judged if "read" in f.quantity and not f.saturated and (f.load or 0) < NEAR]
    widths = [f.high / f.low for f in reads if f.low and f.high]
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
