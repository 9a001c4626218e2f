"""Every second's throughput as a dot, with the density of the seconds beside it.

An even target is a narrow band and one sharp peak; several peaks are several states (a cache, a rate limit, cleaning).
"""

import altair as alt
import polars as pl

from drivecast.present import style

WIDTH = 620
SIDE = 118
HEIGHT = 150


def chart(rows: pl.DataFrame, what: str = "requests per second (IOPS)") -> alt.VConcatChart:
    """Draw rows `label`, `second`, `iops`, `latency_max_ms`."""
    names = rows["label"].unique(maintain_order=True).to_list()
    panels = [_throughput(rows, name, names, what) for name in names]
    if rows["latency_max_ms"].null_count() < rows.height:
        panels.append(alt.hconcat(_longest(rows, names)))
    return alt.vconcat(*panels, spacing=14)


def _throughput(rows: pl.DataFrame, name: str, names: list[str], what: str) -> alt.HConcatChart:
    mine = rows.filter(pl.col("label") == name)
    color = style.LINES[names.index(name) % len(style.LINES)]
    top = float(rows["iops"].max() or 1.0) * 1.05  # type: ignore[arg-type]
    scale = alt.Scale(domain=[0, top], nice=False)
    title = f"{name}: {what}" if len(names) > 1 else what
    dots = (
        alt.Chart(mine)
        .mark_circle(size=16, opacity=0.55, color=color)
        .encode(
            alt.X("second:Q", title="time (s)", scale=alt.Scale(nice=False)),
            alt.Y("iops:Q", title=title, scale=scale, axis=alt.Axis(format=",.10~g", tickCount=4)),
        )
        .properties(width=WIDTH, height=HEIGHT)
    )
    density = alt.Chart(mine).transform_density("iops", as_=["rate", "density"], extent=[0, top], steps=200)
    x = alt.X("density:Q", title="density", stack=None, axis=alt.Axis(labels=False, ticks=False))
    y = alt.Y("rate:Q", title=None, scale=scale, axis=alt.Axis(labels=False, grid=True, tickCount=4))
    side = alt.LayerChart(
        layer=[
            density.mark_area(color=color, opacity=0.3, orient="horizontal").encode(x, y),
            density.mark_line(color=color, strokeWidth=1.2).encode(x, y, alt.Order("rate:Q")),
        ]
    ).properties(width=SIDE, height=HEIGHT)
    return alt.hconcat(dots, side, spacing=6)


def _longest(rows: pl.DataFrame, names: list[str]) -> alt.Chart:
    source = rows.filter(pl.col("latency_max_ms") > 0)
    domain = style.log_domain(source["latency_max_ms"].to_list())
    legend = alt.Legend(columns=2, symbolType="circle") if len(names) > 1 else None
    drawn: alt.Chart = (
        alt.Chart(source)
        .mark_circle(size=16, opacity=0.55)
        .encode(
            alt.X("second:Q", title="time (s)", scale=alt.Scale(nice=False)),
            alt.Y(
                "latency_max_ms:Q",
                title="longest latency in each second (ms)",
                scale=alt.Scale(type="log", domain=domain, nice=False),
                axis=alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True),
            ),
            alt.Color("label:N", title=None, scale=alt.Scale(domain=names, range=style.LINES), legend=legend),
        )
        .properties(width=WIDTH, height=HEIGHT - 20)
    )
    return drawn
