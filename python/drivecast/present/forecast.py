"""Forecasts of drives in service as documents, as lines of text.

Dates are days; an interval whose later end is more than fifty years away reads `later`.
"""

from datetime import date, datetime
from typing import Any

import polars as pl

from drivecast.health.forecast.trajectory import Trajectory
from drivecast.present.terminal import clean
from drivecast.quantity import number

SCHEMA_VERSION = 1
ROWS_TEXT = 40
HEADS = ("serial", "model", "status", "worn", "a day", "WA", "flash worn out", "warranty ends", "by")


def record(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the forecast for JSON or CSV."""
    whole = {
        name: round(value) for name, value in row.items() if name.endswith("_bytes") and value is not None
    }
    return {name: plain(whole.get(name, value)) for name, value in row.items() if name != "end_days"}


def records(table: pl.DataFrame) -> list[dict[str, Any]]:
    """Return rows of any of the forecast's tables for JSON or CSV."""
    return [record(row) for row in table.iter_rows(named=True)]


def plain(value: Any) -> Any:
    """Return times as text, and floats that JSON does not know as nothing."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value - value != 0:
        return None
    return value


def lines(table: pl.DataFrame, *, rows: int = ROWS_TEXT, reasons: bool = True) -> list[str]:
    """Return drives as lines that stand in columns, each with its reason below where it is not well."""
    shown = table.head(rows)
    texts_of = [cells(row) for row in shown.iter_rows(named=True)]
    heads: tuple[str, ...] = HEADS
    if "chance" in table.columns:
        heads = (*HEADS, "chance")
        texts_of = [
            (*texts, number.percent(chance)) for texts, chance in zip(texts_of, shown["chance"], strict=True)
        ]
    widths = [max(len(line[place]) for line in (heads, *texts_of)) for place in range(len(heads))]
    right = {3, 4, 5, 9}

    def line(texts: tuple[str, ...]) -> str:
        parts = (
            f"{text:>{width}}" if place in right else f"{text:<{width}}"
            for place, (text, width) in enumerate(zip(texts, widths, strict=True))
        )
        return "  ".join(parts).rstrip()

    found = [line(heads)]
    for row, texts in zip(shown.iter_rows(named=True), texts_of, strict=True):
        found.append(line(texts))
        if reasons and row["status"] != "ok":
            found.append(f"    {row['why']}")
    if table.height > rows:
        found.append(f"… and {table.height - rows:,} more; `--rows 0` shows all")
    return found


def cells(row: dict[str, Any]) -> tuple[str, ...]:
    """Return a drive's row in the order of `HEADS`."""
    limit = row["warranty_end_limit"]
    return (
        clean(row["serial"] or number.ABSENT)[:24],
        clean(row["model"] or number.ABSENT)[:28],
        row["status"],
        _worn(row["wear_ratio"]),
        number.size(row["written_bytes_per_day"]),
        number.significant(row["write_amplification"], 3),
        span(row, "media_end"),
        span(row, "warranty_end") if limit == "writes" else _day(row["warranty_end"]),
        limit or number.ABSENT,
    )


def _worn(wear: float | None) -> str:
    """Wear in whole percents, which is how most gauges count it; 129 % and 130 % are not the same news."""
    return number.ABSENT if wear is None else f"{wear * 100:.0f} %"


def span(row: dict[str, Any], name: str) -> str:
    """Return a date with its interval: `2027-05-04 (2027-02-11 to 2028-01-30)`."""
    middle, low, high = (row[f"{name}{part}"] for part in ("", "_low", "_high"))
    if low is None:
        return number.ABSENT
    if low == middle == high:
        return _day(middle)
    bounds = f"{_day(low)} to {_day(high, 'later')}"
    return f"{_day(middle)} ({bounds})" if middle is not None else f"after {_day(low)}"


def _day(day: date | None, absent: str = number.ABSENT) -> str:
    return absent if day is None else day.isoformat()


def counts(table: pl.DataFrame) -> dict[str, int]:
    """Return the number of drives of each status, in the order of urgency."""
    found = dict(table.group_by("status").len().iter_rows())
    return {name: found.get(name, 0) for name in ("alarm", "soon", "ok", "not enough data")}


def quarter_lines(quarters: pl.DataFrame, level: float) -> list[str]:
    """Return expected replacements by quarter, with their intervals and a bar."""
    most = max([1.0, *quarters["replacements_high"].to_list()])
    found = [f"quarter   drives  {number.percent(level)} interval"]
    for row in quarters.iter_rows(named=True):
        bar = "█" * round(30 * row["replacements"] / most)
        between = f"{row['replacements_low']:,} to {row['replacements_high']:,}"
        found.append(f"{row['quarter']}  {row['replacements']:>6.1f}  {between:<12}  {bar}".rstrip())
    return found


def warning_lines(groups: pl.DataFrame, vanished: pl.DataFrame, window_days: int, rows: int) -> list[str]:
    """Return arrays whose drives end together, and drives not seen any more."""
    risky = groups.filter("at_risk")
    found = [
        f"array `{clean(row['group'])}`: {row['within_window']} of {row['drives']} drives end within {window_days} "
        f"days of each other, the first on {row['first_end']}; exchange some of them earlier"
        for row in risky.head(rows or risky.height).iter_rows(named=True)
    ]
    found += [
        f"drive {clean(row['serial'] or number.ABSENT)} was last seen {row['days']:g} days ago"
        for row in vanished.head(rows or vanished.height).iter_rows(named=True)
    ]
    more = sum(max(0, part.height - rows) for part in (risky, vanished)) if rows else 0
    return [*found, f"… and {more:,} more such arrays and drives"] if more else found


def trajectory_lines(trajectory: Trajectory, level: float) -> list[str]:
    """Return one drive in full."""
    row, limit = trajectory.drive, trajectory.drive["warranty_end_limit"]
    rate = number.size(row["written_bytes_per_day"])
    if row["written_bytes_per_day_low"] is not None:
        low, high = (number.size(row[f"written_bytes_per_day_{end}"]) for end in ("low", "high"))
        rate = f"{rate} ({low} to {high}, {number.percent(level)})"
    told = {
        "drive": " · ".join(clean(str(row[name])) for name in ("serial", "model", "host") if row[name]),
        "status": f"{row['status']}: {row['why']}",
        "worn": _worn(row["wear_ratio"]),
        "written": number.size(row["written_bytes"])
        + (f" of {number.size(row['rated_bytes'])} rated" if row["rated_bytes"] else ""),
        "a day now": rate,
        "over its life": number.size(row["lifetime_bytes_per_day"]),
        "WA now": number.significant(row["write_amplification"]),
        "WA over life": number.significant(row["write_amplification_lifetime"]),
        "flash worn out": span(row, "media_end"),
        "warranty ends": f"{span(row, 'warranty_end')} by {limit}" if limit else number.ABSENT,
        "last sample": plain(row["last_seen"]) or number.ABSENT,
    }
    found = [f"{name:<15}{text}" for name, text in told.items()]
    for change in trajectory.changes.iter_rows(named=True):
        day = change["time"].date().isoformat()
        found.append(f"{'changed':<15}{day}: writes × {number.significant(change['factor'])}")
    return found


def trajectory_document(trajectory: Trajectory) -> dict[str, Any]:
    """Return one drive in full for JSON."""
    return {
        **record(trajectory.drive),
        "changes": records(trajectory.changes),
        "limits": records(trajectory.limits),
        "fan": records(trajectory.fan),
        "amplification": records(trajectory.amplification),
    }
