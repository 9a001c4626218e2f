"""A result of `drivecast bench` for the terminal and as flat rows, by its kind."""

from typing import Any

from rich.text import Text

from drivecast.document.findings import SteadyState
from drivecast.document.result import Result
from drivecast.present import grid
from drivecast.present.measured import repeats, replays, steady_state, tables, transactions
from drivecast.present.measured.headline import headline


def text(result: Result) -> str | Text:
    """Return the result in lines."""
    findings = result.findings
    if isinstance(findings, SteadyState):
        return steady_state.text(result, findings)
    if findings.sweep or (result.kind == "quick" and result.points):
        return narrative(result)
    if result.kind == "database" and result.points:
        return transactions.text(result)
    if result.kind == "replay" and result.points:
        return replays.text(result)
    return repeats.text(result)


def rows(result: Result) -> list[dict[str, Any]]:
    """Return the rows of a table."""
    if isinstance(result.findings, SteadyState):
        return steady_state.rows(result, result.findings)
    if result.kind == "database" and result.points:
        return transactions.rows(result)
    if result.kind == "replay" and result.points:
        return replays.rows(result)
    return repeats.rows(result)


def narrative(result: Result) -> Text:
    """Return the headline, then the tables."""
    head = headline(result)
    lines: list[str | Text] = [grid.clean(head.title)]
    if not result.complete:
        lines.append(f"partial: {result.partial or 'interrupted'}")
    lines.append("")
    lines += [line for sentence in head.sentences for line in _wrapped(sentence)]
    if warnings := result.findings.warnings:
        lines += ["", "warnings", *(line for warning in warnings for line in _wrapped(warning))]
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
