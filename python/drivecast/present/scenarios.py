"""Whether the winner changes where something is otherwise, and what it costs to have bought it, in words."""

import math
from dataclasses import dataclass

from drivecast.document.plan import Flip, Plan
from drivecast.present import reason
from drivecast.present.answer import shown
from drivecast.quantity import number

LITTLE = 0.02
"""Of the cost of the best design then: less is not worth a word."""
WHEN = {
    "growth": "growth {}",
    "prices": "{} prices",
    "peak": "{} times the peak",
    "hours a day": "{} per day like the log",
    "limits on p99": "limits on p99 {}",
    "seed": "another seed ({})",
    "hits": "hits {}",
}


@dataclass(frozen=True)
class Change:
    """The winner where something is otherwise, in words."""

    when: str
    then: str


def changes(plan: Plan) -> list[Change]:
    """Return whether the winner changes: rows of where it does, of where not, and of the worst."""
    found = [Change(_when(flip), _then(plan, flip)) for flip in plan.flips if flip.changed]
    stays = ", ".join(_when(flip) for flip in plan.flips if not flip.changed)
    return [*found, *([Change("unchanged", stays)] if stays else []), *_at_worst(plan)]


def _at_worst(plan: Plan) -> list[Change]:
    """Under which assumption most would be spent that the best design then does not take; none where that is little."""
    flip = max(plan.flips, key=lambda flip: flip.regret or 0.0, default=None)
    if flip is None or not flip.regret or flip.regret < LITTLE * (flip.cost or math.inf):
        return []
    amount = number.money(flip.regret, plan.currency)
    why = f"{amount} for drives that are not enough" if flip.misses else f"{amount} more than the best design"
    return [Change("at worst", f"{_when(flip)}: {why}")]


def _when(flip: Flip) -> str:
    return WHEN[flip.input].format(flip.value)


def _then(plan: Plan, flip: Flip) -> str:
    cost = "" if flip.cost is None else f", {number.money(flip.cost, plan.currency)}"
    why = f" (winner above: {reason.miss_text(flip.misses[0], plan.currency)})" if flip.misses else ""
    if flip.winner is None:
        return f"nothing fits{why}"
    other = plan.find(flip.winner)
    return f"{shown(other.title) if other else flip.winner}{cost}{why}"
