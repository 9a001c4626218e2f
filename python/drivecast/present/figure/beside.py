"""Measured and predicted: distributions, seconds and quantiles of one run, reads and writes apart.

Measured is drawn dark and whole, predicted light and dashed, whichever figure it is.
"""

import altair as alt
import polars as pl

from drivecast.present import style

WIDTH = 372
HEIGHT = 220
COLOURS = [style.READ, style.WRITE]
DASHES = [[1, 0], [6, 3]]


def distribution(curves: dict[str, pl.DataFrame], names: list[str]) -> alt.HConcatChart:
    """Draw the share of requests up to a latency: rows `side`, `latency_ms`, `share`, by op."""
    reached = [latency for curve in curves.values() for latency in curve["latency_ms"]]
    domain = style.log_domain(reached, 1.2)
    panels = [
        _lines(
            alt.Chart(curve).mark_line(strokeWidth=2, interpolate="step-after"),
            _latency(domain, f"{op} latency (ms)"),
            alt.Y(
                "share:Q",
                title=f"share of {op}s up to it",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(format="%"),
            ),
            names,
        )
        for op, curve in curves.items()
    ]
    return alt.hconcat(*panels, spacing=24)


def seconds(tables: dict[str, pl.DataFrame], names: list[str]) -> alt.VConcatChart:
    """Draw what each second carried and how long it took: rows `side`, `second`, `value`, by title of the axis."""
    panels = []
    for title, table in tables.items():
        scale = alt.Scale(zero="latency" not in title)
        x = alt.X("second:Q", title="time (s)", axis=alt.Axis(tickMinStep=1))
        line = alt.Chart(table).mark_line(strokeWidth=1.6)
        y = alt.Y("value:Q", title=title, scale=scale, axis=alt.Axis(format=",~g"))
        panels.append(_lines(line, x, y, names).properties(width=style.WIDTH - 70, height=130))
    return alt.vconcat(*panels, spacing=14)


def quantiles(tables: dict[str, pl.DataFrame], tolerance: float) -> alt.HConcatChart:
    """Draw predicted against measured quantiles: rows `name`, `measured_ms`, `predicted_ms`, by op.

    On the diagonal both are the same; the band is the tolerance; above it the prediction is too slow.
    """
    panels = []
    for op, table in tables.items():
        both = [*table["measured_ms"].to_list(), *table["predicted_ms"].to_list()]
        domain = style.log_domain(both, 1.5)
        ends = pl.DataFrame(
            [
                {"at": at, "same": at, "low": at / (1 + tolerance), "high": at * (1 + tolerance)}
                for at in domain
            ]
        )
        x = _latency(domain, f"{op}: measured (ms)", field="at")
        scale = alt.Scale(type="log", domain=domain, nice=False)
        y = alt.Y(
            "same:Q",
            title="predicted (ms)",
            scale=scale,
            axis=alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True),
        )
        band = alt.Chart(ends).mark_area(color=style.FAINT, opacity=0.6, clip=True)
        base = alt.Chart(table).encode(alt.X("measured_ms:Q"), alt.Y("predicted_ms:Q"))
        layers = [
            band.encode(x, alt.Y("low:Q", scale=scale), alt.Y2("high:Q")),
            alt.Chart(ends).mark_line(color=style.GREY, clip=True).encode(x, y),
            base.mark_line(color=style.READ, strokeWidth=1),
            base.mark_point(filled=True, color=style.READ, size=45, opacity=1),
            base.mark_text(align="left", dx=7, dy=7, fontSize=11).encode(alt.Text("name:N")),
        ]
        panels.append(alt.LayerChart(layer=layers).properties(width=WIDTH, height=HEIGHT + 60))
    return alt.hconcat(*panels, spacing=24)


def _latency(domain: tuple[float, float], title: str, field: str = "latency_ms") -> alt.X:
    return alt.X(
        f"{field}:Q",
        title=title,
        scale=alt.Scale(type="log", domain=domain, nice=False),
        axis=alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True),
    )


def _lines(chart: alt.Chart, x: alt.X, y: alt.Y, names: list[str]) -> alt.Chart:
    legend = alt.Legend(orient="bottom", symbolSize=400, symbolType="stroke", title=None)
    return chart.encode(
        x,
        y,
        alt.Color("side:N", scale=alt.Scale(domain=names, range=COLOURS), legend=legend),
        alt.StrokeDash("side:N", scale=alt.Scale(domain=names, range=DASHES), legend=legend),
    ).properties(width=WIDTH, height=HEIGHT)
