"""Groups of windows as a person reads them: figures and names, and what to bear in mind of a choice."""

import re
from collections.abc import Callable, Iterator, Sequence

import polars as pl

from drivecast.document.windows import Cluster
from drivecast.model import level_shift
from drivecast.model.panel import Fared
from drivecast.model.window_choice import Choice
from drivecast.model.window_split import WindowSplit
from drivecast.quantity import number

BURST_SHARE = 0.1
"""Of the requests beyond the highest quantiles compared, above which a window that is alone in its cluster is named."""
SHOWN_MAX = 4
SCAN_SHARE = 0.5
"""Of the bytes of windows, read in runs, above which they are a scan."""
NAME = re.compile(r"(?:(?:busy|quiet|usual)(?: scan)?(?: reads)?(?: writes)?(?: large)?|idle) \d+")
"""Of a cluster, as it is `described`."""
REMARK = re.compile(
    r"bursts that came once hold more than \d+% of the slowest requests "
    rf"\({NAME.pattern}(?:, {NAME.pattern})*(?: and \d+ more)?\): "
    r"such a burst comes 0\.03 to 5\.6 times in another recording as long \(95 %, Poisson\)"
    r"|the workload changes for good [\d.,]+ (?:s|min|h|days) into the trace, from [\d.,]+ to [\d.,]+ IOPS and "
    r"\d+% to \d+% reads: its windows represent both, as long as each lasted"
)
"""As `remarks` has them."""


def described(data: pl.DataFrame, cut: WindowSplit, choice: Choice) -> list[Cluster]:
    """The clusters of a choice, with figures of these reads and writes."""
    figures = _figures(data, cut)
    pairs = zip(choice.groups, choice.chosen, strict=True)
    clusters = [_cluster(group, number, figures, cut) for group, number in pairs]
    names = zip(clusters, _names(clusters), strict=True)
    return [each.model_copy(update={"name": text}) for each, text in names]


def remarks(
    data: pl.DataFrame, duration_s: float, fared: Sequence[Fared], choice: Choice, clusters: Sequence[Cluster]
) -> list[str]:
    """What to bear in mind of a trace and of a choice among its windows."""
    return [*_lone_bursts(fared, choice, clusters), *_shift(data, duration_s)]


def _lone_bursts(fared: Sequence[Fared], choice: Choice, clusters: Sequence[Cluster]) -> Iterator[str]:
    """What is said of windows that alone hold much of what is slow."""
    slow = [each.above[:, -3:].sum(axis=1) for each in fared]
    lone = [
        cluster.name
        for cluster, group in zip(clusters, choice.groups, strict=True)
        if len(group) == 1 and any(counts[group[0]] > BURST_SHARE * counts.sum() > 0 for counts in slow)
    ]
    if lone:
        shown = ", ".join(lone[:SHOWN_MAX]) + (
            f" and {len(lone) - SHOWN_MAX} more" if len(lone) > SHOWN_MAX else ""
        )
        yield (
            f"bursts that came once hold more than {BURST_SHARE:.0%} of the slowest requests ({shown}): "
            "such a burst comes 0.03 to 5.6 times in another recording as long (95 %, Poisson)"
        )


def _shift(data: pl.DataFrame, duration_s: float) -> Iterator[str]:
    """What is said of a workload that changes for good."""
    shift = level_shift.found(data, duration_s)
    if shift is not None:
        iops = " to ".join(number.significant(value, 3) for value in shift.iops)
        reads = " to ".join(f"{value:.0%}" for value in shift.read_fraction)
        yield (
            f"the workload changes for good {number.duration(shift.at_s)} into the trace, from {iops} IOPS and "
            f"{reads} reads: its windows represent both, as long as each lasted"
        )


def _figures(data: pl.DataFrame, cut: WindowSplit) -> pl.DataFrame:
    """Requests, reads, bytes, and bytes that are read where the request before ended, of each window."""
    is_read = pl.col("op") == "read"
    counted = data.group_by((pl.col("time_ns") // cut.width_ns).alias("window")).agg(
        requests=pl.len(),
        reads=is_read.sum(),
        bytes=pl.col("size_bytes").sum(),
        scanned=pl.col("size_bytes")
        .filter(is_read & (pl.col("offset_bytes") == pl.col("end").shift()))
        .sum(),
    )
    every = pl.DataFrame({"window": pl.Series(range(cut.windows), dtype=pl.Int64)})
    return every.join(counted, on="window", how="left").fill_null(0).sort("window")


def _cluster(group: Sequence[int], window: int, figures: pl.DataFrame, cut: WindowSplit) -> Cluster:
    of = figures[list(group)]
    requests, reads, moved, scanned = (
        int(of[name].sum()) for name in ("requests", "reads", "bytes", "scanned")
    )
    length_s = cut.width_ns / 1e9 * len(group)
    return Cluster(
        name="scan" if moved and scanned > SCAN_SHARE * moved else "",
        weight=len(group),
        windows=[window],
        leads_s=[int(cut.leads_ns[window]) / 1e9],
        iops=requests / length_s,
        bytes_per_s=moved / length_s,
        read_fraction=reads / requests if requests else 0.0,
    )


def _names(clusters: Sequence[Cluster]) -> list[str]:
    """What each is: `idle`, a `scan`, or how its load, mix and sizes compare with the mean."""
    total = sum(cluster.weight for cluster in clusters)

    def mean(figure: Callable[[Cluster], float]) -> float:
        return sum(cluster.weight * figure(cluster) for cluster in clusters) / total

    iops, rate = mean(lambda cluster: cluster.iops), mean(lambda cluster: cluster.bytes_per_s)
    reads = mean(lambda cluster: cluster.iops * cluster.read_fraction) / iops
    counts: dict[str, int] = {}
    found = []
    for cluster in clusters:
        load = "busy" if cluster.iops > 2 * iops else "quiet" if cluster.iops < iops / 2 else "usual"
        words = [load, *([cluster.name] if cluster.name else [])]
        if cluster.read_fraction > reads + 0.2 and not cluster.name:
            words.append("reads")
        if cluster.read_fraction < reads - 0.2:
            words.append("writes")
        if cluster.iops and cluster.bytes_per_s / cluster.iops > 2 * rate / iops:
            words.append("large")
        text = " ".join(words) if cluster.iops else "idle"
        counts[text] = counts.get(text, 0) + 1
        found.append(f"{text} {counts[text]}")
    return found
