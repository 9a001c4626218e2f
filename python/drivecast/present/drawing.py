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


CAPTIONS = {
    "iops": """Requests over time, reads and writes stacked. Shaded: the peak that designs must carry.""",
    "throughput": "Bytes over time.",
    "queue-depth": """Requests waiting or in service. A longer queue means that the storage fell behind or that
        more requests were issued at once.""",
    "block-size": "Sizes of requests, by powers of two.",
    "heat-map": """Addresses of the requests over time. Dark rows are hot data, slanted lines are scans; dashed
        lines bound the peak.""",
    "cost-latency": """Cost against latency; the lower left is best. Dark, with its rank: Pareto-optimal, that is, no
        other design is better in cost, latency and life at once; ringed: the recommended one. Pale: fits,
        but is dominated. Hollow: misses a requirement; triangles: beyond the scale.""",
    "cost-latency-none": """Cost against latency of the simulated designs; none fits. Dark rings: the nearest;
        triangles: beyond the scale.""",
    "life": """Life under this workload. Band: the prediction interval, with the prediction as a tick. The
        earlier of the two ends counts.""",
    "latency": """Share of requests that take longer than a given time, at the peak. The p99 is at 1 %; the ring
        marks the limit, and a curve left of the ring meets it.""",
    "headroom": "How many times the measured peak each design can carry.",
    "cost": "Cost by component.",
    "tornado": """Sensitivity of the cost. Each bar moves one input over its own interval with all others at their
        likely values; the line is the cost with all at their likely values.""",
    "tornado-life": "Sensitivity of the life of the drives, in the same way.",
    "latency-over-time": """Latency second by second in the simulated peak. The limit is on the p99 of the
        whole peak: single requests may lie above it.""",
    "miss-ratio": """Miss ratio of an LRU cache by its size, of requests and (dashed) of their 4 KiB blocks; a
        request misses if any of its blocks does. Where a curve is steep, a little more cache helps much;
        where it is flat, more cache does not help.""",
    "cache-miss-ratio": """Miss ratio by the size of the cache, a line a policy. Belady's knows the future: it is the
        least that there can be. The dashed line is the knee: the smallest cache with nine tenths of the hits that an
        unlimited one has.""",
    "cache-latency": """Simulated p99 by the size of the cache: after it has seen the trace before, and from empty.
        Bands are 80 % intervals; the dotted line is what is behind without a cache. An open mark falls behind.""",
    "working-set": """Footprint so far. A line that flattens has covered all data that the workload uses; one that
        climbs to the end has not.""",
    "popularity": "Share of accesses that go to the most accessed blocks.",
    "reuse-distance": """Stack distance: distinct data accessed since the block was last. The rest, beyond its end,
        are first accesses. It rises early if recently used data is used next.""",
    "succession": """Time between accesses of the same block, by the kind of both accesses, with the share of each
        kind.""",
    "update-interval": "Time from a write of a block to its next write.",
    "update-distance": """Bytes written elsewhere until a block is overwritten. Short distances wear flash less, since
        data is invalidated before it is moved.""",
    "writes-per-block": "Writes per written block.",
    "run-length": "Bytes per sequential run, single requests included.",
    "interleave": """How many sequential runs are interleaved: the share of the requests that continue the run last
        continued, the one before it, and so on.""",
    "seek-distance": "Distance in the address space between requests that are not sequential.",
    "alignment": "Requests whose offset and size are multiples of a boundary.",
    "dispersion": """Burstiness over time scales: flat at 1 for random arrivals, rising where bursts are themselves
        bursty. Dashed: the slope given by the Hurst parameter, over the scales it was estimated from.""",
    "diurnal": "The mean day.",
    "streams": "Requests by process, CPU, disk or volume, whichever the format records.",
    "response": "Mean latency in ms by size and by the requests outstanding at issue.",
    "depth-sweep": """Throughput and latency by the requests outstanding. Dashed: the two bounds, the
        time of a lone request and the most that is carried; the knee is where they meet. Right of it, a
        deeper queue buys latency and nothing else.""",
    "convergence": """Tracked variables by round. Shaded: the measurement window; the band about its mean holds
        what a range of 20 % allows, the heavy line is the best linear fit, red where it is not steady.""",
    "write-saturation": """Random writes to a purged target, against how often it was written. The cliff is the
        steepest fall that lasts: on flash, where what was never written has run out.""",
    "size-sweep": """By the size of requests. A line that stays level is a limit that somebody set,
        on requests (left) or on bytes (right).""",
    "mix-matrix": "By size and share of reads; shades are equal ratios.",
    "waiting": """As many requests outstanding, from threads that each wait for theirs and from one thread
        that does not.""",
    "warm-up": """The mean of each stretch of time. From the dashed line on it is settled: what came before
        is warm-up.""",
    "jitter": """Every second is a dot; beside them how often each throughput was met (Gaussian kernel).
        A narrow band is even; two peaks are two states.""",
    "transactions": """Each second of the first repeat. What still rises is a buffer that fills; what falls is a drive
        that slows down; a wide band is uneven.""",
    "buffer-pool": """Medians of the repeats, with the lowest and the highest as a bar. Where a line is steep, memory
        buys more than a faster drive; where it is flat, the processors or the log are the limit.""",
    "latency-measured": """The share of requests that take longer than a time, as measured. Read it at 1 %:
        there lies the p99.""",
    "target-ratio": "How many times what the first target carries, run by run.",
    "written": """What the drive wrote, and when it will have written how much: dashed as likely as
        not, the band its interval in time. Red: where the rated writes are used up and the flash is
        worn out. Dotted: changes of the workload, with what they multiplied the writes by.""",
    "write-amplification": """Flash bytes over host bytes, a stroke a week. Weeks in which the drive
        was nearly idle are left out: they tell of the drive, not of the workload.""",
    "replacements": """Drives whose flash will be worn out, or whose spare will be used up, in each
        quarter; what fails now counts in the first. Bar: the expected count; line: the interval, if drives
        end independently.""",
    "beside-distribution": """Share of the requests that take up to a given time, measured and compared with it. Where
        the curves part, requests are off; a step in one alone is a mode that the other does not
        have.""",
    "beside-tail": """Share of the requests that take longer, both axes logarithmic: the tail of the same
        curves. At 1 % lies the p99.""",
    "beside-quantiles": """Quantile against quantile. On the diagonal both are the same, in the band within the
        tolerance; above it the prediction is too slow, below it too fast.""",
    "side-latency": """The p99 by the load. Band: the interval of the prediction. Hollow: requests arrive faster than
        they are served, and latency grows with the length of the run. Dotted: the last design at the least load, which
        the others are compared with.""",
    "side-rate": "Requests served in a closed loop, by the requests outstanding.",
    "beside-seconds": "Second by second: requests, and their mean latencies.",
}
