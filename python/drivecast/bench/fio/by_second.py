"""The distribution of each second, from the histogram logs of fio's jobs: what a bootstrap of seconds resamples.

Bins are put together to eight an octave, so that a row is short; named by the largest latency in them. Of completion
(`clat`), as the logs are: they show how a second's quantiles scatter, not where they are. fio writes no last row,
so a job's last second is missing.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from drivecast.bench.fio.histogram import BITS, middles
from drivecast.bench.fio.series import LATE_MS, OPS, JobLogs, numbers, second_of
from drivecast.document.outcome import LatenciesOfSecond

TOGETHER = (1 << BITS) // 8
"""fio's bins in one of ours."""


def by_second(logs: Sequence[JobLogs]) -> list[LatenciesOfSecond]:
    """Rows `second`, `op`, `latency_ns` and `count` (both lists). Raises `InputError` for a damaged log."""
    found: dict[tuple[int, int], NDArray[np.int64]] = defaultdict(lambda: np.zeros(0, dtype=np.int64))
    for log in logs:
        for number, line in enumerate(log.histogram.splitlines(), 1):
            row = numbers(line, number, "a histogram log")
            key = second_of(row[0], LATE_MS), row[1]
            bins = np.array(row[3:], dtype=np.int64)
            short, long = sorted((found[key], bins), key=len)
            long[: len(short)] += short
            found[key] = long
    return [_row(second, OPS[op], bins) for (second, op), bins in sorted(found.items()) if op < len(OPS)]


def _row(second: int, op: str, bins: NDArray[np.int64]) -> LatenciesOfSecond:
    starts = np.arange(0, len(bins), TOGETHER)
    counts = np.add.reduceat(bins, starts) if len(bins) else bins
    ends = middles(len(bins))[np.minimum(starts + TOGETHER, len(bins)) - 1]
    held = np.flatnonzero(counts)
    return {
        "second": second,
        "op": op,
        "latency_ns": [int(ends[at]) for at in held],
        "count": [int(counts[at]) for at in held],
    }
