"""A plan and a profile as text for the terminal: lines of a fixed width that line up.

A line is never longer than `width`.
"""

from itertools import pairwise

from rich.text import Text

from drivecast.document.plan import Design, Plan, Requirement
from drivecast.document.profile import Profile
from drivecast.present import (
    answer,
    array_states,
    buyers_question,
    cache_words,
    key_figures,
    neighbours,
    price_words,
    reason,
    rent_text,
    scenarios,
)
from drivecast.present.conflict_text import conflict
from drivecast.present.grid import WIDTH, Row, clean, cut, page, table, wrapped
from drivecast.quantity import number
from drivecast.quantity.year import today

FITS_SHOWN = 8
MISSES_SHOWN = 4
OPTIONS_SHOWN = 4
INDENT = 15

HEADS = (
    "\n",
    "<\ndesign",
    "<\nflash",
    "headroom\n",
    "p99 ms\nread",
    "p99 ms\nwrite",
    "life\nyears",
    "power\nW",
    "cost\ntotal",
)
_OPTIONS = {"hours_a_day": "hours-per-day"}
"""Options with another name than their requirement."""

_BARS = "▁▂▃▄▅▆▇█"


def render(plan: Plan, width: int = WIDTH, *, report: str | None = None) -> Text:
    """Return the plan in lines: workload, needs, ranked designs, examples of those rejected, a summary.

    `report` is the path of the page to point to.
    """
    lines = [
        *_headed(plan.workload.name, _workload(plan.workload.profile, plan.workload.source), width),
        *_needs(plan, width),
        Text(""),
    ]
    fits = plan.ranked()
    ranked = fits[:FITS_SHOWN] + [design for design in fits[FITS_SHOWN:] if design.best or design.yours]
    rejected = _rejected(plan)
    if not ranked:
        lines.append(Text(answer.title(plan), style="bold red"))
        lines += [Text(line) for line in wrapped(conflict(plan), width)]
        near = [design for design in plan.near() if not design.yours]
        rejected = [*plan.yours(), *near] or rejected
    for text in buyers_question.texts(plan):
        lines += [Text(line) for line in wrapped(text, width, hanging=2)]
    lines += [Text("")] if plan.comparisons else []
    lines += _table(ranked, rejected, width)
    lines += [Text(""), *_summary(plan, report, width)]
    return page(lines)


def render_profile(profile: Profile, name: str, width: int = WIDTH) -> Text:
    """Return a profile in lines: the workload, a sketch of its IOPS over time, and the key figures."""
    lines = _headed(name, _workload(profile), width)
    if profile.seconds:
        rates = [second["reads"] + second["writes"] for second in profile.seconds]
        sketch = sparkline(rates, width - INDENT)
        most = profile.iops_peak_1s if profile.interval_s and profile.iops_peak_1s else max(rates)
        scale = f"0 to {number.iops(most)} over {number.duration(profile.duration_s)}"
        lines += [Text(""), Text(f"{'IOPS':<{INDENT}}").append(sketch, style="blue")]
        lines.append(Text(" " * INDENT + scale, style="dim"))
    lines += [Text(""), *_headed("peak", [key_figures.peak(profile)], width), Text("")]
    rows = [
        (row.name, row.figure, row.note + ("" if row.provenance == "measured" else f" [{row.provenance}]"))
        for row in key_figures.rows(profile)
    ]
    lines += table(("<", "", "<"), rows, width=width)
    return page(lines)


