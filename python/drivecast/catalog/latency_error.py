"""`latency.toml`: how far predicted latencies are off real drives, as factors.

Represented: the 10 % and 90 % points of measured over predicted, by quantity, of drives that others measured: as
calibrated drives, and as they would be known from their sheets alone. A prediction times these two is an 80 % interval.
Left out: disks, and drives of other classes, for which nobody's figures are here; an SSD of any class takes those of
its kind of knowledge.
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

    @model_validator(mode="after")
    def _holds_one(self) -> Self:
        if not self.low <= 1 <= self.high:
            raise PydanticCustomError("range", "must hold 1: `low` ≤ 1 ≤ `high`")
        return self


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
