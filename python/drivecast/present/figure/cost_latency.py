"""Cost against p99 read latency, one mark a design.

Those that fit are filled, those that miss hollow, the front is numbered by rank. The staircase joins the
designs that no cheaper one beats in latency; they are named. Below it lies no design that fits, so the
names stand there, each to the left of its design and under the one before: leaders then never cross a
name. Designs far too slow or far too dear are drawn at the edge, as triangles, so that they do not
squeeze the choice into a corner. Where nothing fits, the nearest designs take the place of those that
fit, in dark rings.
"""

import math
from dataclasses import dataclass

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import channel
from drivecast.present.figure.design_comparison import cost_title

PLOT_HEIGHT = 285
PLOT_WIDTH = 800
NAME_STEP = 16
LETTER_PX = 6.4
NAMED_MAX = 7
BEYOND = 3.0
"""How many times beyond the designs that fit the axes reach; beyond the limit, half of that."""
DOT = 15
"""Size of a numbered dot, in px."""


@dataclass(frozen=True)
class _Frame:
    """The domains of both axes."""

    cost: tuple[float, float]
    latency: tuple[float, float]

    @property
    def log_per_px(self) -> float:
        """Logarithm of latency in one px."""
        return math.log(self.latency[1] / self.latency[0]) / PLOT_HEIGHT

    def place_px(self, cost: float, latency_ms: float) -> tuple[float, float]:
        """Where a design lies, in px from the lower left."""
        across = math.log(cost / self.cost[0]) / math.log(self.cost[1] / self.cost[0])
        return PLOT_WIDTH * across, math.log(latency_ms / self.latency[0]) / self.log_per_px


def cost_latency(
    designs: pl.DataFrame, years: float | None, limit_ms: float | None = None, currency: str = "USD"
) -> alt.LayerChart:
    """Draw a table of designs, with the limit on p99 where there is one."""
    source = designs.filter((pl.col("read_ms") > 0) & (pl.col("cost") > 0)).with_columns(
        title=pl.concat_str(pl.col("rank").cast(pl.String), "title", separator=" · ", ignore_nulls=True)
    )
    stairs = _staircase(source)
    frame = _frame(source, stairs.head(NAMED_MAX), limit_ms)
    x = channel.log(alt.X, "cost", cost_title(years, currency), frame.cost, format=",.0f")
    y = channel.log(alt.Y, "read_ms", "p99 read latency (ms)", frame.latency)
    inside = pl.col("read_ms").is_between(*frame.latency) & pl.col("cost").is_between(*frame.cost)
    placed = source.with_columns(
        pl.col("read_ms").clip(frame.latency[0] * 1.07, frame.latency[1] * 0.93),
        pl.col("cost").clip(frame.cost[0] * 1.01, frame.cost[1] * 0.99),
        pl.Series("number", _numbers(source, frame), dtype=pl.Int64),
        beyond=~inside,
    ).sort("rank", descending=True, nulls_last=False)
    line = alt.Chart(stairs).mark_line(
        interpolate="step-after", color=style.READ, strokeWidth=1.2, opacity=0.6
    )
    layers = [
        *channel.limit("read_ms", limit_ms, "limit"),
        line.encode(x, y),
        *_points(alt.Chart(placed).encode(x, y)),
        *_names(stairs, frame, x),
    ]
    return style.layered(layers, 350)


