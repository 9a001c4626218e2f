"""Measured beside predicted: distributions, seconds and quantiles of a run, reads and writes apart; and a fit.

Measured is drawn dark and whole, predicted light and dashed, whichever figure it is.
"""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import channel
from drivecast.present.figure.channel import Look, log

WIDTH = 372
HEIGHT = 220


def distribution(curves: dict[str, pl.DataFrame], names: list[str]) -> alt.HConcatChart:
    """Draw the share of requests up to a latency: rows `side`, `latency_ms`, `share`, by op."""
    reached = [latency for curve in curves.values() for latency in curve["latency_ms"]]
    domain = style.log_domain(reached, 1.2)
    panels = []
    for op, curve in curves.items():
        x = log(alt.X, "latency_ms", f"{op} latency (ms)", domain)
        title, look = f"share of {op}s up to it", alt.Axis(format="%")
        y = alt.Y("share:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=look)
        line = alt.Chart(curve).mark_line(strokeWidth=2, interpolate="step-after")
        panels.append(channel.sized(line.encode(x, y, *_sides(names)), WIDTH, HEIGHT))
    return alt.hconcat(*panels, spacing=24)


def seconds(tables: dict[str, pl.DataFrame], names: list[str]) -> alt.VConcatChart:
    """Draw what each second carried and how long it took: rows `side`, `second`, `value`, by title of the axis."""
    x = alt.X("second:Q", title="time (s)", axis=alt.Axis(tickMinStep=1))
    panels = []
    for title, table in tables.items():
        scale = alt.Scale(zero="latency" not in title)
        y = alt.Y("value:Q", title=title, scale=scale, axis=alt.Axis(format=",~g"))
        line = alt.Chart(table).mark_line(strokeWidth=1.6).encode(x, y, *_sides(names))
        panels.append(channel.sized(line, style.WIDTH - 70, 130))
    return alt.vconcat(*panels, spacing=14)


def _sides(names: list[str]) -> tuple[alt.Color, alt.StrokeDash]:
    legend: Look = {"orient": "bottom", "symbolSize": 400, "symbolType": "stroke"}
    return (
        channel.colours("side", names, [style.READ, style.WRITE], **legend),
        channel.dashes("side", names, [[1, 0], [6, 3]], **legend),
    )


def quantiles(tables: dict[str, pl.DataFrame], tolerance: float) -> alt.HConcatChart:
    """Draw predicted against measured quantiles: rows `name`, `measured_ms`, `predicted_ms`, by op.

    On the diagonal both are the same; the band is the tolerance; above it the prediction is too slow.
    """
    panels = []
    for op, table in tables.items():
        domain = style.log_domain([*table["measured_ms"], *table["predicted_ms"]], 1.5)
        band = (1 / (1 + tolerance), 1 + tolerance)
        base = alt.Chart(table).encode(alt.X("measured_ms:Q"), alt.Y("predicted_ms:Q"))
        layers = [
            *_diagonal(domain, band, (f"{op}: measured (ms)", "predicted (ms)"), 0.6),
            base.mark_line(color=style.READ, strokeWidth=1),
            base.mark_point(filled=True, color=style.READ, size=45, opacity=1),
            base.mark_text(align="left", dx=7, dy=7, fontSize=11).encode(alt.Text("name:N")),
        ]
        panels.append(channel.stacked(layers, WIDTH, HEIGHT + 60))
    return alt.hconcat(*panels, spacing=24)


def fitted(tables: dict[str, pl.DataFrame], within: float) -> alt.HConcatChart:
    """Draw measured against simulated, a panel a quantile: rows `measured`, `simulated`, `op`, `runs`.

    Runs that were fitted to are hollow, those held out filled. On the line both are the same, the band is `within`.
    """
    scale = alt.Scale(domain=["fitted to", "held out"], range=["circle", "diamond"])
    legend = alt.Legend(title=None, orient="bottom")
    panels = []
    for title, table in tables.items():
        domain = style.log_domain([*table["measured"], *table["simulated"]], 1.4)
        base = alt.Chart(table).encode(
            alt.X("measured:Q"),
            alt.Y("simulated:Q"),
            alt.Color("op:N", scale=style.OPS, legend=legend),
            alt.Shape("runs:N", scale=scale, legend=legend),
        )
        hollow = base.transform_filter(alt.datum.runs == "fitted to")
        filled = base.transform_filter(alt.datum.runs == "held out")
        titles = (f"measured {title}", f"simulated {title}")
        layers = [
            *_diagonal(domain, (1 - within, 1 + within), titles, 0.7),
            hollow.mark_point(filled=False, size=36, opacity=0.8),
            filled.mark_point(filled=True, size=90, opacity=1, stroke=style.INK, strokeWidth=0.8),
        ]
        panels.append(channel.stacked(layers, 360, 300))
    return alt.hconcat(*panels, spacing=28)


def _diagonal(
    domain: tuple[float, float], band: tuple[float, float], titles: tuple[str, str], opacity: float
) -> list[alt.Chart]:
    """The line on which both sides are the same, and a band of ratios about it."""
    low, high = band
    ends = pl.DataFrame([{"at": at, "same": at, "low": at * low, "high": at * high} for at in domain])
    x, y = log(alt.X, "at", titles[0], domain), log(alt.Y, "same", titles[1], domain)
    base = alt.Chart(ends).encode(x)
    area = base.mark_area(color=style.FAINT, opacity=opacity, clip=True)
    return [
        area.encode(alt.Y("low:Q", scale=alt.Scale(type="log", domain=domain, nice=False)), alt.Y2("high:Q")),
        base.mark_line(color=style.GREY, clip=True).encode(y),
    ]
