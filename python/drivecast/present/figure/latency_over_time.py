"""Latency of one design over the seconds of the peak, reads and writes apart.

Each second has its mean and its longest.
"""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import limit, timeline
from drivecast.present.table import time_unit


def chart(seconds: pl.DataFrame, limit_ms: float | None = None) -> alt.LayerChart:
    """Draw a table of seconds of an outcome; the limit is on p99, so single seconds may lie above it."""
    end_s = float(seconds["end_s"].max())  # type: ignore[arg-type]
    unit = time_unit(end_s)
    parts = [
        seconds.select(
            (pl.col("start_s") / unit[1]).alias("start"),
            pl.lit(op).alias("op"),
            pl.lit(kind).alias("kind"),
            pl.col(f"{op}_latency_ms_{key}").alias("latency_ms"),
        )
        for op in ("read", "write")
        for kind, key in (("mean", "mean"), ("longest", "max"))
    ]
    source = pl.concat(parts).filter(pl.col("latency_ms") > 0)
    domain = style.log_domain([*source["latency_ms"].to_list(), *([limit_ms] if limit_ms else [])])
    y = alt.Y(
        "latency_ms:Q",
        title="latency in each second (ms)",
        scale=alt.Scale(type="log", domain=domain, nice=False),
        axis=alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True),
    )
    line = (
        alt.Chart(source)
        .mark_line(interpolate="step-after")
        .encode(
            timeline.axis(end_s, unit, "time in the peak window"),
            y,
            alt.Color(
                "op:N", title=None, scale=style.OPS, legend=alt.Legend(symbolType="stroke", symbolSize=300)
            ),
            alt.StrokeDash(
                "kind:N",
                title=None,
                scale=alt.Scale(domain=["mean", "longest"], range=[[1, 0], [2, 2]]),
                legend=alt.Legend(symbolType="stroke", symbolSize=300),
            ),
            strokeWidth=alt.condition("datum.kind == 'mean'", alt.value(2), alt.value(1.1)),
        )
    )
    return style.layered([*limit.across("latency_ms", limit_ms, "p99 limit"), line], 210)
