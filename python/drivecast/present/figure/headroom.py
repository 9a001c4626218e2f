"""Headroom: how many times the measured peak a design can carry.

Bars start at 1×, so what falls short points left.
"""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.quantity.number import headroom


def chart(designs: pl.DataFrame, needed: float | None = None) -> alt.LayerChart:
    """Draw the designs with a known headroom, in the order of the table."""
    source = designs.filter(pl.col("headroom") > 0)
    source = source.with_columns(
        pl.Series("text", [headroom(times) for times in source["headroom"]], dtype=pl.String),
        peak=pl.lit(1.0),
    )
    names = source["label"].to_list()
    low, high = style.log_domain([1.0, needed or 1.0, *source["headroom"].to_list()], 1.25)
    domain = (min(low, 0.8), high * 1.2)
    x = alt.X(
        "headroom:Q",
        title="times the measured peak (IOPS)",
        scale=alt.Scale(type="log", domain=domain, nice=False),
        axis=alt.Axis(values=style.log_values(*domain), labelExpr="datum.label + '×'", format="~g"),
    )
    y = alt.Y(
        "label:N", title=None, sort=names, axis=alt.Axis(labelLimit=330, labelColor=style.INK, minExtent=0)
    )
    colour = alt.condition(f"datum.headroom >= {needed or 1}", alt.value(style.READ), alt.value(style.LIMIT))
    bars = alt.Chart(source).mark_bar(height=13).encode(x, alt.X2("peak:Q"), y, color=colour)
    texts = (
        alt.Chart(source).mark_text(align="left", dx=5, color=style.MUTED).encode(x, y, alt.Text("text:N"))
    )
    unity = alt.Chart(pl.DataFrame([{"headroom": 1}])).mark_rule(color=style.INK).encode(alt.X("headroom:Q"))
    return style.layered([bars, texts, unity, *_needed(needed)], 76 + 24 * len(names))


def _needed(needed: float | None) -> list[alt.Chart]:
    if needed is None:
        return []
    row = pl.DataFrame([{"headroom": needed, "name": f"required: {needed:.2g}×"}])
    base = alt.Chart(row).encode(alt.X("headroom:Q"))
    text = base.mark_text(align="center", baseline="bottom", color=style.LIMIT, fontSize=11.5)
    rule = base.mark_rule(color=style.LIMIT, strokeDash=[5, 3])
    return [rule, text.encode(alt.Text("name:N"), y=alt.value(-3))]
