"""Designs side by side as one self-contained HTML page: the answer, figures and tables a condition, all else."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from drivecast.document.array_state import Condition
from drivecast.document.versus import Run, Versus
from drivecast.files import write_whole
from drivecast.present import cache_words, design_facts, replacement_text, side_by_side, table
from drivecast.present.drawing import Figure
from drivecast.present.figure import side_latency
from drivecast.present.page import filled
from drivecast.quantity import number

OPS = ("read", "write")
QUANTILES = ("p50", "p99", "p999")


def render(found: Versus) -> str:
    """Return the page."""
    lettered = list(side_by_side.lettered(found))
    return filled(
        "versus.html",
        found=found,
        workload=side_by_side.workload(found),
        answers=[
            (replacement_text.title(found, each), replacement_text.sentences(found, each))
            for each in found.replacements
        ],
        lettered=[(letter, replacement_text.brief(design), design.line) for letter, design in lettered],
        caches=[
            f"{letter}: {' '.join(cache_words.facts(design.cached))}"
            for letter, design in lettered
            if design.cached is not None
        ],
        facts=design_facts.rows(found),
        reading=side_by_side.reading(found),
        parts=[
            {
                "title": side_by_side.CONDITIONS[name],
                "figures": figures(found, name),
                "rows": list(_rows(found, name)),
            }
            for name in found.conditions
        ],
    )


def write(found: Versus, path: Path) -> None:
    """Write the page, whole or not at all."""
    write_whole(path, render(found))


def figures(found: Versus, name: Condition) -> list[Figure]:
    """Return the figures of a condition; those without data are left out."""
    runs = [run for run in found.runs if run.condition == name and not run.lost]
    labels = {
        design.line: f"{letter}: {replacement_text.brief(design)}"
        for letter, design in side_by_side.lettered(found)
    }
    names = [labels[line] for line in dict.fromkeys(run.design for run in runs)]
    title = "times the load" if found.by == "speedup" else "requests outstanding"
    rows = table.of(
        (row for run in runs for row in _p99s(run, labels[run.design])),
        label=str,
        op=str,
        at=float,
        p99_ms=float,
        low_ms=float,
        high_ms=float,
        behind=bool,
    )
    made = []
    if found.by == "iodepth" and runs:
        rates = table.of(
            ((labels[run.design], run.at, run.iops) for run in runs), label=str, at=float, iops=float
        )
        made.append(Figure(f"side-rate{_number(found, name)}", side_latency.rate(rates, names, title)))
    if rows.height:
        last = names[-1] if found.by == "speedup" else ""
        today = rows.filter((pl.col("label") == last) & (pl.col("at") == found.at[0]))
        chart = side_latency.latency(rows, names, title, today.select("op", "p99_ms"))
        made.append(Figure(f"side-latency{_number(found, name)}", chart))
    return made


def _number(found: Versus, name: Condition) -> str:
    at = found.conditions.index(name)
    return f"-{at + 1}" if at else ""


def _p99s(run: Run, label: str) -> Iterator[tuple[object, ...]]:
    for op in OPS:
        span = getattr(run, f"{op}_p99_ns")
        if span is not None and span.value:
            low, high = ((bound / 1e6 if bound else None) for bound in (span.low, span.high))
            yield label, op, run.at, span.value / 1e6, low, high, run.keeps_up is False


def _rows(found: Versus, name: Condition) -> Iterator[dict[str, object]]:
    """Return the rows of the table of a condition."""
    letters = {design.line: letter for letter, design in side_by_side.lettered(found)}
    for run in found.runs:
        if run.condition != name:
            continue
        spans = [getattr(run, f"{op}_{quantile}_ns") for op in OPS for quantile in QUANTILES]
        yield {
            "at": replacement_text.load(found, run.at) if letters[run.design] == "A" else "",
            "design": letters[run.design],
            "iops": number.iops(run.iops),
            "throughput": number.throughput(run.throughput_bytes_per_s),
            "latencies": [
                (
                    number.milliseconds(span.value) if span else number.ABSENT,
                    number.span(number.milliseconds, span.low, span.high) if span else "",
                )
                for span in spans
            ],
            "busy": number.percent(run.utilization),
            "word": "data lost" if run.lost else side_by_side.behind(run),
        }
