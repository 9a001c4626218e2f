"""What is played of windows that represent a trace: where each begins, what leads into it, and how often it counts.

Model. Windows that are kept are played one after another, in the order of the trace and without a pause: of each first
what leads into it, which is not counted, then the window itself. Its latencies count as often as its share of the
weight of its cluster.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate

import polars as pl

from drivecast.document.windows import Windows

REQUEST: dict[str, type[pl.DataType]] = {
    "time_ns": pl.UInt64,
    "op": pl.String,
    "offset_bytes": pl.UInt64,
    "size_bytes": pl.UInt32,
    "fua": pl.Boolean,
}
"""What is kept of a request."""


def kept(header: Windows) -> list[int]:
    """The windows that are played, in the order of the trace."""
    return sorted({number for cluster in header.clusters for number in cluster.windows})


def weights(header: Windows) -> dict[int, int]:
    """How often each window that is kept counts: of a cluster's weight as even whole shares as there are."""
    found = {}
    for cluster in header.clusters:
        each = [
            round(share * cluster.weight / len(cluster.windows)) for share in range(len(cluster.windows) + 1)
        ]
        for place, number in enumerate(cluster.windows):
            found[number] = each[place + 1] - each[place]
    return found


def spans_ns(header: Windows) -> list[tuple[int, int]]:
    """Of each window that is kept, in ns of the trace, where its play begins and where it ends."""
    lead = {
        number: round(lead_s * 1e9)
        for cluster in header.clusters
        for number, lead_s in zip(cluster.windows, cluster.leads_s, strict=True)
    }
    return spans(lead, round(header.window_s * 1e9))


def spans(lead_ns: Mapping[int, int], width_ns: int) -> list[tuple[int, int]]:
    """The same of windows of this width: each after as much of the trace, at most back to the one before it."""
    found, behind = [], 0
    for number in sorted(lead_ns):
        begin = max(number * width_ns - lead_ns[number], behind)
        behind = (number + 1) * width_ns
        found.append((begin, behind))
    return found


def play(rows: pl.DataFrame, over: Sequence[tuple[int, int]]) -> pl.DataFrame:
    """The requests of these spans of a trace, at the times of their play."""
    found, at = [], 1
    for begin, behind in over:
        some = rows.select(*REQUEST).filter(pl.col("time_ns").is_between(begin, behind, closed="left"))
        found.append(some.with_columns(time_ns=pl.col("time_ns") - begin + at))
        at += behind - begin
    return pl.concat(found)


def ends_ns(over: Sequence[tuple[int, int]], width_ns: int) -> list[int]:
    """The last instant of each part of the play, which begins at 1 ns: of a lead-in, of its window, and so on."""
    return list(
        accumulate(length for begin, behind in over for length in (behind - begin - width_ns, width_ns))
    )


def parts_ns(header: Windows) -> list[int]:
    """`ends_ns` of the windows of a header."""
    return ends_ns(spans_ns(header), round(header.window_s * 1e9))
