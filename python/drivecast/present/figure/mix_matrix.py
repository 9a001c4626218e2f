"""Request size by share of reads: throughput beside p99, in shades of equal ratio, the figure in each cell."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure.heat_map import SHADES
from drivecast.quantity.number import significant

PANEL_WIDTH = 350
ROW_HEIGHT = 30
MEASURES = {"mb_per_s": "throughput (MB/s)", "p99_ms": "p99 latency (ms)"}


def chart(rows: pl.DataFrame) -> alt.HConcatChart:
    """Draw rows `size`, `size_bytes`, `read` (percent), `mb_per_s`, `p99_ms` of one target."""
    sizes = rows.sort("size_bytes")["size"].unique(maintain_order=True).to_list()
    mixes = rows["read"].unique().sort(descending=True).to_list()
    panels = [
        _panel(rows, measure, title, sizes, mixes)
        for measure, title in MEASURES.items()
        if rows[measure].null_count() < rows.height
    ]
    return alt.hconcat(*panels, spacing=26)


def _panel(
    rows: pl.DataFrame, measure: str, title: str, sizes: list[str], mixes: list[float]
) -> alt.LayerChart:
    known = rows.filter(pl.col(measure) > 0)
    domain = style.log_domain(known[measure].to_list(), 1.0)
    texts = pl.Series("text", [significant(value, 2) for value in known[measure]], dtype=pl.String)
    base = alt.Chart(known.with_columns(texts)).encode(
        alt.X("size:N", title="request size", sort=sizes, axis=alt.Axis(labelAngle=-45)),
        alt.Y("read:O", title="reads (%)", sort=mixes),
    )
    shade = alt.Color(
        f"{measure}:Q",
        scale=alt.Scale(type="log", domain=domain, range=SHADES),
        legend=None,
    )
    # The middle of the shades, by ratio: text is light on dark cells.
    ink = alt.condition(
        f"datum.{measure} > {(domain[0] * domain[1]) ** 0.5}", alt.value("white"), alt.value(style.INK)
    )
    cells = [
        base.mark_rect(stroke="white", strokeWidth=1).encode(shade),
        base.mark_text(fontSize=11).encode(alt.Text("text:N"), color=ink),
    ]
    drawn: alt.LayerChart = (
        alt.LayerChart(layer=cells)
        .resolve_scale(color="independent")
        .properties(
            width=PANEL_WIDTH,
            height=ROW_HEIGHT * len(mixes),
            title=alt.Title(title, anchor="start", fontSize=12.5, fontWeight="normal", color=style.INK),
        )
    )
    return drawn
