"""A test of steady state: the tracked variables by round, and write saturation with its cliff."""

import altair as alt
import polars as pl

from drivecast.document.findings import Cliff, SteadyPart, Tracked
from drivecast.present import style, table
from drivecast.present.figure import channel
from drivecast.quantity import number

PANEL_WIDTH = 790
WIDEST = 25
"""Rounds that are all labelled on the axis."""


SCALES = {"iops": ("IOPS", 1.0), "throughput_bytes_per_s": ("MB/s", 1e6), "latency_ns_mean": ("ms", 1e6)}
"""Unit of a tracked quantity where it is drawn, and how many of its own make one."""


def convergence(part: SteadyPart) -> alt.VConcatChart:
    """Draw the tracked variables by round, with the measurement window, 10 % about its mean, and the best linear fit.

    A panel a variable, since a drive's IOPS of 4 KiB and of 1 MiB have no scale in common. The window is shaded; the
    band holds what a range of 20 % about the mean allows, and the fitted line may cross half of it. A variable has no
    window before the fifth round.
    """
    unit, scale = SCALES[part.variables[0].quantity]
    last = max(len(variable.values) * variable.spacing for variable in part.variables)
    ticks = {"values": list(range(1, last + 1))} if last <= WIDEST else {"tickCount": 8}
    across = alt.Scale(domain=[0.5, last + 0.5], nice=False)
    drawn = [variable for variable in part.variables if variable.values]
    panels = []
    for variable in drawn:
        lowest = variable is drawn[-1]
        title = ("round" if part.series is None else "step") if lowest else None
        rows = (
            (variable.name, at * variable.spacing, value / scale)
            for at, value in enumerate(variable.values, 1)
        )
        values = table.of(rows, name=str, round=int, value=float)
        base = alt.Chart(values).encode(
            alt.X("round:Q", title=title, axis=alt.Axis(labels=lowest, format="d", **ticks), scale=across),
            alt.Y(
                "value:Q",
                title=f"{variable.name}, {unit}",
                scale=alt.Scale(zero=True),
                axis=alt.Axis(tickCount=4),
            ),
        )
        layers = [
            *_window(variable, part.window or (0, 0), scale),
            base.mark_line(color=style.READ, strokeWidth=1.2, opacity=0.7),
            base.mark_point(color=style.READ, filled=True, size=46, opacity=1),
        ]
        panels.append(channel.stacked(layers, PANEL_WIDTH, 104))
    return alt.vconcat(*panels, spacing=12)


def _window(variable: Tracked, window: tuple[int, int], scale: float) -> list[alt.Chart]:
    """The shaded window, the band about the mean, and the fitted line."""
    if variable.mean is None:
        return []
    first, last = window
    step = max(1, (last - first) // 4)
    mean, low, high = (share * variable.mean / scale for share in (1.0, 0.9, 1.1))
    row = {"round": first - step / 2, "end": last + step / 2, "low": low, "high": high, "value": mean}
    ends = [(variable.fit_first or 0.0) / scale, (variable.fit_last or 0.0) / scale]
    fit = pl.DataFrame({"round": [first, last], "value": ends})
    across = alt.Chart(pl.DataFrame([row])).encode(alt.X("round:Q"), alt.X2("end:Q"))
    band = across.mark_rect(color=style.WRITE, opacity=0.35)
    line = alt.Chart(fit).mark_line(color=style.READ if variable.steady else style.LIMIT, strokeWidth=2.4)
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
