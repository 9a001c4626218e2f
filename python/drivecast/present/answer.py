"""The answer in a sentence, its facts and its main assumptions: the wording of the first page.

Nothing is judged here: verdicts, ranks and reasons are the plan's. Every prediction has its interval.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from drivecast.document.cost import Cost
from drivecast.document.plan import Design, Move, Plan
from drivecast.present import reason
from drivecast.present.conflict_text import conflict
from drivecast.quantity import number
from drivecast.quantity.interval import Span

CAVEATS = 3
MONTHS = 12

SMALL = 0.01
"""Of the total: smaller parts of the cost are left to the table."""


@dataclass(frozen=True)
class Tile:
    """One fact: its name, the figure, its interval or limit in small print, a line each."""

    name: str
    figure: str
    notes: list[str]


@dataclass(frozen=True)
class Headline:
    """The title of a result, and what follows it."""

    title: str
    sentences: list[str]
    tiles: list[Tile]
    next: list[str] = field(default_factory=list)
    """What to do with it, as sentences with commands in backticks."""


@dataclass(frozen=True)
class Caveat:
    """An assumption that the answer depends on."""

    name: str
    text: str
    brief: str


def shown(title: str) -> str:
    """Return a title with the sign for "times"."""
    return title.replace(" x ", " × ")


def wanted(plan: Plan, name: str) -> float | None:
    """Return the value of a requirement: `years` in service, `headroom` over the measured peak."""
    need = plan.need(name)
    return need.value if need else None


def limit_ms(plan: Plan, op: str) -> float | None:
    """Return the limit on the p99 latency of `op`, in ms."""
    limit_ns = wanted(plan, f"p99_{op}")
    return None if limit_ns is None else limit_ns / 1e6


def _loss_span(design: Design) -> str:
    loss = design.data_loss
    return number.span(number.probability, loss.low, loss.high) if loss else number.ABSENT


def _known(*texts: str | None) -> list[str]:
    return [text for text in texts if text and text != number.ABSENT]


def data_loss(design: Design) -> str:
    """Return the chance of losing data with its bounds, and how it was found."""
    if (loss := design.data_loss) is None:
        return number.ABSENT
    between, chance = _loss_span(design), number.probability(loss.value)
    return f"{chance} ({between}{', closed form' if loss.method == 'closed form' else ''})"


def beyond_redundancy(design: Design) -> str:
    """Return the chance of losing data by what no redundancy covers; nothing if unknown."""
    if design.data_loss is None or (beyond := design.data_loss.beyond_redundancy) is None:
        return ""
    bounds = number.span(number.probability, beyond.low, beyond.high)
    chance = f"{number.probability(beyond.value)} ({bounds})"
    return f"data deleted or damaged by people and software, which no array prevents and a backup covers: {chance}"


def with_span(text: number.Text, interval: Span | None) -> str:
    """Return a prediction and its bounds: `0.31 ms (0.29–0.35)`."""
    if interval is None or interval.value is None:
        return number.ABSENT
    value, bounds = text(interval.value), number.span(text, interval.low, interval.high)
    if bounds in (number.ABSENT, value):
        return value
    unit = value.rpartition(" ")[2]
    return f"{value} ({bounds.removesuffix(f' {unit}')})"


def life(design: Design) -> str:
    """Life as an interval: `9–13 y`; `no wear` where writing wears nothing out."""
    if design.life_years is None or design.life_years.limit == "none":
        return "no wear" if design.verdict != "pruned" else number.ABSENT
    bounds = number.span(number.years, design.life_years.low, design.life_years.high)
    return number.years(design.life_years.value) if bounds == number.ABSENT else bounds


def title(plan: Plan) -> str:
    """Return what to buy, in the imperative; or that there is nothing to."""
    winner = plan.find(plan.winner)
    if winner is None and plan.partial:
        return "No answer within the time limit: of the designs that were tried none meets every requirement"
    if winner is None:
        return f"Nothing fits: none of the {plan.counts.considered:,} designs meets every requirement"
    return f"{'Rent' if winner.where == 'cloud' else 'Buy'} {shown(winner.title)}"


def sentence(plan: Plan) -> str:
    """Return the winner's speed, life and cost in one sentence."""
    winner = plan.find(plan.winner)
    if winner is None:
        relax = conflict(plan) or "Relax what they miss, or extend the catalog."
        relax = "Give it more time." if plan.partial else relax
        return f"{relax} The nearest designs follow, each with what it misses."
    parts = []
    for op, p99 in (("reads", winner.read_p99_ns), ("writes", winner.write_p99_ns)):
        if p99 and p99.value is not None:
            parts.append(f"99 of 100 {op} finish within {with_span(number.latency, p99)}")
    if winner.headroom is not None:
        parts.append(f"it carries {number.headroom(winner.headroom).replace('> ', 'more than ')} that peak")
    parts.append(_lasts(winner, wanted(plan, "years")))
    if winner.cost:
        span = wanted(plan, "years")
        total = money_span(winner.cost.span, winner.cost.currency)
        parts.append(
            f"it costs {total}" + (f" over {span:g} years, {monthly(winner, span)} a month" if span else "")
        )
    known = {
        "measured": " Its latency under load was measured.",
        "platform": " Its latency is as measured of another drive of its platform.",
        "sheet-only": " Its latency is known from its data sheet only; the intervals allow for that.",
    }
    said = known.get(winner.latency_known or "", "")
    if winner.latency_chance is not None:
        said += f" It probably meets the limits on latency: the chance is {winner.latency_chance:.0%}."
    return f"At {_the_peak(plan)}, {', '.join(parts[:-1])}, and {parts[-1]}.{said}"


