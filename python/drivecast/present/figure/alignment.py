"""Alignment: the share of reads, and of writes, that begin and end on a boundary."""

import altair as alt
import polars as pl

from drivecast.present import style


def chart(rows: pl.DataFrame) -> alt.LayerChart:
    """Draw a table of boundaries, reads beside writes."""
    order = rows.sort("order")["boundary"].unique(maintain_order=True).to_list()
    # Without a sign, two names of 100 lie beside each other.
    source = rows.with_columns(
        pl.Series("text", [f"{100 * share:.0f}" for share in rows["share"]], dtype=pl.String)
    )
    base = alt.Chart(source).encode(
        alt.X("boundary:N", title="multiples of", sort=order, axis=alt.Axis(labelAngle=0)),
        alt.XOffset("op:N", sort=["read", "write"]),
        alt.Y(
            "share:Q",
            title="share of reads or writes (%)",
            scale=alt.Scale(domain=[0, 1.1]),
            axis=alt.Axis(labelExpr="format(datum.value * 100, '~g')", values=[0, 0.25, 0.5, 0.75, 1]),
        ),
    )
    names = base.transform_filter("datum.share >= 0.005").mark_text(dy=-6, fontSize=9.5, color=style.MUTED)
    bars = base.mark_bar().encode(alt.Color("op:N", title=None, scale=style.OPS))
    return style.layered([bars, names.encode(alt.Text("text:N"))], 200)
