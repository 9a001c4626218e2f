"""A check as a monitoring plug-in prints it: one line, with figures behind a bar.

The line and the figures follow the guidelines for monitoring plug-ins: `'label'=value[unit];warning;critical;minimum`.
"""

from collections.abc import Iterator
from typing import get_args

from drivecast.document.drive_health import Check, Checked, CheckedDrive, DriveInService, State
from drivecast.present import drive_report
from drivecast.quantity.year import DAY_S

NAMED_MAX = 3
"""Drives that the line names; pagers cut long lines."""


def document(checked: Checked) -> Check:
    """Return the check in words."""
    drives = [
        CheckedDrive(serial=found.drive.serial, state=state, why=drive_report.why(found))
        for found, state in zip(checked.drives, checked.states, strict=True)
    ]
    text = _text(checked) if drives else "no drive in the history"
    text += f"; {checked.young} without enough data" if checked.young else ""
    return Check(
        schema_version=1,
        state=checked.state,
        text=clean(text),
        perfdata=" ".join(_perfdata(checked)),
        drives=drives,
    )


def line(check: Check) -> str:
    """Return the line of a check."""
    return f"DRIVES {check.state} - {check.text}" + (f" | {check.perfdata}" if check.perfdata else "")


def clean(text: str) -> str:
    """Replace what would break the line of a plug-in: bars, quotes, line ends."""
    return "".join(c if c.isprintable() and c not in "|'=" else "?" for c in text)


def _text(checked: Checked) -> str:
    several = drive_report.counted(len(checked.drives))
    if checked.state == "OK":
        return f"{several} well" if len(checked.drives) > 1 else f"{_name(checked.drives[0].drive)} is well"
    bad = checked.worst
    if not bad:
        return several
    parts = [
        f"{_name(found.drive)} {drive_report.WORDING[found.concerns[0].kind](found.drive)}"
        for found in bad[:NAMED_MAX]
    ]
    if len(bad) > NAMED_MAX:
        parts.append(f"and {len(bad) - NAMED_MAX} more")
    head = f"{len(bad)} of {several}: " if len(checked.drives) > 1 else ""
    return head + "; ".join(parts)


def _name(drive: DriveInService) -> str:
    return f"{drive.serial} ({drive.place})" if drive.place else drive.serial


def _perfdata(checked: Checked) -> Iterator[str]:
    drives, horizons = [found.drive for found in checked.drives], checked.horizons
    ends = [(end - horizons.now).total_seconds() / DAY_S for drive in drives if (end := drive.earliest_end)]
    wears = [drive.wear_ratio for drive in drives if drive.wear_ratio is not None]
    ages = [(horizons.now - drive.time).total_seconds() for drive in drives if drive.time]
    yield f"'drives'={len(drives)};;;0"
    if len(drives) > 1:
        yield from (f"'{state.lower()}'={checked.states.count(state)};;;0" for state in get_args(State))
    if ends:  # a range `a:` alerts below a
        yield f"'days_left'={min(ends):.0f};{horizons.watch.days}:;{horizons.act.days}:"
    if wears:
        yield f"'wear'={100 * max(wears):.6g}%;;100;0"
    if ages:
        yield f"'sample_age'={max(ages):.0f}s;;{horizons.stale.total_seconds():.0f};0"
