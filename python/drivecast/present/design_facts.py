"""What of designs side by side does not depend on the load, as a table: a row a fact, a column a design."""

from drivecast.document.versus import Condition, Contender, Versus
from drivecast.present import answer
from drivecast.present.replacing import load
from drivecast.quantity import number

KNOWN = {"measured": "measured", "sheet-only": "sheet only", None: "disk: sampling alone"}
"""How the latency of a design's drives is known, and its intervals with it."""


def rows(found: Versus) -> list[tuple[str, list[str]]]:
    """Return the name of each fact, and a cell a design; what is known of none is left out."""
    columns = [_cells(found, design) for design in found.designs]
    made = [(name, [cells[name] for cells in columns]) for name in columns[0]]
    return [(name, texts) for name, texts in made if set(texts) != {number.ABSENT}]


def _cells(found: Versus, design: Contender) -> dict[str, str]:
    years, at = f"{found.years:g} years", load(found, found.at[0])
    at += f" to {load(found, found.at[-1])}" if len(found.at) > 1 else ""
    timed = found.conditions if found.by == "speedup" else []
    return {
        "usable": number.size(design.usable_bytes),
        "failures tolerated": str(design.failures_tolerated),
        **{f"headroom, {name}": _headroom(design, name) for name in timed},
        "life": _life(design),
        f"data loss, {years}": _loss(design),
        "price of the drives": _price(design),
        f"cost, {years}": answer.money_span(design.cost.span, design.cost.currency),
        "power": answer.with_span(number.power, design.power_w),
        "rebuild, idle": _hours(design.rebuild_idle_h),
        f"rebuild, {at}": _rebuilt(found, design),
        "latency known": KNOWN[design.latency_known],
    }


def _headroom(design: Contender, name: Condition) -> str:
    found = design.carries(name)
    if found is None:
        return "data lost"
    return number.headroom(found.times) if found.times is not None else "below 1/16"


def _life(design: Contender) -> str:
    if design.latency_known is None:
        return "no wear"
    if design.life_years is None:
        return "unknown"
    return (
        "no wear" if design.life_years.limit == "none" else answer.with_span(number.years, design.life_years)
    )


def _loss(design: Contender) -> str:
    loss = design.data_loss
    if loss is None:
        return number.ABSENT
    return f"{number.probability(loss.value)} ({number.span(number.probability, loss.low, loss.high)})"


def _price(design: Contender) -> str:
    price = design.price
    return f"{answer.money_span(price, price.currency)}, {price.provenance}"


def _rebuilt(found: Versus, design: Contender) -> str:
    """Return how long a rebuild takes under the loads: `1.4–2.2 h`."""
    hours = [run.rebuild_h for run in found.rebuilds(design.line) if run.rebuild_h is not None]
    return number.span(_hours, min(hours), max(hours)) if hours else number.ABSENT


def _hours(value: float | None) -> str:
    text = number.significant(value, 2)
    return text if text == number.ABSENT else f"{text} h"
