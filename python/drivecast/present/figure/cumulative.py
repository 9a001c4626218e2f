"""Distributions on a logarithmic axis: the share that lies below a value, a line a distribution."""

import altair as alt
import polars as pl

from drivecast.present import style


def chart(rows: pl.DataFrame, value: str, share: str) -> alt.LayerChart:
    """Draw a table of cumulative shares; `value` and `share` are the titles of the axes."""
    names = rows["name"].unique(maintain_order=True).to_list()
    domain = style.log_domain(rows["value"].to_list(), 1.0)
    legend = alt.Legend(title=None, symbolType="stroke", symbolSize=300) if len(names) > 1 else None
    line = (
        alt.Chart(rows)
        .mark_line(strokeWidth=1.8, interpolate="monotone")
        .encode(
            alt.X(
                "value:Q",
                title=value,
                scale=alt.Scale(type="log", domain=domain, nice=False),
                axis=alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True),
            ),
            alt.Y(
                "share:Q",
                title=share,
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(labelExpr="format(datum.value * 100, '~g')", tickCount=5),
            ),
            alt.Color("name:N", scale=alt.Scale(domain=names, range=style.LINES), legend=legend),
            alt.StrokeDash("name:N", scale=alt.Scale(domain=names, range=style.DASHES), legend=legend),
        )
    )
    return style.layered([line], 200)
