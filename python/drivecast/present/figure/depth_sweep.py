"""Throughput and latency against the requests outstanding, with the knee of each line.

The dashed bounds meet at the knee: below it the time of a lone request bounds the throughput, above it what the target
lets through at most.
"""

import altair as alt
import polars as pl

from drivecast.present import style

HEIGHT = 210
INNER = 780
"""Width of the panels inside of axes and titles."""

QUANTILES = {"p95": [1, 0], "p99": [2, 2]}


def chart(rows: pl.DataFrame, knees: pl.DataFrame, what: str = "requests outstanding") -> alt.VConcatChart:
    """Draw rows `label`, `depth`, `iops`, `p95_ms`, `p99_ms`; knees `label`, `depth`, `iops_max`, `round_s`, `text`."""
    names = rows["label"].unique(maintain_order=True).to_list()
    color = alt.Color(
        "label:N",
        title=None,
        scale=alt.Scale(domain=names, range=style.LINES),
        legend=alt.Legend(columns=2, symbolType="stroke", symbolSize=300) if len(names) > 1 else None,
    )
    depths = sorted(rows["depth"].unique().to_list())
    x = alt.X(
        "depth:Q",
        title=what,
        scale=alt.Scale(type="log", base=2, domain=[depths[0] / 1.08, depths[-1] * 1.08], nice=False),
        axis=alt.Axis(values=depths, format="~g"),
    )
    panels = [_throughput(rows, knees, x, color), _latency(rows, x, color)]
    return alt.vconcat(*panels, spacing=18)


def _throughput(rows: pl.DataFrame, knees: pl.DataFrame, x: alt.X, color: alt.Color) -> alt.LayerChart:
    top = float(rows["iops"].max() or 1.0) * 1.12  # type: ignore[arg-type]
    y = alt.Y(
        "iops:Q",
        title="requests per second (IOPS)",
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(format=",.10~g", tickCount=5),
    )
    layers = [alt.Chart(rows).mark_line(strokeWidth=2, point={"size": 36}).encode(x, y, color)]
    inside = knees.filter(pl.col("depth").is_between(rows["depth"].min(), rows["depth"].max()))
    if inside.height:
        bound = alt.Chart(_bounds(inside, rows)).mark_line(strokeDash=[5, 4], strokeWidth=1, opacity=0.75)
        point = alt.Chart(inside).mark_point(size=90, filled=True, shape="diamond", opacity=1)
        name = alt.Chart(inside).mark_text(align="left", baseline="top", dx=8, dy=6, fontSize=11.5)
        at = alt.Y("iops_max:Q", title="requests per second (IOPS)")
        layers += [
            bound.encode(x, y, color, alt.Detail("part:N")),
            point.encode(x, at, color),
            name.encode(x, at, alt.Text("text:N")),
        ]
    return alt.LayerChart(layer=layers).properties(width=INNER, height=HEIGHT)


def _bounds(knees: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """The two asymptotes of each knee, each from the edge of the drawing to the knee."""
    low, high = float(rows["depth"].min() or 1), float(rows["depth"].max() or 1)  # type: ignore[arg-type]
    made = []
    for row in knees.iter_rows(named=True):
        steps = [low * (row["depth"] / low) ** (step / 24) for step in range(25)]
        made += [
            {
                "label": row["label"],
                "part": f"{row['label']} rising",
                "depth": depth,
                "iops": depth / row["round_s"],
            }
            for depth in steps
        ]
        made += [
            {"label": row["label"], "part": f"{row['label']} flat", "depth": depth, "iops": row["iops_max"]}
            for depth in (row["depth"], high)
        ]
    return pl.DataFrame(made)


def _latency(rows: pl.DataFrame, x: alt.X, color: alt.Color) -> alt.LayerChart:
    parts = [
        rows.select(
            "label", "depth", pl.lit(name).alias("quantile"), pl.col(f"{name}_ms").alias("latency_ms")
        )
        for name in QUANTILES
    ]
    source = pl.concat(parts).filter(pl.col("latency_ms") > 0)
    domain = style.log_domain(source["latency_ms"].to_list(), 1.25)
    y = alt.Y(
        "latency_ms:Q",
        title="latency that 95 % and 99 % keep (ms)",
        scale=alt.Scale(type="log", domain=domain, nice=False),
        axis=alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True),
    )
    dash = alt.StrokeDash(
        "quantile:N",
        title=None,
        scale=alt.Scale(domain=list(QUANTILES), range=list(QUANTILES.values())),
        legend=alt.Legend(symbolType="stroke", symbolSize=300, symbolStrokeColor=style.INK),
    )
    line = alt.Chart(source).mark_line(strokeWidth=1.8).encode(x, y, color, dash)
    dots = alt.Chart(source).mark_circle(size=26, opacity=1).encode(x, y, color)
    return alt.LayerChart(layer=[line, dots]).properties(width=INNER, height=HEIGHT - 20)
