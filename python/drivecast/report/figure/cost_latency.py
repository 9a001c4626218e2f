"""Cost against p99 read latency, one mark a design: those that fit filled, those that miss hollow, the front joined and named.

The front drawn here is of these two axes; designs that are on the plan's front for their life alone carry the same mark.
"""

import math

import altair as alt
import polars as pl

from drivecast.report import style

HEIGHT = 330
PLOT_HEIGHT = 270
LABEL_STEP = 15
NAMED_MAX = 8


def chart(designs: pl.DataFrame, years: float | None, limit_ms: float | None = None, currency: str = "USD") -> alt.LayerChart:
    """Draw a table of designs, with the limit on p99 where there is one."""
    source = designs.filter(pl.col("cost").is_not_null() & (pl.col("read_ms") > 0) & (pl.col("cost") > 0))
    latencies = [*source["read_ms"].to_list(), *([limit_ms] if limit_ms else [])]
    domain_y = style.log_domain(latencies)
    domain_x = style.log_domain(source["cost"].to_list(), 1.15)
    domain_x = (domain_x[0], domain_x[1] * (domain_x[1] / domain_x[0]) ** 0.25)  # so that the last names have room
    over = f" over {years:g} years" if years else ""
    x = alt.X("cost:Q", title=f"cost{over} ({currency})", scale=alt.Scale(type="log", domain=domain_x, nice=False),
              axis=alt.Axis(values=style.log_values(*domain_x), format=",.0f", labelOverlap=True))  # fmt: skip
    y = alt.Y("read_ms:Q", title="p99 read latency (ms)", scale=alt.Scale(type="log", domain=domain_y, nice=False),
              axis=alt.Axis(values=style.log_values(*domain_y), format="~g", labelOverlap=True))  # fmt: skip
    named = _named(source, domain_y)
    base = alt.Chart(source).encode(x, y)
    layers: list[alt.Chart] = _limit(limit_ms)
    layers += [
        base.transform_filter("datum.verdict == 'misses'").mark_point(color=style.GREY, size=32, strokeWidth=1, opacity=0.7),
        alt.Chart(_staircase(source)).mark_line(interpolate="step-after", color=style.READ, strokeWidth=1.2, opacity=0.6).encode(x, y),
        base.transform_filter("datum.verdict == 'fits' && !datum.on_front").mark_point(
            filled=True, color="#8fb0cc", size=45, opacity=0.9
        ),
        base.transform_filter("datum.on_front && isValid(datum.read_ms_low)").mark_rule(color=style.READ, strokeWidth=1.6).encode(
            y=alt.Y("read_ms_low:Q"), y2="read_ms_high"
        ),
        base.transform_filter("datum.on_front").mark_point(filled=True, color=style.READ, size=70, opacity=1),
        base.transform_filter("datum.winner").mark_point(color=style.LIMIT, size=230, strokeWidth=2),
        alt.Chart(named).mark_rule(color=style.GREY, strokeWidth=0.6, xOffset=5, x2Offset=12).encode(
            x, alt.X2("cost"), alt.Y("read_ms:Q"), alt.Y2("name_ms:Q")),
        alt.Chart(named).mark_text(align="left", dx=14, fontSize=11.5).encode(
            x, alt.Y("name_ms:Q"), alt.Text("label:N"),
            opacity=alt.value(1)),
    ]  # fmt: skip
    return style.fit(alt.layer(*layers), HEIGHT)


def _staircase(source: pl.DataFrame) -> pl.DataFrame:
    """The fitting designs that no cheaper one beats, by rising cost."""
    fits = source.filter(pl.col("verdict") == "fits").sort("cost", "read_ms")
    return fits.filter(pl.col("read_ms") < pl.col("read_ms").cum_min().shift(1).fill_null(math.inf))


def _named(source: pl.DataFrame, domain: tuple[float, float]) -> pl.DataFrame:
    """The designs to name, with the height (ms) at which each name clears the one before."""
    front = source.filter(pl.col("on_front") | pl.col("winner"))
    named = pl.concat([_staircase(front), front.sort("rank")]).unique("design", keep="first", maintain_order=True)
    named = named.sort("winner", descending=True, maintain_order=True).head(NAMED_MAX).sort("read_ms", descending=True)
    per_px = math.log(domain[1] / domain[0]) / PLOT_HEIGHT
    heights, last = [], math.inf
    for latency_ms in named["read_ms"]:
        last = min(math.log(latency_ms), last - LABEL_STEP * per_px)
        heights.append(math.exp(last))
    return named.with_columns(pl.Series("name_ms", heights, dtype=pl.Float64))


def _limit(limit_ms: float | None) -> list[alt.Chart]:
    if limit_ms is None:
        return []
    base = alt.Chart(alt.Data(values=[{"read_ms": limit_ms, "name": f"limit {limit_ms:g} ms"}])).encode(alt.Y("read_ms:Q"))
    rule = base.mark_rule(color=style.LIMIT, strokeDash=[5, 3])
    name = base.mark_text(align="right", baseline="bottom", dy=-2, color=style.LIMIT, fontSize=11.5)
    return [rule, name.encode(alt.Text("name:N"), x=alt.value("width"))]
