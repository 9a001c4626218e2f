"""What is made of a quick look: knees, limits, commits, evenness, repeatability, and warnings.

| noticed | because |
|---|---|
| a limit | a rate stays the same over a factor of four in size (`cap`) |
| reads from a cache | a lone read takes less than 30 µs: flash alone needs 40 µs and more (assumed) |
| some reads from a cache | of lone reads one in twenty takes ten times the median: two kinds of answers |
| commits from a cache | write and flush together take less than 100 µs: programming flash takes longer (assumed) |
| a flush that costs nothing | its median is under 10 µs: no message to the disk and back is that quick (assumed) |
| slowing down | the last third of the longer run carries under 80 % of the first: a cache fills, credits run out |
| the machine | under 90 % of the asked depth was outstanding at the most, or the processors were 90 % busy |
| neighbours | more than 5 % of the processors' time was taken by other guests |
| figures that do not come again | a run that was made again carries a fifth more or less |

All are signs and not proofs; the texts say what else it could be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from drivecast.bench.quick.runs import READ
from drivecast.bench.sweep import analysis
from drivecast.bench.sweep.commit import commit
from drivecast.bench.sweep.jitter import whole_seconds
from drivecast.document.measurement import Row, repeated, rows
from drivecast.document.result import Point
from drivecast.quantity import number


def of_quick(points: Sequence[Point]) -> dict[str, Any]:
    """The findings of what was measured so far."""
    return {
        "knees": analysis.knees(rows(_part(points, "depth"))),
        "caps": analysis.limits(sized(points)),
        "commits": commits(points),
        "jitter": analysis.jitters(_part(points, "jitter")),
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


WHO = {
    "iops": "something counts requests, such as a volume's limit or a controller",
    "bytes_per_s": "something counts bytes, such as a volume's limit, a link, or flash that takes no more",
}
CACHED_NS = 30e3
TWO_KINDS = 10
COMMIT_CACHED_NS = 100e3
FREE_FLUSH_NS = 10e3
SLOWED = 0.8
KEPT_LEAST = 0.9
BUSY_MOST = 0.9
STEAL_MOST = 0.05
REPEATS_WITHIN = 0.2


def noticed(points: Sequence[Point], found: Mapping[str, Any]) -> list[str]:
    """One sentence for each thing noticed."""
    return [
        *_limits(found["caps"]),
        *_cached(points),
        *_commits(found["commits"]),
        *_slowed(points),
        *_machine(points, found["knees"]),
        *_repeated(found["repeats"]),
    ]


def _limits(caps: Sequence[Mapping[str, Any]]) -> list[str]:
    made = []
    for key, word in (("iops", number.iops), ("bytes_per_s", number.throughput)):
        levels = {
            "reads" if row["read_fraction"] else "writes": row[key] for row in caps if row[key] is not None
        }
        unit = " requests a second" if key == "iops" else ""
        for kind, level in levels.items():
            reach = f"{number.binary_size(level['from_bytes'])} to {number.binary_size(level['to_bytes'])}"
            made.append(f"{kind} stay at {word(level['per_s'])}{unit} from {reach}: {WHO[key]}")
        rates = [level["per_s"] for level in levels.values()]
        if len(rates) == 2 and max(rates) <= 1.05 * min(rates):
            made.append("reads and writes meet the same limit, which speaks for one outside the medium")
    return made


def _cached(points: Sequence[Point]) -> list[str]:
    lone = next(
        (
            point.outcome
            for point in points
            if point.settings.get("series") == READ
            and point.settings.get("iodepth") == 1
            # The later one: behind the first there is still what was just written.
            and point.settings.get("part") == "again"
        ),
        None,
    )
    told = ((lone or {}).get("read") or {}).get("latency_ns") or {}
    middle, slow = told.get("q0.5"), told.get("q0.95")
    if middle is None or slow is None:
        return []
    if middle < CACHED_NS:
        return [
            f"a lone read takes {number.latency(middle)} in the median, less than flash needs: a cache answers "
            "(of the disk, an array or the host below), and a larger file may be slower"
        ]
    if slow > TWO_KINDS * middle:
        return [
            f"of lone reads half take {number.latency(middle)} and one in twenty {number.latency(slow)} or more: "
            "two kinds of answers, such as a cache and what is behind it"
        ]
    return []


def _commits(found: Sequence[Mapping[str, Any]]) -> list[str]:
    if not found:
        return []
    row = found[0]
    if row["commit_ns_mean"] < COMMIT_CACHED_NS:
        return [
            f"a commit takes {number.latency(row['commit_ns_mean'])}, less than flash needs to keep it: a cache "
            "confirms it. Fine where that cache is protected against loss of power, and lost data where it is not"
        ]
    if row["flush_ns_p50"] is not None and row["flush_ns_p50"] < FREE_FLUSH_NS:
        return [
            "a flush costs nothing here: the disk says that it has no cache to flush, so each write is as safe "
            "as it says"
        ]
    return []


def _slowed(points: Sequence[Point]) -> list[str]:
    long = next((point for point in points if point.settings.get("part") == "jitter"), None)
    seconds = whole_seconds(((long.outcome if long else None) or {}).get("seconds") or [])
    third = len(seconds) // 3
    if third < 2:
        return []
    carried = [float(row["reads"]) + float(row["writes"]) for row in seconds]
    begun, ended = fmean(carried[:third]), fmean(carried[-third:])
    if ended >= SLOWED * begun:
        return []
    return [
        f"it slows down: {number.iops(begun)} requests a second in the first {third} s of the longer run, "
        f"{number.iops(ended)} in the last: a cache that fills, or burst credits that run out"
    ]


def _repeated(repeats: Sequence[Mapping[str, Any]]) -> list[str]:
    ratios = [row["ratio"] for row in repeats]
    if not ratios or (min(ratios) >= 1 / (1 + REPEATS_WITHIN) and max(ratios) <= 1 + REPEATS_WITHIN):
        return []
    return [
        f"runs that were made again carried {number.multiple(min(ratios))} to {number.multiple(max(ratios))} of the "
        "first: the machine, the disk or its neighbours were not quiet, and all figures are as rough as that"
    ]


def _machine(points: Sequence[Point], knees: Sequence[Mapping[str, Any]]) -> list[str]:
    made = []
    kept = min((row["depth_kept"] for row in knees), default=1.0)
    if kept < KEPT_LEAST:
        made.append(
            f"only {number.percent(kept)} of the asked depth was outstanding where most was carried: the machine is "
            "the limit, and the disk may do more"
        )
    spent = [point.processor for point in points if point.processor is not None]
    busiest = max((one.user + one.system for one in spent), default=0.0)
    if busiest > BUSY_MOST:
        made.append(
            f"the processors were {number.percent(busiest)} busy in one run: the machine may be the limit"
        )
    steal = max((one.steal for one in spent), default=0.0)
    if steal > STEAL_MOST:
        made.append(f"other guests took up to {number.percent(steal)} of the processors' time meanwhile")
    return made
