"""A plan and a profile as text for the terminal: lines of a fixed width that line up.

A line is never longer than `width`. Names come from users and catalogs, so control characters in them are
shown as `?`. `plain` (for pipes, `NO_COLOR` and terminals without Unicode) writes the same lines in ASCII
and without colour.
"""

import os
import sys
import textwrap
from itertools import pairwise
from typing import TextIO

from rich.text import Text

from drivecast.report import answer, key_figures, number
from drivecast.report.document import Design, Plan, Profile, Requirement

WIDTH = 100
FITS_SHOWN = 8
MISSES_SHOWN = 4
INDENT = 15

# Sign for sign, so that lines keep their width.
_ASCII = str.maketrans(
    {
        "×": "x",
        "–": "-",
        "·": "|",
        "≤": "<",
        "≥": ">",
        "µ": "u",
        "…": "~",
        **dict(zip("▁▂▃▄▅▆▇█", "_.:-=+*#", strict=True)),
    }
)
_BARS = "▁▂▃▄▅▆▇█"


def wants_plain(stream: TextIO = sys.stdout) -> bool:
    """Tell whether `stream` gets plain text: no terminal, `NO_COLOR`, or an encoding without the signs."""
    encoding = (stream.encoding or "ascii").lower().replace("-", "")
    return not stream.isatty() or bool(os.environ.get("NO_COLOR")) or not encoding.startswith("utf")


def render(plan: Plan, width: int = WIDTH, *, plain: bool = False, report: str | None = None) -> Text:
    """Return the plan in lines: workload, needs, ranked designs, examples of those rejected, a summary.

    `report` is the path of the page to point to.
    """
    lines = [
        *_headed(plan.workload.name, _workload(plan.workload.profile), width),
        *_needs(plan, width),
        Text(""),
    ]
    ranked, rejected = plan.ranked()[:FITS_SHOWN], _rejected(plan)
    if not ranked:
        lines.append(Text(answer.title(plan), style="bold red"))
        rejected = plan.near() or rejected
    lines += _table(ranked, rejected, width)
    lines += [Text(""), *_summary(plan, report, width)]
    return _joined(lines, plain)


def render_profile(profile: Profile, name: str, width: int = WIDTH, *, plain: bool = False) -> Text:
    """Return a profile in lines: the workload, a sketch of its IOPS over time, and the key figures."""
    lines = _headed(name, _workload(profile), width)
    if profile.seconds:
        rates = [second.reads + second.writes for second in profile.seconds]
        sketch = sparkline(rates, width - INDENT)
        lines += [
            Text(""),
            Text(f"{'IOPS':<{INDENT}}").append(sketch, style="blue"),
            Text(
                f"{'':<{INDENT}}0 to {number.iops(max(rates))} over {number.duration(profile.duration_s)}",
                style="dim",
            ),
        ]
    lines += [Text(""), *_headed("peak", [key_figures.peak(profile)], width), Text("")]
    for row in key_figures.rows(profile):
        note = row.note + ("" if row.provenance == "measured" else f" [{row.provenance}]")
        line = Text(f"{_clean(row.name):<20}{row.figure:>12}")
        lines.append(line.append(f"   {_cut(note.strip(), width - 35)}", style="dim") if note else line)
    return _joined(lines, plain)


