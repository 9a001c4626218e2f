"""How old the prices of a plan are, how they move, and at which of them its order flips."""

import datetime
from typing import Annotated, Literal

from pydantic import Field

from drivecast.document.part import Part, left_out


class BreakEven(Part):
    """The price of a design's drives at which it and another cost the same over the years."""

    line: str
    against: str
    """The design that costs less beyond: the next one for the first, the first for the others."""
    price: float
    """Of one drive now, in the plan's currency."""
    flips_at: float
    low: float
    high: float
    """Bounds of the price now."""


class Waiting(Part):
    """Renting for a year and buying then, against buying now."""

    rented: str
    rent_a_year: float
    flips_at: float
    """The multiple of today's price below which it pays to wait."""
    value: float
    low: float
    high: float
    """The multiple in a year, by the index of the winner's class."""
    chance: float


class PriceFacts(Part):
    """Of the first design."""

    of: Literal["observations", "quotes", "price file", "provider"]
    newest: datetime.date
    """The newest observation that its price follows from, or the day of its own price."""
    moves: dict[str, float] = Field(default_factory=dict)
    """Where prices are of another day: by how much each group of classes is dearer today."""
    break_even: list[BreakEven] = Field(default_factory=list)
    waiting: Annotated[Waiting | None, left_out()] = None
