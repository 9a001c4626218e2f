"""The questions that buyers ask by name, answered by the best design of either side, and what requirements cost."""

from typing import Literal

from pydantic import Field

from drivecast.document.miss import Miss
from drivecast.document.part import Part

BuyersQuestion = Literal[
    "QLC or TLC",
    "consumer or data-centre",
    "SATA or NVMe",
    "disks or flash",
    "mirror or parity",
    "two large or four small",
    "buy or rent",
    "EBS gp3 or io2",
]


class Side(Part):
    """The best design of one side of a question."""

    line: str
    fits: bool
    misses: list[Miss] = Field(default_factory=list)
    cost: float | None = None
    """In the plan's currency."""
    life_years: float | None = None
    headroom: float | None = None
    read_p99_ns: float | None = None
    write_p99_ns: float | None = None


class FlipsAt(Part):
    """Where the other side becomes the answer."""

    input: Literal["price", "load"]
    line: str
    """Of the design that is the answer beyond: the price is that of its drives, the load what the other carries."""
    times: float
    """Of the price of today, or of the measured peak."""


class BuyersAnswer(Part):
    """A question that buyers ask by name, answered by the best of either side."""

    question: BuyersQuestion
    sides: list[Side]
    """In the order of the question."""
    answer: str
    decides: Literal["fits", "cost", "ranking"]
    """That the other side does not fit, that it costs more, or what ranks designs that are tied on cost."""
    flips_at: list[FlipsAt] = Field(default_factory=list)


class ShadowPrice(Part):
    """What a requirement costs: the cheapest design without it, or with one step more of it."""

    requirement: Literal["p99", "headroom", "drive_losses", "data_loss"]
    value: str
    """What is required."""
    instead: str | None
    """What would be; none without any limit."""
    costs_usd: float | None
    """What it costs, of a step more what that would cost; null where nothing fits then."""
    without: str | None
    """The line of the cheapest design then."""
