"""How sequential runs interleave: the share of requests that continue the run last continued, or the one before."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.quantity.number import percent


def chart(interleave: list[float]) -> alt.LayerChart:
    """Draw the shares as bars."""
    source = pl.DataFrame(
        [
            {"run": run, "share": share, "text": percent(share)}
            for run, share in enumerate(interleave, start=1)
        ]
    )
    base = alt.Chart(source).encode(
        alt.X("run:O", title="run continued, 1 the latest", axis=alt.Axis(labelAngle=0)),
        alt.Y(
            "share:Q",
            title="share of the requests (%)",
            axis=alt.Axis(labelExpr="format(datum.value * 100, '~g')", tickCount=4),
        ),
    )
    names = base.transform_filter("datum.share >= 0.0005").mark_text(dy=-6, fontSize=10, color=style.MUTED)
    return style.layered([base.mark_bar(color=style.GREY), names.encode(alt.Text("text:N"))], 170)
