"""Sensitivity of a result: a bar per input, from the result at its low end to the result at its high end.

The largest is on top. The rule is the result at the likely values; the texts at the ends of a bar are the values of the
input there.
"""

import altair as alt
import polars as pl

from drivecast.present import style


def chart(rows: pl.DataFrame, middle: float, title: str) -> alt.LayerChart:
    """Draw a table of moves (`input`, `end`, `result`, `text`), in its order."""
    names = rows["input"].unique(maintain_order=True).to_list()
    ends = rows["end"].unique(maintain_order=True).to_list()
    low, high = min([*rows["result"], middle]), max([*rows["result"], middle])
    margin = (high - low) * 0.16 or 1.0
    y = alt.Y(
        "input:N", title=None, sort=names, axis=alt.Axis(labelLimit=330, labelColor=style.INK, minExtent=0)
    )
    x = alt.X(
        "result:Q",
        title=title,
        scale=alt.Scale(domain=[low - margin, high + margin], nice=False, zero=False),
        axis=alt.Axis(format=",.6~g", tickCount=6, grid=True),
    )
    base = alt.Chart(rows.with_columns(pl.lit(middle).alias("middle")))
    bars = base.mark_bar(height=15).encode(
        x,
        y,
        alt.Color("end:N", title=None, scale=alt.Scale(domain=ends, range=[style.READ, style.WRITE])),
        x2="middle",
    )
    named = base.transform_filter("datum.text != ''").encode(x, y, alt.Text("text:N"))
    below, above = (named.transform_filter(f"datum.result {sign} datum.middle") for sign in ("<", ">"))
    texts = [
        below.mark_text(align="right", dx=-5, color=style.MUTED, fontSize=11.5),
        above.mark_text(align="left", dx=5, color=style.MUTED, fontSize=11.5),
    ]
    rule = alt.Chart(pl.DataFrame([{"result": middle}])).mark_rule(color=style.LIMIT).encode(x)
    return style.layered([bars, *texts, rule], 90 + 26 * len(names))