def sparkline(values: list[float], width: int) -> str:
    """Draw values as at most `width` bars of eight heights, each the largest of its stretch."""
    if not values:
        return ""
    count = min(width, len(values))
    edges = [index * len(values) // count for index in range(count + 1)]
    highest = [max(values[low:high]) for low, high in pairwise(edges)]
    top = max(highest) or 1
    return "".join(_BARS[min(7, int(8 * value / top))] for value in highest)


def _headed(head: str, parts: list[str], width: int) -> list[Text]:
    """Parts joined by dots behind a heading, wrapped between parts."""
    rows, row = [], ""
    for part in (cut(part, width - INDENT) for part in parts):
        if row and len(row) + 3 + len(part) > width - INDENT:
            rows.append(row)
            row = part
        else:
            row = f"{row} · {part}" if row else part
    rows.append(row)
    first = Text(f"{cut(head, INDENT - 2):<{INDENT}}", style="bold")
    return [first.append(rows[0], style="not bold"), *(Text(" " * INDENT + more) for more in rows[1:])]


def _in_order(profile: Profile) -> str:
    """The sequential share, with its bounds where it is inferred from counters."""
    inferred = profile.sequential_share
    return (
        number.percent(profile.sequential_fraction)
        if inferred is None
        else number.within_percent(inferred.all)
    )


def _workload(profile: Profile, source: str | None = None) -> list[str]:
    window = profile.peak_window
    parts = [
        number.duration(profile.duration_s),
        f"{number.percent(profile.read_fraction)} reads",
        number.binary_size(profile.block_size_mean_bytes),
        f"{_in_order(profile)} sequential",
    ]
    if window:
        rate = f"{number.iops(window.iops_mean)} IOPS, {number.throughput(window.throughput_bytes_per_s)}"
        if window.queue_depth_mean is not None:
            rate += f", depth {number.significant(window.queue_depth_mean, 2)}"
        parts.append(f"peak {number.duration(window.length_s)}: {rate}")
    parts += [
        f"footprint {number.size(profile.working_set_bytes)}",
        f"writes {number.size(profile.write_bytes_per_day)}/day",
    ]
    if profile.known_as("iops_mean") == "assumed":
        parts.insert(0, "rates and times assumed: the log has no times")
    if source == "line":
        parts.append("stated, not measured: a workload line")
    elif profile.source == "counters":
        parts.append("counters only: no addresses, no single latencies")
    return [part for part in parts if number.ABSENT not in part]


def _needs(plan: Plan, width: int) -> list[Text]:
    """Return the requirements given, then those derived, with the options that set them."""
    lines = []
    for head in ("required", "derived"):
        known = [need for need in plan.requirements if need.value is not None]
        needs = [need for need in known if (need.origin == "given") == (head == "required")]
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
        "drive_losses": "drive failures tolerated: {}",
        "hours_a_day": "{} per day like the log",
    }
    return worded.get(name, f"{name.replace('_', ' ')} {{}}").replace("{}", need.display)


def _rejected(plan: Plan) -> list[Design]:
    """Return misses that were looked at closely, named designs first, then the cheaper ones.

    Where there are none, the cheapest example of each kind of reason, misses first.
    """
    yours = [design for design in plan.yours() if design.verdict != "fits"]
    close = [d for d in plan.designs if d.verdict == "misses" and d.refined and not d.yours]
    if close or yours:
        return [*yours, *sorted(close, key=lambda design: design.total)][: max(MISSES_SHOWN, len(yours))]
    found: list[Design] = []
    for verdict in ("misses", "pruned"):
        groups = reason.reasons([design for design in plan.designs if design.verdict == verdict])
        found += [min(designs, key=lambda design: design.total) for _, designs in groups]
    return found[:MISSES_SHOWN]


def _table(ranked: list[Design], rejected: list[Design], width: int) -> list[Text]:
    """Return a row a design, its reason behind the figures where it fits, else on lines of its own."""
    named = [(_row(design), clean(reason.text(design))) for design in (*ranked, *rejected)]
    bare = table(HEADS, [row for row, _ in named], width=width - len("  why"))
    lines = [bare[0], bare[1].append("  why")]
    for at, ((_, why), line) in enumerate(zip(named, bare[2:], strict=True)):
        if at == len(ranked) and ranked:
            lines.append(Text(""))
        if len(line) + 2 + len(why) <= width:
            lines.append(line.append(f"  {why}" if why else "", style="not bold"))
        else:
            lines += [line, *(Text(text, style="dim") for text in wrapped(why, width, indent=6))]
    return lines


def _row(design: Design) -> Row:
    mark = str(design.rank) if design.rank else "-"
    style = "bold green" if design.rank == 1 else "" if design.verdict == "fits" else "dim"
    return Row((mark, design.line, design.flash, *_figures(design)), style)


def _figures(design: Design) -> tuple[str, ...]:
    life = answer.life(design).removesuffix(" y")
    if design.life_years and design.life_years.high is not None and design.life_years.high < 1:
        life = "< 1"
    return (
        number.headroom(design.headroom, design.carries),
        number.milliseconds(design.read_p99_ns.value if design.read_p99_ns else None),
        number.milliseconds(design.write_p99_ns.value if design.write_p99_ns else None),
        number.ABSENT if life == "no wear" else life,
        number.significant(design.power_w, 2),
        number.money(design.cost.total, design.cost.currency) if design.cost else number.ABSENT,
    )


