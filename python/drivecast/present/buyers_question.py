"""The questions that buyers ask by name, and their answers in words."""

from dataclasses import dataclass

from drivecast.document.buyers_question import BuyersAnswer, FlipsAt, ShadowPrice, Side
from drivecast.document.plan import Plan
from drivecast.present import reason
from drivecast.present.answer import shown
from drivecast.quantity import number

TIED = ", tied on cost"
COUNTED = ("some", "one", "two", "three", "four")
LOWEST = 0.5
"""Share of its price at which nobody sells a drive: a flip at less is not worth words."""


@dataclass(frozen=True)
class Compared:
    """A question of a buyer, and its answer in words."""

    question: str
    answer: str
    against: str
    flips: str


def comparisons(plan: Plan) -> list[Compared]:
    """Return the questions that buyers ask by name, answered."""
    return [_compared(plan, each) for each in plan.comparisons]


def _compared(plan: Plan, comparison: BuyersAnswer) -> Compared:
    ours, theirs = sorted(comparison.sides, key=lambda side: side.line != comparison.answer)
    names = _names(plan, comparison)
    sides = {side.line: f"{names[side.line]}, {_side(plan, side)}" for side in comparison.sides}
    against = sides[theirs.line]
    if not theirs.fits:
        against = f"{against}, does not fit: {reason.miss_kind(theirs.misses[0])}"
    flips = [_flips_at(flip) for flip in comparison.flips_at if flip.input == "load" or flip.times >= LOWEST]
    other = f"{names[theirs.line]} " if flips else ""
    tied = TIED if comparison.decides == "ranking" else ""
    question = f"{comparison.question[:1].upper()}{comparison.question[1:]}?"
    return Compared(question, f"{sides[ours.line]}{tied}", against, f"{other}{' or '.join(flips)}")


def _names(plan: Plan, comparison: BuyersAnswer) -> dict[str, str]:
    """What each side is called, by its design: of drives as many as it has."""
    lines = [side.line for side in comparison.sides]
    names = comparison.question.split(" or ")
    if comparison.question == "two large or four small":
        designs = [plan.find(line) for line in lines]
        counts = [COUNTED[(design.count if design else None) or 0] for design in designs]
        names = [f"{count} {size}" for count, size in zip(counts, ("large", "small"), strict=True)]
    return dict(zip(lines, names, strict=True))


def _side(plan: Plan, side: Side) -> str:
    design = plan.find(side.line)
    figures = [number.money(side.cost, plan.currency)]
    p99s = (("read", side.read_p99_ns), ("write", side.write_p99_ns))
    figures += [f"p99 {op} {number.latency(found)}" for op, found in p99s if found is not None]
    name = "#1" if side.line == plan.winner else shown(design.title) if design else side.line
    return f"{name} ({', '.join(figures)})"


def _flips_at(flip: FlipsAt) -> str:
    if flip.input == "load":
        return f"above {number.headroom(flip.times)} the peak"
    return f"where its drives cost {number.percent(1 - flip.times)} less"


def summary(plan: Plan) -> list[str]:
    """Return the answers in short, in a sentence; none where nothing can be asked."""
    found = []
    for each in plan.comparisons:
        names = _names(plan, each)
        (other,) = (name for line, name in names.items() if line != each.answer)
        found.append(f"{names[each.answer]} rather than {other}")
    text = ", ".join(found)
    return [f"{text[:1].upper()}{text[1:]}."] if found else []


def texts(plan: Plan) -> list[str]:
    """Return each question with its answer, in a sentence."""
    return [
        f"{each.question} {each.answer}; against {each.against}{f'. It flips to {each.flips}' if each.flips else ''}"
        for each in comparisons(plan)
    ]


def prices(plan: Plan) -> list[str]:
    """Return what each requirement costs, and what one step more of it would."""
    return [_price(plan, each) for each in plan.shadow_prices]


def _price(plan: Plan, price: ShadowPrice) -> str:
    stated = {
        "p99": f"p99 of {price.value}",
        "headroom": f"headroom of {price.value} the peak",
        "drive_losses": f"surviving {_failures(price.value)}",
        "data_loss": f"data loss of at most {price.value}",
    }[price.requirement]
    is_more = price.requirement == "drive_losses" and int(price.instead or 0) > int(price.value)
    if is_more:
        stated = f"surviving {_failures(price.instead or '')}"
    if price.costs_usd is None:
        return f"{stated}: nothing fits"
    costs = "would cost" if is_more else "costs"
    if price.costs_usd < 1:
        return f"{stated} {costs} nothing"
    design = plan.find(price.without)
    of = shown(design.title) if design else price.without
    return f"{stated} {costs} {number.money(price.costs_usd)}: {'with' if is_more else 'without'} it {of}"


def _failures(count: str) -> str:
    return f"{count} drive failure{'' if count == '1' else 's'}"