def _the_peak(plan: Plan) -> str:
    return "the stated load" if plan.workload.source == "line" else "the measured peak"


def ties(plan: Plan) -> str | None:
    """Return which designs are tied with the first, and what decided among them; none where none is."""
    tied = [design for design in plan.ranked() if design.tier == 1 and design.cost]
    if len(tied) < 2:
        return None
    totals = sorted(design.cost.total for design in tied if design.cost)
    low, high = (number.money(total, tied[0].currency) for total in (totals[0], totals[-1]))
    return (
        f"{len(tied)} designs are tied on cost, {low} to {high}, since prices are known between bounds only: "
        "limits that hold while degraded, fewer drives, the simpler level, a cost within 15 %, then p99 while degraded "
        "and headroom decide."
    )


def bought(plan: Plan) -> str | None:
    """Return what the winner is made of and what it holds; none where nothing fits, or what does is rented."""
    winner, needed = plan.find(plan.winner), wanted(plan, "capacity")
    if winner is None or winner.where == "cloud" or winner.usable_bytes is None or winner.count is None:
        return None
    flash = "disks" if winner.flash == "HDD" else f"{winner.flash} flash"
    if winner.cached is not None:
        flash = "disks and a cache of flash"
    bays = f"{winner.count} bay{'' if winner.count == 1 else 's'} ({winner.form})"
    for_data = f" for the {number.size(needed)} needed" if needed else ""
    return f"{flash[:1].upper()}{flash[1:]} in {bays}; {number.size(winner.usable_bytes)} usable{for_data}."


def monthly(design: Design, years: float | None) -> str:
    """Return what a design costs a month of its service, bought or rented: `$3.7`."""
    if design.cost is None or not years:
        return number.ABSENT
    return number.money(design.cost.total / (MONTHS * years), design.currency)


