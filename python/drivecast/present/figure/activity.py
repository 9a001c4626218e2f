"""A workload: what was requested over time, in which sizes, and where."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import channel
from drivecast.present.figure.channel import OP, SHADES, Peak, Timeline, largest, ordered
from drivecast.quantity.number import percent

MEASURES = {
    "iops": ("reads", "writes", "requests per second (IOPS)"),
    "throughput": ("read_mb", "written_mb", "throughput (MB/s)"),
}


def rate(seconds: pl.DataFrame, measure: str, peak: Peak = None) -> alt.LayerChart:
    """Draw `measure`, `iops` or `throughput`, of a table of seconds, reads and writes stacked."""
    reads, writes, title = MEASURES[measure]
    time = Timeline(largest(seconds["end_s"]))
    source = (
        seconds.select(time.of("start_s"), read=reads, write=writes)
        .unpivot(index="start", variable_name="op", value_name="rate")
        .with_columns((pl.col("op") == "read").cast(pl.Int8).alias("order"))
    )
    area = alt.Chart(source).mark_area(interpolate="step-after")
    y = channel.rate(alt.Y, "rate", title, stack="zero")
    return time.over_peak(area.encode(time.axis(), y, OP, alt.Order("order:Q")), peak, 170)


def queue_depth(seconds: pl.DataFrame, peak: Peak = None) -> alt.LayerChart:
    """Draw the requests outstanding over time, averaged over each second."""
    time = Timeline(largest(seconds["end_s"]))
    source = seconds.select(time.of("start_s"), "queue_depth").drop_nulls()
    edge = {"color": style.MUTED, "strokeWidth": 1}
    area = alt.Chart(source).mark_area(interpolate="step-after", color=style.GREY, opacity=0.45, line=edge)
    y = alt.Y("queue_depth:Q", title="queue depth (requests outstanding)", axis=alt.Axis(tickCount=4))
    return time.over_peak(area.encode(time.axis(), y), peak, 150)


def block_size(sizes: pl.DataFrame) -> alt.LayerChart:
    """Draw the share of reads, and of writes, in each power of two, beside each other."""
    axes = (
        channel.classes(
            "size:N", "request size, up to", ordered(sizes, "size", by="order"), labelOverlap=True
        ),
        alt.XOffset("op:N", sort=["read", "write"]),
        channel.share("share of reads or writes (%)", tickCount=4),
    )
    return style.layered(channel.bars(channel.worded(sizes, "share", percent), axes, OP, 0.005), 220)


def heat_map(cells: pl.DataFrame, peak: Peak = None) -> alt.LayerChart:
    """Draw where on the disk the requests fall over time, in runs of equally shaded cells.

    There are six shades, each the same multiple of the one before.
    """
    time = Timeline(largest(cells["end_s"]))
    names = ordered(cells, "requests", by="level")
    source = cells.with_columns(time.of("start_s"), time.of("end_s", "end"))
    scale = alt.Scale(domain=names, range=SHADES[-len(names) :])
    rects = alt.Chart(source).mark_rect()
    rects = rects.encode(
        time.axis(),
        alt.X2("end:Q"),
        alt.Y("low_gb:Q", title="address (GB)", scale=alt.Scale(nice=False), axis=alt.Axis(tickCount=5)),
        alt.Y2("high_gb:Q"),
        alt.Color("requests:N", title="requests in a cell", scale=scale),
    )
    layers = [rects]
    if peak is not None:
        edges = pl.DataFrame({"start_s": [peak[0], peak[0] + peak[1]]}).select(time.of("start_s"))
        dashed = alt.Chart(edges).mark_rule(strokeDash=[4, 3], color=style.LIMIT)
        layers.append(dashed.encode(alt.X("start:Q")))
    return style.layered(layers, 300)
