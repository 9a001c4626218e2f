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
from drivecast.health.read.host_name import UNNAMED, Named
from drivecast.health.read.normalise import Origin, normalise
from drivecast.health.rules import Rules
from drivecast.health.smart_data import SmartData

COLUMNS = ("date", "serial_number", "model")
"""What distinguishes such a table."""
ATTRIBUTE = re.compile(r"smart_(\d+)_(normalized|raw)")


def records(
    table: pl.DataFrame, place: str, rules: Rules, named: Named = UNNAMED
) -> Iterator[Record | Unread]:
    """Return the record of each row, or why there is none; `named` is what the user states of their machine."""
    cells = [found for name in table.columns if (found := ATTRIBUTE.fullmatch(name))]
    for line, row in enumerate(table.iter_rows(named=True), 2):
        origin = Origin(f"{place}:{line}", time=_day(row["date"]), named=named)
        yield normalise(SmartData(_content(row, cells)), origin, rules)


def _content(row: dict[str, Any], cells: list[re.Match[str]]) -> dict[str, Any]:
    """A row in the shape of `smartctl --json`."""
    attributes: dict[str, dict[str, Any]] = {}
    for cell in cells:
        value = _number(row[cell[0]])
        if value is not None:
            entry = attributes.setdefault(cell[1], {"id": int(cell[1])})
            entry.update({"value": value} if cell[2] == "normalized" else {"raw": {"value": value}})
    capacity = _number(row.get("capacity_bytes"))
    return {
        "device": {"protocol": "ATA"},
        "model_name": row["model"],
        "serial_number": row["serial_number"],
        "user_capacity": {"bytes": capacity} if capacity and capacity > 0 else {},
        "ata_smart_attributes": {"table": list(attributes.values())},
        "smart_status": {"passed": _number(row.get("failure")) != 1},
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