def _points(base: alt.Chart) -> list[alt.Chart]:
    hollow = base.transform_filter("datum.verdict == 'misses'").transform_filter
    front = base.transform_filter("datum.pareto_optimal || datum.winner")
    other = base.transform_filter("datum.verdict == 'fits' && !datum.pareto_optimal && !datum.winner")
    interval = front.transform_filter("isValid(datum.read_ms_low) && isValid(datum.read_ms_high)")
    return [
        hollow("!datum.beyond").mark_point(color=style.GREY, size=34, strokeWidth=1),
        hollow("datum.candidate").mark_point(color=style.READ, size=60, strokeWidth=2),
        hollow("datum.beyond").mark_point(shape="triangle-up", color=style.GREY, size=34, strokeWidth=1),
        other.mark_point(filled=True, color="#8fb0cc", size=45, opacity=1),
        interval.mark_rule(color=style.READ, strokeWidth=1.6).encode(
            alt.Y("read_ms_low:Q"), y2="read_ms_high"
        ),
        front.mark_point(filled=True, color=style.READ, size=230, opacity=1, stroke="white", strokeWidth=1),
        base.transform_filter("datum.winner").mark_point(color=style.LIMIT, size=420, strokeWidth=2),
        front.transform_filter("isValid(datum.number)")
        .mark_text(color="white", fontSize=10, fontWeight="bold", baseline="middle")
        .encode(alt.Text("number:Q")),
    ]


def _numbers(source: pl.DataFrame, frame: _Frame) -> list[int | None]:
    """Return the rank to write on each dot; none where the dot lies under one of better rank."""
    taken: list[tuple[float, float]] = []
    numbers: dict[str, int] = {}
    for row in source.filter(pl.col("pareto_optimal") | pl.col("winner")).sort("rank").iter_rows(named=True):
        place = frame.place_px(row["cost"], row["read_ms"])
        if all(math.dist(place, other) >= DOT for other in taken):
            taken.append(place)
            numbers[row["line"]] = row["rank"]
    return [numbers.get(line) for line in source["line"]]


def _staircase(source: pl.DataFrame) -> pl.DataFrame:
    """Return the candidates that no cheaper one beats, by rising cost."""
    fits = source.filter("candidate").sort("cost", "read_ms")
    return fits.filter(pl.col("read_ms") < pl.col("read_ms").cum_min().shift(1).fill_null(math.inf))


def _frame(source: pl.DataFrame, named: pl.DataFrame, limit_ms: float | None) -> _Frame:
    """Return domains that hold the candidates, the limit, and room below and on the left for the names."""
    fits = source.filter("candidate")
    seen = fits if fits.height else source
    latencies, costs = seen["read_ms"].to_list(), seen["cost"].to_list()
    top = max(max(latencies) * BEYOND, (limit_ms or 0.0) * BEYOND / 2)
    least, dearest = min(*latencies, limit_ms or math.inf) / 1.1, max(costs)
    cheapest = max(min(source["cost"].to_list()), min(costs) / BEYOND)
    below_px = NAME_STEP * named.height + 14
    bottom = least / math.exp(math.log(top / least) / (PLOT_HEIGHT - below_px) * below_px)
    low, high = math.log(cheapest / 1.25), math.log(dearest * 1.25)
    for cost, title in named.select("cost", "title").iter_rows():
        share = LETTER_PX * len(title) / PLOT_WIDTH
        low = min(low, (math.log(cost) - share * high) / (1 - share))
    return _Frame((math.exp(low), math.exp(high)), (bottom, top))


def _names(stairs: pl.DataFrame, frame: _Frame, x: alt.X) -> list[alt.Chart]:
    """Return the names with their leaders."""
    named = stairs.head(NAMED_MAX)
    heights, last, step = [], math.inf, NAME_STEP * frame.log_per_px
    for latency_ms in named["read_ms"]:
        last = min(math.log(latency_ms) - 1.1 * step, last - step)
        heights.append(math.exp(last))
    named = named.with_columns(pl.Series("name_ms", heights, dtype=pl.Float64))
    base = alt.Chart(named).encode(x, alt.Y("name_ms:Q"), alt.Text("title:N"))
    leaders = base.mark_rule(color=style.GREY, strokeWidth=0.7).encode(y=alt.Y("read_ms:Q"), y2="name_ms")
    # A white halo under each name keeps it readable where a mark lies behind it.
    halos = base.mark_text(align="right", dx=4, baseline="top", stroke="white", strokeWidth=4)
    return [leaders, halos, base.mark_text(align="right", dx=4, baseline="top")]
