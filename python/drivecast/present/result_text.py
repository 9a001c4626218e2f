"""A result of `drivecast bench` for the terminal and as flat rows, by its kind."""

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from drivecast.document.findings import SteadyState
from drivecast.document.outcome import Outcome
from drivecast.document.result import Point, Result
from drivecast.present import grid, simulated
from drivecast.present.measured import repeats, steady_state, tables, transactions
from drivecast.present.measured.naming import LAGS
from drivecast.present.measured.result_summary import headline
from drivecast.quantity import number


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
        return replays(result)
    return repeats.text(result)


def rows(result: Result) -> list[dict[str, Any]]:
    """Return the rows of a table."""
    if isinstance(result.findings, SteadyState):
        return steady_state.rows(result, result.findings)
    if result.kind == "database" and result.points:
        return transactions.rows(result)
    if result.kind == "replay" and result.points:
        return replay_rows(result)
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


def replays(result: Result) -> str:
    """Return the runs of replays in lines, one below the other."""
    many = len(result.points) > 1
    return "\n\n".join(_replay(point, named=many) for point in result.points)


def replay_rows(result: Result) -> list[dict[str, Any]]:
    """Return a row a run, nested figures as `read.latency_ns.q0.99`, what was chosen as `settings.repeat`."""
    return [
        {
            "target": point.target,
            "workload": point.workload,
            **_flat(point.settings, "settings."),
            **_flat(point.outcome.model_dump(mode="json") if point.outcome else {}),
        }
        for point in result.points
    ]


def _flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return a nested object as one row; lists are left out."""
    row: dict[str, Any] = {}
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            row.update(_flat(inner, f"{prefix}{name}."))
        elif not isinstance(inner, list):
            row[prefix + name] = inner
    return row


def _replay(point: Point, *, named: bool) -> str:
    name = [f"run {point.settings['repeat']}"] if named else []
    if (outcome := point.outcome) is None:
        return "\n".join(name)
    return "\n".join([*name, simulated.run(outcome).plain, playback_text(outcome), lag_text(outcome)])


def playback_text(outcome: Outcome) -> str:
    """Return what drives are compared by where one trace is played on each, in lines."""
    found = outcome.playback
    if found is None:
        return ""
    parts = [
        f"busy {number.significant(found.busy_s, 3)} of {number.significant(outcome.duration_s, 3)} s",
        f"{number.throughput(found.busy_bytes_per_s)} while busy",
        f"service {_ms(found.service_time_ns_mean)}",
        f"response {_ms(found.response_time_ns_mean)}",
    ]
    line = f"  {', '.join(part for part in parts if number.ABSENT not in part)}"
    return line + (f"\n  ended early: {grid.clean(outcome.partial)}" if outcome.partial else "")


def lag_text(outcome: Outcome) -> str:
    """Return how late requests were issued, and which were not played as recorded, in lines."""
    lag = outcome.lag_ns.figures() if outcome.lag_ns else {}
    cells = ", ".join(f"{name} {lag[key] / 1e3:,.0f} µs" for name, key in LAGS.items())
    lines = [f"  issued late by: {cells}"]
    if widened := outcome.widened:
        lines.append(f"  {widened:,} requests were widened to whole sectors")
    if discards := outcome.discards_left_out:
        lines.append(f"  {discards:,} discards were left out")
    return "\n".join(lines)


def _ms(ns: float | None) -> str:
    figure = number.milliseconds(ns)
    return figure if figure == number.ABSENT else f"{figure} ms"
