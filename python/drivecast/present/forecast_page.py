"""Forecasts of drives in service as figures and pages."""

from collections.abc import Sequence
from pathlib import Path

from drivecast.document.forecast import DriveForecast, Quarter, Trajectory
from drivecast.files import write_whole
from drivecast.present import forecast
from drivecast.present.drawing import Figure
from drivecast.present.figure import service
from drivecast.present.page import filled

ROWS_MAX = 500


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


def write_drive(path: Path, drive: Trajectory) -> None:
    """Write the page of one drive: all that is known of it, and its figures; whole or not at all."""
    facts = forecast.trajectory_facts(drive)
    title = f"Drive {drive.serial}"
    write_whole(
        path, filled("forecast.html", title=title, facts=facts, figures=of_trajectory(drive), rows=[])
    )


def write_fleet(
    path: Path, title: str, summary: str, quarters: Sequence[Quarter], drives: Sequence[DriveForecast]
) -> None:
    """Write a page with figures and the table of drives, whole or not at all."""
    page = filled(
        "forecast.html",
        title=title,
        facts=[],
        summary=summary,
        figures=of_fleet(quarters),
        heads=[head.removeprefix("<") for head in forecast.HEADS],
        rows=[
            (forecast.cells(drive), drive.why if drive.status != "ok" else "") for drive in drives[:ROWS_MAX]
        ],
        left_out=max(0, len(drives) - ROWS_MAX),
    )
    write_whole(path, page)
