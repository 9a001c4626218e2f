"""A result of `drivecast bench` for the terminal and as flat rows, by its kind."""

from typing import Any

from rich.text import Text

from drivecast.document.findings import SteadyState
from drivecast.document.result import Result
from drivecast.present.measured import narrative, repeats, replays, steady_state, transactions


def text(result: Result) -> str | Text:
    """Return the result in lines."""
    findings = result.findings
    if isinstance(findings, SteadyState):
        return steady_state.text(result, findings)
    if findings.sweep or (result.kind == "quick" and result.points):
        return narrative.text(result)
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
