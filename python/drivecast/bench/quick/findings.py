"""What is made of a quick look: knees, limits, commits, evenness, repeatability, and what was noticed."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from drivecast.bench.sweep import findings
from drivecast.bench.sweep.commit import commit
from drivecast.document.result import Point
from drivecast.document.row import Row, repeated, rows


def of_quick(points: Sequence[Point]) -> dict[str, Any]:
    """The findings of what was measured so far."""
    return {
        "knees": findings.knees(rows(_part(points, "depth"))),
        "caps": findings.limits(sized(points)),
        "commits": commits(points),
        "jitter": findings.jitters(_part(points, "jitter")),
        "repeats": repeats(points),
    }


def sized(points: Sequence[Point]) -> list[Row]:
    """The runs over request sizes."""
    return repeated(rows(_part(points, "size")))


def commits(points: Sequence[Point]) -> list[dict[str, Any]]:
    """One row a size of log write: what a commit costs."""
    made = []
    for point in _part(points, "commit"):
        found = commit(point.outcome or {})
        if found is not None:
            size = point.settings.get("block_bytes")
            made.append({"target": point.target, "block_bytes": size, **asdict(found)})
    return made


def repeats(points: Sequence[Point]) -> list[dict[str, Any]]:
    """One row a run that was made again: the second over the first."""
    made = []
    for again in rows(_part(points, "again")):
        first = next(
            (
                row
                for row in rows(_part(points, "depth"))
                if row.series == again.series and row.depth == again.depth
            ),
            None,
        )
        if first is not None and first.iops:
            made.append(
                {
                    "target": again.target,
                    "series": again.series,
                    "depth": again.depth,
                    "iops_first": first.iops,
                    "iops_again": again.iops,
                    "ratio": again.iops / first.iops,
                }
            )
    return made


def first_of(found: Sequence[dict[str, Any]], series: str) -> dict[str, Any] | None:
    """The row of a workload."""
    return next((row for row in found if row.get("series") == series), None)


def _part(points: Sequence[Point], part: str) -> list[Point]:
    return [point for point in points if point.settings.get("part") == part]
