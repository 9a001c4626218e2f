"""Measured against simulated, a panel a quantile: runs that were fitted to hollow, those held out filled."""

import altair as alt
import polars as pl

from drivecast.present import style

WIDTH = 360
HEIGHT = 300


def beside(panels: dict[str, pl.DataFrame], within: float) -> alt.HConcatChart:
    """Draw rows `measured`, `simulated`, `op`, `runs`; on the line both are the same, the band is `within`."""
    return alt.hconcat(*(_panel(title, table, within) for title, table in panels.items()), spacing=28)


def _panel(title: str, table: pl.DataFrame, within: float) -> alt.LayerChart:
    domain = style.log_domain([*table["measured"], *table["simulated"]], 1.4)
    ends = pl.DataFrame(
        [{"at": at, "same": at, "low": at * (1 - within), "high": at * (1 + within)} for at in domain]
    )
    scale = alt.Scale(type="log", domain=domain, nice=False)
    axis = alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True)
    x = alt.X("at:Q", title=f"measured {title}", scale=scale, axis=axis)
    y = alt.Y("same:Q", title=f"simulated {title}", scale=scale, axis=axis)
    points = alt.Chart(table).encode(
        alt.X("measured:Q"),
        alt.Y("simulated:Q"),
        alt.Color("op:N", scale=style.OPS, legend=alt.Legend(title=None, orient="bottom")),
    )
    shape = alt.Shape(
        "runs:N",
        scale=alt.Scale(domain=["fitted to", "held out"], range=["circle", "diamond"]),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    fitted = points.transform_filter(alt.datum.runs == "fitted to")
    held = points.transform_filter(alt.datum.runs == "held out")
    layers = [
        alt.Chart(ends)
        .mark_area(color=style.FAINT, opacity=0.7, clip=True)
        .encode(x, alt.Y("low:Q", scale=scale), alt.Y2("high:Q")),
        alt.Chart(ends).mark_line(color=style.GREY, clip=True).encode(x, y),
        fitted.mark_point(filled=False, size=36, opacity=0.8).encode(shape),
        held.mark_point(filled=True, size=90, opacity=1, stroke=style.INK, strokeWidth=0.8).encode(shape),
    ]
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=HEIGHT)
