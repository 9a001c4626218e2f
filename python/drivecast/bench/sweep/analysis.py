"""What is made of a sweep's points, by kind; the rows of `findings` in a result, described in `docs/reference/json.md`.

All of it is arithmetic on points that are there: a partial result has the findings of what it holds.
"""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from drivecast.bench.sweep import settle
from drivecast.bench.sweep.cap import caps
from drivecast.bench.sweep.jitter import jitter, whole_seconds
from drivecast.bench.sweep.knee import Step, knee
from drivecast.document.findings import SweepKind as Kind
from drivecast.document.measurement import Row, repeated, rows
from drivecast.document.result import Point


def of_sweep(kind: Kind, points: Sequence[Point]) -> dict[str, Any]:
    """The findings of a sweep of `kind`."""
    found = repeated(rows(points))
    made: dict[str, Any] = {"sweep": kind}
    match kind:
        case "depth" | "threads":
            made["knees"] = knees(found)
        case "matrix":
            made["caps"] = limits(found)
        case "sync":
            made["waits"] = waits(found)
        case "warmup":
            made["settled"] = [{**key, **settle.settled(list(part))} for key, part in _runs(points)]
        case "jitter":
            made["jitter"] = jitters(points)
    if kind in ("depth", "threads", "matrix") and (over := ratios(found)):
        made["ratios"] = over
    return made


def knees(found: Sequence[Row]) -> list[dict[str, Any]]:
    """One row a target and workload: its knee, and how well the depth was kept."""
    made = []
    for (target, series), group in _grouped(found, "target", "series"):
        at = knee([Step(row.depth, row.iops, row.latency_ns_p99) for row in group])
        if at is not None:
            deepest = next(row for row in group if row.depth == at.depth_at_max)
            made.append({"target": target, "series": series, **asdict(at), "depth_kept": _kept(deepest)})
    return made


def _kept(row: Row) -> float:
    """The share of the asked depth that was outstanding in the mean, by Little's law, where most was carried.

    Well below 1, the machine could not keep the queue filled, and it was the machine that was measured.
    """
    if row.latency_ns_mean is None:
        return 1.0
    return min(1.0, row.iops * row.latency_ns_mean / 1e9 / row.depth)


def limits(found: Sequence[Row]) -> list[dict[str, Any]]:
    """One row a target and share of reads: rates that do not move with the size."""
    made = []
    sized = [row for row in found if row.block_bytes is not None]
    for (target, mix), group in _grouped(sized, "target", "read_fraction"):
        at = caps([(int(row.block_bytes or 0), row.iops) for row in group])
        made.append({"target": target, "read_fraction": mix, **asdict(at)})
    return made


def waits(found: Sequence[Row]) -> list[dict[str, Any]]:
    """One row a target, workload and number outstanding: threads that wait beside one that does not."""
    made = []
    for (target, series, depth), group in _grouped(found, "target", "series", "depth"):
        sync = next((row for row in group if row.engine == "psync"), None)
        other = next((row for row in group if row.engine != "psync"), None)
        if sync is None or other is None or not sync.iops:
            continue
        made.append(
            {
                "target": target,
                "series": series,
                "depth": depth,
                "sync_iops": sync.iops,
                "async_iops": other.iops,
                "ratio": other.iops / sync.iops,
                "sync_latency_ns_p99": sync.latency_ns_p99,
                "async_latency_ns_p99": other.latency_ns_p99,
            }
        )
    return made


def jitters(points: Sequence[Point]) -> list[dict[str, Any]]:
    """One row a target and workload: its seconds in figures."""
    made = []
    for key, part in _runs(points):
        seconds = [row for point in part for row in whole_seconds((point.outcome or {}).get("seconds") or [])]
        if (at := jitter(seconds)) is not None:
            made.append({**key, **asdict(at)})
    return made


def ratios(found: Sequence[Row]) -> list[dict[str, Any]]:
    """One row a point of every target but the first: its throughput and p99 over the first one's."""
    first = found[0].target if found else None
    base = {_what(row): row for row in found if row.target == first}
    made = []
    for row in found:
        of = base.get(_what(row))
        if row.target == first or of is None or not of.iops:
            continue
        made.append(
            {
                "target": row.target,
                "over": first,
                "series": row.series,
                "depth": row.depth,
                "iops_ratio": row.iops / of.iops,
                "latency_p99_ratio": _over(row.latency_ns_p99, of.latency_ns_p99),
            }
        )
    return made


def _over(value: float | None, base: float | None) -> float | None:
    return value / base if value is not None and base else None


def _what(row: Row) -> tuple[object, ...]:
    return row.series, row.engine, row.depth, row.threads, row.block_bytes, row.read_fraction


def _runs(points: Sequence[Point]) -> list[tuple[dict[str, Any], list[Point]]]:
    """The points of each target and workload, in the order of time."""
    made: dict[tuple[str, str], list[Point]] = {}
    for point in points:
        made.setdefault((point.target, str(point.settings.get("series", ""))), []).append(point)
    return [({"target": target, "series": series}, group) for (target, series), group in made.items()]


def _grouped(found: Sequence[Row], *names: str) -> list[tuple[tuple[Any, ...], list[Row]]]:
    """Rows by the values of these fields, in the order of their first."""

    def key(row: Row) -> tuple[Any, ...]:
        return tuple(getattr(row, name) for name in names)

    order = list(dict.fromkeys(map(key, found)))
    ordered = sorted(found, key=lambda row: order.index(key(row)))
    return [(one, list(group)) for one, group in groupby(ordered, key)]
