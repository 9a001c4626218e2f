"""Block sizes: the share of reads, and of writes, in each power of two."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.quantity.number import percent


def chart(sizes: pl.DataFrame) -> alt.LayerChart:
    """Draw a table of size classes, reads beside writes."""
    order = sizes.sort("order")["size"].unique(maintain_order=True).to_list()
    source = sizes.with_columns(
        pl.Series("text", [percent(share) for share in sizes["share"]], dtype=pl.String)
    )
    base = alt.Chart(source).encode(
        alt.X(
            "size:N", title="request size, up to", sort=order, axis=alt.Axis(labelAngle=0, labelOverlap=True)
        ),
        alt.XOffset("op:N", sort=["read", "write"]),
        alt.Y(
            "share:Q",
            title="share of reads or writes (%)",
            axis=alt.Axis(labelExpr="format(datum.value * 100, '~g')", tickCount=4),
        ),
    )
    bars = base.mark_bar().encode(alt.Color("op:N", title=None, scale=style.OPS))
    names = base.transform_filter("datum.share >= 0.005").mark_text(dy=-6, fontSize=10, color=style.MUTED)
    return style.layered([bars, names.encode(alt.Text("text:N"))], 220, style.WIDTH)