def sparkline(values: list[float], width: int) -> str:
    """Draw values as at most `width` bars of eight heights, each the largest of its stretch."""
    if not values:
        return ""
    count = min(width, len(values))
    edges = [index * len(values) // count for index in range(count + 1)]
    highest = [max(values[low:high]) for low, high in pairwise(edges)]
    top = max(highest) or 1
    return "".join(_BARS[min(7, int(8 * value / top))] for value in highest)


def _joined(lines: list[Text], plain: bool) -> Text:
    whole = Text("\n", no_wrap=True, overflow="ignore").join(lines)
    if not plain:
        return whole
    return Text(
        whole.plain.translate(_ASCII).encode("ascii", "replace").decode(), no_wrap=True, overflow="ignore"
    )


def _clean(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _cut(text: str, width: int) -> str:
    text = _clean(text)
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"


def _headed(head: str, parts: list[str], width: int) -> list[Text]:
    """Parts joined by dots behind a heading, wrapped between parts."""
    rows, row = [], ""
    for part in (_cut(part, width - INDENT) for part in parts):
        if row and len(row) + 3 + len(part) > width - INDENT:
            rows.append(row)
            row = part
        else:
            row = f"{row} · {part}" if row else part
    rows.append(row)
    first = Text(f"{_cut(head, INDENT - 2):<{INDENT}}", style="bold")
    return [first.append(rows[0], style="not bold"), *(Text(" " * INDENT + more) for more in rows[1:])]


def _workload(profile: Profile) -> list[str]:
    window = profile.peak_window
    parts = [
        number.duration(profile.duration_s),
        f"{number.percent(profile.read_fraction)} reads",
        number.binary_size(profile.block_size_mean_bytes),
        f"{number.percent(profile.sequential_fraction)} sequential",
    ]
    if window:
        rate = f"{number.iops(window.iops_mean)} IOPS, {number.throughput(window.throughput_bytes_per_s)}"
        depth = (
            f", depth {number.significant(window.queue_depth_mean, 2)}"
            if window.queue_depth_mean is not None
            else ""
        )
        parts.append(f"peak {number.duration(window.length_s)}: {rate}{depth}")
    parts += [
        f"{number.size(profile.working_set_bytes)} touched",
        f"{number.size(profile.write_bytes_per_day)}/day written",
    ]
    known = [part for part in parts if not part.startswith(number.ABSENT)]
    return (
        [*known, "from counters: no addresses, no single latencies"]
        if profile.source == "counters"
        else known
    )


def _needs(plan: Plan, width: int) -> list[Text]:
    """Return what was asked for, then what was derived, with the options that set it."""
    lines = []
    for head, origin in (("needs", "given"), ("derived", "derived")):
        needs = [need for need in plan.requirements if need.origin == origin]
        options = ", ".join(f"--{need.name.replace('_', '-')}" for need in needs)
        hint = [f"to set: {options}"] if origin == "derived" else []
        lines += _headed(head, [*(_need(need) for need in needs), *hint], width) if needs else []
    return lines


def _need(need: Requirement) -> str:
    name = need.name.replace("-", "_")
    sign = {"p99_read": "p99 read ≤ ", "p99_write": "p99 write ≤ ", "growth": "growth ", "budget": "budget "}
    return {"capacity": f"{need.display} usable", "years": need.display}.get(
        name, f"{sign.get(name, f'{need.name} ')}{need.display}"
    )


def _rejected(plan: Plan) -> list[Design]:
    """Return the cheapest example of each kind of reason, misses first."""

    def cheapest(designs: list[Design]) -> Design:
        return min(designs, key=lambda design: design.cost.total if design.cost else float("inf"))

    found = []
    for verdict in ("misses", "pruned"):
        groups = answer.reasons([design for design in plan.designs if design.verdict == verdict])
        found += [cheapest(designs) for _, designs in groups]
    return found[:MISSES_SHOWN]


def _table(ranked: list[Design], rejected: list[Design], width: int) -> list[Text]:
    shown = [*ranked, *rejected]
    line = min(max((len(design.design) for design in shown), default=10), width - 62)
    cells = (("room", 5), ("p99 ms", 6), ("p99 ms", 6), ("life", 6), ("power", 5), ("cost", 8))
    units = ("", "read", "write", "years", "W", "total")
    heads = [
        f"{'':>2}  {'':<{line}}" + "".join(f"  {name:>{size}}" for name, size in cells),
        f"{'':>2}  {'design':<{line}}"
        + "".join(f"  {unit:>{size}}" for unit, (_, size) in zip(units, cells, strict=True))
        + "  why",
    ]
    rows = [Text(head.rstrip(), style="dim") for head in heads]
    for position, design in enumerate(shown):
        if position == len(ranked) and ranked:
            rows.append(Text(""))
        fits = design.verdict == "fits"
        mark = str(design.rank) if fits and design.rank else "-"
        figures = "".join(
            f"  {text:>{size}}" for text, (_, size) in zip(_figures(design), cells, strict=True)
        )
        row = Text(
            f"{mark:>2}  {_cut(design.design, line):<{line}}{figures}",
            style="bold green" if design.rank == 1 else "" if fits else "dim",
        )
        rows += _with_why(row, _clean(design.why), width)
    return rows


def _figures(design: Design) -> list[str]:
    life = answer.life(design).removesuffix(" y")
    if design.life_years and design.life_years.high is not None and design.life_years.high < 1:
        life = "< 1"
    return [
        number.multiple(design.room),
        number.milliseconds(design.read_p99_ns.value if design.read_p99_ns else None),
        number.milliseconds(design.write_p99_ns.value if design.write_p99_ns else None),
        number.ABSENT if life == "no wear" else life,
        number.significant(design.power_w, 2),
        number.money(design.cost.total, design.cost.currency) if design.cost else number.ABSENT,
    ]


def _with_why(row: Text, why: str, width: int) -> list[Text]:
    """Return the reason behind the figures where it fits, else on lines of its own."""
    if not why:
        return [row]
    if len(row) + 2 + len(why) <= width:
        return [row.append(f"  {why}", style="not bold")]
    return [row, *(Text(f"      {line}", style="dim") for line in textwrap.wrap(why, width - 6))]


def _summary(plan: Plan, report: str | None, width: int) -> list[Text]:
    counts = plan.counts
    rejected = f"{counts.misses + counts.pruned:,} do not ({counts.pruned:,} ruled out before simulation)"
    fates = f"{counts.fits:,} designs fit, {rejected}"
    lines = [fates + (f"; all of it: {report}" if report else "")]
    assumed = [caveat.brief for caveat in answer.caveats(plan)]
    if assumed:
        lines.append(f"assumed: {'; '.join(assumed)}")
    return [
        Text(_clean(part), style="dim")
        for line in lines
        for part in textwrap.wrap(line, width, subsequent_indent="  ")
    ]
