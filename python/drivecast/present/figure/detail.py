"""What only a trace of single requests shows: reuse, runs, alignment, bursts, the day, processes, latency."""

import math

import altair as alt
import polars as pl

from drivecast.document.profile import Detail, Distribution, HurstEstimate, Profile
from drivecast.present import style, table
from drivecast.present.figure import channel
from drivecast.present.figure.channel import OP, STROKE, Timeline, largest, log, ordered, worded
from drivecast.quantity.number import binary_size, percent

KINDS = ["all", "reads", "writes"]
STREAMS_MAX = 12
CACHES = {
    "all": "one cache for all requests",
    "reads": "a cache for reads only",
    "writes": "a cache for writes only",
}
SUCCESSIONS = {
    ("read", "read"): "read after read",
    ("read", "write"): "read after write",
    ("write", "read"): "write after read",
    ("write", "write"): "write after write",
}


def miss_ratios(detail: Detail) -> pl.DataFrame:
    """One row a point: `cache`, `of`, `by`, `size_mib`, `miss_ratio`; sizes from a ten-thousandth of the largest on."""
    largest = max((c.points[-1].size_bytes for c in detail.miss_ratio_curves or [] if c.points), default=0)
    rows = (
        (CACHES[curve.cache], curve.of, curve.by, point.size_bytes / 2**20, point.miss_ratio)
        for curve in detail.miss_ratio_curves or []
        for point in curve.points
        if point.size_bytes * 10_000 >= largest
    )
    return table.of(rows, cache=str, of=str, by=str, size_mib=float, miss_ratio=float)


def miss_ratio(profile: Profile) -> alt.HConcatChart | None:
    """Draw the miss ratios of LRU caches: a panel a cache, by request as a line, by block dashed."""
    curves = miss_ratios(profile)
    if curves.height < 2:
        return None
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


def working_set(profile: Profile) -> alt.LayerChart | None:
    """Draw how the working set grows: distinct bytes accessed, read and written so far."""
    keys = {"all": "touched_bytes", "read": "read_bytes", "write": "written_bytes"}
    rows = (
        (row.time_s, kind, getattr(row, key) / 1e9)
        for row in profile.working_set_growth or []
        for kind, key in keys.items()
    )
    growth = table.of(rows, time_s=float, kind=str, gb=float)
    if growth.is_empty():
        return None
    time = Timeline(largest(growth["time_s"]))
    line = alt.Chart(growth.with_columns(time.of("time_s"))).mark_line(strokeWidth=1.8)
    y = alt.Y("gb:Q", title="distinct data so far (GB)", axis=alt.Axis(tickCount=4))
    kinds = channel.colours("kind", list(keys), [style.INK, style.READ, style.WRITE], **STROKE)
    return style.layered([line.encode(time.axis(), y, kinds)], 170)


def popularity(profile: Profile) -> alt.LayerChart | None:
    """Draw the share of the accesses that the most accessed blocks have, reads and writes beside all."""
    if not profile.popularity:
        return None
    shares = (
        (row.of, f"{row.blocks_fraction * 100:g} %", row.blocks_fraction, row.accesses_fraction)
        for row in profile.popularity
        if row.blocks_fraction < 1
    )
    source = table.of(shares, of=str, blocks=str, order=float, share=float)
    title = "of the footprint, the most accessed"
    axes = (
        channel.classes("blocks:N", title, ordered(source, "blocks", by="order")),
        alt.XOffset("of:N", sort=KINDS),
        channel.share("share of the accesses (%)", [0, 1], tickCount=5),
    )
    kinds = channel.colours("of", KINDS, [style.GREY, style.READ, style.WRITE])
    return style.layered(channel.bars(worded(source, "share", percent), axes, kinds, size=9.5), 210)


def shares_below(parts: dict[str, Distribution | None], scale: float) -> pl.DataFrame:
    """One row a point of a distribution: `name`, `value` (times `scale`) and the `share` below it."""
    rows = (
        (name, row.below * scale, row.share)
        for name, part in parts.items()
        for row in (part.cumulative if part else [])
    )
    return table.of(rows, name=str, value=float, share=float)


def successions(detail: Detail) -> dict[str, Distribution | None]:
    """Return the times between accesses of a block, by what comes after what, with its share."""
    return {
        f"{SUCCESSIONS[row.access, row.after]}, {row.fraction:.0%}": row.interval_ns
        for row in detail.succession or []
    }


