"""What a result is sensitive to: each input moved over its own interval, all others as they are.

Model. A result y = f(x₁ … xₙ) is worked out with one input at its low end, then at its high end; the span of y is how
much that input matters (a tornado chart sorts them by it). Inputs are taken as independent, so the interval of y adds
the squares of what each moves it down, and of what each moves it up: an interval of the same kind as those of the
inputs, to first order. Left out: inputs that move together, such as two prices of one market.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from drivecast.document.part import Provenance
from drivecast.quantity.interval import Interval


@dataclass(frozen=True)
class Input:
    """Something that a result is worked out from, and how it is known."""

    name: str
    unit: str
    span: Interval
    provenance: Provenance
    source: str


@dataclass(frozen=True)
class Move:
    """A result with one input at each end of its interval."""

    input: Input
    low: float
    """With the input at its low end."""
    high: float
    """With the input at its high end."""

    @property
    def swing(self) -> float:
        """How much the input matters; infinite where only one end is endless."""
        if math.isinf(self.low) and math.isinf(self.high):
            return 0.0
        return abs(self.high - self.low)


Law = Callable[[Mapping[str, float]], float]


def moves(inputs: Sequence[Input], law: Law) -> list[Move]:
    """Give what each input moves, what matters most first; inputs that are known exactly are left out."""
    middle = {figure.name: figure.span.value for figure in inputs}
    found = [
        Move(
            figure,
            law(middle | {figure.name: figure.span.low}),
            law(middle | {figure.name: figure.span.high}),
        )
        for figure in inputs
        if figure.span.low < figure.span.high
    ]
    return sorted(found, key=lambda move: (-move.swing, move.input.name))


def combined(value: float, found: Sequence[Move]) -> Interval:
    """Give the interval of a result whose inputs move it independently."""
    if not math.isfinite(value):
        return Interval.exactly(value)
    below = math.hypot(*(min(0.0, move.low - value, move.high - value) for move in found))
    above = math.hypot(*(max(0.0, move.low - value, move.high - value) for move in found))
    return Interval(value - below, value, value + above)
