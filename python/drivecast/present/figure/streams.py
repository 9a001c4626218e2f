"""Requests by stream, reads and writes stacked."""

import altair as alt
import polars as pl

from drivecast.present import style


def chart(rows: pl.DataFrame) -> alt.LayerChart:
    """Draw a table of streams as bars, the largest on top."""
    order = rows.sort("order")["stream"].unique(maintain_order=True).to_list()
    source = rows.with_columns((pl.col("op") == "read").cast(pl.Int8).alias("rank"))
    bars = (
        alt.Chart(source)
        .mark_bar()
        .encode(
            alt.Y(
                "stream:N",
                title="stream",
                sort=order,
                axis=alt.Axis(domain=False, ticks=False, titleAlign="right", titleX=-8),
            ),
            alt.X("requests:Q", title="requests", stack="zero", axis=alt.Axis(format=",.10~g", tickCount=5)),
            alt.Color("op:N", title=None, scale=style.OPS),
            alt.Order("rank:Q", sort="descending"),
        )
    )
    return style.layered([bars], 70 + 22 * len(order))
