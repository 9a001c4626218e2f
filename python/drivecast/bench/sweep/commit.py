"""What a commit costs: a write to a log, then the flush that makes it last, one after the other.

MODEL. A database that flushes its log at each commit writes a few KiB behind the last ones and waits for
`fdatasync`. With one such session a commit takes write + flush, and 1 / (commits a second) in the mean.

fio reports writes and flushes apart, each with its distribution, and a quantile of their sum does not follow from these
two. What follows is a bound, whatever their correlation: W > w happens with probability a, F > f with b, so that
W + F > w + f happens with at most a + b (Boole). `p99_most` takes the best of some splits of one in a hundred; the true
p99 is no longer. Left out: group commit, by which many sessions share a flush and carry more.
"""

from drivecast.document.findings import Commit
from drivecast.document.outcome import Outcome

SPLITS = (0.0005, 0.001, 0.002, 0.005, 0.008, 0.009, 0.0095)
"""What of one in a hundred goes to slow writes; the rest goes to slow flushes."""


def commit(outcome: Outcome) -> Commit | None:
    """The cost of a commit in the outcome of a run with a flush after every write; none where nothing was written."""
    per_s = outcome.write.iops
    if per_s <= 0:
        return None
    return Commit(
        commits_per_s=per_s,
        commit_ns_mean=1e9 / per_s,
        commit_ns_p99_most=_bound(outcome),
        write_ns_p99=outcome.latency("write", "q0.99"),
        flush_ns_p50=outcome.latency("flush", "q0.5"),
        flush_ns_p99=outcome.latency("flush", "q0.99"),
    )


def _bound(outcome: Outcome) -> float | None:
    slow = [
        (outcome.quantile(1 - share, "write"), outcome.quantile(1 - (0.01 - share), "flush"))
        for share in SPLITS
    ]
    found = [write + flush for write, flush in slow if write is not None and flush is not None]
    return min(found, default=None)
