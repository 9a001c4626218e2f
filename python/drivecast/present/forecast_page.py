"""Forecasts of drives in service as figures and pages."""

from collections.abc import Sequence
from pathlib import Path

from drivecast.document.forecast import DriveForecast, Quarter, Trajectory
from drivecast.files import write_whole
from drivecast.present import forecast, grid
from drivecast.present.drawing import Figure
from drivecast.present.figure import service
from drivecast.present.page import filled

ROWS_MAX = 500
SHORT = 16
"""Characters of a cell that is not broken into lines; intervals of dates are longer."""


def of_trajectory(drive: Trajectory) -> list[Figure]:
    """Return the figures of one drive."""
    found = []
    if len(drive.past) > 1:
        found.append(Figure("written", service.written(drive)))
    if any(window.write_amplification is not None for window in drive.amplification):
        found.append(Figure("write-amplification", service.write_amplification(drive)))
    return found


def of_fleet(quarters: Sequence[Quarter]) -> list[Figure]:
    """Return the figures of a fleet."""
    if not quarters or not quarters[-1].cumulative:
        return []
    return [Figure("replacements", service.replacements(quarters))]


def write(
    path: Path, title: str, summary: forecast.Lines, figures: list[Figure], drives: Sequence[DriveForecast]
) -> None:
    """Write a page with figures and the table of drives, whole or not at all."""
    page = filled(
        "forecast.html",
        title=title,
        summary=str(grid.page(summary)).splitlines(),
        figures=figures,
        heads=[*(head.removeprefix("<") for head in forecast.HEADS), "why"],
        rows=[_cells(drive) for drive in drives[:ROWS_MAX]],
        left_out=max(0, len(drives) - ROWS_MAX),
    )
    write_whole(path, page)


def _cells(drive: DriveForecast) -> list[str]:
    """A drive's row, short cells on one line; the reason only where there is something to do."""
    shown = [cell.replace(" ", "\u00a0") if len(cell) <= SHORT else cell for cell in forecast.cells(drive)]
    return [*shown, drive.why if drive.status != "ok" else ""]
