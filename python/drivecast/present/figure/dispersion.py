"""Burstiness over time scales: variance over mean of the requests in bins of a width, both axes logarithmic."""

import math

import altair as alt
import polars as pl

from drivecast.document.profile import Dispersion, HurstEstimate
from drivecast.present import style


def chart(rows: list[Dispersion], hurst: HurstEstimate | None) -> alt.LayerChart:
    """Draw the index of dispersion; where a Hurst parameter is known, its slope over its range."""
    source = pl.DataFrame([{"scale": row.scale_s, "index": row.index} for row in rows if row.index > 0])
    scales = style.log_domain(source["scale"].to_list(), 1.2)
    indices = style.log_domain([1.0, *source["index"]], 1.5)
    x = alt.X(
        "scale:Q",
        title="time scale (s)",
        scale=alt.Scale(type="log", domain=scales, nice=False),
        axis=alt.Axis(values=style.log_values(*scales), format="~g"),
    )
    y = alt.Y(
        "index:Q",
        title="variance / mean of requests",
        scale=alt.Scale(type="log", domain=indices, nice=False),
        axis=alt.Axis(values=style.log_values(*indices), format="~g"),
    )
    base = alt.Chart(source).encode(x, y)
    random = alt.Chart(pl.DataFrame([{"index": 1.0, "name": "random (Poisson)"}])).encode(alt.Y("index:Q"))
    name = random.mark_text(align="right", dx=-4, dy=-6, color=style.MUTED).encode(
        alt.Text("name:N"), x=alt.value("width")
    )
    layers = [
        random.mark_rule(strokeDash=[4, 3]),
        name,
        base.mark_line(color=style.READ),
        base.mark_point(filled=True, size=40, color=style.READ, opacity=1),
    ]
    return style.layered([*layers, *_slope(source, hurst)], 210)


def _slope(source: pl.DataFrame, hurst: HurstEstimate | None) -> list[alt.Chart]:
    if hurst is None:
        return []
    within = source.filter(pl.col("scale").is_between(hurst.from_s * 0.99, hurst.to_s * 1.01))
    if within.height < 2:
        return []
    power = 2 * hurst.value - 1
    points = list(zip(within["scale"], within["index"], strict=True))
    level = sum(math.log(index) - power * math.log(scale) for scale, index in points) / len(points)
    ends = (points[0][0], points[-1][0])
    text = f"H = {hurst.value:.2f} ({hurst.low:.2f} to {hurst.high:.2f})"
    rows = [{"scale": end, "index": math.exp(level + power * math.log(end))} for end in ends]
    line = alt.Chart(pl.DataFrame(rows)).mark_line(color=style.LIMIT, strokeDash=[6, 3])
    name = alt.Chart(pl.DataFrame([{**rows[0], "name": text}])).mark_text(
        align="left", baseline="top", dx=10, dy=8, color=style.LIMIT
    )
    place = (alt.X("scale:Q"), alt.Y("index:Q"))
    return [line.encode(*place), name.encode(*place, alt.Text("name:N"))]
