"""Tracked variables by round, with the measurement window, 10 % about its mean, and the best linear fit.

A panel a variable, since a drive's IOPS of 4 KiB and of 1 MiB have no scale in common. The window is shaded; the band
holds what a range of 20 % about the mean allows, and the fitted line may cross half of it.
"""

import altair as alt
import polars as pl

from drivecast.present import style

PANEL_HEIGHT = 104
PANEL_WIDTH = 790
WIDEST = 25
"""Rounds that are all labelled on the axis."""


def chart(rounds: pl.DataFrame, windows: pl.DataFrame, unit: str, what: str = "round") -> alt.VConcatChart:
    """Draw tables of `report.steady_state`: the values by round, and the window of each variable, if there is one."""
    last = int(rounds["round"].max() or 1)  # type: ignore[arg-type]
    names = rounds["name"].unique(maintain_order=True).to_list()
    panels = [
        _panel(
            rounds.filter(pl.col("name") == name),
            windows.filter(pl.col("name") == name),
            f"{name}, {unit}",
            last,
            what if name == names[-1] else None,
        )
        for name in names
    ]
    return alt.vconcat(*panels, spacing=12)


def _panel(
    rounds: pl.DataFrame, windows: pl.DataFrame, title: str, last: int, what: str | None
) -> alt.LayerChart:
    axis = alt.Axis(
        labels=what is not None,
        format="d",
        **({"values": list(range(1, last + 1))} if last <= WIDEST else {"tickCount": 8}),
    )
    x = alt.X("round:Q", title=what, axis=axis, scale=alt.Scale(domain=[0.5, last + 0.5], nice=False))
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=4))
    base = alt.Chart(rounds)
    layers = [
        *_window(windows),
        base.mark_line(color=style.READ, strokeWidth=1.2, opacity=0.7).encode(x, y),
        base.mark_point(color=style.READ, filled=True, size=46, opacity=1).encode(x, y),
    ]
    return alt.LayerChart(layer=layers).properties(width=PANEL_WIDTH, height=PANEL_HEIGHT)


def _window(windows: pl.DataFrame) -> list[alt.Chart]:
    """The shaded window, the band about the mean, and the fitted line; nothing before the fifth round."""
    if windows.is_empty():
        return []
    row = windows.row(0, named=True)
    step = max(1, (row["last"] - row["first"]) // 4)
    edges = pl.DataFrame(
        [
            {
                "round": row["first"] - step / 2,
                "end": row["last"] + step / 2,
                **{k: row[k] for k in ("low", "high")},
            }
        ]
    )
    fit = pl.DataFrame(
        [
            {"round": row["first"], "value": row["fit_first"]},
            {"round": row["last"], "value": row["fit_last"]},
        ]
    )
    mean = edges.with_columns(pl.lit(row["mean"]).alias("value"))
    color = style.READ if row["steady"] else style.LIMIT
    across = alt.X("round:Q"), alt.X2("end:Q")
    return [
        alt.Chart(edges).mark_rect(color=style.PEAK).encode(*across),
        alt.Chart(edges)
        .mark_rect(color=style.WRITE, opacity=0.35)
        .encode(*across, alt.Y("low:Q"), alt.Y2("high:Q")),
        alt.Chart(mean).mark_rule(color=style.MUTED, strokeDash=[2, 2]).encode(*across, alt.Y("value:Q")),
        alt.Chart(fit).mark_line(color=color, strokeWidth=2.4).encode(alt.X("round:Q"), alt.Y("value:Q")),
    ]
