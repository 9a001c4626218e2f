"""How old prices are, where the order of designs flips by them, and whether to buy now, in words."""

from collections.abc import Mapping
from datetime import date, timedelta

from drivecast.document.plan import Plan
from drivecast.document.price_facts import BreakEven
from drivecast.present.answer import shown
from drivecast.quantity import number

OLD = timedelta(days=90)
"""Age beyond which prices are no longer relied on: flash became a quarter dearer within that."""


def age(plan: Plan, today: date) -> list[str]:
    """Return how old the winner's price is, and what to do about it; sentences."""
    facts = plan.prices
    if facts is None:
        return []
    days = max((today - facts.newest).days, 0)
    old = f"{days} day{'' if days == 1 else 's'} old"
    by = {"observations": "observations", "quotes": "your quotes"}.get(facts.of, "the price file")
    found = [f"Prices of {plan.date} by {by}, {old}."]
    if facts.moves:
        moves = ", ".join(f"{group} to {number.multiple(times)}" for group, times in facts.moves.items())
        now = next((flip for flip in plan.flips if flip.value == "today's"), None)
        winner = plan.find(now.winner) if now else None
        then = f"; with today's the first is {shown(winner.title) if winner else now.winner}" if now else ""
        found.append(f"Since {plan.date} prices rose: {moves}{then}.")
    elif today - facts.newest > OLD:
        is_rented = facts.of == "provider"
        ask = "edit `[cloud]` in prices.toml" if is_rented else "ask for quotes and give them: `--quotes`"
        found.append(f"Prices older than {OLD.days} days mislead: {ask}.")
    return found


def break_even(plan: Plan) -> list[str]:
    """Return at which prices the order flips, and whether to rent first; sentences."""
    facts = plan.prices
    ranks = {design.line: design.rank for design in plan.designs}
    flips = facts.break_even if facts else []
    found = [_flip(plan, each, ranks) for each in flips if {each.line, each.against} <= ranks.keys()]
    if facts and (wait := facts.waiting):
        rented = plan.find(wait.rented)
        rent = number.money(wait.rent_a_year, plan.currency)
        span = number.span(number.multiple, wait.low, wait.high)
        found.append(
            f"Buy now or rent for a year? {shown(rented.title) if rented else wait.rented} costs {rent} a year; drives"
            f" in a year {number.multiple(wait.value)} ({span}) of today's price by the index. Waiting pays below"
            f" {number.multiple(max(wait.flips_at, 0.0))}: {number.percent(wait.chance)} likely"
        )
    return found


def _flip(plan: Plan, each: BreakEven, ranks: Mapping[str, int | None]) -> str:
    price, flips = (number.money(usd, plan.currency) for usd in (each.price, each.flips_at))
    bounds = number.span(lambda usd: number.money(usd, plan.currency), each.low, each.high)
    within = "within" if each.low <= each.flips_at <= each.high else "beyond"
    known = f" ({within} {bounds})" if each.low < each.high else ""
    return (
        f"#{ranks[each.line]} costs as much as #{ranks[each.against]} with its drives at {flips} each, where they cost"
        f" {price} now{known}"
    )
