"""Forecasts of drives in service as figures and pages."""

from pathlib import Path
from typing import Any

import polars as pl

from drivecast.files import write_whole
from drivecast.health.forecast.trajectory import Trajectory
from drivecast.present import forecast
from drivecast.present.drawing import Figure
from drivecast.present.figure import replacements, write_amplification, written
from drivecast.present.page import environment

ROWS_MAX = 500
SHORT = 16
"""Characters of a cell that is kept on one line; intervals of dates are longer."""


def of_trajectory(trajectory: Trajectory) -> list[Figure]:
    """Return the figures of one drive."""
    found = []
    if trajectory.past.height > 1:
        found.append(
            Figure(
                "written",
                written.chart(trajectory.past, trajectory.fan, trajectory.limits, trajectory.changes),
            )
        )
    if trajectory.amplification.height and trajectory.amplification["write_amplification"].drop_nulls().len():
        lifetime = trajectory.drive["write_amplification_lifetime"]
        found.append(
            Figure("write-amplification", write_amplification.chart(trajectory.amplification, lifetime))
        )
    return found


def of_fleet(quarters: pl.DataFrame) -> list[Figure]:
    """Return the figures of a fleet."""
    if quarters.is_empty() or not quarters["cumulative"][-1]:
        return []
    return [Figure("replacements", replacements.chart(quarters))]


def write(path: Path, title: str, summary: list[str], figures: list[Figure], table: pl.DataFrame) -> None:
    """Write a page with figures and the table of drives, whole or not at all."""
    rows = [_cells(row) for row in table.head(ROWS_MAX).iter_rows(named=True)]
    page = environment().get_template("forecast.html")
    left_out = max(0, table.height - ROWS_MAX)
    text = page.render(
        title=title,
        summary=summary,
        figures=figures,
        heads=(*forecast.HEADS, "why"),
        rows=rows,
        left_out=left_out,
    )
    write_whole(path, text)


def _cells(row: dict[str, Any]) -> list[str]:
    """A drive's row, short cells on one line; why only where there is something to do."""
    cells = [cell.replace(" ", "\u00a0") if len(cell) <= SHORT else cell for cell in forecast.cells(row)]
    return [*cells, row["why"] if row["status"] != "ok" else ""]
