"""Windows of a trace that stand for all of it: cut, compared on a panel of devices, chosen, and described.

The trace is cut into `WINDOWS` of equal length. What leads into a window is as long as the window, so that queues and
caches are as they were. As many are kept as the error that is asked needs, or as give the least.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.document.windows import Cluster, Windows
from drivecast.errors import HintedError
from drivecast.model import choice, measures, panel
from drivecast.stage.windows_file import Archive, footprint, kept, leads_s

WINDOWS = 240
KEPT = (8, 12, 16, 20, 24, 30, 36)
"""Numbers of windows that are tried."""
REQUESTS_MIN = 10
"""Windows with requests below which there is nothing to choose among."""

EXTENT = {
    "window": pl.UInt32,
    "first": pl.UInt64,
    "pages": pl.UInt32,
    "anchor": pl.UInt32,
    "depth": pl.UInt32,
    "back": pl.UInt32,
    "written": pl.Boolean,
}

Progress = Callable[[float, str], None]


def fit(
    trace: _core.Workload,
    name: str,
    trace_hash: str,
    catalog: Catalog,
    *,
    within: float,
    seed: int,
    update: Progress,
) -> Archive:
    """Fit windows to a trace; `within` is what p50 and p99 may be off, as a factor less 1.

    Raises `InputError` for a trace without times, or one too short to choose from.
    """
    duration_s = trace.duration_s or 0.0
    if duration_s <= 0:
        raise HintedError("windows need the times of requests, and this trace has none", "`--kind streams`")
    rows = pl.DataFrame(trace.rows())
    window_s = math.ceil(duration_s * 1e9 / WINDOWS + 1) / 1e9
    spans = _spans(rows, window_s)
    busy = sum(span.requests > 0 for span in spans)
    if busy < REQUESTS_MIN:
        raise HintedError(
            f"expected requests in {REQUESTS_MIN} of {WINDOWS} windows at least, found {busy}",
            "`--kind streams`",
        )
    fared = panel.fared(trace, spans, catalog, lambda share, what: update(0.8 * share, what))
    update(0.8, "choosing windows")
    keep, off = _enough(fared, within, seed)
    chosen = choice.choose(fared, keep, seed)
    figures = _figures(rows, window_s)
    clusters = [
        _cluster(group, number, figures, window_s)
        for group, number in zip(chosen.groups, chosen.chosen, strict=True)
    ]
    clusters = [
        cluster.model_copy(update={"name": text})
        for cluster, text in zip(clusters, _names(clusters), strict=True)
    ]
    order = np.zeros(WINDOWS, dtype=int)
    for place, group in enumerate(chosen.groups):
        order[group] = place
    header = Windows(
        name=name,
        trace_hash=trace_hash,
        requests=int(figures["requests"].sum()),
        duration_s=duration_s,
        span_bytes=trace.span_bytes or 0,
        window_s=window_s,
        lead_s=window_s,
        error=off,
        clusters=clusters,
        order=[int(place) for place in order],
    )
    update(0.9, "measuring reuse")
    width = round(window_s * 1e9)
    windows = [(number * width, (number + 1) * width) for number in kept(header)]
    extents = pl.DataFrame(trace.extents(windows), schema=EXTENT, orient="row")
    return Archive(header, cut(rows, header), extents, footprint(trace))


def _enough(fared: Sequence[panel.Fared], within: float, seed: int) -> tuple[int, float]:
    """The least number of windows that keeps the error, or the one with the least error; and that error."""
    tried = []
    for keep in KEPT:
        off = choice.error(fared, keep, seed)
        tried.append((off, keep))
        if off <= within:
            return keep, off
    off, keep = min(tried)
    return keep, off


def _number(window_s: float) -> pl.Expr:
    """Which window a request is of."""
    return pl.col("time_ns") // round(window_s * 1e9)


def _spans(rows: pl.DataFrame, window_s: float) -> list[panel.Span]:
    counts = np.bincount(rows.select(_number(window_s)).to_series().to_numpy(), minlength=WINDOWS)
    return [
        panel.Span(
            begin_s=max(0.0, (number - 1) * window_s),
            start_s=number * window_s,
            end_s=(number + 1) * window_s,
            requests=int(counts[number]),
        )
        for number in range(WINDOWS)
    ]


def _figures(rows: pl.DataFrame, window_s: float) -> pl.DataFrame:
    """Requests, reads and bytes of each window."""
    data = measures.requests(rows)
    counted = data.group_by(_number(window_s).alias("window")).agg(
        requests=pl.len(), reads=(pl.col("op") == "read").sum(), bytes=pl.col("size_bytes").sum()
    )
    every = pl.DataFrame({"window": pl.Series(range(WINDOWS), dtype=pl.Int64)})
    return every.join(counted, on="window", how="left").fill_null(0).sort("window")


def _cluster(group: Sequence[int], number: int, figures: pl.DataFrame, window_s: float) -> Cluster:
    of = figures[list(group)]
    requests, reads, moved = (int(of[name].sum()) for name in ("requests", "reads", "bytes"))
    length_s = window_s * len(group)
    return Cluster(
        name="",
        weight=len(group),
        windows=[number],
        iops=requests / length_s,
        bytes_per_s=moved / length_s,
        read_fraction=reads / requests if requests else 0.0,
    )


def _names(clusters: Sequence[Cluster]) -> list[str]:
    """What each is: `idle`, or how its load, mix and sizes compare with the mean."""
    total = sum(cluster.weight for cluster in clusters)

    def mean(figure: Callable[[Cluster], float]) -> float:
        return sum(cluster.weight * figure(cluster) for cluster in clusters) / total

    iops, rate = mean(lambda cluster: cluster.iops), mean(lambda cluster: cluster.bytes_per_s)
    reads = mean(lambda cluster: cluster.iops * cluster.read_fraction) / iops
    counts: dict[str, int] = {}
    found = []
    for cluster in clusters:
        words = ["busy" if cluster.iops > 2 * iops else "quiet" if cluster.iops < iops / 2 else "usual"]
        if cluster.read_fraction > reads + 0.2:
            words.append("reads")
        if cluster.read_fraction < reads - 0.2:
            words.append("writes")
        if cluster.iops and cluster.bytes_per_s / cluster.iops > 2 * rate / iops:
            words.append("large")
        text = " ".join(words) if cluster.iops else "idle"
        counts[text] = counts.get(text, 0) + 1
        found.append(f"{text} {counts[text]}")
    return found


def cut(rows: pl.DataFrame, header: Windows) -> pl.DataFrame:
    """The requests of the windows that are kept and of what leads into them, at the times of their play."""
    width = round(header.window_s * 1e9)
    found, at = [], 0
    for number, lead_s in zip(kept(header), leads_s(header), strict=True):
        lead = round(lead_s * 1e9)
        begin, end = number * width - lead, (number + 1) * width
        some = rows.filter((pl.col("time_ns") >= begin) & (pl.col("time_ns") < end))
        found.append(some.with_columns(time_ns=pl.col("time_ns") - begin + at))
        at += lead + width
    return pl.concat(found)
