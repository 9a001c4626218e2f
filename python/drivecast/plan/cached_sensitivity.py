"""What cost and life of a cached design are sensitive to: the inputs of both its sides.

Model. What is of the load, the place and the prices of the host moves both sides at once: costs at its ends add up, and
the life is that of the side that is worn out first. What is of a drive (`OF_DRIVES`) is of one side, and is named so.
Where a side does not move with an input, it costs what it costs, and lasts as long as it lasts.
"""

import math
from collections.abc import Sequence

from drivecast.document.plan import Design, Move
from drivecast.plan.cached_trial import SIDES
from drivecast.quantity.interval import finite

OF_DRIVES = {
    "drive price",
    "decline of prices",
    "failure rate",
    "power",
    "write amplification",
    "P/E cycles",
}


def moves(sides: Sequence[Design]) -> list[Move]:
    """Return the inputs of the cache and of the disks, what moves the cost most first."""
    cache, disks = ({move.input: move for move in side.sensitivity or []} for side in sides)
    found = []
    for name, mine, beside in ((SIDES[0], cache, sides[1]), (SIDES[1], disks, sides[0])):
        found += [_alone(f"{key} of the {name}", mine[key], beside) for key in mine if key in OF_DRIVES]
    for key in dict.fromkeys(each for each in (*cache, *disks) if each not in OF_DRIVES):
        if key in cache and key in disks:
            found.append(_shared(cache[key], disks[key]))
        else:
            found.append(_alone(key, cache.get(key) or disks[key], sides[key in cache]))
    return sorted(found, key=lambda move: (-move.swing, move.input))


def _shared(mine: Move, other: Move) -> Move:
    return mine.model_copy(
        update={
            "cost_low": mine.cost_low + other.cost_low,
            "cost_high": mine.cost_high + other.cost_high,
            "life_years_low": _first(mine.life_years_low, other.life_years_low),
            "life_years_high": _first(mine.life_years_high, other.life_years_high),
        }
    )


def _alone(name: str, move: Move, beside: Design) -> Move:
    cost = beside.cost.total if beside.cost else 0.0
    lasts = beside.life_years.value if beside.life_years else None
    moved = (move.life_years_low, move.life_years_high)
    low, high = moved if moved == (None, None) else (_first(years, lasts) for years in moved)
    return move.model_copy(
        update={
            "input": name,
            "cost_low": move.cost_low + cost,
            "cost_high": move.cost_high + cost,
            "life_years_low": low,
            "life_years_high": high,
        }
    )


def _first(mine: float | None, other: float | None) -> float | None:
    """The shorter life; none is without end."""
    return finite(min(math.inf if years is None else years for years in (mine, other)))
