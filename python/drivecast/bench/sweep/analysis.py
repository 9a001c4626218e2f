"""The findings of a sweep, by kind."""

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from drivecast.bench.sweep import settle
from drivecast.bench.sweep.cap import caps
from drivecast.bench.sweep.jitter import jitter
from drivecast.bench.sweep.knee import Step, knee
from drivecast.document.findings import Caps, Findings, Jitter, Knee, Ratio, SweepKind, Waiting
from drivecast.document.measurement import Row, grouped, repeated, rows, whole_seconds
from drivecast.document.result import Point


def of_sweep(kind: SweepKind, points: Sequence[Point]) -> Findings:
    """Return the findings of a sweep of `kind`."""
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
            runs = grouped(points, _run).items()
            made["settled"] = [settle.settled(parts).of(*key) for key, parts in runs]
        case "jitter":
            made["jitter"] = jitters(points)
    if kind in ("depth", "threads", "matrix") and (over := ratios(found)):
        made["ratios"] = over
    return Findings(**made)


def knees(found: Sequence[Row]) -> list[Knee]:
    """Return the knee of each target and workload."""
    made = []
    for (target, series), group in grouped(found, attrgetter("target", "series")).items():
        at = knee([Step(row.depth, row.iops, row.latency_ns_p99) for row in group])
        if at is not None:
            most = next(row for row in group if row.depth == at.depth_at_max)
            made.append(at.model_copy(update={"target": target, "series": series, "depth_kept": _kept(most)}))
    return made


def _kept(row: Row) -> float:
    """Return the share of the requested depth that was outstanding in the mean, by Little's law."""
    if row.latency_ns_mean is None:
        return 1.0
    return min(1.0, row.iops * row.latency_ns_mean / 1e9 / row.depth)


def limits(found: Sequence[Row]) -> list[Caps]:
    """Return the rates that do not change with the size, for each target and share of reads."""
    sized = [row for row in found if row.block_bytes is not None]
    return [
        caps([(int(row.block_bytes or 0), row.iops) for row in group]).model_copy(
            update={"target": target, "read_fraction": mix}
        )
        for (target, mix), group in grouped(sized, attrgetter("target", "read_fraction")).items()
    ]


def waits(found: Sequence[Row]) -> list[Waiting]:
    """Return threads that wait next to one that does not, for each target, workload and number outstanding."""
    made = []
    for (target, series, depth), group in grouped(found, attrgetter("target", "series", "depth")).items():
        sync = next((row for row in group if row.engine == "psync"), None)
        other = next((row for row in group if row.engine != "psync"), None)
        if sync is None or other is None or not sync.iops:
            continue
        made.append(
            Waiting(
                target=target,
                series=series,
                depth=depth,
                sync_iops=sync.iops,
                async_iops=other.iops,
                ratio=other.iops / sync.iops,
                sync_latency_ns_p99=sync.latency_ns_p99,
                async_latency_ns_p99=other.latency_ns_p99,
            )
        )
    return made


def jitters(points: Sequence[Point]) -> list[Jitter]:
    """Return the seconds of each target and workload in figures."""
    made = []
    for key, parts in grouped(points, _run).items():
        seconds = [whole_seconds(point.outcome.seconds.rows) for point in parts if point.outcome]
        if (at := jitter([*chain(*seconds)])) is not None:
            made.append(at.of(*key))
    return made


def _run(point: Point) -> tuple[str, str]:
    """What makes points parts of one run: their target and workload."""
    return point.target, str(point.settings.get("series", ""))


def ratios(found: Sequence[Row]) -> list[Ratio]:
    """Return throughput and p99 of each point of every target but the first, over the first target's."""
    first = found[0].target if found else ""
    base = {row.case: row for row in found if row.target == first}
    return [
        Ratio(
            target=row.target,
            over=first,
            series=row.series,
            depth=row.depth,
            iops_ratio=row.iops / of.iops,
            latency_p99_ratio=_over(row.latency_ns_p99, of.latency_ns_p99),
        )
        for row in found
        if row.target != first and (of := base.get(row.case)) is not None and of.iops
    ]


def _over(value: float | None, base: float | None) -> float | None:
    return value / base if value is not None and base else None
