"""Throughput over a long run in equal stretches, with the moment from which on it is settled."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import timeline
from drivecast.present.table import time_unit


def chart(rows: pl.DataFrame, settled: pl.DataFrame) -> alt.LayerChart:
    """Draw rows `label`, `start_s`, `end_s`, `iops`; settled `label`, `at_s`, where it was reached."""
    end_s = float(rows["end_s"].max() or 1.0)  # type: ignore[arg-type]
    unit = time_unit(end_s)
    names = rows["label"].unique(maintain_order=True).to_list()
    color = alt.Color(
        "label:N",
        title=None,
        scale=alt.Scale(domain=names, range=style.LINES),
        legend=alt.Legend(symbolType="stroke", symbolSize=300) if len(names) > 1 else None,
    )
    source = rows.with_columns((pl.col("start_s") / unit[1]).alias("start"))
    line = (
        alt.Chart(source)
        .mark_line(interpolate="step-after", strokeWidth=1.8)
        .encode(
            timeline.axis(end_s, unit),
            alt.Y("iops:Q", title="requests per second (IOPS)", axis=alt.Axis(format=",.10~g", tickCount=5)),
            color,
        )
    )
    layers = [line]
    if settled.height:
        marks = settled.with_columns(
            (pl.col("at_s") / unit[1]).alias("start"), pl.lit("settled").alias("name")
        )
        base = alt.Chart(marks).encode(alt.X("start:Q"))
        layers += [
            base.mark_rule(strokeDash=[5, 3]).encode(color),
            base.mark_text(align="left", baseline="top", dx=5, color=style.MUTED).encode(
                alt.Text("name:N"), y=alt.value(2)
            ),
        ]
    return style.layered(layers, 230)
