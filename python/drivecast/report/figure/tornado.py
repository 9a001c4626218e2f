"""What the cost hangs on: a bar an input, from the cost at its low end to the cost at its high end.

What matters most stands on top. The rule is the cost at the likely values; the texts at the ends of a bar are the
values of the input there.
"""

import altair as alt
import polars as pl

from drivecast.report import style

ENDS = ["input lower", "input higher"]


def chart(rows: pl.DataFrame, total: float, years: float | None, currency: str = "USD") -> alt.LayerChart:
    """Draw a table of moves (`input`, `end`, `cost`, `text`), in its order."""
    names = rows["input"].unique(maintain_order=True).to_list()
    over = f" over {years:g} years" if years else ""
    low, high = min([*rows["cost"], total]), max([*rows["cost"], total])
    room = (high - low) * 0.16 or 1.0
    y = alt.Y(
        "input:N", title=None, sort=names, axis=alt.Axis(labelLimit=330, labelColor=style.INK, minExtent=0)
    )
    x = alt.X(
        "cost:Q",
        title=f"cost{over} ({currency})",
        scale=alt.Scale(domain=[low - room, high + room], nice=False, zero=False),
        axis=alt.Axis(format=",.0f", tickCount=6, grid=True),
    )
    base = alt.Chart(rows.with_columns(pl.lit(total).alias("middle")))
    bars = base.mark_bar(height=15).encode(
        x,
        y,
        alt.Color("end:N", title=None, scale=alt.Scale(domain=ENDS, range=[style.READ, style.WRITE])),
        x2="middle",
    )
    named = base.transform_filter("datum.text != ''").encode(x, y, alt.Text("text:N"))
    below, above = (named.transform_filter(f"datum.cost {sign} datum.middle") for sign in ("<", ">"))
    texts = [
        below.mark_text(align="right", dx=-5, color=style.MUTED, fontSize=11.5),
        above.mark_text(align="left", dx=5, color=style.MUTED, fontSize=11.5),
    ]
    rule = alt.Chart(pl.DataFrame([{"cost": total}])).mark_rule(color=style.LIMIT).encode(x)
    return style.layered([bars, *texts, rule], 90 + 26 * len(names))
