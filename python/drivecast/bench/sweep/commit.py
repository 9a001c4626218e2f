"""What a commit costs: a write to a log, then the flush that makes it last, one after the other.

MODEL. A database that flushes its log at each commit writes a few KiB behind the last ones and waits for
`fdatasync`. With one such session a commit takes write + flush, and 1 / (commits a second) in the mean.

fio tells writes and flushes apart, each with its own distribution, and a quantile of their sum does not follow from
these two. What follows is a bound, whatever hangs together: W > w happens with probability a, F > f with b, so that
W + F > w + f happens with at most a + b (Boole). `p99_most` takes the best of some splits of one in a hundred; the true
p99 is no longer. Left out: group commit, by which many sessions share a flush and carry more.
"""

from collections.abc import Mapping
from typing import Any

from drivecast.document.findings import Commit
from drivecast.document.measurement import latency, quantile_of

SPLITS = (0.0005, 0.001, 0.002, 0.005, 0.008, 0.009, 0.0095)
"""What of one in a hundred goes to slow writes; the rest goes to slow flushes."""


def commit(outcome: Mapping[str, Any]) -> Commit | None:
    """The cost of a commit in the outcome of a run with a flush after every write; none where nothing was written."""
    per_s = float((outcome.get("write") or {}).get("iops") or 0.0)
    if per_s <= 0:
        return None
    return Commit(
        commits_per_s=per_s,
        commit_ns_mean=1e9 / per_s,
        commit_ns_p99_most=_bound(outcome),
        write_ns_p99=latency(outcome, "write", "q0.99"),
        flush_ns_p50=latency(outcome, "flush", "q0.5"),
        flush_ns_p99=latency(outcome, "flush", "q0.99"),
    )


def _bound(outcome: Mapping[str, Any]) -> float | None:
    found = []
    for slow in SPLITS:
        write = quantile_of(outcome, "write", 1 - slow)
        flush = quantile_of(outcome, "flush", 1 - (0.01 - slow))
        if write is not None and flush is not None:
            found.append(write + flush)
    return min(found, default=None)
