"""The findings of a measured database: medians over the repeats with their spread, and ratios between targets.

A ratio is the median of a target over the median of the first target with the same settings. Its bounds are the
extremes of the repeats over each other (lowest over highest, highest over lowest), so that they hold whatever the
distribution; one repeat has none.
"""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from drivecast.document.attached import late_share, on_time
from drivecast.document.findings import Findings, Setting, Throughput, ThroughputRatio
from drivecast.document.result import Point, Transactions

Settings = tuple[tuple[str, Setting], ...]


def findings(points: Sequence[Point]) -> Findings:
    """Return throughput and its ratios, rows in the order of the points."""
    rows = throughput(points)
    return Findings(throughput=rows, throughput_ratios=ratios(rows))


def throughput(points: Sequence[Point]) -> list[Throughput]:
    """Return transactions a second, and what else was measured, for each target and setting."""
    groups: dict[tuple[str, Settings], list[Point]] = {}
    names = varied(points)
    for point in points:
        groups.setdefault((point.target, _of(point, names)), []).append(point)
    return [_row(target, settings, found) for (target, settings), found in groups.items()]


def varied(points: Sequence[Point]) -> list[str]:
    """The settings of which there is more than one, the number of the repeat left out."""
    names = dict.fromkeys(name for point in points for name in point.settings if name != "repeat")
    return [name for name in names if len({point.settings.get(name) for point in points}) > 1]


def constant(points: Sequence[Point]) -> dict[str, Setting]:
    """The settings that are the same in all points."""
    several = {*varied(points), "repeat"}
    return (
        {name: value for name, value in points[0].settings.items() if name not in several} if points else {}
    )


def ratios(rows: Sequence[Throughput]) -> list[ThroughputRatio]:
    """Return the throughput of each further target and setting over that of the first target."""
    if not rows:
        return []
    base = rows[0].target
    first = {row.key: row for row in rows if row.target == base and row.per_s > 0}
    return [_ratio(row, first[row.key]) for row in rows if row.target != base and row.key in first]


def _ratio(row: Throughput, under: Throughput) -> ThroughputRatio:
    several = min(row.repeats, under.repeats) > 1 and under.per_s_low > 0
    return ThroughputRatio(
        target=row.target,
        over=under.target,
        settings=row.settings,
        ratio=row.per_s / under.per_s,
        ratio_low=row.per_s_low / under.per_s_high if several else None,
        ratio_high=row.per_s_high / under.per_s_low if several else None,
    )


def _row(target: str, settings: Settings, points: Sequence[Point]) -> Throughput:
    rates = [_transactions(point).per_s for point in points]
    return Throughput(
        target=target,
        settings=dict(settings),
        repeats=len(points),
        per_s=statistics.median(rates),
        per_s_low=min(rates),
        per_s_high=max(rates),
        errors=sum(_transactions(point).errors for point in points),
        **{name: _median(map(of, points)) for name, of in BESIDE.items()},  # type: ignore[arg-type]
        **_punctuality(points),
    )


def _punctuality(points: Sequence[Point]) -> dict[str, Any]:
    """Whether attached designs were on time, where some are; else nothing."""
    disks = [point.attached for point in points if point.attached]
    if not disks:
        return {}
    return {
        "on_time": all(map(on_time, disks)),
        "late_share": _median(map(late_share, disks)),
    }


def _of(point: Point, names: Iterable[str]) -> Settings:
    return tuple((name, point.settings[name]) for name in names if name in point.settings)


def _transactions(point: Point) -> Transactions:
    if point.transactions is None:
        raise ValueError("the point is of no database")
    return point.transactions


def _latency(point: Point, name: str) -> float | None:
    return _transactions(point).latency_ns.get(name)


def _variation(point: Point) -> float | None:
    """Standard deviation over mean of the throughput of the seconds: how even it was."""
    rates = [row["per_s"] for row in _transactions(point).seconds]
    mean = statistics.fmean(rates) if rates else 0.0
    return statistics.pstdev(rates) / mean if mean > 0 else None


def _new_orders(point: Point) -> float | None:
    """New orders a minute: their share of all transactions, ramp included, times the throughput."""
    kinds = _transactions(point).kinds or {}
    whole = sum(kinds.values())
    return (
        60 * _transactions(point).per_s * kinds["new-order"] / whole
        if whole and "new-order" in kinds
        else None
    )


def _devices(point: Point, name: str) -> float | None:
    return sum(device[name] for device in point.devices.values()) if point.devices else None


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


BESIDE: Mapping[str, Callable[[Point], float | None]] = {
    "latency_ns_mean": lambda point: _latency(point, "mean"),
    "latency_ns_q0.95": lambda point: _latency(point, "q0.95"),
    "latency_ns_q0.99": lambda point: _latency(point, "q0.99"),
    "variation": _variation,
    "new_orders_per_min": _new_orders,
    "user": lambda point: point.processor.user if point.processor else None,
    "system": lambda point: point.processor.system if point.processor else None,
    "iowait": lambda point: point.processor.iowait if point.processor else None,
    "reads_per_s": lambda point: _devices(point, "reads_per_s"),
    "writes_per_s": lambda point: _devices(point, "writes_per_s"),
    "read_bytes_per_s": lambda point: _devices(point, "read_bytes_per_s"),
    "written_bytes_per_s": lambda point: _devices(point, "written_bytes_per_s"),
    "busy": lambda point: max((device["busy"] for device in (point.devices or {}).values()), default=None),
}
"""Figures next to the throughput, as medians over the repeats; devices of one target are added up, and `busy` is
of the busiest."""
