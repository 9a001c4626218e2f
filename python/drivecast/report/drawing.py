"""Which figures a document gets, with the sentence below each that says how to read it.

A figure whose data are not known (a counter log has no addresses) is left out.
"""

from dataclasses import dataclass

import altair as alt
import polars as pl
from markupsafe import Markup

from drivecast.report import answer, style, table
from drivecast.report.document import Design, Plan, Profile
from drivecast.report.figure import (
    block_size,
    cost_breakdown,
    cost_latency,
    headroom,
    heat_map,
    latency,
    latency_over_time,
    life,
    queue_depth,
    rate,
)

CURVES_MAX = 5
BARS_MAX = 10


@dataclass(frozen=True)
class Figure:
    """A chart with its name (the id on the page) and caption."""

    name: str
    chart: alt.TopLevelMixin
    caption: str

    @property
    def svg(self) -> Markup:
        """The drawing. The text in it was escaped when it was drawn."""
        return Markup(style.to_svg(self.chart, self.name))  # noqa: S704


def of_workload(profile: Profile) -> list[Figure]:
    """The workload over time, in sizes and in addresses."""
    window = profile.peak_window
    peak = (window.start_s, window.length_s) if window else None
    found = []
    if profile.seconds:
        seconds = table.seconds(profile.seconds)
        found.append(Figure("iops", rate.chart(seconds, "iops", peak), "Requests over time, reads and writes stacked. The shaded stretch is the peak that designs must carry."))
        found.append(Figure("throughput", rate.chart(seconds, "throughput", peak), "Bytes over time."))
        if seconds["queue_depth"].null_count() < seconds.height:
            found.append(Figure("queue-depth", queue_depth.chart(seconds, peak), "Requests waiting or in service: a longer queue means the storage fell behind, or was asked for more at once."))
    if profile.sizes:
        found.append(Figure("block-size", block_size.chart(table.block_sizes(profile)), "Sizes of requests, by powers of two."))
    if profile.heat_map:
        cells = table.heat_cells(profile.heat_map)
        if cells.height:
            found.append(Figure("heat-map", heat_map.chart(cells, peak), "Where on the disk the requests fall. Dark rows are hot data, slanted lines are scans; the dashed lines bound the peak."))
    return found


def cost_against_latency(plan: Plan) -> Figure | None:
    """The one figure of the first page."""
    designs = table.designs(plan)
    if designs.filter(pl.col("cost").is_not_null() & pl.col("read_ms").is_not_null()).is_empty():
        return None
    chart = cost_latency.chart(designs, answer.years(plan), answer.limit_ms(plan, "read"), currency(plan))
    if plan.winner is None:
        return Figure("cost-latency", chart, "Cost against speed of the designs that were simulated; none fits. Dark rings: the nearest; triangles: beyond the scale.")
    caption = ("Cost against speed; the lower left is best. Dark, with its rank: on the front, that is, no other is better in cost, latency and "
               "life at once; ringed: the one to buy. Pale: fits too, but is beaten. Hollow: misses a need, triangles beyond the scale.")  # fmt: skip
    return Figure("cost-latency", chart, caption)


def of_designs(plan: Plan) -> list[Figure]:
    """The designs beside each other."""
    compared = chosen(plan)
    designs = table.designs(plan.model_copy(update={"designs": compared}))
    years = answer.years(plan)
    curves = {op: table.exceedance([d for d in compared if d.outcome][:CURVES_MAX], op) for op in ("read", "write")}
    found = []
    if designs["life"].null_count() < designs.height:
        found.append(Figure("life", life.chart(designs, years), "Life under this workload. Band: the interval of the prediction, with its value as a tick. The earlier of the two ends counts."))
    if any(curve.height for curve in curves.values()):
        limits = {op: answer.limit_ms(plan, op) for op in curves}
        found.append(Figure("latency", latency.chart(curves, limits), "How many requests take longer than a given time, at the peak. Read it at 1 %: there lies the p99, and the ring marks the limit; a curve left of the ring keeps it."))
    if designs["room"].null_count() < designs.height:
        found.append(Figure("headroom", headroom.chart(designs), "How many times the measured peak each design can carry."))
    if any(design.cost for design in compared):
        found.append(Figure("cost", cost_breakdown.chart(table.costs(compared), years, currency(plan)), "What the money goes to."))
    return found


def of_winner(plan: Plan, winner: Design) -> list[Figure]:
    """The winner, second by second."""
    if winner.outcome is None or not winner.outcome.seconds:
        return []
    seconds = table.seconds(winner.outcome.seconds)
    if seconds["read_latency_ms_mean"].null_count() == seconds["write_latency_ms_mean"].null_count() == seconds.height:
        return []
    limit = answer.limit_ms(plan, "read")
    caption = "Latency second by second in the simulated peak. The limit is on the p99 of the whole peak: single requests may lie above it."
    return [Figure("latency-over-time", latency_over_time.chart(seconds, limit), caption)]


def chosen(plan: Plan) -> list[Design]:
    """The designs to draw beside each other: the front in order of rank, filled up by rank; or the nearest where nothing fits."""
    ranked = plan.ranked()
    if not ranked:
        return [design for design in plan.designs if design.design in plan.nearest][:BARS_MAX]
    front = [design for design in ranked if design.on_front or design.design == plan.winner]
    rest = [design for design in ranked if design not in front]
    return sorted([*front, *rest][:BARS_MAX], key=lambda design: design.rank or 0)


def currency(plan: Plan) -> str:
    """The currency of the plan's costs."""
    return next((design.cost.currency for design in plan.designs if design.cost), "USD")
