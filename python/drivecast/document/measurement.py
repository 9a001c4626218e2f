"""A point as one flat row: what was varied, what was carried, and how long requests took, reads and writes together.

Quantiles of both kinds together come from the histogram of the outcome; where it has none, the longer of the two stands
for them, which is never too short.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeVar

from drivecast.document.outcome import Outcome, Second
from drivecast.document.result import Point

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

EDGES = 3


@dataclass(frozen=True)
class Row:
    """One point, or the median of its repeats."""

    target: str
    series: str
    """The workload, without what is varied."""
    engine: str
    depth: int
    """Outstanding over all threads."""
    threads: int
    block_bytes: float | None
    """Where it is varied."""
    read_fraction: float | None
    """Where it is varied."""
    iops: float
    bytes_per_s: float
    latency_ns_mean: float | None
    latency_ns_p50: float | None
    latency_ns_p95: float | None
    latency_ns_p99: float | None
    repeats: int = 1

    @property
    def case(self) -> tuple[object, ...]:
        """What was run, on whatever target."""
        return self.series, self.engine, self.depth, self.threads, self.block_bytes, self.read_fraction


def rows(points: Sequence[Point]) -> list[Row]:
    """One row a point that has an outcome."""
    return [_row(point, point.outcome) for point in points if point.outcome is not None]


def repeated(found: Sequence[Row]) -> list[Row]:
    """One row for all repeats of a point: medians."""
    return [_middle(group) for group in grouped(found, lambda row: (row.target, row.case)).values()]


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Items by key, in the order in which each key comes first."""
    found: dict[K, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def part(points: Sequence[Point], name: str) -> list[Point]:
    """Return the points of a part of a plan."""
    return [point for point in points if point.settings.get("part") == name]


def whole_seconds(rows: Sequence[Second]) -> list[Second]:
    """Return the seconds without the first and the last, which may be cut, where there are others."""
    return list(rows[1:-1] if len(rows) > EDGES else rows)


def _row(point: Point, outcome: Outcome) -> Row:
    settings = point.settings
    threads = int(settings.get("threads", 1))
    return Row(
        target=point.target,
        series=str(settings.get("series") or point.workload or ""),
        engine=str(settings.get("engine", "")),
        depth=int(settings.get("iodepth", 1)) * threads,
        threads=threads,
        block_bytes=_number(settings.get("block_bytes")),
        read_fraction=_number(settings.get("read_fraction")),
        iops=outcome.iops,
        bytes_per_s=outcome.throughput_bytes_per_s,
        latency_ns_mean=outcome.latency_ns_mean(),
        latency_ns_p50=outcome.quantile(0.5),
        latency_ns_p95=outcome.quantile(0.95),
        latency_ns_p99=outcome.quantile(0.99),
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _middle(group: Sequence[Row]) -> Row:
    """The medians over the repeats of one point."""

    def of(name: str) -> float | None:
        known = [value for row in group if (value := getattr(row, name)) is not None]
        return median(known) if known else None

    return replace(
        group[0],
        iops=median(row.iops for row in group),
        bytes_per_s=median(row.bytes_per_s for row in group),
        latency_ns_mean=of("latency_ns_mean"),
        latency_ns_p50=of("latency_ns_p50"),
        latency_ns_p95=of("latency_ns_p95"),
        latency_ns_p99=of("latency_ns_p99"),
        repeats=len(group),
    )