def cumulative(
    parts: dict[str, Distribution | None], scale: float, value: str, share: str
) -> alt.LayerChart | None:
    """Draw the share that lies below a value, times `scale`, a line a distribution; `value` and `share` are titles."""
    rows = shares_below(parts, scale)
    if rows.height < 2:
        return None
    names = ordered(rows, "name")
    line = alt.Chart(rows).mark_line(strokeWidth=1.8, interpolate="monotone")
    line = line.encode(
        log(alt.X, "value", value, style.log_domain(rows["value"].to_list(), 1.0)),
        channel.share(share, [0, 1], tickCount=5),
        channel.colours("name", names, **STROKE),
        channel.dashes("name", names, **STROKE),
    )
    return style.layered([line], 200)


def interleave(profile: Profile) -> alt.LayerChart | None:
    """Draw how sequential runs interleave: the share of requests that continue the last run, or an earlier one."""
    if profile.runs is None:
        return None
    shares = profile.runs.interleave
    source = pl.DataFrame({"run": range(1, len(shares) + 1), "share": shares})
    axes = (
        channel.classes("run:O", "run continued, 1 the latest"),
        channel.share("share of the requests (%)", tickCount=4),
    )
    grey = alt.value(style.GREY)
    return style.layered(channel.bars(worded(source, "share", percent), axes, grey, 0.0005), 170)


def alignment(profile: Profile) -> alt.LayerChart | None:
    """Draw the share of reads, and of writes, that begin and end on a boundary."""
    known = (
        (row.op, binary_size(row.boundary_bytes), row.boundary_bytes, row.request_fraction)
        for row in profile.alignment or []
    )
    rows = table.of(known, op=str, boundary=str, order=int, share=float)
    if rows.height < 2:
        return None
    axes = (
        channel.classes("boundary:N", "multiples of", ordered(rows, "boundary", by="order")),
        alt.XOffset("op:N", sort=["read", "write"]),
        channel.share("share of reads or writes (%)", [0, 1.1], values=[0, 0.25, 0.5, 0.75, 1]),
    )
    # Without a sign, two names of 100 lie beside each other.
    source = worded(rows, "share", lambda share: f"{100 * share:.0f}")
    return style.layered(channel.bars(source, axes, OP, 0.005, 9.5), 200)


def dispersion(profile: Profile) -> alt.LayerChart | None:
    """Draw burstiness over time scales: variance over mean of the requests in bins of a width.

    Where a Hurst parameter is known, its slope is drawn over its range.
    """
    known = ((row.scale_s, row.index) for row in profile.dispersion or [] if row.index > 0)
    source = table.of(known, scale=float, index=float)
    if source.is_empty():
        return None
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
        *(_slope(source, profile.hurst.wavelet) if profile.hurst else []),
    ]
    return style.layered(layers, 210)


def _slope(source: pl.DataFrame, hurst: HurstEstimate) -> list[alt.Chart]:
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


def diurnal(profile: Profile) -> alt.LayerChart | None:
    """Draw the pattern of the day: IOPS by hour, reads and writes stacked."""
    if profile.diurnal is None:
        return None
    rows = (
        (row.hour, op, iops, int(op == "read"))
        for row in profile.diurnal.hours
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


def streams(profile: Profile) -> alt.LayerChart | None:
    """Draw the requests of each stream, reads and writes stacked, the largest on top, the smallest together."""
    known = profile.streams or []
    if len(known) < 2:
        return None
    first = [row for row in known if row.stream is not None][:STREAMS_MAX]
    rest = [row for row in known if row not in first]
    groups = [(str(row.stream), [row]) for row in first] + ([("others", rest)] if rest else [])
    requests = (
        (name, order, op, sum(getattr(row, f"{op}s") for row in group))
        for order, (name, group) in enumerate(groups)
        for op in ("read", "write")
    )
    rows = table.of(requests, stream=str, order=int, op=str, requests=int)
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


def response(profile: Profile) -> alt.HConcatChart | None:
    """Draw the mean latency by size and queue depth, reads beside writes, in shades of equal ratio."""
    known = (
        (
            row.op,
            binary_size(row.size_bytes_max) if row.size_bytes_max else "more",
            row.size_bytes_max or 2**62,
            row.depth_max or 0,
            row.latency_ns_mean / 1e6,
        )
        for row in profile.latency_by_size_and_depth or []
    )
    rows = table.of(known, op=str, size=str, size_order=int, depth=int, latency_ms=float)
    if rows.height < 2:
        return None
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
