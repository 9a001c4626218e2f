"""What a result is sensitive to: each input moved over its own interval, all others as they are.

The model and its arithmetic are in `crates/assess/src/sensitivity.rs` and `costing.rs` next to it.
"""

import math
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

    input: str
    """Its name."""
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
