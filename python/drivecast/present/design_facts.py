"""What of designs side by side does not depend on the load, as a table: a row a fact, a column a design."""

from typing import Literal

from drivecast.document.array_state import Condition
from drivecast.document.plan import CacheSide, Life
from drivecast.document.versus import Contender, Versus
from drivecast.present import answer, cache_words
from drivecast.present.replacement_text import load
from drivecast.quantity import number

KNOWN = {
    "measured": "measured",
    "platform": "another of its platform measured",
    "sheet-only": "sheet only",
    None: "disk: sampling alone",
}
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
        "cache": _cache(design),
        "hits, warm": _share(design, "hit_ratio"),
        "hits, from empty": _share(design, "hit_ratio_from_empty"),
        "warm after": _warm(design),
        "life": _life(design),
        "life of the cache": _life_of(design, "fast"),
        "life behind it": _life_of(design, "slow"),
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
    return _years(design.life_years, wears=design.latency_known is not None)


def _years(life: Life | None, *, wears: bool) -> str:
    if life is None:
        return "unknown" if wears else "no wear"
    return "no wear" if life.limit == "none" else answer.with_span(number.years, life)


def _cache(design: Contender) -> str:
    part = design.cached
    return number.ABSENT if part is None else f"{number.size(part.size_bytes)}, {part.policy}, {part.mode}"


def _share(design: Contender, name: Literal["hit_ratio", "hit_ratio_from_empty"]) -> str:
    share = getattr(design.cached, name) if design.cached else None
    return number.ABSENT if share is None else cache_words.percent(share)


def _warm(design: Contender) -> str:
    """Return how long an empty cache takes to be warm under load like the log."""
    seconds = design.cached.warm_up_s if design.cached else None
    return number.ABSENT if seconds is None else number.duration(seconds)


def _life_of(design: Contender, name: Literal["fast", "slow"]) -> str:
    side: CacheSide | None = getattr(design.cached, name) if design.cached else None
    return number.ABSENT if side is None else _years(side.life_years, wears=side.flash != "HDD")


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
