"""The findings of a quick look: knees, limits, commits, jitter, repeats, and warnings.

| warning | because |
|---|---|
| a limit | a rate stays the same over a factor of four in size (`cap`) |
| reads from a cache | a lone read takes less than 30 µs: flash alone needs 40 µs and more (assumed) |
| some reads from a cache | of lone reads one in twenty takes ten times the median: two kinds of answers |
| commits from a cache | write and flush together take less than 100 µs: programming flash takes longer (assumed) |
| a free flush | its median is under 10 µs: no message to the disk and back is that quick (assumed) |
| slowing down | the last third of the longer run carries under 80 % of the first: a cache fills, credits run out |
| the machine | under 90 % of the requested depth was outstanding, or the processors were 90 % busy |
| neighbours | more than 5 % of the processors' time was taken by other guests |
| repeats that disagree | a repeated run carries a fifth more or less |

All are signs, not proofs; the texts name what else it could be.
"""

from collections.abc import Sequence
from statistics import fmean

from drivecast.bench.quick.runs import READ
from drivecast.bench.sweep import analysis
from drivecast.bench.sweep.cap import same
from drivecast.bench.sweep.commit import commit
from drivecast.document.findings import Caps, Commit, Findings, Knee, Repeat
from drivecast.document.measurement import part, repeated, rows, whole_seconds
from drivecast.document.result import Point
from drivecast.quantity import number

WHO = {
    "iops": "something counts requests, such as a volume's limit or a controller",
    "bytes_per_s": "something counts bytes, such as a volume's limit, a link, or flash that takes no more",
}
CACHED_NS = 30e3
TWO_KINDS = 10
COMMIT_CACHED_NS = 100e3
FREE_FLUSH_NS = 10e3
SLOWED = 0.8
DEPTH_LEAST = 0.9
BUSY_MOST = 0.9
STEAL_MOST = 0.05
REPEATS_WITHIN = 0.2


def diagnosed(points: Sequence[Point], chosen: Sequence[str]) -> Findings:
    """Return the findings of the points so far; `chosen` is what was chosen for the run, and why."""
    knees = analysis.knees(rows(part(points, "depth")))
    caps = analysis.limits(repeated(rows(part(points, "size"))))
    commits = _commits(points)
    repeats = _repeats(points)
    return Findings(
        knees=knees,
        caps=caps,
        commits=commits,
        jitter=analysis.jitters(part(points, "jitter")),
        repeats=repeats,
        chosen=list(chosen),
        warnings=[
            *_limited(caps),
            *_cached(points),
            *_cached_commits(commits),
            *_slowed(points),
            *_machine(points, knees),
            *_disagreeing(repeats),
        ],
    )


def _commits(points: Sequence[Point]) -> list[Commit]:
    """Return the cost of a commit for each size of log write."""
    return [
        found.model_copy(update={"target": point.target, "block_bytes": point.settings.get("block_bytes")})
        for point in part(points, "commit")
        if point.outcome and (found := commit(point.outcome)) is not None
    ]


def _repeats(points: Sequence[Point]) -> list[Repeat]:
    """Return each repeated run over the first."""
    first = {row.case: row.iops for row in reversed(rows(part(points, "depth"))) if row.iops}
    return [
        Repeat(
            target=again.target,
            series=again.series,
            depth=again.depth,
            iops_first=iops,
            iops_again=again.iops,
            ratio=again.iops / iops,
        )
        for again in rows(part(points, "again"))
        if (iops := first.get(again.case))
    ]


def _limited(caps: Sequence[Caps]) -> list[str]:
    made = []
    for key, wording, unit in (
        ("iops", number.iops, " requests a second"),
        ("bytes_per_s", number.throughput, ""),
    ):
        levels = [(row, level) for row in caps if (level := getattr(row, key)) is not None]
        for row, level in levels:
            reach = f"{number.binary_size(level.from_bytes)} to {number.binary_size(level.to_bytes)}"
            kind = "reads" if row.read_fraction else "writes"
            made.append(f"{kind} stay at {wording(level.per_s)}{unit} from {reach}: {WHO[key]}")
        if len(levels) == 2 and same(*(level for _row, level in levels)):
            made.append("reads and writes meet the same limit, which suggests one outside the medium")
    return made


