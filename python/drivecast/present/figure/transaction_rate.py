"""A measured database: its transactions second by second, and against the buffer pool."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import channel
from drivecast.present.figure.channel import STROKE, Timeline, largest, ordered


def transactions(rows: pl.DataFrame) -> alt.VConcatChart:
    """Draw the transactions of each second, a line a setting, a panel a target: how even they are, and where they go.

    Rows `target`, `label`, `second` (its end, from the end of the ramp), `per_s`.
    """
    time = Timeline(largest(rows["second"]))
    names, targets = ordered(rows, "label"), ordered(rows, "target")
    starts = rows.with_columns(second=pl.col("second") - 1)
    ends = rows.group_by("target", "label", maintain_order=True).last().select(rows.columns)
    source = pl.concat([starts, ends]).with_columns(
        time.of("second")
    )  # the last second is as wide as all others
    top = largest(rows["per_s"]) * 1.05
    dash = channel.dashes("label", names)
    panels = []
    for at, target in enumerate(targets):
        title = f"transactions per second{f', {target}' if len(targets) > 1 else ''}"
        color = channel.colours("label", names, least=99 if at else 2, **STROKE)
        line = alt.Chart(source.filter(pl.col("target") == target)).mark_line(
            interpolate="step-after", strokeWidth=1.5
        )
        drawn = line.encode(time.axis(), channel.rate(alt.Y, "per_s", title, top), color, dash)
        panels.append(channel.sized(drawn, style.WIDTH - 70, 170))
    return alt.vconcat(*panels, spacing=14)


def buffer_pool(rows: pl.DataFrame) -> alt.LayerChart:
    """Draw transactions a second against the buffer pool, a line a target: medians, with the extremes of the repeats.

    Rows `label`, `buffer_bytes`, `per_s`, `per_s_low`, `per_s_high`.
    """
    names = ordered(rows, "label")
    most = largest(rows["buffer_bytes"])
    unit, scale = ("GiB", 1 << 30) if most >= 1 << 30 else ("MiB", 1 << 20)
    x = alt.X(
        "buffer:Q",
        title=f"buffer pool ({unit})",
        scale=alt.Scale(domain=(0, most / scale * 1.04), nice=False),
        axis=alt.Axis(tickCount=8),
    )
    y = channel.rate(alt.Y, "per_s", "transactions per second", largest(rows["per_s_high"]) * 1.08, 5)
    color = channel.colours("label", names, **STROKE, columns=1)
    base = alt.Chart(rows.with_columns(buffer=pl.col("buffer_bytes") / scale)).encode(x, color)
    layers = [
        base.mark_rule(strokeWidth=1.2).encode(alt.Y("per_s_low:Q"), alt.Y2("per_s_high:Q")),
        base.mark_line(strokeWidth=2).encode(y),
        base.mark_point(filled=True, size=45, opacity=1).encode(y),
    ]
    return style.layered(layers, 260)
