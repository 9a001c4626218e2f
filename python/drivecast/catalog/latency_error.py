"""`latency.toml`: how far predicted latencies are off real drives, as factors.

Represented: the 10 % and 90 % points of measured over predicted, by quantity, of drives that others measured: as
calibrated drives, and as they would be known from their sheets alone. A prediction times these two is an 80 % interval;
where cleaning may hold writes up and nobody measured whether it does, the upper end is at least that much later. Left
out: disks, and drives of other classes, for which nobody's figures are here; an SSD of any class takes those of its
kind of knowledge.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from drivecast.catalog.figure import Sourced, Strict

Factor = Annotated[float, Field(gt=0)]


class Spread(Sourced):
    """Measured over predicted, at either end."""

    low: Factor
    high: Factor
    stall_us: Annotated[float, Field(ge=0)] = 0.0
    """What batches of cleaning may add, which no sheet states: it is no multiple of what is predicted."""

    @model_validator(mode="after")
    def _holds_one(self) -> Self:
        if not self.low <= 1 <= self.high:
            raise PydanticCustomError("range", "must hold 1: `low` ≤ 1 ≤ `high`")
        return self

    def bounds(self, predicted_ns: float) -> tuple[float, float]:
        """Return the interval of a prediction in ns."""
        return predicted_ns * self.low, max(predicted_ns * self.high, predicted_ns + self.stall_us * 1e3)


class LatencyErrors(Strict):
    """By operation, of the 99th percentile."""

    read_p99: Spread
    write_p99: Spread

    def of(self, op: Literal["read", "write"]) -> Spread:
        """Return that of an operation."""
        return self.read_p99 if op == "read" else self.write_p99


class LatencyFile(Strict):
    """`latency.toml`."""

    sources: dict[str, str]
    measured: LatencyErrors
    sheet_only: LatencyErrors
