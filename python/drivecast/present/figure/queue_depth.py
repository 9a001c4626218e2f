"""Requests outstanding over time, averaged over each second, with the peak window shaded."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import timeline
from drivecast.present.table import time_unit


def chart(seconds: pl.DataFrame, peak: tuple[float, float] | None = None) -> alt.LayerChart:
    """Draw the queue depth of a table of seconds."""
    end_s = float(seconds["end_s"].max())  # type: ignore[arg-type]
    unit = time_unit(end_s)
    source = seconds.select((pl.col("start_s") / unit[1]).alias("start"), "queue_depth").drop_nulls()
    line = (
        alt.Chart(source)
        .mark_area(
            interpolate="step-after",
            color=style.GREY,
            opacity=0.45,
            line={"color": style.MUTED, "strokeWidth": 1},
        )
        .encode(
            timeline.axis(end_s, unit),
            alt.Y("queue_depth:Q", title="queue depth (requests outstanding)", axis=alt.Axis(tickCount=4)),
        )
    )
    layers = timeline.peak_layers(peak, unit)
    return style.layered([*layers[:1], line, *layers[1:]], 150)
