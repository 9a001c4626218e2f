"""How the working set grows: distinct bytes accessed, read and written so far."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import timeline
from drivecast.present.table import time_unit

KINDS = alt.Scale(domain=["all", "read", "write"], range=[style.INK, style.READ, style.WRITE])


def chart(growth: pl.DataFrame) -> alt.LayerChart:
    """Draw a table of moments."""
    end_s = float(growth["time_s"].max() or 1.0)  # type: ignore[arg-type]
    unit = time_unit(end_s)
    source = growth.with_columns((pl.col("time_s") / unit[1]).alias("start"))
    line = (
        alt.Chart(source)
        .mark_line(strokeWidth=1.8)
        .encode(
            timeline.axis(end_s, unit),
            alt.Y("gb:Q", title="distinct data so far (GB)", axis=alt.Axis(tickCount=4)),
            alt.Color(
                "kind:N", title=None, scale=KINDS, legend=alt.Legend(symbolType="stroke", symbolSize=300)
            ),
        )
    )
    return style.layered([line], 170)
