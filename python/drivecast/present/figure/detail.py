"""What only a trace of single requests tells: reuse, runs, alignment, bursts, the day, who asks, how fast."""

import math

import altair as alt
import polars as pl

from drivecast.document.profile import Dispersion, Diurnal, HurstEstimate, Popularity
from drivecast.present import style, table
from drivecast.present.detail_table import CACHES
from drivecast.present.figure import channel
from drivecast.present.figure.channel import OP, STROKE, Timeline, largest, log, ordered, worded
from drivecast.quantity.number import percent

KINDS = ["all", "reads", "writes"]


def miss_ratio(curves: pl.DataFrame) -> alt.HConcatChart:
    """Draw the miss ratios of LRU caches: a panel a cache, by request as a line, by block dashed."""
    domain = style.log_domain(curves["size_mib"].to_list(), 1.0)
    axes = (
        log(alt.X, "size_mib", "size of the cache (MiB)", domain),
        channel.share("share that misses (%)", [0, 1], "miss_ratio", tickCount=5),
        channel.colours("of", KINDS, [style.INK, style.READ, style.WRITE], **STROKE),
        channel.dashes("by", ["request", "block"], [[1, 0], [4, 3]], **STROKE, symbolStrokeColor=style.INK),
    )
    panels = []
    for name in CACHES.values():
        source = curves.filter(pl.col("cache") == name)
        if source.height:
            title = alt.TitleParams(name, fontSize=12, fontWeight="normal", anchor="start")
            line = alt.Chart(source, title=title).mark_line(strokeWidth=1.8, interpolate="step-after")
            panels.append(channel.sized(line.encode(*axes), 238, 220))
    return alt.hconcat(*panels, spacing=18)


def working_set(growth: pl.DataFrame) -> alt.LayerChart:
    """Draw how the working set grows: distinct bytes accessed, read and written so far."""
    time = Timeline(largest(growth["time_s"]))
    line = alt.Chart(growth.with_columns(time.of("time_s"))).mark_line(strokeWidth=1.8)
    y = alt.Y("gb:Q", title="distinct data so far (GB)", axis=alt.Axis(tickCount=4))
    kinds = channel.colours("kind", ["all", "read", "write"], [style.INK, style.READ, style.WRITE], **STROKE)
    return style.layered([line.encode(time.axis(), y, kinds)], 170)


def popularity(rows: list[Popularity]) -> alt.LayerChart:
    """Draw the share of the accesses that the most accessed blocks have, reads and writes beside all."""
    shares = (
        (row.of, f"{row.blocks_fraction * 100:g} %", row.blocks_fraction, row.accesses_fraction)
        for row in rows
        if row.blocks_fraction < 1
    )
    source = table.of(shares, of=str, blocks=str, order=float, share=float)
    title = "of the blocks touched, the most accessed"
    axes = (
        channel.classes("blocks:N", title, ordered(source, "blocks", by="order")),
        alt.XOffset("of:N", sort=KINDS),
        channel.share("share of the accesses (%)", [0, 1], tickCount=5),
    )
    kinds = channel.colours("of", KINDS, [style.GREY, style.READ, style.WRITE])
    return style.layered(channel.bars(worded(source, "share", percent), axes, kinds, size=9.5), 210)


def cumulative(rows: pl.DataFrame, value: str, share: str) -> alt.LayerChart:
    """Draw the share that lies below a value, a line a distribution; `value` and `share` are the axes' titles."""
    names = ordered(rows, "name")
    line = alt.Chart(rows).mark_line(strokeWidth=1.8, interpolate="monotone")
    line = line.encode(
        log(alt.X, "value", value, style.log_domain(rows["value"].to_list(), 1.0)),
        channel.share(share, [0, 1], tickCount=5),
        channel.colours("name", names, **STROKE),
        channel.dashes("name", names, **STROKE),
    )
    return style.layered([line], 200)


def interleave(shares: list[float]) -> alt.LayerChart:
    """Draw how sequential runs interleave: the share of requests that continue the last run, or an earlier one."""
    source = pl.DataFrame({"run": range(1, len(shares) + 1), "share": shares})
    axes = (
        channel.classes("run:O", "run continued, 1 the latest"),
        channel.share("share of the requests (%)", tickCount=4),
    )
    grey = alt.value(style.GREY)
    return style.layered(channel.bars(worded(source, "share", percent), axes, grey, 0.0005), 170)


def alignment(rows: pl.DataFrame) -> alt.LayerChart:
    """Draw the share of reads, and of writes, that begin and end on a boundary."""
    axes = (
        channel.classes("boundary:N", "multiples of", ordered(rows, "boundary", by="order")),
        alt.XOffset("op:N", sort=["read", "write"]),
        channel.share("share of reads or writes (%)", [0, 1.1], values=[0, 0.25, 0.5, 0.75, 1]),
    )
    # Without a sign, two names of 100 lie beside each other.
    source = worded(rows, "share", lambda share: f"{100 * share:.0f}")
    return style.layered(channel.bars(source, axes, OP, 0.005, 9.5), 200)