def today(plan: Plan) -> str | None:
    """Return how what runs now compares with the winner, and its prediction with what was recorded; none without."""
    design = next((design for design in plan.designs if design.today), None)
    if design is None:
        return None
    winner, years = plan.find(plan.winner), wanted(plan, "years")
    other = winner if winner is not design else None
    ways: list[tuple[str, Callable[[Design], str]]] = [
        ("{} a month", lambda of: monthly(of, years)),
        ("headroom {}", lambda of: number.headroom(of.headroom)),
        ("life {}", life),
        ("p99 of reads {}", lambda of: _p99(of.read_p99_ns)),
        ("p99 of writes {}", lambda of: _p99(of.write_p99_ns)),
    ]
    parts = []
    for text, said_of in ways:
        mine, theirs = said_of(design), said_of(other) if other else number.ABSENT
        if mine != number.ABSENT:
            against = f" against {theirs}" if theirs != number.ABSENT else ""
            parts.append(f"{text.format(mine)}{against}")
    recorded = _recorded(plan)
    verdict = (
        "fits"
        if design.fits
        else reason.miss_text(design.misses[0], design.currency)
        if design.misses
        else ""
    )
    said = "; ".join(part for part in (*parts, recorded, verdict) if part)
    return f"Today, {shown(design.title)}{', against the recommended design' if other else ''}: {said}."


def _p99(span: Span | None) -> str:
    return number.latency(span.value) if span else number.ABSENT


def _recorded(plan: Plan) -> str:
    """The latency that was measured on what runs now; nothing where several logs were superposed, each of another."""
    profile = plan.workload.profile
    recorded = (("reads", profile.read_latency_ns), ("writes", profile.write_latency_ns))
    known = [f"{requests} {number.latency(of.q99)}" for requests, of in recorded if of and of.q99]
    return (
        f"measured p99 in the recording: {', '.join(known)}" if known and not plan.workload.together else ""
    )


def beside(plan: Plan) -> str | None:
    """Return the design that gives much more for little more money; none where there is none."""
    neighbour = plan.beside
    if neighbour is None or (design := plan.find(neighbour.line)) is None:
        return None
    more = number.percent(abs(neighbour.cost_more))
    price = f"For {more} {'more' if neighbour.cost_more >= 0 else 'less'}"
    times = number.multiple(neighbour.factor)
    gain = {
        "headroom": f"has {times} the headroom",
        "data-loss": f"loses data {times} less often",
        "p99": f"answers {times} as fast at p99",
    }[neighbour.better]
    return f"{price}, {shown(design.title)} {gain}{_but_loses(design, plan.find(plan.winner))}."


def _but_loses(design: Design, winner: Design | None) -> str:
    """How often a design loses data, where that is more often than the winner does."""
    ours, theirs = (each.data_loss if each else None for each in (winner, design))
    if ours is None or theirs is None or not (ours.value or 0.0) < (theirs.value or 0.0):
        return ""
    return f"; it loses data with a chance of {number.probability(theirs.value)}"


def matters(plan: Plan) -> str | None:
    """Return what the winner's cost and its life are most sensitive to; none where no input moves them."""
    winner = plan.find(plan.winner)
    found = (winner.sensitivity or []) if winner else []
    if winner is None or winner.cost is None or not found or not found[0].swing:
        return None
    most, currency = found[0], winner.cost.currency
    costs = sorted((most.cost_low, most.cost_high))
    bounds = " to ".join(number.money(amount, currency) for amount in costs)
    text = f"Cost is most sensitive to the {_named(most.input)}: {bounds} between {_ends(most)}"
    lasting = [(lives, move) for move in found if (lives := move.lives) is not None]
    if not lasting:
        return f"{text}."
    (first, last), decides = max(lasting, key=lambda ends: abs(ends[0][1] - ends[0][0]))
    bounds = number.span(number.years, *sorted((first, last))).removesuffix(" y")
    return f"{text}. Lifetime is most sensitive to {_named(decides.input)}: {bounds} years between {_ends(decides)}."


def _named(name: str) -> str:
    return {"hours a day": "hours per day like the recording", "growth": "load growth"}.get(name, name)


def _ends(move: Move) -> str:
    return f"{number.quantity(move.low, move.unit)} and {number.quantity(move.high, move.unit)}"


def money_span(interval: Span | None, currency: str = "USD") -> str:
    """Return an amount and its bounds: `$622 ($457–994)`."""
    if interval is None or interval.value is None:
        return number.ABSENT
    value = number.money(interval.value, currency)
    if interval.low is None or interval.high is None or interval.low == interval.high:
        return value
    low, high = number.money(interval.low, currency), number.money(interval.high, currency)
    if currency != "USD":
        low = low.removeprefix(f"{currency} ")
    return f"{value} ({low}–{high.removeprefix('$').removeprefix(f'{currency} ')})"


