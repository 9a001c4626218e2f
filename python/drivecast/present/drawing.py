"""Which figures a document gets, with the sentence below each that says how to read it.

A figure whose data are not known (a counter log has no addresses) is left out.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import altair as alt
import polars as pl
from markupsafe import Markup

from drivecast.document.plan import Design, Plan
from drivecast.document.profile import Distribution, Profile
from drivecast.present import answer, style, table
from drivecast.present.caption import CAPTIONS
from drivecast.present.figure import activity, cost_latency, design_comparison, detail
from drivecast.quantity import number

CURVES_MAX = 5
BARS_MAX = 10


@dataclass(frozen=True)
class Figure:
    """A chart with its name, which is its id on the page."""

    name: str
    chart: alt.TopLevelMixin
    of: str = ""
    """What it is of, where there are several; these have numbers behind their names."""

    @property
    def caption(self) -> str:
        """The sentence below it."""
        text = " ".join(CAPTIONS[re.sub(r"-\d+$", "", self.name)].split())
        return f"{self.of[:1].upper()}{self.of[1:]}. {text}" if self.of else text

    @property
    def svg(self) -> Markup:
        """The drawing. The text in it was escaped when it was drawn.

        Whoever has a page read aloud hears the caption, not each mark and tick.
        """
        drawn = style.to_svg(self.chart).replace("<svg ", '<svg aria-hidden="true" ', 1)
        return Markup(drawn)  # noqa: S704 (vl-convert escapes all text)


def numbered(name: str, made: Iterable[tuple[alt.TopLevelMixin, str]]) -> list[Figure]:
    """Return charts, each with what it is of, as figures of one name, numbered from the second on."""
    return [Figure(name if at == 1 else f"{name}-{at}", *drawn) for at, drawn in enumerate(made, 1)]


def of_workload(profile: Profile) -> list[Figure]:
    """Return the workload over time, in sizes and in addresses."""
    window = profile.peak_window
    peak = (window.start_s, window.length_s) if window else None
    found = []
    if profile.seconds:
        seconds = table.seconds(profile.seconds)
        found += [Figure(name, activity.rate(seconds, name, peak)) for name in activity.MEASURES]
        if _known(seconds, "queue_depth"):
            found.append(Figure("queue-depth", activity.queue_depth(seconds, peak)))
    if profile.sizes:
        found.append(Figure("block-size", activity.block_size(table.block_sizes(profile))))
    if profile.heat_map and (cells := table.heat_cells(profile.heat_map)).height:
        found.append(Figure("heat-map", activity.heat_map(cells, peak)))
    return found


def of_detail(profile: Profile) -> list[Figure]:
    """Return what only a trace of single requests shows: reuse, runs, bursts, processes."""
    return [Figure(name, chart) for name, draw in _DETAILS.items() if (chart := draw(profile)) is not None]


def cost_against_latency(plan: Plan) -> Figure | None:
    """Return the one figure of the first page."""
    designs = table.designs(plan)
    if designs.filter((pl.col("cost") > 0) & (pl.col("read_ms") > 0)).is_empty():
        return None
    chart = cost_latency.cost_latency(
        designs, answer.wanted(plan, "years"), answer.limit_ms(plan, "read"), plan.currency
    )
    return Figure("cost-latency" if plan.winner else "cost-latency-none", chart)


def of_designs(plan: Plan) -> list[Figure]:
    """Return the designs beside each other."""
    compared = chosen(plan)
    designs = table.designs(plan.model_copy(update={"designs": compared}))
    years = answer.wanted(plan, "years")
    drawn = [design for design in compared if design.outcome][:CURVES_MAX]
    curves = {op: table.exceedance(drawn, op) for op in ("read", "write")}
    found = []
    if _known(designs, "life"):
        found.append(Figure("life", design_comparison.life(designs, years)))
    if any(curve.height for curve in curves.values()):
        limits = {op: answer.limit_ms(plan, op) for op in curves}
        found.append(Figure("latency", design_comparison.latency(curves, limits)))
    if _known(designs, "headroom"):
        found.append(Figure("headroom", design_comparison.headroom(designs, answer.wanted(plan, "headroom"))))
    if _known(designs, "cost"):
        found.append(
            Figure("cost", design_comparison.cost_breakdown(table.costs(compared), years, plan.currency))
        )
    return found


def of_winner(plan: Plan, winner: Design) -> list[Figure]:
    """Return the winner, second by second."""
    if winner.outcome is None or not winner.outcome.seconds:
        return []
    seconds = table.seconds(winner.outcome.seconds)
    if not (_known(seconds, "read_latency_ms_mean") or _known(seconds, "write_latency_ms_mean")):
        return []
    return [
        Figure(
            "latency-over-time", design_comparison.latency_over_time(seconds, answer.limit_ms(plan, "read"))
        )
    ]


def of_sensitivity(plan: Plan, winner: Design) -> list[Figure]:
    """Return the sensitivity of the winner's cost and life."""
    if winner.cost is None:
        return []
    life = winner.life_years.value if winner.life_years else None
    found = []
    costs, lives = table.moves(winner, "cost"), table.moves(winner, "life")
    if costs.height:
        title = design_comparison.cost_title(answer.wanted(plan, "years"), winner.cost.currency)
        found.append(Figure("tornado", design_comparison.tornado(costs, winner.cost.total, title)))
    if life is not None and lives.height:
        title = "years until worn out (50 and more drawn at 50)"
        found.append(
            Figure("tornado-life", design_comparison.tornado(lives, min(life, number.YEARS_MAX), title))
        )
    return found