def _cached(points: Sequence[Point]) -> list[str]:
    # Of the two lone reads the later one: during the first, the file just written may still be on its way.
    again = [(point.settings.get("series"), point.settings.get("iodepth")) for point in part(points, "again")]
    lone = part(points, "again")[again.index((READ, 1))].outcome if (READ, 1) in again else None
    middle, slow = (lone.latency("read", name) if lone else None for name in ("q0.5", "q0.95"))
    if middle is None or slow is None:
        return []
    if middle < CACHED_NS:
        return [
            f"a lone read takes {number.latency(middle)} in the median, less than flash needs: a cache answers "
            "(of the disk, an array or the host below), and a larger file may be slower"
        ]
    if slow > TWO_KINDS * middle:
        return [
            f"half of the lone reads take {number.latency(middle)}, and one in twenty {number.latency(slow)} or more: "
            "two kinds of answers, such as a cache and the medium behind it"
        ]
    return []


def _cached_commits(commits: Sequence[Commit]) -> list[str]:
    if not commits:
        return []
    row = commits[0]
    if row.commit_ns_mean < COMMIT_CACHED_NS:
        return [
            f"a commit takes {number.latency(row.commit_ns_mean)}, less than flash needs to store it: a cache "
            "confirms it. Safe where that cache is protected against loss of power; elsewhere, data are lost"
        ]
    if row.flush_ns_p50 is not None and row.flush_ns_p50 < FREE_FLUSH_NS:
        return [
            "a flush costs nothing here: the disk reports that it has no cache to flush, and writes are only as safe "
            "as that report"
        ]
    return []


def _slowed(points: Sequence[Point]) -> list[str]:
    long = next(iter(part(points, "jitter")), None)
    seconds = whole_seconds(long.outcome.seconds.rows if long and long.outcome else [])
    third = len(seconds) // 3
    if third < 2:
        return []
    carried = [float(row["reads"]) + float(row["writes"]) for row in seconds]
    first, last = fmean(carried[:third]), fmean(carried[-third:])
    if last >= SLOWED * first:
        return []
    return [
        f"it slows down: {number.iops(first)} requests a second in the first {third} s of the longer run, "
        f"{number.iops(last)} in the last: a cache that fills, or burst credits that run out"
    ]


def _disagreeing(repeats: Sequence[Repeat]) -> list[str]:
    ratios = [row.ratio for row in repeats]
    if not ratios or (min(ratios) >= 1 / (1 + REPEATS_WITHIN) and max(ratios) <= 1 + REPEATS_WITHIN):
        return []
    return [
        f"repeated runs carried {number.multiple(min(ratios))} to {number.multiple(max(ratios))} of the first: "
        "the machine, the disk or its neighbours were busy, and all figures are as uncertain as that"
    ]


def _machine(points: Sequence[Point], knees: Sequence[Knee]) -> list[str]:
    made = []
    outstanding = min((row.depth_kept for row in knees), default=1.0)
    if outstanding < DEPTH_LEAST:
        made.append(
            f"only {number.percent(outstanding)} of the requested depth was outstanding at the highest throughput: "
            "the machine is the limit, and the disk may do more"
        )
    spent = [point.processor for point in points if point.processor is not None]
    busiest = max((shares.user + shares.system for shares in spent), default=0.0)
    if busiest > BUSY_MOST:
        made.append(
            f"the processors were {number.percent(busiest)} busy in one run: the machine may be the limit"
        )
    steal = max((shares.steal for shares in spent), default=0.0)
    if steal > STEAL_MOST:
        made.append(f"other guests took up to {number.percent(steal)} of the processors' time meanwhile")
    return made
