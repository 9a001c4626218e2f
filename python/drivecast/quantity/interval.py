"""A value with the bounds between which it lies, for lack of better knowledge."""

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """`low` ≤ `value` ≤ `high`, all in one unit, which the name of whatever holds the interval states."""

    low: float
    value: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"an interval rises: {self.low} ≤ {self.value} ≤ {self.high}")

    @classmethod
    def exactly(cls, value: float) -> "Interval":
        """Make an interval of one point."""
        return cls(value, value, value)

    def rising(self, function: Callable[[float], float]) -> "Interval":
        """Apply a function that rises with its argument."""
        return Interval(function(self.low), function(self.value), function(self.high))


def finite(value: float) -> float | None:
    """A number as JSON can hold it; none where it has no end."""
    return value if math.isfinite(value) else None
