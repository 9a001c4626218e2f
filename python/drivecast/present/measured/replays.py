"""A result of replays as text: each run as an outcome, then how exactly it was played and how busy the drive was."""

from collections.abc import Mapping
from typing import Any

from drivecast.document.outcome import Outcome
from drivecast.document.result import Point, Result
from drivecast.present import grid, simulated
from drivecast.quantity import number

LAGS = {"median": "q0.5", "p99": "q0.99", "p99.9": "q0.999", "p99.99": "q0.9999", "max": "max"}


def text(result: Result) -> str:
    """Return the runs in lines, one below the other."""
    many = len(result.points) > 1
    return "\n\n".join(_point(point, named=many) for point in result.points)


def rows(result: Result) -> list[dict[str, Any]]:
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


def _point(point: Point, *, named: bool) -> str:
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
