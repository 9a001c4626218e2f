"""Drives as they were read: one line a drive with notes below, and a row each for CSV."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from drivecast.document.record import NAMES, UNIT_UNKNOWN, Readings, Record, whole
from drivecast.present import grid
from drivecast.quantity import number

HEADS = (
    "<drive",
    "<model",
    "wear",
    "written",
    "WA life",
    "spare",
    "errors",
    "hours",
    "°C",
    "<passed",
    "<notes",
)

ERRORS = ("media_errors", "reallocated_sectors", "pending_sectors")
WHO = ("host", "device", "model", "serial", "capacity_bytes", "passed")


def rows(readings: Readings) -> list[dict[str, Any]]:
    """One row a drive: figures to compute with; `doubtful` names the others."""
    return [
        {
            "time": record.time.isoformat(),
            **{name: getattr(record, name) for name in WHO},
            **{name: None if (value := record.value(name)) is None else whole(value) for name in NAMES},
            "write_amplification_lifetime": record.write_amplification_lifetime,
            "doubtful": " ".join(record.doubtful),
            "notes": "; ".join(record.notes),
        }
        for record in readings.drives
    ]


def lines(records: Sequence[Record]) -> list[str | Text]:
    """One line a drive, and its notes below."""
    shown = [(record, _cells(record)) for record in records]
    found: list[str | Text] = [
        *grid.table(HEADS, [grid.Row(cells, _style(record)) for record, cells in shown])
    ]
    if any(record.notes for record in records):
        found += ["", Text("notes", style="bold")]
    found += [f"  {cells[0]} {cells[1]}: {note}" for record, cells in shown for note in record.notes]
    tail = "`?`: doubtful, never computed with; " if any(record.doubtful for record in records) else ""
    return [*found, "", Text(f"{tail}errors: media errors + reallocated + pending sectors", style="dim")]


def _style(record: Record) -> str:
    return "red" if record.passed is False or (record.value("wear_ratio") or 0) >= 1 else ""


def _cells(record: Record) -> list[str | None]:
    wear = record.figures.get("wear_ratio")
    errors = [record.value(name) for name in ERRORS]
    place = record.device or record.serial
    return [
        f"{record.host}:{place}" if record.host else place,
        record.model,
        _figure(record, "wear_ratio", ".3%" if wear and wear.step < 1e-4 else ".0%"),
        _figure(record, "host_written_bytes"),
        number.significant(record.write_amplification_lifetime, zeros=True),
        _figure(record, "spare_ratio", ".0%"),
        "+".join(f"{count:.0f}" for count in errors if count is not None) or None,
        _figure(record, "power_on_hours", ",.0f"),
        _figure(record, "temperature_c", ".0f"),
        {True: "yes", False: "NO", None: None}[record.passed],
        str(len(record.notes)) if record.notes else "",
    ]


def _figure(record: Record, name: str, form: str = "") -> str | None:
    figure = record.figures.get(name)
    if figure is None:
        return None
    if UNIT_UNKNOWN in (figure.reason or ""):
        return "?"
    text = number.size(figure.value) if name.endswith("_bytes") else f"{figure.value:{form}}"
    return text.replace("%", " %") + "?" * (figure.trust == "doubtful")
