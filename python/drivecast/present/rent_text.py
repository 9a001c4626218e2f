"""What is rented, in words: what a design costs a month, and what the kinds cost next to each other."""

import math

from drivecast.document.plan import Design, Plan, Rent
from drivecast.quantity import number


def month(design: Design, of: Rent) -> str:
    """Return what a design costs a month, in its parts, how its price is known, and what is left of credits."""
    parts = (
        (of.capacity_usd, "for the size"),
        (of.iops_usd, "for IOPS"),
        (of.mib_per_s_usd, "for throughput"),
    )
    asked = [f"{number.money(usd)} {name}" for usd, name in parts if usd]
    split = f" ({', '.join(asked)})" if len(asked) > 1 else ""
    credit = ""
    if of.credits_least is not None:
        credit = f"; burst credits left at the least over the log: {number.percent(of.credits_least)}"
    years = of.commitment_years
    committed = f", committed for {years} year{'s' if years > 1 else ''}" if years else ""
    price = f"{of.provenance} price of {of.priced_on}{committed}"
    return f"{number.money(design.monthly_usd)} a month{split}, {price}{credit}"


def summary(plan: Plan) -> str | None:
    """Return the cheapest that is rented, how much dearer the others are, and what is bought for comparison."""
    fits = sorted(plan.ranked(), key=lambda design: design.monthly_usd or math.inf)
    rented = [(design, design.rent) for design in fits if design.rent is not None and design.monthly_usd]
    if not rented:
        return None
    first, _ = rented[0]
    text = f"Rented, the cheapest that fits is {first.title}, {number.money(first.monthly_usd)} a month"
    others = [
        f"{rent.kind} {number.significant((design.monthly_usd or 0.0) / (first.monthly_usd or 1.0), 2)} times"
        for design, rent in rented[1:]
        if rent.gib is not None
    ]
    if others:
        text += f"; dearer are {', '.join(others)}"
    inside = next((design for design, rent in rented[1:] if rent.gib is None), None)
    if inside is not None:
        text += f"; {inside.title}: {number.money(inside.monthly_usd)}"
    bought = next((design for design in fits if design.where == "metal"), None)
    if bought is not None and bought.monthly_usd is not None:
        text += (
            f". Bought, the cheapest comes to {number.money(bought.monthly_usd)} a month, without a server"
        )
    return f"{text}."
