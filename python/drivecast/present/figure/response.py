"""Mean latency by size and queue depth, reads beside writes, in shades of equal ratio."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure.heat_map import SHADES
from drivecast.quantity.number import significant

PANEL_WIDTH = 372


def chart(rows: pl.DataFrame) -> alt.HConcatChart:
    """Draw a table of classes."""
    domain = style.log_domain(rows["latency_ms"].to_list(), 1.0)
    sizes = rows.sort("size_order")["size"].unique(maintain_order=True).to_list()
    depths = sorted(rows["depth"].unique().to_list(), reverse=True)
    texts = pl.Series("text", [significant(value, 2) for value in rows["latency_ms"]], dtype=pl.String)
    # The middle of the shades, by ratio: text is light on dark cells.
    middle = (domain[0] * domain[1]) ** 0.5
    panels = []
    for op in ("read", "write"):
        source = rows.with_columns(texts).filter(pl.col("op") == op)
        if source.is_empty():
            continue
        base = alt.Chart(source).encode(
            alt.X("size:N", title=f"{op} size, up to", sort=sizes, axis=alt.Axis(labelAngle=-45)),
            alt.Y("depth:O", title="requests outstanding, up to", sort=depths),
        )
        shade = alt.Color(
            "latency_ms:Q",
            title="mean latency (ms)",
            scale=alt.Scale(type="log", domain=domain, range=SHADES),
            legend=alt.Legend(gradientLength=160, format="~g"),
        )
        ink = alt.condition(f"datum.latency_ms > {middle}", alt.value("white"), alt.value(style.INK))
        cells = [
            base.mark_rect().encode(shade),
            base.mark_text(fontSize=9).encode(alt.Text("text:N"), color=ink),
        ]
        panels.append(alt.LayerChart(layer=cells).properties(width=PANEL_WIDTH, height=40 + 20 * len(depths)))
    return alt.hconcat(*panels, spacing=24)
