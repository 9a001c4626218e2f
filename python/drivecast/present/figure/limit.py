"""The line of a limit on latency, for the figures that draw latency upright."""

import altair as alt
import polars as pl

from drivecast.present.style import LIMIT


def across(field: str, limit_ms: float | None, name: str) -> list[alt.Chart]:
    """Return the layers of a limit on `field`; none without a limit."""
    if limit_ms is None:
        return []
    row = pl.DataFrame({field: [limit_ms], "name": [f"{name} {limit_ms:g} ms"]})
    base = alt.Chart(row).encode(alt.Y(f"{field}:Q"))
    text = base.mark_text(align="right", baseline="bottom", dy=-2, color=LIMIT, fontSize=11.5)
    return [
        base.mark_rule(color=LIMIT, strokeDash=[5, 3]),
        text.encode(alt.Text("name:N"), x=alt.value("width")),
    ]
