"""A test of steady state: the tracked variables by round, and write saturation with its cliff."""

import altair as alt
import polars as pl

from drivecast.document.findings import Cliff
from drivecast.present import style
from drivecast.present.figure import channel
from drivecast.quantity import number

PANEL_WIDTH = 790
WIDEST = 25
"""Rounds that are all labelled on the axis."""


def convergence(
    rounds: pl.DataFrame, windows: pl.DataFrame, unit: str, what: str = "round"
) -> alt.VConcatChart:
    """Draw the tracked variables by round, with the measurement window, 10 % about its mean, and the best linear fit.

    A panel a variable, since a drive's IOPS of 4 KiB and of 1 MiB have no scale in common. The window is shaded; the
    band holds what a range of 20 % about the mean allows, and the fitted line may cross half of it. Tables are those of
    `frames.rounds` and `frames.windows`; a variable without a window has none drawn.
    """
    last = int(channel.largest(rounds["round"]))
    ticks = {"values": list(range(1, last + 1))} if last <= WIDEST else {"tickCount": 8}
    scale = alt.Scale(domain=[0.5, last + 0.5], nice=False)
    names = channel.ordered(rounds, "name")
    panels = []
    for name in names:
        lowest = name == names[-1]
        axis = alt.Axis(labels=lowest, format="d", **ticks)
        base = alt.Chart(rounds.filter(pl.col("name") == name)).encode(
            alt.X("round:Q", title=what if lowest else None, axis=axis, scale=scale),
            alt.Y("value:Q", title=f"{name}, {unit}", scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=4)),
        )
        layers = [
            *_window(windows.filter(pl.col("name") == name)),
            base.mark_line(color=style.READ, strokeWidth=1.2, opacity=0.7),
            base.mark_point(color=style.READ, filled=True, size=46, opacity=1),
        ]
        panels.append(channel.stacked(layers, PANEL_WIDTH, 104))
    return alt.vconcat(*panels, spacing=12)


def _window(windows: pl.DataFrame) -> list[alt.Chart]:
    """The shaded window, the band about the mean, and the fitted line; nothing before the fifth round."""
    if windows.is_empty():
        return []
    row = windows.row(0, named=True)
    first, last = row["first"], row["last"]
    step = max(1, (last - first) // 4)
    edges = windows.select("low", "high", round=first - step / 2, end=last + step / 2, value="mean")
    fit = pl.DataFrame({"round": [first, last], "value": [row["fit_first"], row["fit_last"]]})
    across = alt.Chart(edges).encode(alt.X("round:Q"), alt.X2("end:Q"))
    band = across.mark_rect(color=style.WRITE, opacity=0.35)
    line = alt.Chart(fit).mark_line(color=style.READ if row["steady"] else style.LIMIT, strokeWidth=2.4)
    return [
        across.mark_rect(color=style.PEAK),
        band.encode(alt.Y("low:Q"), alt.Y2("high:Q")),
        across.mark_rule(color=style.MUTED, strokeDash=[2, 2]).encode(alt.Y("value:Q")),
        line.encode(alt.X("round:Q"), alt.Y("value:Q")),
    ]


def saturation(series: pl.DataFrame, span_bytes: int, cliff: Cliff | None) -> alt.VConcatChart:
    """Draw IOPS and latency of random writes against how often the span was written, with the cliff.

    Rows `written_bytes`, `iops`, `latency_ns_mean`, `latency_ns_max`.
    """
    source = series.with_columns(spans=pl.col("written_bytes") / span_bytes)
    scale = alt.Scale(domain=[0, channel.largest(source["spans"])], nice=False)
    iops = alt.Chart(source).encode(
        alt.X("spans:Q", title=None, scale=scale, axis=alt.Axis(labels=False)),
        alt.Y("iops:Q", title="IOPS of random writes of 4 KiB", scale=alt.Scale(zero=True)),
    )
    upper = [
        iops.mark_line(color=style.WRITE, strokeWidth=1.6),
        iops.mark_point(color=style.WRITE, filled=True, size=14, opacity=1),
        *(_cliff(cliff) if cliff else []),
    ]
    lower = alt.X("spans:Q", title="written, times the span", scale=scale)
    return alt.vconcat(channel.stacked(upper, PANEL_WIDTH, 190), _latency(source, lower), spacing=12)


def _latency(source: pl.DataFrame, x: alt.X) -> alt.LayerChart:
    parts = [
        source.select("spans", pl.lit(kind).alias("kind"), latency_ms=pl.col(f"latency_ns_{kind}") / 1e6)
        for kind in ("mean", "max")
    ]
    rows = pl.concat(parts).filter(pl.col("latency_ms") > 0)
    domain = style.log_domain(rows["latency_ms"].to_list())
    base = alt.Chart(rows).encode(x, channel.log(alt.Y, "latency_ms", "latency in each step (ms)", domain))
    dash = channel.dashes("kind", ["mean", "max"], [[1, 0], [2, 2]])
    last = rows.group_by("kind", maintain_order=True).last()
    names = [
        base.encode(alt.Text("kind:N"))
        .properties(data=last.filter(pl.col("kind") == kind))
        .mark_text(align="right", dy=dy, color=style.MUTED)
        for kind, dy in (("mean", 12), ("max", -10))
    ]
    line = base.mark_line(color=style.WRITE, strokeWidth=1.4).encode(dash)
    return channel.stacked([line, *names], PANEL_WIDTH, 110)


def _cliff(cliff: Cliff) -> list[alt.Chart]:
    fall = f"{number.iops(cliff.iops_before)} to {number.iops(cliff.iops_settled)} IOPS"
    text = f"cliff after {number.duration(cliff.start_s)}, {number.size(cliff.written_bytes)}: {fall}"
    return channel.rule(alt.X, "spans", cliff.spans, text, y=2, align="left", baseline="top", dx=6)
