"""A row a second, and the distribution of each second, from the logs of fio's jobs.

| figure | from |
|---|---|
| requests | the histogram log; fio writes no last row, so a job's last second is what its total has beyond |
| mean latency | the bins of that row, which are of completion, and the mean time of submission over the run |
| longest latency | the latency log of maxima, from submission; exact |
| bytes | requests × their mean size over the run: exact where all are of one size |
| queue depth | Little's law: the latencies of a second's completions over its length |
| distribution | the bins, eight an octave put together to keep rows short, named by the largest latency in them |

fio closes a row with the first completion after a second is over, so that a request near the edge of two seconds may
be counted in the next. All rows together are the totals, exactly. The distributions are what a bootstrap of seconds
resamples: of completion (`clat`), as the logs are, and without a job's last second, they show how a second's quantiles
scatter, not where they are.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from drivecast.bench.fio.histogram import BITS, middles
from drivecast.bench.fio.output import Direction, JobReport
from drivecast.document.outcome import OPS, LatenciesOfSecond, Second
from drivecast.errors import InputError

LATE_MS = 500
"""A row that was closed so late behind a second is still of that one: it waited for a completion."""
EDGE_MS = 100
"""The same for what may end within a second: the run, and the log of maxima."""
TOGETHER = (1 << BITS) // 8
"""fio's bins in one of ours."""


@dataclass
class Row:
    """What one kind of request did in a second."""

    count: int = 0
    sum_ns: float = 0.0
    longest_ns: int = 0


@dataclass
class JobLogs:
    """The texts of a job's logs; empty where there are none."""

    histogram: str = ""
    longest: str = ""


def table(jobs: Sequence[JobReport], logs: Sequence[JobLogs], duration_s: float) -> list[Second]:
    """The rows of the outcome's `seconds`, of all jobs. Raises `InputError` for a damaged log."""
    seconds = second_of(duration_s * 1000) + 1
    rows = {op: [Row() for _ in range(seconds)] for op in OPS}
    for job, log in zip(jobs, logs, strict=True):
        counted = histogram_rows(log.histogram)
        longest = longest_rows(log.longest)
        for at, op in enumerate(OPS):
            _add(rows[op], getattr(job, op), [(second, bins) for kind, second, bins in counted if kind == at])
            for _, second, longest_ns in (row for row in longest if row[0] == at):
                place = rows[op][min(second, seconds - 1)]
                place.longest_ns = max(place.longest_ns, longest_ns)
    moved = {op: _bytes(rows[op], sum(getattr(job, op).io_bytes for job in jobs)) for op in OPS}
    made: list[Second] = []
    for second, (read, write) in enumerate(zip(rows["read"], rows["write"], strict=True)):
        length_s = min(1.0, duration_s - second) if second + 1 == seconds else 1.0
        made.append(
            {
                "second": second,
                "reads": read.count,
                "writes": write.count,
                "read_bytes": moved["read"][second],
                "written_bytes": moved["write"][second],
                "queue_depth": (read.sum_ns + write.sum_ns) / 1e9 / length_s if length_s > 0 else 0.0,
                "read_latency_ns_mean": read.sum_ns / read.count if read.count else 0.0,
                "write_latency_ns_mean": write.sum_ns / write.count if write.count else 0.0,
                "read_latency_ns_max": read.longest_ns,
                "write_latency_ns_max": write.longest_ns,
            }
        )
    return made


def _add(rows: list[Row], direction: Direction, counted: Iterable[tuple[int, NDArray[np.int64]]]) -> None:
    """Add a job's rows, and what its total has beyond them."""
    whole = direction.histogram()
    slat_ns = max(0.0, whole.mean_ns - direction.clat_ns.mean)
    count, sum_ns = whole.count, whole.sum_ns
    for second, bins in counted:
        values = bins.astype(np.float64)
        many = int(values.sum())
        taken = min(many, count)
        row = rows[min(second, len(rows) - 1)]
        part_ns = min(float(values @ middles(len(bins))) + many * slat_ns, sum_ns) if taken else 0.0
        row.count, row.sum_ns = row.count + taken, row.sum_ns + part_ns
        count, sum_ns = count - taken, sum_ns - part_ns
    last = rows[min(second_of(direction.runtime), len(rows) - 1)]
    last.count, last.sum_ns = last.count + count, last.sum_ns + (sum_ns if count else 0.0)


def _bytes(rows: Sequence[Row], whole: int) -> list[int]:
    """The bytes of each second, which add up to the whole."""
    reached = list(accumulate((row.count for row in rows), initial=0))
    return [
        after - before
        for before, after in pairwise(whole * so_far // (reached[-1] or 1) for so_far in reached)
    ]


def by_second(logs: Sequence[JobLogs]) -> list[LatenciesOfSecond]:
    """The distribution of each second. Raises `InputError` for a damaged log."""
    found: dict[tuple[int, int], NDArray[np.int64]] = defaultdict(lambda: np.zeros(0, dtype=np.int64))
    for log in logs:
        for kind, second, bins in histogram_rows(log.histogram):
            short, long = sorted((found[second, kind], bins), key=len)
            long[: len(short)] += short
            found[second, kind] = long
    made: list[LatenciesOfSecond] = []
    for (second, kind), bins in sorted(found.items(), key=lambda item: item[0]):
        if kind < len(OPS):
            starts = np.arange(0, len(bins), TOGETHER)
            counts = np.add.reduceat(bins, starts)
            ends = middles(len(bins))[np.minimum(starts + TOGETHER, len(bins)) - 1]
            held = np.flatnonzero(counts)
            latencies = ends[held].astype(int).tolist()
            made.append(
                {"second": second, "op": OPS[kind], "latency_ns": latencies, "count": counts[held].tolist()}
            )
    return made


def second_of(time_ms: float, late_ms: int = EDGE_MS) -> int:
    """The second that ends, or is going on, at a time."""
    return max(0, math.ceil((time_ms - late_ms) / 1000) - 1)


def histogram_rows(text: str) -> list[tuple[int, int, NDArray[np.int64]]]:
    """Kind, second and bins of each row of a histogram log."""
    rows = _rows(text, "histogram log", 4, "bins, found {} numbers")
    return [(row[1], second_of(row[0], LATE_MS), np.array(row[3:], dtype=np.int64)) for row in rows]


def longest_rows(text: str) -> list[tuple[int, int, int]]:
    """Kind, second and longest in ns of each row of a log of maxima."""
    rows = _rows(text, "latency log", 3, "3 numbers or more, found {}")
    return [(row[2], second_of(row[0]), row[1]) for row in rows]


def _rows(text: str, what: str, least: int, expected: str) -> list[list[int]]:
    """The numbers of each line, at `least` so many. Raises `InputError` that names the line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = [int(figure, 0) for figure in line.split(",")]
        except ValueError:
            raise InputError(
                f"fio's log, line {number}: expected numbers of a {what}, found `{line[:60]}`"
            ) from None
        if min(row) < 0 or max(row) >= 1 << 63:
            raise InputError(f"fio's log, line {number}: expected numbers from 0 to 2⁶³, found `{line[:60]}`")
        if len(row) < least:
            raise InputError(f"fio's {what}, line {number}: expected {expected.format(len(row))}")
        found.append(row)
    return found
