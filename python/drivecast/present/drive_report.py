"""Drives in service as a report: the document, and its text for an e-mail.

Plain ASCII of 72 columns. The first lines are an order list: which drives to replace, where they are, by when and why.
Then what to watch, then machines and drives that are silent, then warranties; a drive that is well is a number only,
and so is one that is well without a date. Everything a mail client might fold or colour is left out.
"""

from collections.abc import Sequence

from drivecast.document.drive_health import (
    DriveInService,
    Horizons,
    Report,
    ReportedDrive,
    SilentHost,
    Status,
)
from drivecast.present import drive_words, grid
from drivecast.present.drive_words import counted, listed

WIDTH = 72
WARRANTIES_MAX = 10
"""That a mail lists; the page, JSON and CSV have all."""


def document(
    drives: Sequence[DriveInService],
    counts: dict[Status, int],
    hosts: Sequence[SilentHost],
    horizons: Horizons,
) -> Report:
    """Return the report on drives in their order; those that are well are only counted."""
    rows = [
        ReportedDrive(
            why=drive_words.why(drive),
            **{name: getattr(drive, name) for name in ReportedDrive.model_fields if name != "why"},
        )
        for drive in drives
        if drive.status != "ok"
    ]
    made = Report(
        at=horizons.now,
        act_by=(horizons.now + horizons.act).date(),
        watch_by=(horizons.now + horizons.watch).date(),
        subject="",
        drives_checked=sum(counts.values()),
        counts=counts,
        silent_hosts=list(hosts),
        drives=rows,
    )
    return made.model_copy(update={"subject": drive_words.subject(made)})


def text(report: Report) -> str:
    """Return the body of the mail."""
    lines = [drive_words.headline(report), ""]
    parts: tuple[tuple[str, Status, list[str]], ...] = (
        ("REPLACE", "replace", _entries(report, "replace")),
        ("WATCH", "watch", _entries(report, "watch")),
        ("SILENT", "silent", _silent(report)),
        ("WARRANTY: RENEW OR ACCEPT, NOTHING TO REPLACE", "warranty", _warranties(report)),
    )
    for title, status, entries in parts:
        if entries:
            count = report.counts[status] or len(report.silent_hosts)
            lines += [f"{title} ({count:,})", "", *entries, ""]
    lines += _footer(report)
    return "\n".join(ascii_only(line).rstrip() for line in lines) + "\n"


def _entries(report: Report, status: Status) -> list[str]:
    return [line for row in listed(report, status) for line in _entry(row, drive_words.when(row, report))]


def _entry(row: ReportedDrive, when: str) -> list[str]:
    where = drive_words.place(row.host, row.device) + (f", group {row.group}" if row.group else "")
    return [
        *grid.wrapped(f"{where}: pull {when}" if when else where, WIDTH, indent=2, hanging=2),
        *grid.wrapped(f"{row.model or 'model not known'}, serial {row.serial}", WIDTH, indent=4),
        *grid.wrapped(row.why, WIDTH, indent=4, hanging=2),
    ]


def _silent(report: Report) -> list[str]:
    """Machines of which nothing is heard, a line each; then drives whose machine is read."""
    silent = {host.host for host in report.silent_hosts}
    lines = []
    for host in report.silent_hosts:
        lines += grid.wrapped(f"{host.host}: {drive_words.unheard(host)}", WIDTH, indent=2, hanging=2)
    alone = [row for row in listed(report, "silent") if row.host not in silent]
    return lines + [line for row in alone for line in _entry(row, "")]


def _warranties(report: Report) -> list[str]:
    rows = listed(report, "warranty")
    lines = []
    for row in rows[:WARRANTIES_MAX]:
        told = f"{drive_words.place(row.host, row.device)}, serial {row.serial}: {row.why}"
        lines += grid.wrapped(told, WIDTH, indent=2, hanging=2)
    more = len(rows) - WARRANTIES_MAX
    return [*lines, f"  and {more:,} more; `--output-format csv` has all"] if more > 0 else lines


def _footer(report: Report) -> list[str]:
    as_of = f"As of {report.at:%Y-%m-%d %H:%M} UTC."
    if not report.drives_checked:
        return [as_of]
    undated = report.counts["no date"]
    without = f"; {undated:,} more without a date for the flash" if undated else ""
    return grid.wrapped(
        f"{counted(report.counts['ok'])} of {report.drives_checked:,} need no attention{without}. {as_of} A date is "
        "the early end of an 80 % interval: one drive in ten is expected to end before its date. It assumes that each "
        "drive's recent rate of writes continues; a change of workload moves it.",
        WIDTH,
    )


def ascii_only(line: str) -> str:
    """Replace all but ASCII: names come from drives and hosts, and a mail may declare no encoding."""
    return "".join(c if " " <= c <= "~" else "?" for c in line)
