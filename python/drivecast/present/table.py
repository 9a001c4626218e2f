"""The rows behind the figures: from a checked document to polars tables, one function a figure.

Long series are binned to at most `BINS_MAX` rows, by mean and maximum; a drawing of more would not show
more.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Literal

import polars as pl

from drivecast.document.outcome import QUANTILES, Outcome, Seconds
from drivecast.document.plan import Design, Plan
from drivecast.document.profile import HeatMap, Profile
from drivecast.present.answer import shown
from drivecast.quantity.interval import Span
from drivecast.quantity.number import YEARS_MAX, binary_size, quantity

BINS_MAX = 400
LABEL_MAX = 48

MOVES_LEAST = 500
"""Inputs that move the cost by less than one part in so many are not drawn."""

LEVELS = 6
"""Shades of the heat map."""


def of(rows: Iterable[Sequence[object]], **columns: type) -> pl.DataFrame:
    """Return rows as a table, its columns by name and type."""
    return pl.DataFrame(list(rows), schema=columns, orient="row")


def seconds(rows: Seconds) -> pl.DataFrame:
    """One row a bin: `start_s`, `end_s`, `queue_depth`, latencies in ms, and rates a second.

    The rates are `reads`, `writes`, `read_mb` and `written_mb`.
    """
    frame = rows.frame.sort("second")
    step = (frame["second"][-1] - frame["second"][0]) / max(frame.height - 1, 1) or 1.0
    width = step * math.ceil(frame.height / BINS_MAX)
    number = ((pl.col("second") - frame["second"][0]) / width).floor()
    means = pl.col("reads", "writes", "queue_depth", "read_latency_ns_mean", "write_latency_ns_mean")
    binned = frame.group_by(number.alias("bin"), maintain_order=True).agg(
        means.cast(pl.Float64).mean(),
        pl.col("read_latency_ns_max", "write_latency_ns_max").cast(pl.Float64).max(),
        start_s=pl.col("second").min(),
        read_mb=pl.col("read_bytes").mean() / 1e6,
        written_mb=pl.col("written_bytes").mean() / 1e6,
    )
    return binned.with_columns(
        (pl.col("^.*_latency_ns_.*$") / 1e6).name.map(lambda name: name.replace("_ns_", "_ms_")),
        end_s=pl.col("start_s") + width,
    ).drop("bin")


def block_sizes(profile: Profile) -> pl.DataFrame:
    """One row an operation and size class: `op`, `size`, `order`, `share` of the operation's requests.

    A class reaches from above the power of two below to its own: `16 KiB` holds 8 KiB + 1 B to 16 KiB.
    """
    totals: dict[tuple[str, int], int] = {}
    for row in profile.sizes or []:
        order = max(9, math.ceil(math.log2(max(row.size_bytes, 1))))
        totals[row.op, order] = totals.get((row.op, order), 0) + row.count
    whole = {op: sum(count for (other, _), count in totals.items() if other == op) for op, _ in totals}
    rows = (
        (op, binary_size(2**order), order, count / whole[op])
        for (op, order), count in sorted(totals.items(), key=lambda item: (item[0][1], item[0][0]))
    )
    return of(rows, op=str, size=str, order=int, share=float)


def _coarse(heat_map: HeatMap, bins_time: int, bins_address: int) -> tuple[list[list[int]], int, int]:
    counts = heat_map.counts
    by_time = math.ceil(len(counts) / bins_time)
    by_address = math.ceil(max(len(row) for row in counts) / bins_address)
    coarse = [[0] * math.ceil(len(counts[0]) / by_address) for _ in range(math.ceil(len(counts) / by_time))]
    for moment, row in enumerate(counts):
        for address, number in enumerate(row):
            coarse[moment // by_time][address // by_address] += number
    return coarse, by_time, by_address


def level_edges(most: int) -> list[int]:
    """Lower edges of the shades, each the same multiple of the one before, from 1 to the largest count."""
    return sorted({max(1, round(most ** (level / LEVELS))) for level in range(LEVELS)})


def heat_cells(heat_map: HeatMap, bins_time: int = 300, bins_address: int = 128) -> pl.DataFrame:
    """One row a run of equally shaded cells along time, with its edges, `requests` (a class) and `level`.

    Cells without a request have no row.
    """
    counts, by_time, by_address = _coarse(heat_map, bins_time, bins_address)
    edges = level_edges(max((number for row in counts for number in row), default=1))
    names = [_class_name(low, high) for low, high in zip(edges, [*edges[1:], None], strict=True)]
    time_s, address_gb = heat_map.time_bin_s * by_time, heat_map.address_bin_bytes * by_address / 1e9
    rows = []
    for address in range(len(counts[0])):
        start = 0
        for level, run in groupby(sum(row[address] >= edge for edge in edges) for row in counts):
            end = start + len(list(run))
            rows += [(start, end, address, level)] if level else []
            start = end
    cells = (
        (
            *(at * time_s for at in run),
            address * address_gb,
            (address + 1) * address_gb,
            names[level - 1],
            level,
        )
        for *run, address, level in sorted(rows, key=lambda row: row[3])
    )
    return of(cells, start_s=float, end_s=float, low_gb=float, high_gb=float, requests=str, level=int)


def _class_name(low: int, high: int | None) -> str:
    if high is None:
        return f"{low:,} and more"
    return f"{low:,}" if high - low == 1 else f"{low:,}–{high - 1:,}"


def label(design: Design) -> str:
    """Return what a design is called in a figure: rank and title, shortened to fit."""
    title = _short(design)
    return title if design.rank is None else f"{design.rank} · {title}"


def _short(design: Design) -> str:
    """Leave out the maker, not the model, the capacity or the level; of several volumes all but their names.

    Of a cached design what the cache is of.
    """
    if design.volumes:
        return f"{' and '.join(volume.name for volume in design.volumes)} apart"
    title = shown(design.title.partition(", behind a cache of ")[0])
    if design.cached:
        return f"{title}, cached"
    count, times, drive = title.rpartition(" × ")
    excess = len(title) - LABEL_MAX
    return f"{count}{times}…{drive[excess + 1 :]}" if excess > 0 else title


def designs(plan: Plan) -> pl.DataFrame:
    """One row a design: cost, latency (ms), life (years, cut off at 50) and room.

    A `candidate` is a design that fits or, where none does, one of the nearest.
    """
    fits = any(design.verdict == "fits" for design in plan.designs)
    rows = [
        {
            **design.model_dump(include={"line", "rank", "verdict", "pareto_optimal", "headroom"}),
            "title": _short(design),
            "label": label(design),
            "winner": design.line == plan.winner,
            "candidate": design.verdict == "fits" if fits else design.line in plan.nearest,
            "cost": design.cost.total if design.cost else None,
            **_bounds("read_ms", design.read_p99_ns, ms),
            **_bounds("life", design.life_years, _cut),
            "life_media": _cut(design.life_media_years.value if design.life_media_years else None),
            "life_warranty": _cut(design.life_warranty_years),
        }
        for design in plan.designs
    ]
    text = dict.fromkeys(("line", "title", "label", "verdict"), pl.String)
    flag = dict.fromkeys(("pareto_optimal", "winner", "candidate"), pl.Boolean)
    spans = [f"{name}{bound}" for name in ("read_ms", "life") for bound in ("", "_low", "_high")]
    figures = dict.fromkeys(("headroom", "cost", *spans, "life_media", "life_warranty"), pl.Float64)
    return pl.DataFrame(rows, schema={"rank": pl.Int64, **text, **flag, **figures})


def _bounds(
    name: str, found: Span | None, scaled: Callable[[float | None], float | None]
) -> dict[str, float | None]:
    found = found or Span()
    return {name: scaled(found.value), f"{name}_low": scaled(found.low), f"{name}_high": scaled(found.high)}


def ms(latency_ns: float | None) -> float | None:
    """Return a latency in milliseconds."""
    return None if latency_ns is None else latency_ns / 1e6


def _cut(years: float | None) -> float | None:
    return None if years is None else min(years, YEARS_MAX)


def exceedance(chosen: list[Design], op: str) -> pl.DataFrame:
    """One row a point of a curve: `label`, `latency_ms`, `share` of requests that take longer.

    From the histogram where the outcome has one, else from its quantiles.
    """
    rows = (
        (label(design), *point) for design in chosen if design.outcome for point in curve(design.outcome, op)
    )
    return of(rows, label=str, latency_ms=float, share=float)


def curve(outcome: Outcome, op: str) -> list[tuple[float, float]]:
    """Latencies in ms with the share of requests that take longer, from the quickest on."""
    points = [(row["latency_ns"] / 1e6, 1 - row["quantile"]) for row in outcome.latencies if row["op"] == op]
    if not points:
        points = [
            (latency / 1e6, round(1 - share, 4))
            for name, share in QUANTILES.items()
            if share <= 0.9999 and (latency := outcome.latency(op, name))
        ]
    # Beyond one in a hundred thousand a curve of some minutes is the fate of single requests.
    points = [(latency, share) for latency, share in sorted(points) if share >= 1e-5 and latency > 0]
    kept, last = [], math.inf
    for latency, share in points:
        if share <= last * 0.97 or len(points) < BINS_MAX // 4:
            kept.append((latency, share))
            last = share
    return kept


def moves(design: Design, result: Literal["cost", "life"]) -> pl.DataFrame:
    """One row an end of an input that moves cost or life: `input`, `end`, `result`, `text`; what matters most first."""
    found = []
    for move in design.sensitivity or []:
        ends = (move.cost_low, move.cost_high) if result == "cost" else move.lives
        if ends is not None and abs(ends[1] - ends[0]) * MOVES_LEAST >= max(ends):
            found.append((move, ends))
    found.sort(key=lambda move: -abs(move[1][1] - move[1][0]))
    rows = (
        (move.input, end, value, quantity(at, move.unit))
        for move, ends in found
        for end, value, at in zip(("input lower", "input higher"), ends, (move.low, move.high), strict=True)
    )
    return of(rows, input=str, end=str, result=float, text=str)


COSTS = {
    "purchase": ("purchase",),
    "rent": ("rent",),
    "energy": ("energy",),
    "replacements and visits": ("replacement", "labor"),
    "expected losses and expansion": ("loss", "outage", "expansion"),
}
"""Kinds of cost, and the parts of each."""


def costs(chosen: list[Design]) -> pl.DataFrame:
    """One row a design and kind of cost that any has: `label`, `part`, `order`, `amount`, `total` of the design."""
    rows = (
        (label(design), kind, order, amount, design.cost.total)
        for design in chosen
        if design.cost
        for order, (kind, parts) in enumerate(COSTS.items())
        if (amount := sum(getattr(design.cost, part) or 0.0 for part in parts))
    )
    return of(rows, label=str, part=str, order=int, amount=float, total=float)
