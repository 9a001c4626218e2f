"""How old a plan's prices are, at which of them its order flips, and whether to buy now.

Model. A design of total `T` whose drives cost `D`, bought again and sold included, costs as much as another at
`1 + (T' - T) / (D - S)` times the price of its drives; `S` is what those of the other cost where they are the same,
else 0. Whoever rents for a year and buys then pays the rent, and the drives at the price of that day; waiting costs as
much as buying now where that is `1 - (rent - running) / D` times today's, `running` what a bought design costs in a
year besides. The price in a year has the index's interval. Left out: prices of several drives that move at once, what
moving the data costs, and that drives bought later last longer.
"""

import math
from collections.abc import Sequence
from datetime import timedelta
from statistics import NormalDist

from drivecast.catalog import Catalog
from drivecast.catalog.prices import QUOTED, ClassPrice
from drivecast.document.plan import Design, Plan
from drivecast.document.price_facts import BreakEven, PriceFacts, Waiting
from drivecast.plan.buyers_question import drives_cost

NEXT = 3
"""Designs that are compared, the first among them."""
YEAR = timedelta(days=365)


def of(plan: Plan, catalog: Catalog) -> PriceFacts | None:
    """What there is to say of prices; nothing where nothing fits or the first design has several kinds of drives."""
    ranked, prices = plan.ranked(), catalog.prices
    first = next(iter(ranked), None)
    if first is None or (first.rent is None and first.drive not in prices.drives):
        return None
    bought = [design for design in ranked if design.drive in prices.drives and design.rent is None]
    found = PriceFacts(
        of="price file",
        newest=prices.date,
        moves=_moves(catalog, catalog.now) if catalog.now else {},
        break_even=_break_even(bought, catalog),
        waiting=_waiting(plan, bought, catalog),
    )
    if first.rent is not None:
        return found.model_copy(update={"of": "provider", "newest": first.rent.priced_on})
    price = prices.drives[first.drive or ""]
    if price.quoted or price.reason.startswith(QUOTED):
        return found.model_copy(update={"of": "quotes", "newest": price.on or prices.date})
    fit = catalog.market.fit(catalog.drives[first.drive or ""].drive_class)
    if fit is not None and isinstance(price, ClassPrice):
        return found.model_copy(update={"of": "observations", "newest": max(fit.newest.values())})
    return found.model_copy(update={"newest": price.on or prices.date})


def _moves(then: Catalog, now: Catalog) -> dict[str, float]:
    days = then.prices.date, now.prices.date
    return {group: fit.moved(*days) for group, fit in then.market.fits.items()}


def _break_even(designs: Sequence[Design], catalog: Catalog) -> list[BreakEven]:
    """Of the first against the next with other drives, of the two after it against the first."""
    found = []
    rival = next((design for design in designs if design.drive != designs[0].drive), None)
    others = [rival, *(designs[0] for _ in designs[1:NEXT])]
    for design, other in zip(designs, others, strict=False):
        if other is None or design.cost is None or other.cost is None or design.drive is None:
            continue
        moves = drives_cost(design.cost) - (drives_cost(other.cost) if design.drive == other.drive else 0.0)
        times = 1 + (other.total - design.total) / moves if moves else 0.0
        low, value, high = (usd * catalog.prices.per_dollar for usd in catalog.prices.drive_usd(design.drive))
        if times > 0:
            of = {"line": design.line, "against": other.line, "price": value, "flips_at": times * value}
            found.append(BreakEven.model_validate({**of, "low": low, "high": high}))
    return found


def _waiting(plan: Plan, bought: Sequence[Design], catalog: Catalog) -> Waiting | None:
    """Whether to rent for a year first, where both were judged and fit."""
    first = next(iter(bought), None)
    rents = [design for design in plan.ranked() if design.rent and (design.rent.commitment_years or 0) <= 1]
    rented = next(iter(rents), None)
    years = next((need.value for need in plan.requirements if need.name == "years"), None)
    if first is None or rented is None or first.cost is None or first.drive is None or not years:
        return None
    fit, drives = catalog.market.fit(catalog.drives[first.drive].drive_class), drives_cost(first.cost)
    if fit is None or drives <= 0:
        return None
    running = (first.total - drives - (first.cost.hosting or 0.0)) / years
    times = 1 - (rented.total / years - running) / drives
    price = NormalDist(*fit.log_move(catalog.prices.date, catalog.prices.date + YEAR))
    return Waiting(
        rented=rented.line,
        rent_a_year=rented.total / years,
        flips_at=times,
        value=math.exp(price.mean),
        low=math.exp(price.inv_cdf(0.1)),
        high=math.exp(price.inv_cdf(0.9)),
        chance=price.cdf(math.log(times)) if times > 0 else 0.0,
    )
