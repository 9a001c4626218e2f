"""Transactions of each second, a line a setting, one panel a target: how even the throughput is, and where it goes."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import timeline
from drivecast.present.table import time_unit

HEIGHT = 170
MARGIN = 70
"""Of a panel's axis, by which it is wider than its plot."""


def chart(rows: pl.DataFrame) -> alt.VConcatChart:
    """Draw rows `target`, `label`, `second` (its end, from the end of the ramp), `per_s`."""
    end_s = float(rows["second"].max() or 1.0)  # type: ignore[arg-type]
    unit = time_unit(end_s)
    names = rows["label"].unique(maintain_order=True).to_list()
    source = rows.with_columns(((pl.col("second") - 1) / unit[1]).alias("start"))
    top = float(rows["per_s"].max() or 1.0)  # type: ignore[arg-type]
    targets = rows["target"].unique(maintain_order=True).to_list()
    panels = []
    for index, target in enumerate(targets):
        line = (
            alt.Chart(source.filter(pl.col("target") == target))
            .mark_line(interpolate="step-after", strokeWidth=1.5)
            .encode(
                timeline.axis(end_s, unit),
                alt.Y(
                    "per_s:Q",
                    title=f"transactions per second{f', {target}' if len(targets) > 1 else ''}",
                    scale=alt.Scale(domain=(0, top * 1.05), nice=False),
                    axis=alt.Axis(format=",.10~g", tickCount=4),
                ),
                alt.Color(
                    "label:N",
                    title=None,
                    sort=names,
                    scale=alt.Scale(domain=names, range=style.LINES),
                    legend=alt.Legend(symbolType="stroke", symbolSize=300)
                    if len(names) > 1 and not index
                    else None,
                ),
                alt.StrokeDash(
                    "label:N", sort=names, scale=alt.Scale(domain=names, range=style.DASHES), legend=None
                ),
            )
        )
        panels.append(line.properties(width=style.WIDTH - MARGIN, height=HEIGHT))
    return alt.vconcat(*panels, spacing=14)
