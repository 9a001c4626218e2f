"""Reads and writes over time, stacked: requests or bytes a second, with the peak window shaded."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import timeline
from drivecast.present.table import time_unit

MEASURES = {
    "iops": ("reads", "writes", "requests per second (IOPS)"),
    "throughput": ("read_mb", "written_mb", "throughput (MB/s)"),
}


def chart(seconds: pl.DataFrame, measure: str, peak: tuple[float, float] | None = None) -> alt.LayerChart:
    """Draw `measure`, `iops` or `throughput`, of a table of seconds."""
    reads, writes, title = MEASURES[measure]
    end_s = float(seconds["end_s"].max())  # type: ignore[arg-type]
    unit = time_unit(end_s)
    source = (
        seconds.select(
            (pl.col("start_s") / unit[1]).alias("start"),
            pl.col(reads).alias("read"),
            pl.col(writes).alias("write"),
        )
        .unpivot(index="start", variable_name="op", value_name="rate")
        .with_columns((pl.col("op") == "read").cast(pl.Int8).alias("order"))
    )
    area = (
        alt.Chart(source)
        .mark_area(interpolate="step-after")
        .encode(
            timeline.axis(end_s, unit),
            alt.Y("rate:Q", title=title, stack="zero", axis=alt.Axis(format=",.10~g", tickCount=4)),
            alt.Color("op:N", title=None, scale=style.OPS),
            alt.Order("order:Q"),
        )
    )
    layers = timeline.peak_layers(peak, unit)
    return style.layered([*layers[:1], area, *layers[1:]], 170)
