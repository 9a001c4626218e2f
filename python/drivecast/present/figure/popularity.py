"""How the accesses spread: the share that the most accessed blocks have."""

import altair as alt
import polars as pl

from drivecast.document.profile import Popularity
from drivecast.present import style
from drivecast.quantity.number import percent

KINDS = alt.Scale(domain=["all", "reads", "writes"], range=[style.GREY, style.READ, style.WRITE])


def chart(rows: list[Popularity]) -> alt.LayerChart:
    """Draw the shares as bars, reads and writes beside all."""
    source = pl.DataFrame(
        [
            {
                "of": row.of,
                "blocks": f"{row.blocks_fraction * 100:g} %",
                "order": row.blocks_fraction,
                "share": row.accesses_fraction,
                "text": percent(row.accesses_fraction),
            }
            for row in rows
            if row.blocks_fraction < 1
        ]
    )
    order = source.sort("order")["blocks"].unique(maintain_order=True).to_list()
    base = alt.Chart(source).encode(
        alt.X(
            "blocks:N",
            title="of the blocks touched, the most accessed",
            sort=order,
            axis=alt.Axis(labelAngle=0),
        ),
        alt.XOffset("of:N", sort=["all", "reads", "writes"]),
        alt.Y(
            "share:Q",
            title="share of the accesses (%)",
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(labelExpr="format(datum.value * 100, '~g')", tickCount=5),
        ),
    )
    names = base.mark_text(dy=-6, fontSize=9.5, color=style.MUTED).encode(alt.Text("text:N"))
    return style.layered([base.mark_bar().encode(alt.Color("of:N", title=None, scale=KINDS)), names], 210)
