"""Transactions a second against the buffer pool, a line a target: medians, with the lowest and highest repeat."""

import altair as alt
import polars as pl

from drivecast.present import style

HEIGHT = 260


def chart(rows: pl.DataFrame) -> alt.LayerChart:
    """Draw rows `label`, `buffer_bytes`, `per_s`, `per_s_low`, `per_s_high`."""
    names = rows["label"].unique(maintain_order=True).to_list()
    largest = float(rows["buffer_bytes"].max() or 1)  # type: ignore[arg-type]
    unit, scale = ("GiB", 1 << 30) if largest >= 1 << 30 else ("MiB", 1 << 20)
    source = rows.with_columns((pl.col("buffer_bytes") / scale).alias("buffer"))
    top = float(rows["per_s_high"].max() or 1.0)  # type: ignore[arg-type]
    color = alt.Color(
        "label:N",
        title=None,
        sort=names,
        scale=alt.Scale(domain=names, range=style.LINES),
        legend=alt.Legend(symbolType="stroke", symbolSize=300, columns=1) if len(names) > 1 else None,
    )
    x = alt.X(
        "buffer:Q",
        title=f"buffer pool ({unit})",
        scale=alt.Scale(domain=(0, largest / scale * 1.04), nice=False),
        axis=alt.Axis(tickCount=8),
    )
    y = alt.Y(
        "per_s:Q",
        title="transactions per second",
        scale=alt.Scale(domain=(0, top * 1.08), nice=False),
        axis=alt.Axis(format=",.10~g", tickCount=5),
    )
    base = alt.Chart(source)
    line = base.mark_line(strokeWidth=2).encode(x, y, color)
    spread = base.mark_rule(strokeWidth=1.2).encode(x, alt.Y("per_s_low:Q"), alt.Y2("per_s_high:Q"), color)
    points = base.mark_point(filled=True, size=45, opacity=1).encode(x, y, color)
    return style.layered([spread, line, points], HEIGHT)
