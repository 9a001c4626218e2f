"""The pattern of the day: IOPS by hour, reads and writes stacked."""

import altair as alt
import polars as pl

from drivecast.document.profile import Diurnal
from drivecast.present import style


def chart(diurnal: Diurnal) -> alt.LayerChart:
    """Draw the hours as bars."""
    source = pl.DataFrame(
        [
            {"hour": row.hour, "op": op, "iops": value, "order": int(op == "read")}
            for row in diurnal.hours
            for op, value in (("read", row.read_iops), ("write", row.write_iops))
        ]
    )
    bars = (
        alt.Chart(source)
        .mark_bar()
        .encode(
            alt.X(
                "hour:O",
                title="hour of the day, from the start of the recording",
                axis=alt.Axis(labelAngle=0),
            ),
            alt.Y("iops:Q", title="requests per second (IOPS)", stack="zero", axis=alt.Axis(tickCount=4)),
            alt.Color("op:N", title=None, scale=style.OPS),
            alt.Order("order:Q"),
        )
    )
    return style.layered([bars], 180)
