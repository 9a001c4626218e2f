"""What ACT's slow reads say of a drive: how long reads wait for programs, and how far it cleans ahead.

Model. The shares of reads beyond 1 to 8 ms fall with the wait for a point of suspension (`suspend_wait_us`) and rise
with the write amplification, which is that of the spare less what the drive cleans ahead (`idle_reserve`). Both are
searched for on a grid, one after the other until neither gets better: the least sum of squares of the logarithms of
simulated over measured, each over its variance. That is 1/n for the n slow reads that a run is expected to have, so
that a share of seven in ten million counts for little, and `MODEL` squared besides, for what the model lacks.

What the table does not determine, the times of lone requests and of programs, stays as the drive's file has it. Rows
by other rates judge.
"""

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from drivecast.calibration import act_run, calibrated_file
from drivecast.calibration.act_run import BOUNDS_US, READS, Act, beyond
from drivecast.catalog import Catalog
from drivecast.catalog.calibrated import Calibrated
from drivecast.catalog.drive import Drive
from drivecast.catalog.figure import Figure
from drivecast.catalog.sheet import SsdSheet
from drivecast.document.calibration import Calibration
from drivecast.errors import HintedError, InputError

WAITS_US = (
    50.0,
    75.0,
    100.0,
    150.0,
    200.0,
    300.0,
    400.0,
    500.0,
    600.0,
    700.0,
    750.0,
    800.0,
    850.0,
    900.0,
    1000.0,
    1200.0,
)
RESERVES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
"""The grid."""
MODEL = 0.1
"""How well a share can be met, in its logarithm. Assumed."""
OFF = 2.0
"""Times that the median of the shares fitted to may be missed by."""
Ratios = Callable[[float, float], Sequence[float]]
"""Simulated over measured, of each share, at a wait and a reserve."""


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
    """Calibrate a drive to its slow reads; `hold_out` are writes a second of rows that judge.

    Raises `InputError` for tables without the drive, and where they cannot carry the fit.
    """
    drive = catalog.get(name)
    sheet, nand = drive.sheet, drive.nand
    if not isinstance(sheet, SsdSheet) or nand is None:
        raise InputError(f"`{name}` is a disk: expected a solid-state drive")
    every = [row for table in tables for row in act_run.read(table, catalog)]
    rows = [row for row in every if row.drive == name and row.used == 1]
    fitted = [row for row in rows if row.writes_per_s not in hold_out and sum(map(bool, row.shares)) > 1]
    if not fitted:
        raise HintedError(
            f"{tables[0]}: expected a row of `{name}` on its whole capacity, with shares of slow reads, that is not "
            "held out; found none",
            "two figures are fitted: two shares above 0 are the least",
        )
    base = drive.calibrated or calibrated_file.start(drive, sheet, nand, by)

    def table(wait_us: float, reserve: float) -> Calibrated:
        figures = {"suspend_wait_us": wait_us, "idle_reserve": reserve}
        return base.model_copy(update={k: Figure[float](value=v, measured=by) for k, v in figures.items()})

    def ratios(row: Act, wait_us: float, reserve: float) -> list[float]:
        outcome = act_run.play(row, _with(drive, sheet, table(wait_us, reserve)), catalog, seed)
        pairs = zip(row.shares, BOUNDS_US, strict=True)
        return [beyond(us)(outcome) / share for share, us in pairs if share > 0]

    def of_fitted(wait_us: float, reserve: float) -> list[float]:
        if progress is not None:
            progress(0.4, f"waits of {wait_us:g} us, {reserve:.0%} of the spare cleaned ahead")
        return [ratio for row in fitted for ratio in ratios(row, wait_us, reserve)]

    counts = [share * READS for row in fitted for share in row.shares if share > 0]
    reserve = base.idle_reserve.value if base.idle_reserve is not None else RESERVES[len(RESERVES) // 2]
    wait_us, reserve = search(of_fitted, counts, (base.suspend_wait_us.value, reserve))
    middle = statistics.median(max(ratio, 1 / ratio) for ratio in of_fitted(wait_us, reserve))
    if middle > OFF:
        raise HintedError(
            f"{tables[0]}: the data cannot carry the fit: the shares fitted to are missed by {middle:.2g} times",
            "is the time of a program in the drive's file that of this drive?",
        )
    judged = [row for row in rows if row not in fitted]
    found = table(wait_us, reserve).model_copy(
        update={
            "by": by,
            "error": _error(judged, [ratios(row, wait_us, reserve) for row in judged]),
            "fitted_per_s": sorted(int(row.writes_per_s) for row in fitted),
        }
    )
    return calibrated_file.made(name, found), calibrated_file.with_table(drive, found, tables)


def _with(drive: Drive, sheet: SsdSheet, table: Calibrated) -> Drive:
    return replace(drive, sheet=sheet.model_copy(update={"calibrated": table}))


def search(ratios: Ratios, counts: Sequence[float], start: tuple[float, float]) -> tuple[float, float]:
    """Return the wait in microseconds and the reserve at which shares of so many slow reads are met best."""
    known: dict[tuple[float, float], float] = {}

    def error(at: tuple[float, float]) -> float:
        if at not in known:
            squares = (math.log(ratio) ** 2 for ratio in ratios(*at))
            variances = (MODEL**2 + 1 / count for count in counts)
            known[at] = math.fsum(square / v for square, v in zip(squares, variances, strict=True))
        return known[at]

    best = (_nearest(WAITS_US, start[0]), _nearest(RESERVES, start[1]))
    while True:
        near = [(wait, best[1]) for wait in _next_to(WAITS_US, best[0])]
        near += [(best[0], reserve) for reserve in _next_to(RESERVES, best[1])]
        better = min(near, key=error)
        if error(better) >= error(best):
            return best
        best = better


def _nearest(grid: Sequence[float], value: float) -> float:
    return min(grid, key=lambda point: abs(point - value))


def _next_to(grid: Sequence[float], point: float) -> list[float]:
    at = grid.index(point)
    return [grid[near] for near in (at - 1, at + 1) if 0 <= near < len(grid)]


def _error(judged: Sequence[Act], ratios: Sequence[Sequence[float]]) -> str:
    """Return how far the shares of the rows held out are off, in words."""
    if not judged:
        return "no run was held out"
    bounds = [us for row in judged for share, us in zip(row.shares, BOUNDS_US, strict=True) if share > 0]
    factors = [max(ratio, 1 / ratio) for row in ratios for ratio in row]
    worst, at = max(zip(factors, bounds, strict=True))
    return (
        f"median {statistics.median(factors) - 1:.0%}, worst {worst:.2g} times (beyond {at // 1024} ms), over "
        f"{len(factors)} shares of {len(judged)} row{'s' if len(judged) > 1 else ''} held out"
    )