def media_end(design: Design) -> str:
    """Return the days between which the flash ends: `2035-06 to 2041-10`."""
    end = design.media_end
    if end is None or end.low is None:
        return f"after {number.YEARS_MAX:.0f} years or more" if design.life_years else number.ABSENT
    low, high = f"{end.low:%Y-%m}", f"{end.high:%Y-%m}" if end.high else None
    if high is None:
        return f"not before {low}"
    return low if low == high else f"{low} to {high}"


def warranty_end(design: Design) -> str:
    """Return the day the warranty ends and by what: `2031-11, end of term`."""
    end = design.warranty_end
    if end is None or end.date is None:
        return number.ABSENT
    by = {"writes": ", rated writes exhausted", "term": ", end of term", None: ""}[end.by]
    return f"{end.date:%Y-%m}{by}"


def _lasts(design: Design, needed: float | None) -> str:
    text = life(design)
    if text == "no wear":
        return "writes do not wear it out"
    text = text.removesuffix(" y") + " years"
    of = f" of the {needed:g} required, within the tolerance" if design.tolerated and needed else ""
    return f"its life under these writes is {text.replace('> ', 'more than ')}{of}"


def tiles(plan: Plan) -> list[Tile]:
    """Up to six facts about the winner."""
    winner = plan.find(plan.winner)
    if winner is None:
        return []
    needed = wanted(plan, "years")
    over = f", {needed:g} years" if needed else ""
    p99s = (("read", winner.read_p99_ns), ("write", winner.write_p99_ns))
    over_all = {"read": _whole_log(winner, "read"), "write": _whole_log(winner, "write")}
    found = [_latency_tile(plan, op, p99, over_all[op]) for op, p99 in p99s if p99]
    if winner.headroom is not None:
        found.append(_headroom_tile(plan, winner))
    found.append(Tile("Life", life(winner), _life_notes(winner, needed)))
    if (loss := winner.data_loss) is not None:
        most = wanted(plan, "data_loss")
        required = (
            f"required {number.probability(most)}" if most and most < 1 else "no limit, its cost counts"
        )
        beyond = loss.beyond_redundancy
        others = (
            f"by people and software {number.probability(beyond.value)}: a backup covers it"
            if beyond
            else None
        )
        notes = _known(_loss_span(winner), required, others)
        found.append(Tile(f"Data loss{over}", number.probability(loss.value), notes))
    if winner.cost:
        cost = winner.cost
        notes = [*_cost_notes(cost), *([f"{monthly(winner, needed)} a month"] if needed else [])]
        found.append(Tile(f"Cost{over}", number.money(cost.total, cost.currency), notes))
    return found


def _headroom_tile(plan: Plan, winner: Design) -> Tile:
    peak, least = plan.workload.profile.peak_window, wanted(plan, "headroom")
    of = f"peak {number.iops(peak.iops_mean)} IOPS" if peak and peak.iops_mean else _the_peak(plan)
    notes = _known(of, f"required {number.multiple(least)}" if least else None)
    return Tile("Headroom", number.headroom(winner.headroom), notes)


def _cost_notes(cost: Cost) -> list[str]:
    """The bounds, and the parts of a hundredth of the total or more."""
    parts = (
        (cost.purchase, "to buy"),
        (cost.hosting, "of it for bays"),
        (cost.energy, "for energy"),
        (cost.replacement, "for new drives"),
        (cost.labor, "for visits"),
        (cost.loss, "expected loss"),
        (cost.outage, "expected outage"),
        (cost.expansion, "expected expansion"),
        (cost.rent, "of rent"),
    )
    notes = [
        f"{number.money(amount, cost.currency)} {name}"
        for amount, name in parts
        if amount is not None and amount >= SMALL * cost.total
    ]
    if cost.low is not None and cost.high is not None and cost.low < cost.high:
        low, high = (number.money(amount, cost.currency) for amount in (cost.low, cost.high))
        notes.insert(0, f"{low}–{high.removeprefix('$')}")
    return notes


