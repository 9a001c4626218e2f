"""Write amplification of one drive over time: a step a window, gaps where the drive was nearly idle."""

import altair as alt
import polars as pl

from drivecast.document.forecast import Trajectory
from drivecast.document.table_row import frame
from drivecast.present import style

HEIGHT = 150


def chart(drive: Trajectory) -> alt.LayerChart:
    """Draw the windows of a drive, and its ratio over its life."""
    busy, lifetime = (
        frame(drive.amplification).drop_nulls("write_amplification"),
        drive.write_amplification_lifetime,
    )
    x = alt.X("start:T", title=None, axis=alt.Axis(labelOverlap=True, tickCount=8))
    y = alt.Y("write_amplification:Q", title="write amplification", scale=alt.Scale(domainMin=0))
    layers = [alt.Chart(busy).mark_rule(color=style.WRITE, strokeWidth=3).encode(x, alt.X2("end:T"), y)]
    if lifetime is not None:
        rows = pl.DataFrame([{"write_amplification": lifetime, "name": f"lifetime: {lifetime:.2f}"}])
        base = alt.Chart(rows).encode(y)
        layers.append(base.mark_rule(color=style.MUTED, strokeDash=[4, 3]))
        layers.append(
            base.mark_text(align="right", dx=-4, dy=-6, color=style.MUTED).encode(
                alt.Text("name:N"), x=alt.value("width")
            )
        )
    return style.layered(layers, HEIGHT)
