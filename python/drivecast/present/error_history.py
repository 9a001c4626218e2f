"""The errors of predictions so far as tables: a line a drive and kind of workload, or a line a comparison."""

from collections.abc import Mapping
from typing import Any

from drivecast.document.error_log import ErrorLog
from drivecast.present import grid

RATIOS = ("iops", "read_p50", "read_p99", "write_p50", "write_p99")


def lines(log: ErrorLog, *, each: bool) -> list[grid.Line]:
    """The table, and how many comparisons it is of."""
    table = _each(log) if each else _by_kind(log)
    return [*table, f"{log.comparisons} comparisons in {log.history}"]


def _by_kind(log: ErrorLog) -> list[grid.Line]:
    rows = [
        (
            row["drive"],
            row["kind"],
            row["comparisons"],
            row["within"],
            *(_spread(row, name) for name in ("iops", "p50", "p99")),
        )
        for row in log.rows
    ]
    return [*grid.table(("<drive", "<kind of workload", "n", "within", "IOPS", "p50", "p99"), rows)]


def _spread(row: Mapping[str, Any], name: str) -> str | None:
    """Median and range: `0.96 (0.81 to 1.12)`."""
    median, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    if median is None:
        return None
    return f"{median:.2f}" if low == high else f"{median:.2f} ({low:.2f} to {high:.2f})"


def _each(log: ErrorLog) -> list[grid.Line]:
    heads = ("<drive", "<workload", *(name.replace("_", " ") for name in RATIOS), "<")
    rows = [
        (
            row["drive"],
            row["workload"],
            *(None if row[name] is None else f"{row[name]:.2f}" for name in RATIOS),
            row["outcome"],
        )
        for row in log.rows
    ]
    return [*grid.table(heads, rows)]
