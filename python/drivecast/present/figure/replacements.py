"""Drives that reach an end in each quarter: the expected count as a bar, its interval as a line."""

from collections.abc import Sequence

import altair as alt

from drivecast.document.forecast import Quarter
from drivecast.document.table_row import frame
from drivecast.present import style

HEIGHT = 220


def chart(quarters: Sequence[Quarter]) -> alt.LayerChart:
    """Draw the quarters."""
    names = [quarter.quarter for quarter in quarters]
    x = alt.X("quarter:N", title=None, sort=names, axis=alt.Axis(labelAngle=-45 if len(names) > 12 else 0))
    y = alt.Y("replacements:Q", title="drives that reach an end", axis=alt.Axis(format="~g", tickMinStep=1))
    base = alt.Chart(frame(quarters)).encode(x)
    layers = [
        base.mark_bar(color="#8fb3d1").encode(y),
        base.mark_rule(color=style.INK, strokeWidth=1.6).encode(
            alt.Y("replacements_low:Q"), alt.Y2("replacements_high:Q")
        ),
        base.mark_tick(color=style.INK, width=8, thickness=1.6).encode(alt.Y("replacements_low:Q")),
        base.mark_tick(color=style.INK, width=8, thickness=1.6).encode(alt.Y("replacements_high:Q")),
    ]
    return style.layered(layers, HEIGHT)
