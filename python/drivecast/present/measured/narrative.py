"""A result in lines for the terminal: the headline, then its tables."""

from rich.text import Text

from drivecast.document.result import Result
from drivecast.present import grid
from drivecast.present.measured import tables
from drivecast.present.measured.headline import headline


def text(result: Result) -> Text:
    """Return the result in lines."""
    head = headline(result)
    lines: list[str | Text] = [grid.clean(head.title)]
    if not result.complete:
        lines.append(f"partial: {result.partial or 'interrupted'}")
    lines.append("")
    for sentence in head.sentences:
        lines += _wrapped(sentence)
    warnings = result.findings.warnings
    if warnings:
        lines += ["", "warnings"]
        for warning in warnings:
            lines += _wrapped(warning)
    for table in tables.of_result(result):
        if table.title != tables.EVERY or result.kind != "quick":
            lines += ["", *table.lines()]
    for reason in result.findings.chosen:
        lines += ["", *_wrapped(f"chosen: {reason}")]
    for step in head.next:
        lines += ["", *_wrapped(f"next: {step}")]
    return grid.page(lines)


def _wrapped(sentence: str) -> list[str]:
    return grid.wrapped(sentence, indent=2, hanging=2)
