"""What was simulated for one design, as text: a run, its wear, and its reliability.

Each is a heading and a small table; what is unknown is left out.
"""

from collections.abc import Iterator
from datetime import date
from itertools import groupby

from rich.text import Text

from drivecast.document.outcome import (
    Cache,
    Credits,
    Depths,
    LatencyInterval,
    LatencyKnowledge,
    Outcome,
    Stream,
)
from drivecast.document.reliability import Reliability
from drivecast.document.wear import Wear
from drivecast.present import grid, reason
from drivecast.quantity import number
from drivecast.quantity.year import HOURS_PER_YEAR

EMPTY = 0.005
"""Share of credits below which they are exhausted."""

SATURATED = "saturated: requests arrive faster than they are served, and wait longer the longer the run is"

NEAR = "without an upper end: the load is so near to what the drives carry that they may be in saturation"

QUANTILES = {"median": "q50", "p90": "q90", "p99": "q99", "p99.9": "q999", "p99.99": "q9999"}


def run(outcome: Outcome) -> Text:
    """Lay out a run: what it delivered, then the latencies of each kind of request."""
    parts = [
        f"{number.iops(outcome.iops)} IOPS",
        number.throughput(outcome.throughput_bytes_per_s),
        f"utilization {number.percent(outcome.utilization)}",
        f"queue depth {number.significant(outcome.queue_depth_mean, 2)}",
        f"write amplification {number.significant(outcome.write_amplification)}",
    ]
    lines = [
        grid.clean(outcome.design),
        f"  {', '.join(part for part in parts if number.ABSENT not in part)}",
    ]
    if outcome.saturated:
        lines.append(f"  {SATURATED}")
        lines += _served(outcome.latency_known)
    if outcome.write_cache:
        lines.append(f"  {reason.WRITE_CACHE[outcome.write_cache]}")
    if outcome.credits:
        lines.append(f"  {_credits(outcome.credits)}")
    lines += _cache(outcome.cache) if outcome.cache else []
    streams = (("read", outcome.read), ("write", outcome.write), ("flush", outcome.flush))
    rows = [(name, *_cells(stream)) for name, stream in streams if stream and stream.requests]
    table = grid.table(("<", "IOPS", "mean", *QUANTILES, "maximum"), rows, indent=2)
    return grid.page(
        [
            *lines,
            "",
            *table,
            "",
            "  latencies in ms",
            *_known(outcome.latency_known),
            *_by_windows(outcome.by_windows),
        ]
    )


def depths(found: Depths) -> Text:
    """Lay out one workload at several queue depths, a row for each."""
    heads = ("<", "IOPS", "MB/s", "read median", "p99", "write median", "p99")
    rows = []
    for run in found.runs:
        outcome = run.outcome
        latencies = [
            number.milliseconds(outcome.latency(op, quantile))
            for op in ("read", "write")
            for quantile in ("q0.5", "q0.99")
        ]
        rate = number.significant(outcome.throughput_bytes_per_s / 1e6)
        rows.append((f"depth {run.iodepth}", number.iops(outcome.iops), rate, *latencies))
    design = grid.clean(found.runs[0].outcome.design)
    return grid.page([design, "", *grid.table(heads, rows, indent=2), "", "  latencies in ms"])


def _known(found: LatencyKnowledge | None) -> list[str]:
    """Return what the latencies may be in truth, a line for each kind of request."""
    if found is None:
        return []
    how = {
        "measured": "was measured under load",
        "platform": "is as another of its platform was measured",
        "sheet-only": "is known from its data sheet only",
    }[found.drives]
    if not found.intervals:
        return ["", f"  the drive {how}"]
    is_near = any(each.high is None for each in found.intervals)
    heading = f"  80 % intervals{'' if is_near else ' below saturation'}; the drive {how}"
    return ["", heading, *_spans(found.intervals), *([f"  {NEAR}"] if is_near else [])]


def _served(found: LatencyKnowledge | None) -> list[str]:
    """Return what the drives serve, where that is known."""
    if found is None or found.served is None:
        return []
    span = number.span(number.iops, found.served.low, found.served.high)
    return [f"  80 % interval of what it serves: {span} IOPS"]


def _by_windows(found: list[LatencyInterval] | None) -> list[str]:
    """Return what latencies may be over all of a trace, of which windows were played."""
    return ["", "  80 % intervals by the choice of windows", *_spans(found)] if found else []


def _spans(found: list[LatencyInterval]) -> Iterator[str]:
    names = {"q0.5": "median", "q0.9": "p90", "q0.99": "p99", "q0.999": "p99.9"}
    for op, intervals in groupby(found, key=lambda each: each.op):
        yield f"  {op}: {', '.join(f'{names[each.quantile]} {_span(each)}' for each in intervals)}"


def _span(found: LatencyInterval) -> str:
    if found.high is None:
        return f"{number.milliseconds(found.low)} or more"
    return number.span(number.milliseconds, found.low, found.high)


def _cells(stream: Stream) -> list[str]:
    latency = stream.latency_ns
    values = [getattr(latency, key, None) for key in ("mean", *QUANTILES.values(), "max")]
    return [number.iops(stream.iops), *map(number.milliseconds, values)]


def _credits(found: Credits) -> str:
    """Return whether the run was a burst, and how much of it is left."""
    left = f"volume credits: {found.left:.0%} left at the end"
    if found.lasts_s is None:
        return f"{left}, not falling"
    if found.left < EMPTY:
        return f"{left}: the burst is over, the volume is at its sustained rate"
    return f"{left}, falling: at this rate the burst ends in {found.lasts_s / 60:,.1f} min"


