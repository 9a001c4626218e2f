"""Forecasts of drives in service as lines of text.

Dates are days; an interval whose late end is more than fifty years away reads `later`.
"""

from collections.abc import Sequence
from datetime import date

from rich.text import Text

from drivecast.document.drive_health import SilentHost, Status
from drivecast.document.forecast import DriveEnding, DriveForecast, Group, Quarter, Trajectory
from drivecast.present import drive_words, grid
from drivecast.quantity import number

Lines = list[str | Text]

HEADS = (
    *("<host", "<device", "<serial", "<model", "<status"),
    *("worn", "spare", "a day", "WA", "<flash worn out", "<warranty ends", "<by"),
)
AMPLIFICATION = HEADS.index("WA")


SUMMARY: dict[Status, str] = {"replace": "to replace", "watch": "to watch", "no date": "without a date"}


def lines(drives: Sequence[DriveForecast], rows: int = 0) -> Lines:
    """Return drives as rows of a table, each with its reason below where it is not well; `rows` 0 shows all."""
    shown = drives[: rows or len(drives)]
    chance = any(isinstance(drive, DriveEnding) for drive in shown)
    # No wider than a terminal: the chance takes the place of the write amplification, which JSON has.
    heads = (*HEADS[:AMPLIFICATION], *HEADS[AMPLIFICATION + 1 :], "chance") if chance else HEADS
    rows_shown = []
    for drive in shown:
        ending = [number.percent(drive.chance)] if isinstance(drive, DriveEnding) else []
        notes = [f"    {drive.why}"] if drive.status != "ok" else []
        own = cells(drive)
        without = (*own[:AMPLIFICATION], *own[AMPLIFICATION + 1 :], *ending)
        rows_shown.append(grid.Row(without if chance else own, notes=notes))
    table: Lines = [*grid.table(heads, rows_shown)]
    more = len(drives) - len(shown)
    return [*table, f"… and {more:,} more; `--rows 0` shows all"] if more else table


def cells(drive: DriveForecast) -> tuple[str, ...]:
    """Return a drive's row in the order of `HEADS`."""
    limit = drive.warranty_end_limit
    return (
        grid.cut(drive.host or number.ABSENT, 24),
        grid.cut(drive.device or number.ABSENT, 20),
        grid.cut(drive.serial or number.ABSENT, 24),
        grid.cut(drive.model or number.ABSENT, 28),
        drive.status,
        _worn(drive.wear_ratio),
        _worn(drive.spare_ratio),
        number.size(drive.written_bytes_per_day),
        number.significant(drive.write_amplification, 3),
        span(drive, "media_end"),
        span(drive, "warranty_end") if limit == "writes" else _day(drive.warranty_end),
        limit or number.ABSENT,
    )


def _worn(wear: float | None) -> str:
    """Wear, or spare left, in whole percents, as most gauges count it; 129 % and 130 % are not the same news."""
    return number.ABSENT if wear is None else f"{wear * 100:.0f} %"


def _spare(drive: DriveForecast) -> str:
    """Spare left, and when it reaches its threshold."""
    if drive.spare_ratio is None:
        return number.ABSENT
    end = span(drive, "spare_end")
    known = "10 %, assumed" if drive.spare_threshold_ratio is None else _worn(drive.spare_threshold_ratio)
    return f"{_worn(drive.spare_ratio)}, threshold {known}" + ("" if end == number.ABSENT else f": {end}")


def span(drive: DriveForecast, name: str) -> str:
    """Return a date with its interval: `2027-05-04 (2027-02-11 to 2028-01-30)`."""
    middle, low, high = (getattr(drive, f"{name}{part}") for part in ("", "_low", "_high"))
    if low is None:
        return number.ABSENT
    if low == middle == high:
        return _day(middle)
    if middle is None:
        return f"after {_day(low)}"
    return f"{_day(middle)} ({_day(low)} to {_day(high, 'later')})"


def _day(day: date | None, absent: str = number.ABSENT) -> str:
    return absent if day is None else day.isoformat()


def summary(counts: dict[Status, int]) -> str:
    """Return how many drives there are of each status."""
    each = ", ".join(f"{count:,} {SUMMARY.get(status, status)}" for status, count in counts.items())
    return f"{sum(counts.values()):,} drives: {each}"


def quarter_lines(quarters: Sequence[Quarter], level: float) -> Lines:
    """Return expected replacements by quarter, with their intervals and a bar."""
    most = max([1.0, *(quarter.replacements_high for quarter in quarters)])
    rows = [
        (
            quarter.quarter,
            f"{quarter.replacements:.1f}",
            f"{quarter.replacements_low:,} to {quarter.replacements_high:,}",
            "█" * round(30 * quarter.replacements / most),
        )
        for quarter in quarters
    ]
    return [*grid.table(("<quarter", "drives", f"<{number.percent(level)} interval", "<"), rows)]


def warning_lines(
    groups: Sequence[Group], hosts: Sequence[SilentHost], window_days: int, rows: int = 0
) -> Lines:
    """Return arrays whose drives end together, and machines that are silent; `rows` of each, 0 for all."""
    risky = [group for group in groups if group.at_risk]
    found: Lines = [
        f"array `{grid.clean(group.group)}`: {group.within_window} of {group.drives} drives end within {window_days} "
        f"days of each other, the first on {group.first_end}; replace some of them earlier"
        for group in risky[: rows or None]
    ]
    found += [
        f"{grid.clean(host.host)} is silent: {drive_words.unheard(host)}" for host in hosts[: rows or None]
    ]
    more = len(risky) + len(hosts) - len(found)
    return [*found, f"… and {more:,} more such arrays and machines"] if more else found


def trajectory_lines(drive: Trajectory) -> Lines:
    """Return one drive in full."""
    return [*grid.table(("<", "<"), trajectory_facts(drive))]


def trajectory_facts(drive: Trajectory) -> list[tuple[str, str]]:
    """Return all that is known of one drive, each with its name."""
    limit = drive.warranty_end_limit
    rate = number.size(drive.written_bytes_per_day)
    if drive.written_bytes_per_day_low is not None:
        low, high = map(number.size, (drive.written_bytes_per_day_low, drive.written_bytes_per_day_high))
        rate = f"{rate} ({low} to {high}, {number.percent(drive.level)})"
    rated = f" of {number.size(drive.rated_bytes)} rated" if drive.rated_bytes else ""
    rows = [
        ("drive", " · ".join(grid.clean(name) for name in (drive.place, drive.serial, drive.model) if name)),
        ("status", f"{drive.status}: {drive.why}"),
        ("worn", _worn(drive.wear_ratio)),
        ("written", number.size(drive.written_bytes) + rated),
        ("a day now", rate),
        ("a day so far", number.size(drive.lifetime_bytes_per_day)),
        ("WA now", number.significant(drive.write_amplification)),
        ("WA over life", number.significant(drive.write_amplification_lifetime)),
        ("spare left", _spare(drive)),
        ("flash worn out", span(drive, "media_end")),
        ("warranty ends", f"{span(drive, 'warranty_end')} by {limit}" if limit else number.ABSENT),
        ("last sample", f"{drive.last_seen:%Y-%m-%dT%H:%M:%SZ}" if drive.last_seen else number.ABSENT),
    ]
    changes = [
        ("changed", f"{change.time:%Y-%m-%d}: writes × {number.significant(change.factor)}")
        for change in drive.changes
    ]
    return [*rows, *changes]
