"""The errors of predictions so far as tables: a line a drive and kind of workload, or a line a comparison."""

from collections.abc import Sequence

from drivecast.document.error_log import ComparisonRow, ErrorLog, KindRow
from drivecast.present import grid


def lines(log: ErrorLog) -> list[grid.Line]:
    """The table, and how many comparisons it is of."""
    kinds = [row for row in log.rows if isinstance(row, KindRow)]
    each = [row for row in log.rows if isinstance(row, ComparisonRow)]
    return [*(_each(each) if each else _by_kind(kinds)), f"{log.comparisons} comparisons in {log.history}"]


def _by_kind(rows: Sequence[KindRow]) -> list[grid.Line]:
    cells = [
        (
            row.drive,
            row.kind,
            row.comparisons,
            row.within,
            _spread(row.iops, row.iops_low, row.iops_high),
            _spread(row.p50, row.p50_low, row.p50_high),
            _spread(row.p99, row.p99_low, row.p99_high),
        )
        for row in rows
    ]
    return [*grid.table(("<drive", "<kind of workload", "n", "within", "IOPS", "p50", "p99"), cells)]


def _spread(median: float | None, low: float | None, high: float | None) -> str | None:
    """Median and range: `0.96 (0.81 to 1.12)`."""
    if median is None:
        return None
    return f"{median:.2f}" if low == high else f"{median:.2f} ({low:.2f} to {high:.2f})"


def _each(rows: Sequence[ComparisonRow]) -> list[grid.Line]:
    heads = ("<drive", "<workload", "iops", "read p50", "read p99", "write p50", "write p99", "<")
    cells = [
        (
            row.drive,
            row.workload,
            *(
                None if ratio is None else f"{ratio:.2f}"
                for ratio in (row.iops, row.read_p50, row.read_p99, row.write_p50, row.write_p99)
            ),
            row.outcome,
        )
        for row in rows
    ]
    return [*grid.table(heads, cells)]