def _cache(found: Cache) -> list[str]:
    """Return how often the cache served, how much of it is dirty, and what it wrote to its drives."""
    hits = [
        f"{number.percent(found.hit_ratio)} hits",
        f"reads {number.percent(found.read_hit_ratio)}",
        f"writes {number.percent(found.write_hit_ratio)}",
    ]
    held = [
        f"{number.size(found.cached_bytes)} of {number.size(found.size_bytes)} in use",
        f"{number.size(found.dirty_bytes)} dirty",
    ]
    flash = [
        f"{number.size(found.ssd_written_bytes)} written to it",
        f"write amplification {number.significant(found.ssd_write_amplification)}",
        f"utilization {number.percent(found.ssd_utilization)}, behind it {number.percent(found.disk_utilization)}",
    ]
    rows = [hits, held, flash]
    texts = [", ".join(part for part in parts if number.ABSENT not in part) for parts in rows]
    return [f"  cache: {texts[0]}", *(f"    {text}" for text in texts[1:])]


def wear(found: Wear) -> Text:
    """Lay out the wear of a design, and its life where the daily writes are known."""
    amplification = number.significant(found.write_amplification, 4)
    bounds = number.span(number.significant, found.write_amplification_low, found.write_amplification_high)
    retention = number.span(number.months, found.retention_months_low, found.retention_months_high)
    life = number.span(number.years, found.life_years_media_low, found.life_years_media_high)
    rows = [
        ("write amplification", f"{amplification} ({bounds})" if bounds != number.ABSENT else amplification),
        ("erases per block so far", _erases(found)),
        ("P/E cycles per day", number.significant(found.pe_cycles_per_day, 2)),
        ("flash worn out after", life),
        ("rated writes exhausted after", number.years(found.life_years_warranty)),
        ("warranty end", str(found.warranty_end or number.ABSENT)),
        ("media end", _dates(found.media_end_low, found.media_end_high)),
        (f"unpowered retention after {found.years:g} years", retention),
        ("drive writes per day", number.significant(found.dwpd_used, 2)),
        ("rated drive writes per day", number.significant(found.dwpd_rated, 2)),
    ]
    note = [] if found.steady else ["  not steady yet: write amplification may still rise"]
    return grid.page([grid.clean(found.design), *grid.pairs(rows), *note])


def steps(found: Wear) -> Text:
    """Lay out the ten steps from host writes to the two ends of life: figure, arithmetic, provenance."""
    rows = []
    for step in found.steps or ():
        bounds = number.span(number.significant, step.low, step.high)
        value = number.significant(step.value)
        figure = f"{value} {step.unit}" + (f" ({bounds})" if bounds not in (number.ABSENT, value) else "")
        notes = [step.arithmetic, f"from: {step.source}"]
        if step.date:
            until = _dates(step.date_low, step.date_high)
            notes.insert(0, f"{step.date}" + (f" ({until})" if until != str(step.date) else ""))
        lines = [line for note in notes for line in grid.wrapped(note, indent=5, hanging=2)]
        rows.append(grid.Row((str(step.step), step.name, f"{figure}  [{step.provenance}]"), notes=lines))
    return grid.page([grid.clean(found.design), "", *grid.table(("", "<", "<"), rows, indent=1)])


def _dates(low: date | None, high: date | None) -> str:
    """Return the dates between which something ends."""
    if low is None:
        return number.ABSENT
    if high is None:
        return f"not before {low}"
    return str(low) if low == high else f"{low} to {high}"


def _erases(found: Wear) -> str:
    mean, deviation = (
        number.significant(found.erase_count_mean),
        number.significant(found.erase_count_deviation),
    )
    return f"{mean} ({found.erase_count_min}–{found.erase_count_max}, standard deviation {deviation})"


def reliability(found: Reliability) -> Text:
    """Lay out probabilities with intervals, the closed form next to them, and the assumptions."""
    years = f"{found.years:g} year{'' if found.years == 1 else 's'}"
    closed = found.closed_form
    rows = [
        (f"data loss within {years}", _probability(found, "data_loss_probability")),
        ("  by too many failed drives", _probability(found, "failure_probability")),
        ("  by an unreadable sector in a rebuild", _probability(found, "unreadable_probability")),
        (
            "bytes lost, expected",
            f"{number.size(found.lost_bytes)} ({found.nomdl:.2g} of the capacity)",
        ),
        ("degraded", f"{number.significant(100 * found.degraded_fraction)} % of the time"),
        ("available", _available(found)),
        (
            "closed form, constant rates",
            f"{number.probability(closed.data_loss_probability)}; by failures "
            f"{number.probability(closed.failure_probability)}, "
            f"MTTDL {number.significant(closed.mttdl_years, 3)} years",
        ),
    ]
    sampled = f"  relative error {100 * found.relative_error:.1g} %, {found.missions:,} missions"
    assumed = [(row.name, f"{row.value}  [{row.provenance}: {row.source}]") for row in found.assumptions]
    return grid.page(
        [grid.clean(found.design), *grid.pairs(rows), sampled, "", "Assumptions", *grid.pairs(assumed)]
    )


def _probability(found: Reliability, name: str) -> str:
    between = number.span(number.probability, getattr(found, f"{name}_low"), getattr(found, f"{name}_high"))
    return f"{number.probability(getattr(found, name))} ({between})"


def _available(found: Reliability) -> str:
    """Return an availability, and the time down that it means."""
    down_s, most_s = (
        (1 - share) * found.years * HOURS_PER_YEAR * 3600
        for share in (found.availability, found.availability_low)
    )
    return f"{100 * found.availability:.9g} %: {number.duration(down_s)} down ({number.duration(most_s)} at most)"
