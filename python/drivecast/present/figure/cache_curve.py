"""Figures of caches that are not there yet."""

from collections.abc import Iterator

import altair as alt

from drivecast.document.cache import CacheCurves, CacheLatency, CacheRun
from drivecast.present import style, table
from drivecast.present.figure import channel, side_latency
from drivecast.quantity.interval import Span

OPS = ("read", "write")

SHADES = [
    *("#0b3c5d", "#328cc1", "#d9782d", "#3c8d5a", "#8e44ad", "#c0392b"),
    *("#7f8c8d", "#b8860b", "#16a085", "#2c3e50", "#e67e9a"),
]
DASHES = [[1, 0], [6, 2], [2, 2], [8, 2, 2, 2], [4, 4], [1, 2], [10, 3], [5, 1], [3, 3], [7, 4], [2, 5]]


def latency(found: CacheLatency) -> alt.HConcatChart | None:
    """Draw p99 of reads and of writes over the size of the cache, warm and from empty, with that of no cache."""
    rows = table.of(
        _p99s(found), label=str, op=str, at=float, p99_ms=float, low_ms=float, high_ms=float, behind=bool
    )
    names = rows["label"].unique(maintain_order=True).to_list()
    if rows["at"].n_unique() < 2:
        return None
    alone = [
        (op, span.value / 1e6) for op in OPS if (span := _p99(found.alone, op)) is not None and span.value
    ]
    today = table.of(alone, op=str, p99_ms=float)
    return side_latency.latency(rows, names, "size of the cache (MiB)", today)


def _p99s(found: CacheLatency) -> Iterator[tuple[object, ...]]:
    for row in found.cached():
        for state, run in (("warm", row.warm), ("from empty", row.from_empty)):
            for op in OPS:
                span = _p99(run, op)
                if run is None or span is None or not span.value or row.size_bytes is None:
                    continue
                low, high = ((bound / 1e6 if bound else None) for bound in (span.low, span.high))
                size_mib = round(row.size_bytes / 2**20, 3)
                yield f"{row.program}, {state}", op, size_mib, span.value / 1e6, low, high, run.saturated


def _p99(run: CacheRun | None, op: str) -> Span | None:
    return None if run is None else run.read_p99_ns if op == "read" else run.write_p99_ns


def miss_ratio(found: CacheCurves) -> alt.LayerChart | None:
    """Draw the miss ratio over the size of the cache, a line a policy, with the knee of the first."""
    sizes = sorted({point.size_bytes / 2**20 for point in found.curves})
    if len(sizes) < 2:
        return None
    names = found.policies
    rows = table.of(
        ((point.policy, point.size_bytes / 2**20, point.miss_ratio) for point in found.curves),
        policy=str,
        size_mib=float,
        miss_ratio=float,
    )
    # Below the figure: above it, ten names would cover the title of the axis.
    legend: channel.Look = {**channel.STROKE, "orient": "bottom", "columns": 5}
    axes = (
        channel.log(alt.X, "size_mib", "size of the cache (MiB)", (sizes[0], sizes[-1])),
        channel.share("references that miss (%)", [0, 1], "miss_ratio", tickCount=5),
        channel.colours("policy", names, SHADES, **legend),
        channel.dashes("policy", names, DASHES, **legend, symbolStrokeColor=style.INK),
    )
    line = alt.Chart(rows).mark_line(strokeWidth=1.8, point={"size": 14}).encode(*axes)
    first = next((knee for knee in found.knees if knee.policy == names[0]), None)
    at = None if first is None else first.size_bytes / 2**20
    inside = at if at is not None and sizes[0] <= at <= sizes[-1] else None
    knee = channel.needed("size_mib", inside, f"90 % of achievable hits ({names[0]}): {{:.3g}} MiB")
    return channel.stacked([line, *knee], 560, 280)
