"""A plan and a profile as text for the terminal: lines of a fixed width that line up.

A line is never longer than `width`. Names come from users and catalogs, so control characters in them are
shown as `?`. `plain` (for pipes, `NO_COLOR` and terminals without Unicode) writes the same lines in ASCII
and without colour.
"""

import os
import sys
import textwrap
from collections.abc import Sequence
from itertools import pairwise
from typing import TextIO

from rich.text import Text

from drivecast.document.plan import Design, Plan, Requirement
from drivecast.document.profile import Profile
from drivecast.present import answer, key_figures
from drivecast.quantity import number

WIDTH = 100
FITS_SHOWN = 8
MISSES_SHOWN = 4
OPTIONS_SHOWN = 4
INDENT = 15

# Sign for sign, so that lines keep their width.
_ASCII = str.maketrans(
    {
        "×": "x",
        "–": "-",
        "−": "-",
        "·": "|",
        "≤": "<",
        "≥": ">",
        "µ": "u",
        "…": "~",
        **dict(zip("▁▂▃▄▅▆▇█", "_.:-=+*#", strict=True)),
    }
)
_HEADS = (("room", "p99 ms", "p99 ms", "life", "power", "cost"), ("", "read", "write", "years", "W", "total"))
_OPTIONS = {"hours_a_day": "hours-per-day"}
"""Options with another name than their requirement."""

_BARS = "▁▂▃▄▅▆▇█"


def wants_plain(stream: TextIO | None = None) -> bool:
    """Tell whether `stream` gets plain text: no terminal, `NO_COLOR`, an encoding without the signs."""
    stream = stream or sys.stdout
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
        line = Text(f"{clean(row.name):<20}{row.figure:>12}")
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


def joined(lines: Sequence[str]) -> str:
    """Return lines as one text for standard output, in ASCII where that is no terminal."""
    return _joined([Text(line) for line in lines], wants_plain()).plain


def _joined(lines: list[Text], plain: bool) -> Text:
    whole = Text("\n", no_wrap=True, overflow="ignore").join(lines)
    if not plain:
        return whole
    return Text(
        whole.plain.translate(_ASCII).encode("ascii", "replace").decode(), no_wrap=True, overflow="ignore"
    )