def _latency_tile(plan: Plan, op: str, p99: Span, over_all: Span | None) -> Tile:
    limit = limit_ms(plan, op)
    bounds = number.span(number.latency, p99.low, p99.high).removesuffix(" ms")
    all_day = f"whole log {number.latency(over_all.value)}" if over_all else None
    notes = _known(bounds, f"limit {limit:g} ms" if limit else None, all_day)
    return Tile(f"p99 {op}", number.latency(p99.value), notes)


def _whole_log(design: Design, op: str) -> Span | None:
    if (found := design.whole_log) is None:
        return None
    return found.read_p99_ns if op == "read" else found.write_p99_ns


def whole_log(design: Design) -> str:
    """Return p99 over all of the log, with its intervals; nothing where it is not known."""
    spans = ((op, _whole_log(design, op)) for op in ("read", "write"))
    parts = [f"of {op}s {with_span(number.latency, span)}" for op, span in spans if span]
    by = ", by windows" if design.whole_log and design.whole_log.by_windows else ""
    return f"p99 {', '.join(parts)}{by}" if parts else ""


def worn_reads(design: Design) -> str:
    """Return p99 of reads at the end of the service, and how much of the flash is used by then; nothing if unknown."""
    if (worn := design.worn) is None:
        return ""
    used = with_span(number.percent, worn.cycles_used)
    return f"p99 {with_span(number.latency, worn.read_p99_ns)}, {used} of the rated cycles used"


def _life_notes(design: Design, needed: float | None) -> list[str]:
    ends = {"media": "limit: flash wear", "warranty": "limit: rated writes"}
    media, warranty = design.media_end, design.warranty_end
    return _known(
        ends.get(str(design.life_years.limit)) if design.life_years else None,
        f"flash: {media_end(design)}" if media and media.low else None,
        f"warranty: {warranty.date:%Y-%m}" if warranty and warranty.date else None,
        f"required {needed:g} y{', within tolerance' if design.tolerated else ''}" if needed else None,
    )


def caveats(plan: Plan) -> list[Caveat]:
    """Return the main assumptions: hours per day like the recording, then the plan's, in its order."""
    found = []
    if like := plan.workload.hours_like:
        text = f"{like}; daily writes, and so life, depend on it"
        found.append(Caveat("Load", text, like))
    for assumption in plan.assumptions:
        if assumption.provenance == "assumed" and str(assumption.value) != like:
            source = f" ({assumption.source})" if assumption.source else ""
            value = value_text(assumption.value)
            name = assumption.name
            found.append(Caveat(name[:1].upper() + name[1:], f"{value}{source}", f"{name} {value}"))
    return found[:CAVEATS]


def value_text(value: str | float | bool | None) -> str:
    """Return the value of an assumption."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:,g}"
    return value or number.ABSENT


def partial(plan: Plan) -> str | None:
    """Return what ended the search early, and how many designs were left; none where all was tried."""
    if plan.partial is None:
        return None
    left = next((count for kind, count, _ in reason.ruled_out(plan) if kind == reason.HEADS["time"]), 0)
    untried = f"{left:,} designs were not tried" if left else "the closer look at the best was not finished"
    what = "the time limit" if plan.partial == "time limit" else "an interrupt"
    return f"Partial: {what} ended the search, {untried}."


def left_out(plan: Plan) -> str | None:
    """Return why drives for desktops were not searched; none where they were, or there are none."""
    head = reason.HEADS["no-power-loss-protection"]
    if all(kind != head for kind, _, _ in reason.ruled_out(plan)):
        return None
    return (
        "Drives for desktops are left out: without power-loss protection a commit waits for the flash, or is lost"
        " with the power (`--consumer` takes them in)."
    )


def ranking(plan: Plan) -> list[str]:
    """Return what is said of the ranking, a sentence each."""
    found = (partial(plan), bought(plan), today(plan), ties(plan), beside(plan), left_out(plan))
    return [text for text in found if text]
