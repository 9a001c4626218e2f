"""Time axes, and the shaded peak, that the figures over time share."""

import altair as alt
import polars as pl

from drivecast.present.style import MUTED, PEAK


def axis(end_s: float, unit: tuple[str, float], title: str = "time") -> alt.X:
    """Return the axis of time in `unit`, for a field `start`."""
    name, unit_s = unit
    return alt.X(
        "start:Q", title=f"{title} ({name})", scale=alt.Scale(domain=[0, end_s / unit_s], nice=False)
    )


def peak_layers(peak: tuple[float, float] | None, unit: tuple[str, float]) -> list[alt.Chart]:
    """Shade and name the peak window, given as start and length in seconds; nothing without one."""
    if peak is None:
        return []
    start, length = peak
    row = {"start": start / unit[1], "end": (start + length) / unit[1], "name": f"peak {length:g} s"}
    base = alt.Chart(pl.DataFrame([row]))
    band = base.mark_rect(color=PEAK).encode(alt.X("start:Q"), alt.X2("end:Q"))
    name = base.mark_text(align="left", baseline="top", dx=5, color=MUTED).encode(
        alt.X("start:Q"), alt.Text("name:N"), y=alt.value(2)
    )
    return [band, name]
