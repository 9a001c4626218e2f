"""Latency curves: the share of requests that take longer than a latency, reads beside writes.

Both axes are logarithmic. Read it at 1 %: there lies the p99. A curve that runs left of the limit's mark
at 1 % keeps the requirement.
"""

import altair as alt
import polars as pl

from drivecast.present import style

PANEL_WIDTH = 372
PANEL_HEIGHT = 250


def chart(curves: dict[str, pl.DataFrame], limits_ms: dict[str, float | None]) -> alt.HConcatChart:
    """Draw the curves of `read` and of `write`, each with its limit."""
    names = (
        pl.concat([curve.select("label") for curve in curves.values()])["label"]
        .unique(maintain_order=True)
        .to_list()
    )
    reached = [latency for curve in curves.values() for latency in curve["latency_ms"]]
    domain = style.log_domain([*reached, *(limit for limit in limits_ms.values() if limit)], 1.2)
    panels = [
        _panel(curve, op, names, domain, limits_ms.get(op)) for op, curve in curves.items() if curve.height
    ]
    return alt.hconcat(*panels, spacing=24)


def _panel(
    curve: pl.DataFrame, op: str, names: list[str], domain: tuple[float, float], limit_ms: float | None
) -> alt.LayerChart:
    x = alt.X(
        "latency_ms:Q",
        title=f"{op} latency (ms)",
        scale=alt.Scale(type="log", domain=domain, nice=False),
        axis=alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True),
    )
    y = alt.Y(
        "share:Q",
        title=f"share of {op}s that take longer (%)",
        scale=alt.Scale(type="log", domain=[1e-5, 1], nice=False),
        axis=alt.Axis(values=[1, 0.1, 0.01, 1e-3, 1e-4, 1e-5], labelExpr="format(datum.value * 100, '~g')"),
    )
    legend = alt.Legend(orient="bottom", columns=2, symbolSize=400, symbolType="stroke", title=None)
    line = (
        alt.Chart(curve)
        .mark_line(strokeWidth=2)
        .encode(
            x,
            y,
            alt.Color("label:N", scale=alt.Scale(domain=names, range=style.LINES), legend=legend),
            alt.StrokeDash("label:N", scale=alt.Scale(domain=names, range=style.DASHES), legend=legend),
        )
    )
    return alt.LayerChart(layer=[*_limit(limit_ms, domain), line]).properties(
        width=PANEL_WIDTH, height=PANEL_HEIGHT
    )


def _limit(limit_ms: float | None, domain: tuple[float, float]) -> list[alt.Chart]:
    level = alt.Chart(pl.DataFrame([{"share": 0.01}])).mark_rule(color=style.FAINT).encode(alt.Y("share:Q"))
    if limit_ms is None:
        return [level]
    base = alt.Chart(
        pl.DataFrame([{"latency_ms": limit_ms, "share": 0.01, "name": f"p99 limit {limit_ms:g} ms"}])
    )
    rule = base.mark_rule(color=style.LIMIT, strokeDash=[5, 3]).encode(alt.X("latency_ms:Q"))
    point = base.mark_point(color=style.LIMIT, size=60, strokeWidth=2).encode(
        alt.X("latency_ms:Q"), alt.Y("share:Q")
    )
    on_left = limit_ms**2 > domain[0] * domain[1]  # the name goes to the wider side
    name = base.mark_text(
        align="right" if on_left else "left",
        baseline="top",
        dx=-5 if on_left else 5,
        color=style.LIMIT,
        fontSize=11.5,
    )
    return [
        level,
        rule,
        point,
        name.encode(
            alt.X("latency_ms:Q"), alt.Text("name:N"), y=alt.value(2 if on_left else PANEL_HEIGHT - 16)
        ),
    ]
