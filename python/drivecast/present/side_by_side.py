"""Designs side by side as text: the answer, a table a condition with a row a load and design, a table of all else."""

from collections.abc import Iterator

from rich.text import Text

from drivecast.document.array_state import Condition
from drivecast.document.versus import Contender, Run, Versus
from drivecast.present import answer, cache_words, design_facts, replacement_text
from drivecast.present.grid import WIDTH, Line, Row, clean, page, table, wrapped
from drivecast.quantity import number

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CONDITIONS: dict[Condition, str] = {
    "healthy": "Healthy",
    "degraded": "Degraded: a drive has failed",
    "rebuilding": "Rebuilding: onto a spare, under the load",
}
COLUMNS = tuple((op, name) for op in ("read", "write") for name in ("p50", "p99", "p999"))
HEADS = (
    "<\nload",
    "<\n",
    "\nIOPS",
    "\nMB/s",
    "reads ms\np50",
    "<\np99",
    "\np99.9",
    "writes ms\np50",
    "<\np99",
    "\np99.9",
    "<\n",
)


def text(found: Versus, width: int = WIDTH, *, report: str | None = None) -> Text:
    """Return the comparison in lines; `report` is the path of the page to point to."""
    lines: list[Line] = [clean(f"{found.workload.name}: {workload(found)}"), ""]
    lines += _named(found, width)
    lines.append("")
    for each in found.replacements:
        lines += [
            Text(line, style="bold") for line in wrapped(f"{replacement_text.title(found, each)}.", width)
        ]
        lines += wrapped(" ".join(replacement_text.sentences(found, each)), width)
    for letter, design in lettered(found):
        if design.cached is not None:
            lines += ["", *wrapped(f"{letter}: {' '.join(cache_words.facts(design.cached))}", width)]
    for name in found.conditions:
        lines += ["", Text(CONDITIONS[name], style="bold"), *_runs(found, name)]
    names = [letter for letter, _ in lettered(found)]
    rows = [(name, *cells) for name, cells in design_facts.rows(found)]
    lines += ["", *table(("<", *(f"<{name}" for name in names)), rows, indent=2)]
    lines += ["", *wrapped(reading(found), width)]
    if report is not None:
        lines += ["", f"page: {report}"]
    return page(lines)


def _named(found: Versus, width: int) -> list[Text]:
    """Return the letter, name and line of each design; lines below the names where they are long."""
    rows = [(letter, replacement_text.brief(design), design.line) for letter, design in lettered(found)]
    if max(len(name) for _, name, _ in rows) + max(len(line) for *_, line in rows) <= width:
        return table(("<", "<", "<"), rows, indent=2)
    below = [cells for letter, name, line in rows for cells in ((letter, name), ("", line))]
    return table(("<", "<"), below, indent=2)


def lettered(found: Versus) -> Iterator[tuple[str, Contender]]:
    """Return each design with its letter."""
    return zip(LETTERS, found.designs, strict=False)


def workload(found: Versus) -> str:
    """Return what is played, in a few words."""
    played = found.workload
    parts = [
        f"the busiest {number.duration(played.length_s)}" if played.length_s else None,
        f"{number.iops(played.iops)} IOPS" if played.iops else None,
        number.throughput(played.throughput_bytes_per_s) if played.throughput_bytes_per_s else None,
        f"{number.percent(played.read_fraction)} reads" if played.read_fraction is not None else None,
    ]
    return ", ".join(part for part in parts if part)


def reading(found: Versus) -> str:
    """Return how to read the figures."""
    text = (
        "In brackets: what a figure may be in truth. Latencies of SSDs below saturation have 80 % intervals, by how "
        "far predictions of real drives were off; those of disks are of sampling alone."
    )
    if found.by == "speedup":
        text += (
            " Headroom: how many times the load a design serves as fast as it arrives. Where it falls behind,"
            " latency grows with the length of the run; where it may, because drives may carry less than predicted,"
            " nothing bounds it."
        )
    if any(design.cached is not None for design in found.designs):
        text += (
            " Designs with a cache are warm: it has seen the load before. A failed drive is one of those behind it; "
            "where one of the cache takes data with it, the design has lost them."
        )
    return text


def _runs(found: Versus, name: Condition) -> list[Text]:
    letters = {design.line: letter for letter, design in zip(LETTERS, found.designs, strict=False)}
    rows: list[Row | None] = []
    for at in found.at:
        for place, design in enumerate(found.designs):
            run = found.run(design.line, name, at)
            if run is not None:
                label = replacement_text.load(found, at) if place == 0 else ""
                rows.append(Row((label, letters[design.line], *cells(run))))
    return table(HEADS, rows, indent=2)


def behind(run: Run) -> str:
    """Return whether a run falls behind, or may."""
    if run.keeps_up is False:
        return "falls behind"
    return "may fall behind" if run.is_near_saturation else ""


def cells(run: Run) -> list[str]:
    """Return the figures of a run, and a word where it is no normal one."""
    if run.lost:
        return [number.ABSENT] * 8 + ["data lost"]
    spans = [getattr(run, f"{op}_{name}_ns") for op, name in COLUMNS]
    latencies = [
        answer.with_span(number.milliseconds, span)
        if name == "p99"
        else number.milliseconds(span.value if span else None)
        for (_, name), span in zip(COLUMNS, spans, strict=True)
    ]
    rate = number.significant((run.throughput_bytes_per_s or 0.0) / 1e6, 2)
    return [number.iops(run.iops), rate, *latencies, behind(run)]
