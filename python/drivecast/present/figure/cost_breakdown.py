"""Cost in its parts: purchase, energy, replacement, stacked, one bar a design."""

import altair as alt
import polars as pl

from drivecast.present import style

PARTS = ["purchase", "energy", "replacement"]
COLOURS = [style.READ, style.WRITE, "#d5dbe1"]


def chart(costs: pl.DataFrame, years: float | None, currency: str = "USD") -> alt.LayerChart:
    """Draw a table of costs, in its order."""
    names = costs["label"].unique(maintain_order=True).to_list()
    totals = costs.group_by("label", maintain_order=True).agg(pl.col("amount").sum())
    y = alt.Y(
        "label:N", title=None, sort=names, axis=alt.Axis(labelLimit=330, labelColor=style.INK, minExtent=0)
    )
    over = f" over {years:g} years" if years else ""
    bars = (
        alt.Chart(costs)
        .mark_bar(height=13)
        .encode(
            alt.X("amount:Q", title=f"cost{over} ({currency})", axis=alt.Axis(format=",.0f", tickCount=6)),
            y,
            alt.Color("part:N", title=None, scale=alt.Scale(domain=PARTS, range=COLOURS)),
            alt.Order("order:Q"),
        )
    )
    texts = (
        alt.Chart(totals)
        .mark_text(align="left", dx=5, color=style.MUTED)
        .encode(alt.X("amount:Q"), y, alt.Text("amount:Q", format=",.0f"))
    )
    return style.layered([bars, texts], 90 + 24 * len(names))
