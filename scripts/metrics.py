"""Writes the tables of `docs/reference/health-metrics.md` from the metrics and rules that are shipped."""

import re
from collections.abc import Iterator
from pathlib import Path

from drivecast.health import metrics, shipped
from drivecast.health.exporter import EXPORTER_HELP

PLACE = Path(__file__).parents[1] / "docs/reference/health-metrics.md"


def drives() -> Iterator[str]:
    """The metrics of a drive."""
    yield "| metric | kind | meaning |"
    yield "|---|---|---|"
    yield f"| `drivecast_drive_info` | info | {metrics.INFO_HELP} `{'`, `'.join(metrics.INFO_LABELS)}` |"
    yield f"| `drivecast_drive_status` | gauge | {metrics.STATUS_HELP} `{'`, `'.join(metrics.STATUSES)}` |"
    yield f"| `drivecast_drive_concern` | gauge | {metrics.CONCERN_HELP} `concern`, `status` |"
    for metric in metrics.DRIVE_METRICS:
        yield f"| `{metric.family}` | {metric.kind} | {metric.help} |"


def exporter() -> Iterator[str]:
    """The metrics of the exporter itself."""
    yield "| metric | meaning |"
    yield "|---|---|"
    yield from (f"| `{name}` | {what} |" for name, what in EXPORTER_HELP.items())


def rules() -> Iterator[str]:
    """What is recorded, and what raises an alert."""
    text = shipped.text("drivecast.rules.yml")
    yield "Recorded:"
    yield ""
    yield from (f"- `{name}`" for name in re.findall(r"- record: (\S+)", text))
    yield ""
    yield "| alert | severity | for | when |"
    yield "|---|---|---|---|"
    for part in text.split("- alert: ")[1:]:
        name = part.split()[0]
        fields = {
            key: found[1]
            for key in ("severity", "for", "summary")
            if (found := re.search(rf"\b{key}: ('.*'|\w+)", part))
        }
        summary = re.sub(r"\{\{ \$(labels\.)?(\w+)[^}]*\}\}", r"*\2*", fields["summary"].strip("'"))
        yield f"| `{name}` | {fields['severity']} | {fields.get('for', '')} | {summary} |"


def files() -> Iterator[str]:
    """The files that are shipped."""
    yield "| file | what it is |"
    yield "|---|---|"
    yield from (f"| `{name}` | {what} |" for name, what in shipped.WHAT.items())


def render(text: str) -> str:
    """The page with its tables written anew."""
    for name, write in (("drives", drives), ("exporter", exporter), ("rules", rules), ("files", files)):
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        before, rest = text.split(begin)
        text = f"{before}{begin}{chr(10).join(write())}\n\n{end}{rest.split(end)[1]}"
    return text


if __name__ == "__main__":
    PLACE.write_text(render(PLACE.read_text()))
