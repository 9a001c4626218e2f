"""A row a second, from the logs of fio's jobs.

| figure | from |
|---|---|
| requests | the histogram log; fio writes no last row, so a job's last second is what its total has beyond |
| mean latency | the bins of that row, which are of completion, and the mean time of submission over the run |
| longest latency | the latency log of maxima, from submission; exact |
| bytes | requests × their mean size over the run: exact where all are of one size |
| queue depth | Little's law: the latencies of a second's completions over its length |

fio closes a row with the first completion after a second is over, so that a request near the edge of two seconds may
be counted in the next. All rows together are the totals, exactly.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from drivecast.bench.fio.histogram import middles
from drivecast.bench.fio.output import Direction, JobReport
from drivecast.document.outcome import Second
from drivecast.errors import InputError

OPS = ("read", "write")
LATE_MS = 500
"""A row that was closed so late behind a second is still of that one: it waited for a completion."""
EDGE_MS = 100
"""The same for what may end within a second: the run, and the log of maxima."""


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


@dataclass
class Series:
    """Rows by kind of request and second."""

    seconds: int
    rows: dict[str, list[Row]] = field(init=False)

    def __post_init__(self) -> None:
        self.rows = {op: [Row() for _ in range(self.seconds)] for op in OPS}


def series(jobs: Sequence[JobReport], logs: Sequence[JobLogs], duration_s: float) -> Series:
    """The seconds of all jobs. Raises `InputError` for a damaged log."""
    whole = Series(second_of(duration_s * 1000) + 1)
    for job, log in zip(jobs, logs, strict=True):
        counted = histogram_rows(log.histogram)
        longest = longest_rows(log.longest)
        for at, op in enumerate(OPS):
            direction: Direction = getattr(job, op)
            _add(whole.rows[op], direction, [row[1:] for row in counted if row[0] == at])
            for _, second, longest_ns in (row for row in longest if row[0] == at):
                place = whole.rows[op][min(second, whole.seconds - 1)]
                place.longest_ns = max(place.longest_ns, longest_ns)
    return whole


def _add(rows: list[Row], direction: Direction, counted: Iterable[tuple[int, int, float]]) -> None:
    """Add a job's rows, and what its total has beyond them."""
    whole = direction.histogram()
    slat_ns = max(0.0, whole.mean_ns - direction.clat_ns.mean)
    count, sum_ns = whole.count, whole.sum_ns
    for second, many, clat_sum_ns in counted:
        taken = min(many, count)
        row = rows[min(second, len(rows) - 1)]
        part_ns = min(clat_sum_ns + many * slat_ns, sum_ns) if taken else 0.0
        row.count, row.sum_ns = row.count + taken, row.sum_ns + part_ns
        count, sum_ns = count - taken, sum_ns - part_ns
    last = rows[min(second_of(direction.runtime), len(rows) - 1)]
    last.count, last.sum_ns = last.count + count, last.sum_ns + (sum_ns if count else 0.0)


def second_of(time_ms: float, late_ms: int = EDGE_MS) -> int:
    """The second that ends, or is going on, at a time."""
    return max(0, math.ceil((time_ms - late_ms) / 1000) - 1)


def histogram_rows(text: str) -> list[tuple[int, int, int, float]]:
    """Kind, second, count and sum in ns of each row of a histogram log."""
    found = []
    values = np.empty(0)
    for number, line in enumerate(text.splitlines(), 1):
        row = numbers(line, number, "a histogram log")
        if len(row) < 4:
            raise InputError(f"fio's histogram log, line {number}: expected bins, found {len(row)} numbers")
        if len(values) != len(row) - 3:
            values = middles(len(row) - 3)
        bins = np.array(row[3:], dtype=np.float64)
        found.append((row[1], second_of(row[0], LATE_MS), int(bins.sum()), float(bins @ values)))
    return found


def longest_rows(text: str) -> list[tuple[int, int, int]]:
    """Kind, second and longest in ns of each row of a log of maxima."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        row = numbers(line, number, "a latency log")
        if len(row) < 3:
            raise InputError(
                f"fio's latency log, line {number}: expected 3 numbers or more, found {len(row)}"
            )
        found.append((row[2], second_of(row[0]), row[1]))
    return found


def numbers(line: str, number: int, what: str) -> list[int]:
    """The numbers of a log's line. Raises `InputError` that names the line."""
    try:
        row = [int(figure, 0) for figure in line.split(",")]
    except ValueError:
        raise InputError(
            f"fio's log, line {number}: expected numbers of {what}, found `{line[:60]}`"
        ) from None
    if min(row) < 0 or max(row) >= 1 << 63:
        raise InputError(f"fio's log, line {number}: expected numbers from 0 to 2⁶³, found `{line[:60]}`")
    return row


def table(whole: Series, reports: Sequence[JobReport], duration_s: float) -> list[Second]:
    """The rows of the outcome's `seconds`."""
    moved = {op: _bytes(whole.rows[op], sum(getattr(job, op).io_bytes for job in reports)) for op in OPS}
    rows: list[Second] = []
    for second in range(whole.seconds):
        read, write = (whole.rows[op][second] for op in OPS)
        length_s = min(1.0, duration_s - second) if second + 1 == whole.seconds else 1.0
        rows.append(
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
    return rows


def _bytes(rows: Sequence[Row], whole: int) -> list[int]:
    """The bytes of each second, which add up to the whole."""
    count = sum(row.count for row in rows)
    reached, before, found = 0, 0, []
    for row in rows:
        reached += row.count
        so_far = whole * reached // count if count else 0
        found.append(so_far - before)
        before = so_far
    return found
