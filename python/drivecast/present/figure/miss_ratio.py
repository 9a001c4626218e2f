"""Miss-ratio curves of LRU caches: one panel a cache, by request as a line, by block dashed."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.detail_table import CACHES

PANEL_WIDTH = 238
PANEL_HEIGHT = 220
KINDS = alt.Scale(domain=["all", "reads", "writes"], range=[style.INK, style.READ, style.WRITE])


def chart(curves: pl.DataFrame) -> alt.HConcatChart:
    """Draw a table of curves."""
    domain = style.log_domain(curves["size_mib"].to_list(), 1.0)
    x = alt.X(
        "size_mib:Q",
        title="size of the cache (MiB)",
        scale=alt.Scale(type="log", domain=domain, nice=False),
        axis=alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True),
    )
    y = alt.Y(
        "miss_ratio:Q",
        title="share that misses (%)",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(labelExpr="format(datum.value * 100, '~g')", tickCount=5),
    )
    stroke = alt.Legend(symbolType="stroke", symbolSize=300, symbolStrokeColor=style.INK)
    panels = []
    for name in CACHES.values():
        source = curves.filter(pl.col("cache") == name)
        if source.height:
            line = alt.Chart(
                source, title=alt.TitleParams(name, fontSize=12, fontWeight="normal", anchor="start")
            )
            line = line.mark_line(strokeWidth=1.8, interpolate="step-after").encode(
                x,
                y,
                alt.Color(
                    "of:N", title=None, scale=KINDS, legend=alt.Legend(symbolType="stroke", symbolSize=300)
                ),
                alt.StrokeDash(
                    "by:N",
                    title=None,
                    scale=alt.Scale(domain=["request", "block"], range=[[1, 0], [4, 3]]),
                    legend=stroke,
                ),
            )
            panels.append(line.properties(width=PANEL_WIDTH, height=PANEL_HEIGHT))
    return alt.hconcat(*panels, spacing=18)
