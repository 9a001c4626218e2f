"""Where on the disk the requests fall over time: six shades, each the same multiple of the one before."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import timeline
from drivecast.present.table import time_unit

SHADES = ["#dbe6ef", "#aecbe0", "#7aa9cc", "#4783b0", "#1b5688", "#082b4f"]


def chart(cells: pl.DataFrame, peak: tuple[float, float] | None = None) -> alt.LayerChart:
    """Draw a table of runs of equally shaded cells."""
    end_s = float(cells["end_s"].max() or 1.0)  # type: ignore[arg-type]
    unit = time_unit(end_s)
    source = cells.with_columns(
        (pl.col("start_s") / unit[1]).alias("start"), (pl.col("end_s") / unit[1]).alias("end")
    )
    names = cells.sort("level")["requests"].unique(maintain_order=True).to_list()
    shades = SHADES[-len(names) :] if names else SHADES
    rects = (
        alt.Chart(source)
        .mark_rect()
        .encode(
            timeline.axis(end_s, unit),
            alt.X2("end:Q"),
            alt.Y("low_gb:Q", title="address (GB)", scale=alt.Scale(nice=False), axis=alt.Axis(tickCount=5)),
            alt.Y2("high_gb:Q"),
            alt.Color("requests:N", title="requests in a cell", scale=alt.Scale(domain=names, range=shades)),
        )
    )
    return style.layered([rects, *_peak_edges(peak, unit)], 300)


def _peak_edges(peak: tuple[float, float] | None, unit: tuple[str, float]) -> list[alt.Chart]:
    if peak is None:
        return []
    edges = [{"start": moment / unit[1]} for moment in (peak[0], peak[0] + peak[1])]
    return [
        alt.Chart(pl.DataFrame(edges))
        .mark_rule(strokeDash=[4, 3], color=style.LIMIT)
        .encode(alt.X("start:Q"))
    ]
