"""The figures of a measured database."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from drivecast.document import transactions as findings
from drivecast.document.result import Point, Result
from drivecast.present import style, terminal
from drivecast.present.database import described
from drivecast.present.figure import buffer_pool, transactions


def of_result(result: Result) -> dict[str, alt.TopLevelMixin]:
    """Return charts by name: the first repeat second by second, and throughput over the buffer where it varies."""
    points = [point for point in result.points if point.transactions and point.transactions.seconds]
    if not points:
        return {}
    names = findings.varied(points)
    labels = _few(list(dict.fromkeys(described(point.settings, names) for point in points)))
    drawn = [point for point in points if point.settings.get("repeat", 1) == 1]
    seconds = [
        {
            "target": terminal.clean(point.target),
            "label": label,
            "second": row["second"],
            "per_s": row["per_s"],
        }
        for point in drawn
        if (label := described(point.settings, names)) in labels and point.transactions
        for row in point.transactions.seconds
    ]
    found: dict[str, alt.TopLevelMixin] = {}
    if seconds:
        found["transactions"] = transactions.chart(pl.DataFrame(seconds))
    if "buffer_bytes" in names:
        found["buffer-pool"] = buffer_pool.chart(pl.DataFrame(_over_buffer(points, names)))
    return found


def _few(labels: list[str]) -> list[str]:
    """Return as many as can be told apart as lines: the first, the last, and some evenly between."""
    most = len(style.LINES)
    if len(labels) <= most:
        return labels
    return [labels[round(index * (len(labels) - 1) / (most - 1))] for index in range(most)]


def _over_buffer(points: Sequence[Point], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row a target, setting and buffer; the buffer is no part of the label."""
    others = [name for name in names if name != "buffer_bytes"]
    several = len({point.target for point in points}) > 1
    rows = []
    for row in findings.throughput(points):
        words = [terminal.clean(row["target"])] if several or not others else []
        label = ", ".join([*words, *([described(row["settings"], others)] if others else [])])
        figures_ = {name: row[name] for name in ("per_s", "per_s_low", "per_s_high")}
        rows.append({"label": label, "buffer_bytes": row["settings"]["buffer_bytes"], **figures_})
    chosen = _few(list(dict.fromkeys(row["label"] for row in rows)))
    return sorted((row for row in rows if row["label"] in chosen), key=lambda row: row["buffer_bytes"])