def chosen(plan: Plan) -> list[Design]:
    """Return the designs to draw beside each other, by rank: the front, then others that fit.

    Where nothing fits, the nearest.
    """
    ranked = plan.ranked()
    if not ranked:
        return plan.near()[:BARS_MAX]
    front = [design for design in ranked if design.pareto_optimal or design.line == plan.winner]
    rest = [design for design in ranked if design not in front]
    return sorted([*front, *rest][:BARS_MAX], key=lambda design: design.rank or 0)


Draw = Callable[[Profile], alt.TopLevelMixin | None]


def _cumulative(
    parts: Callable[[Profile], dict[str, Distribution | None]], scale: float, value: str, share: str
) -> Draw:
    """Return what draws distributions of a profile, values times `scale`, with the titles of both axes."""
    return lambda profile: detail.cumulative(parts(profile), scale, value, share)


_DETAILS: dict[str, Draw] = {
    "miss-ratio": detail.miss_ratio,
    "working-set": detail.working_set,
    "popularity": detail.popularity,
    "reuse-distance": _cumulative(
        lambda profile: {
            "accesses": Distribution.model_validate({"cumulative": profile.reuse_distance_bytes or []})
        },
        1 / 2**20,
        "distinct data accessed since the block was last (MiB)",
        "share of the block accesses (%)",
    ),
    "succession": _cumulative(
        detail.successions,
        1e-9,
        "time since the last access of the block (s)",
        "share of the accesses of the kind (%)",
    ),
    "update-interval": _cumulative(
        lambda profile: {"overwrites": profile.update_interval_ns},
        1e-9,
        "time to the next write of the block (s)",
        "share (%)",
    ),
    "update-distance": _cumulative(
        lambda profile: {"overwrites": profile.update_distance_bytes},
        1 / 2**20,
        "bytes written until the next write of the block (MiB)",
        "share (%)",
    ),
    "writes-per-block": _cumulative(
        lambda profile: {"blocks": profile.writes_per_block},
        1,
        "writes of a block, fewer than",
        "share of the written blocks (%)",
    ),
    "run-length": _cumulative(
        lambda profile: {"runs": profile.runs.bytes if profile.runs else None},
        1 / 1024,
        "bytes of a sequential run (KiB)",
        "share of the runs (%)",
    ),
    "interleave": detail.interleave,
    "seek-distance": _cumulative(
        lambda profile: {"jumps": profile.seek.distance_bytes if profile.seek else None},
        1 / 2**20,
        "distance of a jump (MiB)",
        "share of the jumps (%)",
    ),
    "alignment": detail.alignment,
    "dispersion": detail.dispersion,
    "diurnal": detail.diurnal,
    "streams": detail.streams,
    "response": detail.response,
}


def _known(rows: pl.DataFrame, column: str) -> bool:
    return rows[column].null_count() < rows.height
