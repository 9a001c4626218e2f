"""Designs beside each other, and the recommended design: life, latency, headroom, cost, what they are sensitive to."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import channel
from drivecast.present.figure.channel import STROKE, Look, Timeline, largest, log, ordered, rule
from drivecast.quantity import number

COST_SHADES = (style.READ, "#7fa3c7", style.WRITE, style.GREY, "#d5dbe1")
ENDS = ["flash worn out", "rated writes (warranty) used up"]
PANEL_HEIGHT = 250


def cost_title(years: float | None, currency: str) -> str:
    """Return the title of an axis of cost."""
    return f"cost{f' over {years:g} years' if years else ''} ({currency})"


def cost_breakdown(costs: pl.DataFrame, years: float | None, currency: str = "USD") -> alt.LayerChart:
    """Draw a table of costs in its order, stacked, a bar a design with its total."""
    names = ordered(costs, "label")
    totals = costs.unique("label", maintain_order=True)
    room = alt.Scale(domainMax=largest(totals["total"]) * 1.1)
    kinds = costs.unique("part").sort("order")
    shades = [COST_SHADES[order] for order in kinds["order"]]
    y = channel.named("label", names)
    look = alt.Axis(format=",.0f", tickCount=6)
    bars = alt.Chart(costs).mark_bar(height=13)
    bars = bars.encode(
        alt.X("amount:Q", title=cost_title(years, currency), axis=look, scale=room),
        y,
        channel.colours("part", kinds["part"].to_list(), shades),
        alt.Order("order:Q"),
    )
    texts = alt.Chart(totals).mark_text(align="left", dx=5, color=style.MUTED)
    texts = texts.encode(alt.X("total:Q"), y, alt.Text("total:Q", format=",.0f"))
    return style.layered([bars, texts], 90 + 24 * len(names))


def headroom(designs: pl.DataFrame, needed: float | None = None) -> alt.LayerChart:
    """Draw how many times the measured peak a design can carry, where it is known, in the order of the table.

    Bars start at 1×, so what falls short points left.
    """
    source = designs.filter(pl.col("headroom") > 0).with_columns(peak=pl.lit(1.0))
    source = channel.worded(source, "headroom", number.headroom)
    low, high = style.log_domain([1.0, needed or 1.0, *source["headroom"].to_list()], 1.25)
    domain = (min(low, 0.8), high * 1.2)
    x = channel.times("headroom", "times the measured peak (IOPS)", domain)
    y = channel.named("label", source["label"].to_list())
    colour = alt.condition(f"datum.headroom >= {needed or 1}", alt.value(style.READ), alt.value(style.LIMIT))
    base = alt.Chart(source).encode(x, y)
    layers = [
        base.mark_bar(height=13).encode(alt.X2("peak:Q"), color=colour),
        base.mark_text(align="left", dx=5, color=style.MUTED).encode(alt.Text("text:N")),
        channel.unity("headroom"),
        *channel.needed("headroom", needed, "required: {:.2g}×"),
    ]
    return style.layered(layers, 76 + 24 * source.height)


def life(designs: pl.DataFrame, years: float | None = None) -> alt.LayerChart:
    """Draw the life of the designs that wear against the years needed, in the order of the table.

    A band is the interval of the prediction; the two marks are the ends (flash worn out, rated writes used up).
    """
    source = designs.filter(pl.col("life").is_not_null())
    y = channel.named("label", source["label"].to_list())
    columns = ("life_low", "life", "life_media", "life_warranty")
    lives = [life for column in columns for life in source[column] if life]
    domain = (min([*lives, years or number.YEARS_MAX, 5.0]) / 1.2, number.YEARS_MAX * 1.05)
    title = "years until worn out (50 and more drawn at 50)"
    x = log(alt.X, "life", title, domain, grid=True, labelOverlap="greedy")
    ends = (
        source.select("label", pl.col("life_media").alias(ENDS[0]), pl.col("life_warranty").alias(ENDS[1]))
        .unpivot(index="label", variable_name="end", value_name="life")
        .drop_nulls()
    )
    shape = alt.Shape("end:N", title=None, scale=alt.Scale(domain=ENDS, range=["circle", "diamond"]))
    marks = alt.Chart(ends).mark_point(size=75, filled=True, opacity=1, stroke="white", strokeWidth=0.6)
    base = alt.Chart(source).encode(y)
    layers = [
        base.mark_rule(strokeWidth=9, color="#b9cfe0").encode(alt.X("life_low:Q"), alt.X2("life_high:Q")),
        base.mark_tick(thickness=3, size=16, color=style.INK).encode(x),
        marks.encode(y, x, shape, channel.colours("end", ENDS, [style.READ, style.WRITE])),
        *channel.needed("life", years, "needed: {:g} y"),
    ]
    return style.layered(layers, 90 + 24 * source.height)


def latency(curves: dict[str, pl.DataFrame], limits_ms: dict[str, float | None]) -> alt.HConcatChart:
    """Draw the share of requests that take longer than a latency, `read` beside `write`, each with its limit.

    Both axes are logarithmic. Read it at 1 %: there lies the p99. A curve that runs left of the limit's mark at 1 %
    keeps the requirement.
    """
    names = ordered(pl.concat([curve.select("label") for curve in curves.values()]), "label")
    reached = [latency for curve in curves.values() for latency in curve["latency_ms"]]
    domain = style.log_domain([*reached, *(limit for limit in limits_ms.values() if limit)], 1.2)
    legend: Look = {"orient": "bottom", "columns": 2, "symbolSize": 400, "symbolType": "stroke"}
    lines = [draw("label", names, least=1, **legend) for draw in (channel.colours, channel.dashes)]
    ticks = alt.Axis(values=[1, 0.1, 0.01, 1e-3, 1e-4, 1e-5], labelExpr=channel.PERCENT)
    scale = alt.Scale(type="log", domain=[1e-5, 1], nice=False)
    panels = []
    for op, curve in curves.items():
        if curve.height:
            x = log(alt.X, "latency_ms", f"{op} latency (ms)", domain)
            y = alt.Y("share:Q", title=f"share of {op}s that take longer (%)", scale=scale, axis=ticks)
            line = alt.Chart(curve).mark_line(strokeWidth=2).encode(x, y, *lines)
            panels.append(channel.stacked([*_limit(limits_ms.get(op), domain), line], 372, PANEL_HEIGHT))
    return alt.hconcat(*panels, spacing=24)


def _limit(limit_ms: float | None, domain: tuple[float, float]) -> list[alt.Chart]:
    level = alt.Chart(pl.DataFrame([{"share": 0.01}])).mark_rule(color=style.FAINT).encode(alt.Y("share:Q"))
    if limit_ms is None:
        return [level]
    on_left = limit_ms**2 > domain[0] * domain[1]  # the name goes to the wider side
    look: Look = {"align": "right", "dx": -5, "y": 2} if on_left else {"dx": 5, "y": PANEL_HEIGHT - 16}
    look |= {"baseline": "top", "fontSize": 11.5}
    line, name = rule(alt.X, "latency_ms", limit_ms, "p99 limit {:g} ms", **look)
    ring = alt.Chart(pl.DataFrame([{"latency_ms": limit_ms, "share": 0.01}]))
    ring = ring.mark_point(color=style.LIMIT, size=60, strokeWidth=2)
    return [level, line, ring.encode(alt.X("latency_ms:Q"), alt.Y("share:Q")), name]


def latency_over_time(seconds: pl.DataFrame, limit_ms: float | None = None) -> alt.LayerChart:
    """Draw the mean and the longest latency of each second of the peak, reads and writes apart.

    The limit is on p99, so single seconds may lie above it.
    """
    time = Timeline(largest(seconds["end_s"]))
    parts = [
        seconds.select(
            time.of("start_s"), op=pl.lit(op), kind=pl.lit(kind), latency_ms=f"{op}_latency_ms_{key}"
        )
        for op in ("read", "write")
        for kind, key in (("mean", "mean"), ("longest", "max"))
    ]
    source = pl.concat(parts).filter(pl.col("latency_ms") > 0)
    domain = style.log_domain([*source["latency_ms"].to_list(), *([limit_ms] if limit_ms else [])])
    line = alt.Chart(source).mark_line(interpolate="step-after")
    line = line.encode(
        time.axis("time in the peak window"),
        log(alt.Y, "latency_ms", "latency in each second (ms)", domain),
        channel.colours("op", ["read", "write"], [style.READ, style.WRITE], **STROKE),
        channel.dashes("kind", ["mean", "longest"], [[1, 0], [2, 2]], **STROKE),
        strokeWidth=alt.condition("datum.kind == 'mean'", alt.value(2), alt.value(1.1)),
    )
    return style.layered([*channel.limit("latency_ms", limit_ms, "p99 limit"), line], 210)


def tornado(rows: pl.DataFrame, middle: float, title: str) -> alt.LayerChart:
    """Draw the sensitivity of a result, from rows `input`, `end`, `result`, `text`, the largest on top.

    A bar per input reaches from the result at its low end to the result at its high end; the texts at its ends are the
    values of the input there. The rule is the result at the likely values.
    """
    names, ends = ordered(rows, "input"), ordered(rows, "end")
    low, high = min([*rows["result"], middle]), max([*rows["result"], middle])
    margin = (high - low) * 0.16 or 1.0
    scale = alt.Scale(domain=[low - margin, high + margin], nice=False, zero=False)
    x = alt.X("result:Q", title=title, scale=scale, axis=alt.Axis(format=",.6~g", tickCount=6, grid=True))
    base = alt.Chart(rows.with_columns(middle=pl.lit(middle))).encode(x, channel.named("input", names))
    named = base.transform_filter("datum.text != ''").encode(alt.Text("text:N"))
    below, above = (named.transform_filter(f"datum.result {sign} datum.middle") for sign in "<>")
    texts = [
        below.mark_text(align="right", dx=-5, color=style.MUTED, fontSize=11.5),
        above.mark_text(align="left", dx=5, color=style.MUTED, fontSize=11.5),
    ]
    bars = base.mark_bar(height=15).encode(
        channel.colours("end", ends, [style.READ, style.WRITE]), x2="middle"
    )
    likely = alt.Chart(pl.DataFrame([{"result": middle}])).mark_rule(color=style.LIMIT).encode(x)
    return style.layered([bars, *texts, likely], 90 + 26 * len(names))