def dispersion(rows: list[Dispersion], hurst: HurstEstimate | None) -> alt.LayerChart:
    """Draw burstiness over time scales: variance over mean of the requests in bins of a width.

    Where a Hurst parameter is known, its slope is drawn over its range.
    """
    source = pl.DataFrame([{"scale": row.scale_s, "index": row.index} for row in rows if row.index > 0])
    scales = style.log_domain(source["scale"].to_list(), 1.2)
    indices = style.log_domain([1.0, *source["index"]], 1.5)
    base = alt.Chart(source).encode(
        log(alt.X, "scale", "time scale (s)", scales, labelOverlap="greedy"),
        log(alt.Y, "index", "variance / mean of requests", indices, labelOverlap="greedy"),
    )
    layers = [
        *channel.level("index", 1.0, "random (Poisson)"),
        base.mark_line(color=style.READ),
        base.mark_point(filled=True, size=40, color=style.READ, opacity=1),
        *_slope(source, hurst),
    ]
    return style.layered(layers, 210)


def _slope(source: pl.DataFrame, hurst: HurstEstimate | None) -> list[alt.Chart]:
    if hurst is None:
        return []
    within = source.filter(pl.col("scale").is_between(hurst.from_s * 0.99, hurst.to_s * 1.01))
    if within.height < 2:
        return []
    power = 2 * hurst.value - 1
    points = list(zip(within["scale"], within["index"], strict=True))
    level = sum(math.log(index) - power * math.log(scale) for scale, index in points) / len(points)
    text = f"H = {hurst.value:.2f} ({hurst.low:.2f} to {hurst.high:.2f})"
    rows = (
        (scale, math.exp(level + power * math.log(scale)), text) for scale, _index in (points[0], points[-1])
    )
    ends = table.of(rows, scale=float, index=float, name=str)
    place = (alt.X("scale:Q"), alt.Y("index:Q"))
    name = alt.Chart(ends.head(1)).mark_text(align="left", baseline="top", dx=10, dy=8, color=style.LIMIT)
    return [
        alt.Chart(ends).mark_line(color=style.LIMIT, strokeDash=[6, 3]).encode(*place),
        name.encode(*place, alt.Text("name:N")),
    ]


def diurnal(day: Diurnal) -> alt.LayerChart:
    """Draw the pattern of the day: IOPS by hour, reads and writes stacked."""
    rows = (
        (row.hour, op, iops, int(op == "read"))
        for row in day.hours
        for op, iops in (("read", row.read_iops), ("write", row.write_iops))
    )
    source = table.of(rows, hour=int, op=str, iops=float, order=int)
    bars = alt.Chart(source).mark_bar()
    bars = bars.encode(
        channel.classes("hour:O", "hour of the day, from the start of the recording"),
        alt.Y("iops:Q", title="requests per second (IOPS)", stack="zero", axis=alt.Axis(tickCount=4)),
        OP,
        alt.Order("order:Q"),
    )
    return style.layered([bars], 180)


def streams(rows: pl.DataFrame) -> alt.LayerChart:
    """Draw the requests of each stream, reads and writes stacked, the largest on top."""
    order = ordered(rows, "stream", by="order")
    look = alt.Axis(domain=False, ticks=False, titleAlign="right", titleX=-8)
    bars = alt.Chart(rows.with_columns(rank=(pl.col("op") == "read").cast(pl.Int8))).mark_bar()
    bars = bars.encode(
        alt.Y("stream:N", title="stream", sort=order, axis=look),
        channel.rate(alt.X, "requests", "requests", ticks=5, stack="zero"),
        OP,
        alt.Order("rank:Q", sort="descending"),
    )
    return style.layered([bars], 70 + 22 * len(order))


def response(rows: pl.DataFrame) -> alt.HConcatChart:
    """Draw the mean latency by size and queue depth, reads beside writes, in shades of equal ratio."""
    sizes = ordered(rows, "size", by="size_order")
    depths = sorted(rows["depth"].unique().to_list(), reverse=True)
    y = alt.Y("depth:O", title="requests outstanding, up to", sort=depths)
    legend = alt.Legend(title="mean latency (ms)", gradientLength=160, format="~g")
    domain = style.log_domain(rows["latency_ms"].to_list(), 1.0)
    panels = []
    for op in ("read", "write"):
        source = rows.filter(pl.col("op") == op)
        if source.height:
            axes = channel.classes("size:N", f"{op} size, up to", sizes, labelAngle=-45), y
            layers = channel.cells(source, axes, "latency_ms", domain, 9, legend)
            panels.append(channel.stacked(layers, 372, 40 + 20 * len(depths)))
    return alt.hconcat(*panels, spacing=24)