def _summary(plan: Plan, report: str | None, width: int) -> list[Text]:
    counts = plan.counts
    rejected = f"{counts.misses + counts.pruned:,} do not ({counts.pruned:,} ruled out before simulation)"
    fit = "1 design fits" if counts.fits == 1 else f"{counts.fits:,} designs fit"
    lines = [f"{fit}, {rejected}{f'; full report: {report}' if report else ''}"]
    lines += [text.removesuffix(".") for text in (*price_words.age(plan, today()), *answer.ranking(plan))]
    lines += _ends(plan)
    if found := scenarios.changes(plan):
        lines += ["Does #1 change?", *(f"  {change.when}: {change.then}" for change in found)]
    flips, prices = price_words.break_even(plan), buyers_question.prices(plan)
    for head, texts in (
        ("At which prices does the order flip?", flips),
        ("What do requirements cost?", prices),
    ):
        lines += [head, *(f"  {text}" for text in texts)] if texts else []
    for design in neighbours.shared(plan):
        lines.append(f"Logs together at their peak on {design.line}:")
        lines += [f"  {log}: {text}" for log, text in neighbours.effects(design)]
    if (text := rent_text.summary(plan)) is not None:
        lines.append(text.removesuffix("."))
    if (text := cache_words.summary(plan)) is not None and (near := cache_words.nearest(plan)) is not None:
        lines.append(f"{text}; the nearest, {near.title}: {reason.text(near)}")
    if (why := cache_words.unjudged(plan)) is not None:
        lines.append(why)
    winner, years = plan.find(plan.winner), answer.wanted(plan, "years")
    if winner is not None and winner.data_loss is not None and years:
        lines.append(f"#1, data loss within {years:g} years: {answer.data_loss(winner)}")
        lines[-1] += f"; {beyond}" if (beyond := answer.beyond_redundancy(winner)) else ""
    if plan.prediction_error is not None:
        lines.append(f"predictions so far: {plan.prediction_error.statement}")
    assumed = [caveat.brief for caveat in answer.caveats(plan)]
    if assumed:
        lines.append(f"assumed: {'; '.join(assumed)}")
    return [Text(part, style="dim") for line in lines for part in wrapped(line, width, hanging=2)]


def _ends(plan: Plan) -> list[str]:
    """Return how the winner is created, its two dates, its cost, total and per unit, and what that depends on most."""
    winner = plan.find(plan.winner)
    if winner is None:
        return []
    made_by = [f"  {command}" for command in winner.commands or ()]
    lines = ["To create #1 with Linux software RAID:", *made_by] if made_by else []
    if winner.warranty_end and winner.life_years:
        parts = [f"warranty to {answer.warranty_end(winner)}", f"flash worn out {answer.media_end(winner)}"]
        if retention := winner.retention_months:
            span = number.span(number.months, retention.low, retention.high)
            after = f" after {years:g} years" if (years := answer.wanted(plan, "years")) else ""
            parts.append(f"unpowered retention{after} {span}" if span != number.ABSENT else "")
        lines.append(f"#1, life: {'; '.join(part for part in parts if part)}")
    if over_all := answer.whole_log(winner):
        lines.append(f"#1, over the whole log: {over_all}")
    if lost := array_states.summary(plan, winner):
        lines.append(f"#1, {lost}")
    if reads := answer.worn_reads(winner):
        lines.append(f"#1, reads of the oldest data at the end of the service: {reads}")
    lines += [f"#1: {text.removesuffix('.')}" for text in cache_words.facts(winner.cached)]
    if winner.rent is not None:
        lines.append(f"#1, rent: {rent_text.month(winner, winner.rent)}")
    if winner.cost and winner.cost.low is not None:
        cost = winner.cost
        units = {
            "usable TB": cost.per_usable_tb,
            "IOPS": cost.per_iops_at_slo,
            "TB written": cost.per_tb_written,
        }
        parts = [
            f"{answer.money_span(unit, cost.currency)} per {name}" for name, unit in units.items() if unit
        ]
        monthly = f"{answer.monthly(winner, answer.wanted(plan, 'years'))} a month"
        total = [answer.money_span(cost.span, cost.currency), *([] if winner.rent else [monthly])]
        lines.append(f"#1, cost: {', '.join([*total, *parts])}")
    matters = answer.matters(plan)
    return [*lines, matters.removesuffix(".")] if matters else lines
