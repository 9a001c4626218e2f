"""A check as a monitoring plug-in prints it: one line, with figures behind a bar.

The line and the figures follow the guidelines for monitoring plug-ins: `'label'=value[unit];warning;critical;minimum`.
"""

from collections.abc import Iterator
from typing import get_args

from drivecast.document.drive_health import Check, Checked, CheckedDrive, DriveInService, State, Status
from drivecast.present import drive_words

NAMED_MAX = 3
"""Drives that the line names; pagers cut long lines."""


def document(checked: Checked) -> Check:
    """Return the check in words."""
    drives = [
        CheckedDrive(
            state=state,
            why=drive_words.why(drive),
            **{name: getattr(drive, name) for name in ("serial", "status", "host", "device")},
        )
        for drive, state in zip(checked.drives, checked.states, strict=True)
    ]
    counts = {status: sum(drive.status == status for drive in checked.drives) for status in get_args(Status)}
    text = _text(checked) if drives else "no drive in the history"
    text += f"; {checked.young} without a date" if checked.young else ""
    ends = counts["warranty"]
    text += f"; {ends} warrant{'y' if ends == 1 else 'ies'}" if ends else ""
    return Check(
        state=checked.state,
        text=clean(text),
        perfdata=" ".join(_perfdata(checked, counts)),
        counts=counts,
        drives=drives,
    )


def line(check: Check) -> str:
    """Return the line of a check."""
    return f"DRIVES {check.state} - {check.text}" + (f" | {check.perfdata}" if check.perfdata else "")


def clean(text: str) -> str:
    """Replace what would break the line of a plug-in: bars, quotes, line ends."""
    return "".join(c if c.isprintable() and c not in "|'=" else "?" for c in text)


def _text(checked: Checked) -> str:
    several = drive_words.counted(len(checked.drives))
    if checked.state == "OK":
        return f"{several} well" if len(checked.drives) > 1 else f"{_name(checked.drives[0])} is well"
    bad = checked.worst
    if not bad:
        return several
    parts = [
        f"{_name(drive)} {drive_words.WORDING[drive.concerns[0].kind](drive)}" for drive in bad[:NAMED_MAX]
    ]
    if len(bad) > NAMED_MAX:
        parts.append(f"and {len(bad) - NAMED_MAX} more")
    head = f"{len(bad)} of {several}: " if len(checked.drives) > 1 else ""
    return head + "; ".join(parts)


def _name(drive: DriveInService) -> str:
    return f"{drive.serial} ({drive.place})" if drive.place else drive.serial


def _perfdata(checked: Checked, counts: dict[Status, int]) -> Iterator[str]:
    drives, horizons = checked.drives, checked.horizons
    firsts = (
        end
        for drive in drives
        for end in (drive.media_end_low or drive.media_end, drive.spare_end_low)
        if end
    )
    ends = [(end - horizons.now.date()).days for end in firsts]
    wears = [drive.wear_ratio for drive in drives if drive.wear_ratio is not None]
    ages = [(horizons.now - drive.time).total_seconds() for drive in drives if drive.time]
    yield f"'drives'={len(drives)};;;0"
    if len(drives) > 1:
        yield from (f"'{state.lower()}'={checked.states.count(state)};;;0" for state in get_args(State))
        yield f"'warranty'={counts['warranty']};;;0"
    if ends:  # a range `a:` alerts below a
        yield f"'days_left'={min(ends)};{horizons.watch.days}:;{horizons.act.days}:"
    if wears:
        yield f"'wear'={100 * max(wears):.6g}%;;100;0"
    if ages:
        limit = "" if horizons.stale is None else f"{horizons.stale.total_seconds():.0f}"
        yield f"'sample_age'={max(ages):.0f}s;;{limit};0"
