"""Daily drive statistics as Backblaze publishes them: CSV, a row a drive and day.

`date`, `serial_number`, `model`, `capacity_bytes`, `failure`, and `smart_N_normalized` and `smart_N_raw` of each ATA
attribute; other columns are left out. Attributes go through the vendor rules like those of a report of smartctl, but
have no names, so rules that ask for a name do not apply. A day is stored as its midnight, UTC; a drive of which the
table says that it failed that day has not passed. Source: the description that comes with the data.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import polars as pl

from drivecast.document.record import Record, Unread
from drivecast.health.read.normalise import Origin, normalise
from drivecast.health.rules import Rules
from drivecast.health.smart_data import SmartData

COLUMNS = ("date", "serial_number", "model")
"""What distinguishes such a table."""

ATTRIBUTE = re.compile(r"smart_(\d+)_(normalized|raw)")

Cell = tuple[int, int, str]
"""Column, attribute, and which of its two values."""


def records(table: pl.DataFrame, place: str, rules: Rules) -> Iterator[Record | Unread]:
    """Return the record of each row, or why there is none."""
    columns = {name: number for number, name in enumerate(table.columns)}
    cells = [
        (number, int(found[1]), found[2])
        for name, number in columns.items()
        if (found := ATTRIBUTE.fullmatch(name))
    ]
    for line, row in enumerate(table.iter_rows(), 2):
        row_of = {
            name: row[columns[name]] for name in (*COLUMNS, "capacity_bytes", "failure") if name in columns
        }
        origin = Origin(f"{place}:{line}", time=_day(row_of["date"]))
        yield normalise(SmartData(_content(row_of, row, cells)), origin, rules)


def _content(row_of: dict[str, Any], row: tuple[Any, ...], cells: list[Cell]) -> dict[str, Any]:
    """A row in the shape of `smartctl --json`."""
    attributes: dict[int, dict[str, Any]] = {}
    for number, attribute, kind in cells:
        value = _number(row[number])
        if value is not None:
            entry = attributes.setdefault(attribute, {"id": attribute})
            entry.update({"value": value} if kind == "normalized" else {"raw": {"value": value}})
    capacity = _number(row_of.get("capacity_bytes"))
    return {
        "device": {"protocol": "ATA"},
        "model_name": row_of["model"],
        "serial_number": row_of["serial_number"],
        "user_capacity": {"bytes": capacity} if capacity and capacity > 0 else {},
        "ata_smart_attributes": {"table": list(attributes.values())},
        "smart_status": {"passed": _number(row_of.get("failure")) != 1},
    }


def _number(value: Any) -> int | None:
    """Return a whole number from text such as `12` or `12.0`."""
    try:
        return None if value in (None, "") else int(float(value)) if "." in str(value) else int(value)
    except (ValueError, OverflowError):
        return None


def _day(text: Any) -> datetime | None:
    try:
        day = text if isinstance(text, date) else date.fromisoformat(str(text).strip()[:10])
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
