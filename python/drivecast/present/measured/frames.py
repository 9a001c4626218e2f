"""The rows behind the figures of a result: from points and findings to polars tables."""

from collections.abc import Sequence

import polars as pl

from drivecast.document.findings import Finding, Knee, Ratio, Settled, Waiting
from drivecast.document.measurement import Row
from drivecast.document.outcome import Second
from drivecast.document.result import Point
from drivecast.present import table
from drivecast.present.figure.load_curves import WAITING
from drivecast.present.grid import clean
from drivecast.present.measured import naming
from drivecast.quantity import number

LABELS_MAX = 6
"""Lines of a figure that are still distinct."""


def labels(found: Sequence[Row | Finding]) -> dict[tuple[str, str], str]:
    """Return the name of each line, by target and workload."""
    keys = list(dict.fromkeys((row.target, row.series) for row in found))
    targets, serieses = len({key[0] for key in keys}), len({key[1] for key in keys})
    return {key: naming.label(*key, targets, serieses) for key in keys}


def depths(found: Sequence[Row]) -> pl.DataFrame:
    """Return a row a depth: `label`, `depth`, `iops`, `p95_ms`, `p99_ms`."""
    names = labels(found)
    rows = (
        (
            names[row.target, row.series],
            row.depth,
            row.iops,
            *map(table.ms, (row.latency_ns_p95, row.latency_ns_p99)),
        )
        for row in found
    )
    return table.of(rows, label=str, depth=int, iops=float, p95_ms=float, p99_ms=float)


def knees(rows: Sequence[Knee], found: Sequence[Row]) -> pl.DataFrame:
    """Return a row a line whose knee was reached: `label`, `depth`, `iops_max`, `round_s`, `text`."""
    names = labels(found)
    reached = (
        (
            names[row.target, row.series],
            row.depth,
            row.iops_max,
            row.round_ns / 1e9,
            f"knee {number.significant(row.depth, 2)}",
        )
        for row in rows
        if row.reached and (row.target, row.series) in names
    )
    return table.of(reached, label=str, depth=float, iops_max=float, round_s=float, text=str)


def matrix(found: Sequence[Row]) -> pl.DataFrame:
    """Return a row a size and mix: `label`, `size`, `size_bytes`, `read` (percent), `iops`, `mb_per_s`, `p99_ms`."""
    rows = (
        (
            naming.kind(row.read_fraction),
            number.binary_size(row.block_bytes),
            row.block_bytes,
            round(100 * (row.read_fraction or 0.0), 1),
            row.iops,
            row.bytes_per_s / 1e6,
            table.ms(row.latency_ns_p99),
        )
        for row in found
        if row.block_bytes is not None and row.iops > 0
    )
    columns = dict.fromkeys(("size_bytes", "read", "iops", "mb_per_s", "p99_ms"), float)
    return table.of(rows, label=str, size=str, **columns)


def seconds(groups: Sequence[tuple[str, Sequence[Second]]]) -> pl.DataFrame:
    """Return a row a second of each named run: `label`, `second`, `iops`, `latency_max_ms`."""
    rows = (
        (label, float(at), float(row["reads"] or 0) + float(row["writes"] or 0), table.ms(_longest_ns(row)))
        for label, group in groups
        for at, row in enumerate(group)
    )
    return table.of(rows, label=str, second=float, iops=float, latency_max_ms=float)


def _longest_ns(row: Second) -> float | None:
    longest = (row.get("read_latency_ns_max"), row.get("write_latency_ns_max"))
    return max((latency_ns for latency_ns in longest if latency_ns), default=None)


def stretches(found: Sequence[Settled]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a row a stretch of each long run, and a row a run that settled."""
    names = labels(found)
    rows = (
        (names[row.target, row.series], at * row.stretch_s, (at + 1) * row.stretch_s, iops)
        for row in found
        for at, iops in enumerate(row.iops)
    )
    settled = ((names[row.target, row.series], row.settled_after_s) for row in found if row.reached)
    return (
        table.of(rows, label=str, start_s=float, end_s=float, iops=float),
        table.of(settled, label=str, at_s=float),
    )


def waiting(found: Sequence[Waiting]) -> pl.DataFrame:
    """Return two rows a number outstanding: `depth`, `kind`, `iops`, `p99_ms`."""
    rows = (
        (row.depth, kind, iops, table.ms(latency_ns))
        for row in found
        for kind, iops, latency_ns in zip(
            WAITING,
            (row.sync_iops, row.async_iops),
            (row.sync_latency_ns_p99, row.async_latency_ns_p99),
            strict=True,
        )
    )
    return table.of(rows, depth=int, kind=str, iops=float, p99_ms=float)


def ratios(found: Sequence[Ratio]) -> pl.DataFrame:
    """Return a row a point of every target but the first: `label`, `target`, `ratio`."""
    rows = (
        (f"{naming.load(row.series)}, depth {row.depth}", clean(row.target), row.iops_ratio) for row in found
    )
    return table.of(rows, label=str, target=str, ratio=float)


def exceedance(points: Sequence[tuple[str, Point]], op: str) -> pl.DataFrame:
    """Return a row a point of each named run's curve: `label`, `latency_ms`, `share` of `op`s that take longer."""
    rows = (
        (label, *place)
        for label, point in points
        if point.outcome is not None and point.outcome.stream(op).requests
        for place in table.curve(point.outcome, op)
    )
    return table.of(rows, label=str, latency_ms=float, share=float)
