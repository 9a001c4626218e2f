"""Threads that wait for each request beside one thread that does not, at the same number outstanding."""

import altair as alt
import polars as pl

from drivecast.present import style

KINDS = ["threads that wait", "one that does not"]
INNER = 780


def chart(rows: pl.DataFrame) -> alt.VConcatChart:
    """Draw rows `depth`, `kind` (of `KINDS`), `iops`, `p99_ms`."""
    parts = [("iops", "requests per second (IOPS)", 190)]
    if rows["p99_ms"].null_count() < rows.height:
        parts.append(("p99_ms", "p99 latency (ms)", 140))
    return alt.vconcat(*(_panel(rows, *part) for part in parts), spacing=16)


def _panel(rows: pl.DataFrame, field: str, title: str, height: int) -> alt.Chart:
    depths = sorted(rows["depth"].unique().to_list())
    drawn: alt.Chart = (
        alt.Chart(rows)
        .mark_bar()
        .encode(
            alt.X("depth:O", title="requests outstanding", sort=depths, axis=alt.Axis(labelAngle=0)),
            alt.XOffset("kind:N", sort=KINDS),
            alt.Y(f"{field}:Q", title=title, axis=alt.Axis(format=",.10~g", tickCount=4)),
            alt.Color(
                "kind:N",
                title=None,
                sort=KINDS,
                scale=alt.Scale(domain=KINDS, range=[style.READ, style.WRITE]),
            ),
        )
        .properties(width=INNER, height=height)
    )
    return drawn
