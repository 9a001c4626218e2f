"""A report of drives in service for an e-mail: plain ASCII, 72 columns, what to do first.

The first lines are an order list: which drives to replace, where they sit, and why. Then what to watch, then what is
not known; a drive that is well is a number only. Everything a mail client might fold or colour is left out.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from drivecast.health.concern import Concern, Horizons, concerns, earliest_end, turn

WIDTH = 72
INDENT = "    "


@dataclass(frozen=True)
class Entry:
    """One drive and what is to be said of it."""

    row: Mapping[str, Any]
    concerns: Sequence[Concern]

    @property
    def urgency(self) -> str:
        """Of its most urgent concern."""
        return self.concerns[0].urgency


@dataclass(frozen=True)
class Report:
    """Every drive in one of four lists; each has what fails now first, then the date of its end, host and serial."""

    horizons: Horizons
    act: Sequence[Entry]
    watch: Sequence[Entry]
    unknown: Sequence[Entry]
    well: int

    @property
    def drives(self) -> int:
        """How many there are."""
        return len(self.act) + len(self.watch) + len(self.unknown) + self.well

    @property
    def by(self) -> datetime:
        """The day by which drives are to be replaced."""
        return self.horizons.now + self.horizons.act


def report(rows: Sequence[Mapping[str, Any]], horizons: Horizons) -> Report:
    """Sort rows of `drives_in_service` into lists."""
    entries = [Entry(row, found) for row in rows if (found := concerns(row, horizons))]
    entries.sort(key=lambda one: turn(one.row))
    by = {name: [one for one in entries if one.urgency == name] for name in ("act", "watch", "unknown")}
    return Report(horizons, by["act"], by["watch"], by["unknown"], len(rows) - len(entries))


def subject(made: Report) -> str:
    """One line that says whether to open the mail."""
    if not made.drives:
        return "Drives: none in the history"
    parts = []
    if made.act:
        parts.append(f"{len(made.act)} to replace by {made.by:%Y-%m-%d}")
    if made.watch:
        parts.append(f"{len(made.watch)} to watch")
    if made.unknown:
        parts.append(f"{len(made.unknown)} not known")
    return "Drives: " + (", ".join(parts) or f"all {made.drives} well")


def text(made: Report) -> str:
    """The body of the mail."""
    lines = [_headline(made), ""]
    lists = (
        (f"REPLACE BY {made.by:%Y-%m-%d}", made.act),
        ("WATCH", made.watch),
        ("NOT KNOWN", made.unknown),
    )
    for title, entries in lists:
        if entries:
            lines += [f"{title} ({len(entries)})", ""]
            for one in entries:
                lines += _entry(one)
            lines.append("")
    lines += _footer(made)
    return "\n".join(ascii_only(line).rstrip() for line in lines) + "\n"


def _headline(made: Report) -> str:
    if not made.drives:
        return "No drive is in the history: nothing can be told."
    days = made.horizons.act.days
    if not made.act:
        return f"Nothing is to be replaced within {days} days ({_drives(made.drives)} looked at)."
    return f"Replace {_drives(len(made.act))} within {days} days, of {made.drives} looked at."


def _entry(one: Entry) -> list[str]:
    row = one.row
    place = " ".join(str(row[key]) for key in ("host", "device") if row.get(key)) or "place not known"
    place += f", group {row['group']}" if row.get("group") else ""
    model = f"{row.get('model') or 'model not known'}, serial {row['serial']}"
    why = "; ".join(concern.text for concern in one.concerns)
    return [
        *textwrap.wrap(place, WIDTH, initial_indent="  ", subsequent_indent=INDENT),
        *textwrap.wrap(model, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT),
        *textwrap.wrap(why, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT + "  "),
    ]


def _footer(made: Report) -> list[str]:
    if not made.drives:
        return [f"As of {made.horizons.now:%Y-%m-%d %H:%M} UTC."]
    words = (
        f"{_drives(made.well)} of {made.drives} with nothing to say. As of {made.horizons.now:%Y-%m-%d %H:%M} UTC. "
        "A date is the early end of an 80 % interval: of ten drives, one is expected to end before its own. It "
        "rests on the pace of each drive's recent writes; a workload that changes moves it."
    )
    return textwrap.wrap(words, WIDTH)


def _drives(count: int) -> str:
    return "1 drive" if count == 1 else f"{count:,} drives"


def ascii_only(line: str) -> str:
    """Names come from drives and hosts; a mail without a declared encoding is ASCII."""
    return "".join(c if " " <= c <= "~" else "?" for c in line)


def rows(made: Report) -> list[dict[str, Any]]:
    """The same as rows for CSV and JSON."""
    keys = ("serial", "model", "host", "device", "group")
    return [
        {
            "list": name,
            **{key: one.row.get(key) for key in keys},
            "earliest_end": _day(earliest_end(one.row)),
            "why": "; ".join(concern.text for concern in one.concerns),
        }
        for name, entries in (("replace", made.act), ("watch", made.watch), ("unknown", made.unknown))
        for one in entries
    ]


def _day(value: datetime | None) -> str | None:
    return f"{value:%Y-%m-%d}" if value else None
