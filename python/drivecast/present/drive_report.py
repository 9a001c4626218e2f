"""Drives in service in words: a report for an e-mail, and what each concern reads as.

The report is plain ASCII of 72 columns. The first lines are an order list: which drives to replace, where they are, and
why. Then what to watch, then drives without recent data; a drive that is well is a number only. Everything a mail
client might fold or colour is left out.
"""

from collections.abc import Callable, Sequence

from drivecast.document.drive_health import (
    Counts,
    DriveInService,
    Horizons,
    Judged,
    Kind,
    List,
    Report,
    ReportedDrive,
    Urgency,
)
from drivecast.present import forecast_reason, grid

WIDTH = 72
TITLES: dict[List, str] = {"replace": "REPLACE BY {by}", "watch": "WATCH", "unknown": "NO RECENT DATA"}
LISTS: dict[Urgency, List] = {"act": "replace", "watch": "watch", "unknown": "unknown"}


def _flash(drive: DriveInService) -> str:
    middle = drive.media_end
    return f"{drive.earliest_end:%Y-%m-%d}" + (
        f", expected {middle:%Y-%m-%d}" if middle and middle != drive.earliest_end else ""
    )


def _forecast(drive: DriveInService) -> str:
    return forecast_reason.text(drive.status_reason) if drive.status_reason else ""


LIMITS = {"writes": " by its writes", "term": " by its term", None: ""}
WORDING: dict[Kind, Callable[[DriveInService], str]] = {
    "failing": lambda _: "reports that it is failing",
    "worn": lambda drive: f"worn to {100 * (drive.wear_ratio or 0):.0f} % of its rating",
    "spare low": lambda drive: f"{100 * (drive.spare_ratio or 0):.0f} % of its spare blocks left",
    "alarm": lambda drive: _forecast(drive) or "the forecast raises an alarm",
    "flash ends": lambda drive: f"flash may end {_flash(drive)}",
    "flash ended": lambda drive: f"flash may have ended {_flash(drive)}",
    "new errors": lambda drive: f"{drive.errors_recent:,.0f} new errors in 30 days",
    "rated writes exhausted": lambda drive: (
        f"has written {100 * (drive.host_written_bytes or 0) / (drive.rated_bytes or 1):.0f} % of its rated writes"
    ),
    "warranty ends": lambda drive: (
        f"warranty ends {drive.warranty_end_low or drive.warranty_end:%Y-%m-%d}{LIMITS[drive.warranty_end_limit]}"
    ),
    "soon": lambda drive: _forecast(drive) or "the forecast reports an end soon",
    "no sample": lambda _: "no sample",
    "stale": lambda drive: f"no sample since {drive.time:%Y-%m-%d}",
    "too young": lambda drive: _forecast(drive) or "not enough data",
}
"""What each concern about a drive reads as."""


def why(found: Judged) -> str:
    """Return everything to report about a drive."""
    return "; ".join(WORDING[concern.kind](found.drive) for concern in found.concerns)


def document(drives: Sequence[Judged], horizons: Horizons) -> Report:
    """Return the report on drives in their order; those that are well are only counted."""
    rows = [
        ReportedDrive(
            list=LISTS[found.concerns[0].urgency],
            **{name: getattr(found.drive, name) for name in ("serial", "model", "host", "device", "group")},
            earliest_end=end.date() if (end := found.drive.earliest_end) else None,
            why=why(found),
        )
        for urgency in LISTS
        for found in drives
        if found.concerns and found.concerns[0].urgency == urgency
    ]
    counted = {name: sum(row.list == name for row in rows) for name in TITLES}
    counts = Counts(drives=len(drives), **counted, well=len(drives) - len(rows))
    return Report(
        schema_version=1, at=horizons.now, subject=_subject(counts, horizons), counts=counts, drives=rows
    )


def _by(horizons: Horizons) -> str:
    """The day by which drives are to be replaced."""
    return f"{horizons.now + horizons.act:%Y-%m-%d}"


def _subject(counts: Counts, horizons: Horizons) -> str:
    """One line from which to see whether to open the mail."""
    if not counts.drives:
        return "Drives: none in the history"
    parts = (
        (counts.replace, f"to replace by {_by(horizons)}"),
        (counts.watch, "to watch"),
        (counts.unknown, "without recent data"),
    )
    found = [f"{count} {what}" for count, what in parts if count]
    return f"Drives: {', '.join(found) or f'all {counts.drives} well'}"


def text(report: Report, horizons: Horizons) -> str:
    """Return the body of the mail."""
    lines = [_headline(report.counts, horizons), ""]
    for name, title in TITLES.items():
        rows = [row for row in report.drives if row.list == name]
        if rows:
            lines += [f"{title.format(by=_by(horizons))} ({len(rows)})", ""]
            lines += [line for row in rows for line in _entry(row)]
            lines.append("")
    lines += _footer(report)
    return "\n".join(ascii_only(line).rstrip() for line in lines) + "\n"


def _headline(counts: Counts, horizons: Horizons) -> str:
    days = horizons.act.days
    if not counts.drives:
        return "No drive is in the history: there is nothing to report."
    if not counts.replace:
        return f"No drive needs replacement within {days} days ({counted(counts.drives)} checked)."
    return f"Replace {counted(counts.replace)} within {days} days; {counts.drives} checked."


def _entry(row: ReportedDrive) -> list[str]:
    place = " ".join(part for part in (row.host, row.device) if part) or "place not known"
    place += f", group {row.group}" if row.group else ""
    return [
        *grid.wrapped(place, WIDTH, indent=2, hanging=2),
        *grid.wrapped(f"{row.model or 'model not known'}, serial {row.serial}", WIDTH, indent=4),
        *grid.wrapped(row.why, WIDTH, indent=4, hanging=2),
    ]


def _footer(report: Report) -> list[str]:
    as_of = f"As of {report.at:%Y-%m-%d %H:%M} UTC."
    if not report.counts.drives:
        return [as_of]
    return grid.wrapped(
        f"{counted(report.counts.well)} of {report.counts.drives} need no attention. {as_of} A date is the early end "
        "of an 80 % interval: one drive in ten is expected to end before its date. It assumes that each drive's "
        "recent rate of writes continues; a change of workload moves it.",
        WIDTH,
    )


def counted(count: int) -> str:
    """Return a number of drives."""
    return "1 drive" if count == 1 else f"{count:,} drives"


def ascii_only(line: str) -> str:
    """Replace all but ASCII: names come from drives and hosts, and a mail may declare no encoding."""
    return "".join(c if " " <= c <= "~" else "?" for c in line)
