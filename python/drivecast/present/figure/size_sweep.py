"""Requests and bytes a second against the size of requests: a line that stays level is a limit that somebody set."""

import altair as alt
import polars as pl

from drivecast.present import style

PANEL_WIDTH = 366
HEIGHT = 190
MEASURES = {"iops": "requests per second (IOPS)", "mb_per_s": "throughput (MB/s)"}


def chart(rows: pl.DataFrame) -> alt.HConcatChart:
    """Draw rows `label`, `size`, `size_bytes`, `iops`, `mb_per_s`."""
    return alt.hconcat(*(_panel(rows, *measure) for measure in MEASURES.items()), spacing=24)


def _panel(rows: pl.DataFrame, field: str, title: str) -> alt.Chart:
    sizes = rows.sort("size_bytes")["size"].unique(maintain_order=True).to_list()
    names = rows["label"].unique(maintain_order=True).to_list()
    domain = style.log_domain(rows[field].to_list(), 1.25)
    drawn: alt.Chart = (
        alt.Chart(rows)
        .mark_line(strokeWidth=2, point={"size": 40})
        .encode(
            alt.X("size:N", title="request size", sort=sizes, axis=alt.Axis(labelAngle=0)),
            alt.Y(
                f"{field}:Q",
                title=title,
                scale=alt.Scale(type="log", domain=domain, nice=False),
                axis=alt.Axis(values=style.log_values(*domain), format=",.10~g", labelOverlap=True),
            ),
            alt.Color(
                "label:N",
                title=None,
                scale=alt.Scale(domain=names, range=style.LINES),
                legend=alt.Legend(symbolType="stroke", symbolSize=300),
            ),
        )
        .properties(width=PANEL_WIDTH, height=HEIGHT)
    )
    return drawn
