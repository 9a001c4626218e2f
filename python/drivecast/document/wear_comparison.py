"""The wear of drives in service compared with its prediction, input by input."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from drivecast.document.part import Document, Part
from drivecast.quantity.interval import Interval

Outcome = Literal["holds", "wrong", "undetermined"]
Source = Literal["plan", "wear"]
Missing = Literal["host writes", "flash writes", "wear", "wear steps"]


@dataclass(frozen=True)
class Prediction:
    """The inputs of the wear of one drive a day."""

    source: Source
    design: str
    drive: str
    members: int
    array_bytes_per_day: float
    """What the host writes to the array, at the start."""
    growth_per_year: float
    hours_per_day: float
    member_share: float
    """Bytes written to one drive for a byte of the host: copies and parity over the members."""
    write_amplification: Interval
    pe_cycles: Interval
    raw_bytes: int

    @property
    def wear_per_nand_byte(self) -> Interval:
        """Wear of a byte programmed; the fewest cycles wear the most."""
        cycles = self.pe_cycles
        return Interval(*(1 / (self.raw_bytes * n) for n in (cycles.high, cycles.value, cycles.low)))

    def array_bytes_per_day_after(self, years: float) -> float:
        """The load when the array has been in service for a while, grown as planned."""
        return self.array_bytes_per_day * math.pow(1 + self.growth_per_year, years)


@dataclass(frozen=True)
class Observation:
    """What the drives did; a figure that is not known is `None`, and `missing` holds why."""

    serials: Sequence[str]
    days: float
    years_in_service: float | None
    """At the middle of the time observed, by power-on hours."""
    bytes_per_day: Interval | None
    """Host bytes written to one drive."""
    spread: tuple[float, float] | None
    """The least and the most busy drive over their mean."""
    write_amplification: Interval | None
    wear_per_nand_byte: Interval | None
    wear_per_host_byte: Interval | None
    missing: Sequence[Missing]
    wear_change: float
    """The most that the wear of a drive changed."""


@dataclass(frozen=True)
class Factor:
    """An input of the prediction, or a product of those that cannot be separated, and its verdict."""

    name: str
    unit: str
    inputs: int
    """How many inputs are in it; 0 for the wear a day itself."""
    predicted: Interval
    observed: Interval | None
    ratio: Interval | None
    """Observed over the predicted value."""
    outcome: Outcome

    @property
    def apart_from_1(self) -> bool:
        """Whether the interval of the ratio excludes 1, be it within what the prediction allowed for or not."""
        return self.ratio is not None and not self.ratio.low <= 1 <= self.ratio.high

    @property
    def effect(self) -> float:
        """How far the input is off, either way."""
        return abs(math.log(self.ratio.value)) if self.ratio else 0.0


@dataclass(frozen=True)
class Comparison:
    """A prediction, what was observed, and the verdict on each input."""

    prediction: Prediction
    observation: Observation
    years_in_service: float
    total: Factor
    factors: Sequence[Factor]
    tolerance: float

    @property
    def wrong(self) -> list[Factor]:
        """The inputs that are wrong, the worst first."""
        wrong = (factor for factor in self.factors if factor.outcome == "wrong")
        return sorted(wrong, key=lambda factor: -factor.effect)

    @property
    def by_luck(self) -> bool:
        """Whether wrong inputs err against each other so that the wear comes out right."""
        ways = {factor.ratio.value > 1 for factor in self.wrong if factor.ratio}
        return self.total.outcome == "holds" and len(ways) > 1

    @property
    def outcome(self) -> Outcome:
        """Wrong where the wear or any input of it is."""
        return "wrong" if self.wrong else self.total.outcome


class FactorRow(Part):
    """A factor as a row."""

    factor: str
    unit: str
    inputs: int
    predicted: float
    predicted_low: float
    predicted_high: float
    observed: float | None = None
    observed_low: float | None = None
    observed_high: float | None = None
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    apart_from_1: bool
    outcome: Outcome
    change: str
    """What to change in the plan; empty where nothing is."""


class WearComparison(Document):
    """What `health compare` prints; the wear itself is the first of `factors`."""

    schema_version: int = 2
    design: str
    drive: str
    members: int
    source: Source
    growth_per_year: float
    years_in_service: float
    serials: list[str]
    days: float
    tolerance: float
    outcome: Outcome
    wrong: list[str]
    by_luck: bool
    factors: list[FactorRow]
    spread: tuple[float, float] | None
    missing: list[str]
