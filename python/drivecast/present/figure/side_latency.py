"""Designs side by side under rising load: p99 of reads and writes, or what a closed loop reaches."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import channel
from drivecast.present.figure.channel import STROKE, Look, log, ordered

PANEL = (372, 210)


def latency(rows: pl.DataFrame, names: Sequence[str], x_title: str, today: pl.DataFrame) -> alt.HConcatChart:
    """Draw p99 by load, reads beside writes, both axes logarithmic.

    Rows `label`, `op`, `at`, `p99_ms`, `low_ms`, `high_ms`, `behind`; today `op`, `p99_ms`, to compare with.
    """
    domain = style.log_domain(
        [value for name in ("p99_ms", "low_ms", "high_ms") for value in rows[name] if value], 1.2
    )
    panels = []
    for op in ordered(rows, "op"):
        y = log(alt.Y, "p99_ms", f"p99 of {op}s (ms)", domain)
        level = alt.Chart(today.filter(pl.col("op") == op)).mark_rule(strokeDash=[2, 3], color=style.MUTED)
        lines = _lines(rows.filter(pl.col("op") == op), names, x_title, y)
        panels.append(channel.stacked([level.encode(alt.Y("p99_ms:Q")), *lines], *PANEL))
    return alt.hconcat(*panels, spacing=24)


def rate(rows: pl.DataFrame, names: Sequence[str], x_title: str) -> alt.LayerChart:
    """Draw the IOPS of a closed loop by depth, from rows `label`, `at`, `iops`."""
    rows = rows.with_columns(
        low_ms=pl.lit(None, pl.Float64), high_ms=pl.lit(None, pl.Float64), behind=pl.lit(value=False)
    )
    y = log(
        alt.Y, "iops", "requests a second", style.log_domain(rows["iops"].to_list(), 1.2), format=",.10~g"
    )
    return style.layered(_lines(rows, names, x_title, y)[1:], 240)


def _lines(rows: pl.DataFrame, names: Sequence[str], x_title: str, y: alt.Y) -> list[alt.Chart]:
    """Return the band of the intervals, the lines, and a mark a run."""
    reached = sorted(rows["at"].unique().to_list())
    domain = style.log_domain(reached, 1.1)
    x = log(alt.X, "at", x_title, domain, values=reached)
    look: Look = {"orient": "bottom", "columns": 2, "symbolOpacity": 1, **STROKE}
    colour, dash = (draw("label", names, least=1, **look) for draw in (channel.colours, channel.dashes))
    base = alt.Chart(rows).encode(x, colour)
    band = base.transform_filter("datum.low_ms > 0").mark_area(opacity=0.16)
    marks = alt.condition(
        "datum.behind",
        alt.value("white"),
        alt.Color("label:N", scale=alt.Scale(domain=list(names), range=style.LINES)),
    )
    return [
        band.encode(alt.Y("low_ms:Q"), alt.Y2("high_ms:Q")),
        base.mark_line(strokeWidth=2).encode(y, dash),
        base.mark_point(size=46, strokeWidth=1.8, opacity=1).encode(y, fill=marks),
    ]
