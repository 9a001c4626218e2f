"""A result in lines for the terminal: the verdict, then its tables."""

import textwrap

from drivecast.document.result import Result
from drivecast.present import terminal
from drivecast.present.measured import tables
from drivecast.present.measured.headline import verdict
from drivecast.present.measured.tables import Table

POINTS_MAX = 40


def text(result: Result) -> str:
    """The result in lines."""
    said = verdict(result)
    lines = [terminal.clean(said.title)]
    if not result.complete:
        lines.append(f"partial: {result.partial or 'it was cut off'}")
    lines.append("")
    for sentence in said.sentences:
        lines += _wrapped(sentence)
    noticed = result.findings.get("noticed", [])
    if noticed:
        lines += ["", "noticed"]
        for one in noticed:
            lines += _wrapped(one)
    for table in tables.of_result(result):
        if table.title != tables.EVERY or result.kind != "quick":
            lines += ["", *grid(table)]
    for one in result.findings.get("chosen", []):
        lines += ["", *_wrapped(f"chosen: {one}")]
    for one in said.next:
        lines += ["", *_wrapped(f"next: {one}")]
    return terminal.joined(lines)


def grid(table: Table) -> list[str]:
    """A table in columns that line up."""
    slim = table.slim()
    shown = [slim.heads, *slim.rows[:POINTS_MAX]]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = [terminal.clean(slim.title)]
    for row in shown:
        cells = (
            cell.ljust(width) if at < slim.words else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append(f"  {terminal.clean('  '.join(cells)).rstrip()}")
    if len(table.rows) > POINTS_MAX:
        lines.append(f"  … and {len(table.rows) - POINTS_MAX} more")
    return lines


def _wrapped(sentence: str) -> list[str]:
    return textwrap.wrap(
        terminal.clean(sentence), terminal.WIDTH, initial_indent="  ", subsequent_indent="    "
    )