def clean(name: str) -> str:
    """Replace what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _cut(text: str, width: int) -> str:
    text = clean(text)
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
    for head in ("needs", "derived"):
        told = [need for need in plan.requirements if need.value is not None]
        needs = [need for need in told if (need.origin == "given") == (head == "needs")]
        options = ", ".join([*(_option(need.name) for need in needs[:OPTIONS_SHOWN]), "…"])
        hint = [f"to set: {options}"] if head == "derived" else []
        lines += _headed(head, [*(_need(need) for need in needs), *hint], width) if needs else []
    return lines


def _option(name: str) -> str:
    return f"--{_OPTIONS.get(name, name).replace('_', '-')}"


def _need(need: Requirement) -> str:
    name = need.name.replace("-", "_")
    worded = {
        "capacity": "{} usable",
        "years": "{}",
        "p99_read": "p99 read ≤ {}",
        "p99_write": "p99 write ≤ {}",
        "drive_losses": "drives that may fail: {}",
        "hours_a_day": "{} a day like the log",
    }
    return worded.get(name, f"{name.replace('_', ' ')} {{}}").replace("{}", need.display)


def _rejected(plan: Plan) -> list[Design]:
    """Return misses that were looked at closely, those asked for first, then the cheaper ones.

    Where there are none, the cheapest example of each kind of reason, misses first.
    """

    def price(design: Design) -> float:
        return design.cost.total if design.cost else float("inf")

    close = [design for design in plan.designs if design.verdict == "misses" and design.refined]
    if close:
        return sorted(close, key=lambda design: (not design.asked, price(design)))[:MISSES_SHOWN]
    found: list[Design] = []
    for verdict in ("misses", "pruned"):
        groups = answer.reasons([design for design in plan.designs if design.verdict == verdict])
        found += [min(designs, key=price) for _, designs in groups]
    return found[:MISSES_SHOWN]


def _table(ranked: list[Design], rejected: list[Design], width: int) -> list[Text]:
    shown = [*ranked, *rejected]
    figures = [_figures(design) for design in shown]
    columns = list(zip(*_HEADS, *figures, strict=True))
    sizes = [max(len(text) for text in column) for column in columns]
    room = width - len("##  ") - len("  why") - sum(size + 2 for size in sizes)
    line = min(max((len(design.design) for design in shown), default=10), room)

    def row(mark: str, name: str, texts: Sequence[str]) -> str:
        cells = "".join(f"  {text:>{size}}" for text, size in zip(texts, sizes, strict=True))
        return f"{mark:>2}  {_cut(name, line):<{line}}{cells}"

    rows = [
        Text(row("", "", _HEADS[0]).rstrip(), style="dim"),
        Text(row("", "design", _HEADS[1]) + "  why", style="dim"),
    ]
    for position, (design, texts) in enumerate(zip(shown, figures, strict=True)):
        if position == len(ranked) and ranked:
            rows.append(Text(""))
        mark = str(design.rank) if design.rank else "-"
        style = "bold green" if design.rank == 1 else "" if design.verdict == "fits" else "dim"
        rows += _with_why(Text(row(mark, design.design, texts), style=style), clean(design.why or ""), width)
    return rows


def _figures(design: Design) -> tuple[str, ...]:
    life = answer.life(design).removesuffix(" y")
    if design.life_years and design.life_years.high is not None and design.life_years.high < 1:
        life = "< 1"
    return (
        number.room(design.room),
        number.milliseconds(design.read_p99_ns.value if design.read_p99_ns else None),
        number.milliseconds(design.write_p99_ns.value if design.write_p99_ns else None),
        number.ABSENT if life == "no wear" else life,
        number.significant(design.power_w, 2),
        number.money(design.cost.total, design.cost.currency) if design.cost else number.ABSENT,
    )


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
    lines += _ends(plan)
    winner, years = plan.find(plan.winner), answer.years(plan)
    if winner is not None and winner.data_loss_probability is not None and years:
        lines.append(f"data loss of #1 within {years:g} years: {answer.data_loss(winner)}")
    if plan.prediction_error is not None:
        lines.append(f"predictions so far: {plan.prediction_error.statement}")
    assumed = [caveat.brief for caveat in answer.caveats(plan)]
    if assumed:
        lines.append(f"assumed: {'; '.join(assumed)}")
    return [
        Text(clean(part), style="dim")
        for line in lines
        for part in textwrap.wrap(line, width, subsequent_indent="  ")
    ]


def _ends(plan: Plan) -> list[str]:
    """Return the winner's two dates, its cost for what is bought with it, and what matters most."""
    winner = plan.find(plan.winner)
    if winner is None:
        return []
    lines = []
    if winner.warranty_end and winner.life_years:
        parts = [
            f"warranty to {answer.warranty_end(winner)}",
            f"flash worn out {answer.media_end(winner)}",
        ]
        if winner.retention_months:
            kept = winner.retention_months
            span = number.span(number.months, kept.low, kept.high)
            after = f"after {years:g} years " if (years := answer.years(plan)) else ""
            parts.append(f"{after}data keep {span} without power" if span != number.ABSENT else "")
        lines.append(f"life of #1: {', '.join(part for part in parts if part)}")
    if winner.cost and winner.cost.low is not None:
        cost = winner.cost
        units = (
            (cost.per_usable_tb, "usable TB"),
            (cost.per_iops_at_slo, "IOPS"),
            (cost.per_tb_written, "TB written"),
        )
        parts = [f"{answer.money_span(unit, cost.currency)} per {name}" for unit, name in units if unit]
        lines.append(f"cost of #1: {', '.join([answer.money_span(cost.span, cost.currency), *parts])}")
    matters = answer.matters(plan)
    return [*lines, matters.removesuffix(".")] if matters else lines
