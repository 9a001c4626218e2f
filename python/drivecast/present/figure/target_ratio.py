"""How many times what the first target carries the others do, point by point.

Bars start at 1×, so what carries less points left.
"""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.quantity.number import multiple


def chart(rows: pl.DataFrame, first: str) -> alt.LayerChart:
    """Draw rows `label`, `target`, `ratio`."""
    source = rows.filter(pl.col("ratio") > 0)
    texts = pl.Series("text", [multiple(ratio) for ratio in source["ratio"]], dtype=pl.String)
    source = source.with_columns(texts, one=pl.lit(1.0))
    names = source["label"].unique(maintain_order=True).to_list()
    others = source["target"].unique(maintain_order=True).to_list()
    low, high = style.log_domain([1.0, *source["ratio"].to_list()], 1.3)
    x = alt.X(
        "ratio:Q",
        title=f"throughput, times that of {first}",
        scale=alt.Scale(type="log", domain=(low, high * 1.15), nice=False),
        axis=alt.Axis(values=style.log_values(low, high), labelExpr="datum.label + '×'", format="~g"),
    )
    y = alt.Y(
        "label:N", title=None, sort=names, axis=alt.Axis(labelLimit=330, labelColor=style.INK, minExtent=0)
    )
    offset = alt.YOffset("target:N", sort=others)
    color = alt.Color(
        "target:N",
        title=None,
        scale=alt.Scale(domain=others, range=style.LINES[1:] + style.LINES[:1]),
        legend=alt.Legend(columns=1) if len(others) > 1 else None,
    )
    bars = alt.Chart(source).mark_bar().encode(x, alt.X2("one:Q"), y, offset, color)
    more, less = source.filter(pl.col("ratio") >= 1), source.filter(pl.col("ratio") < 1)
    words = [
        alt.Chart(more).mark_text(align="left", dx=5, color=style.MUTED),
        alt.Chart(less).mark_text(align="right", dx=-5, color=style.MUTED),
    ]
    unity = alt.Chart(pl.DataFrame([{"ratio": 1.0}])).mark_rule(color=style.INK).encode(alt.X("ratio:Q"))
    layers = [bars, *(word.encode(x, y, offset, alt.Text("text:N")) for word in words), unity]
    return style.layered(layers, 70 + 22 * max(1, len(others)) * len(names))
