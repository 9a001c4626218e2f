"""A value with the bounds between which it lies, for lack of better knowledge."""

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Annotated, Any, Generic, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from typing_extensions import TypeVar

Bound_co = TypeVar("Bound_co", covariant=True, default=float)
UNKNOWN: Any = None


def _described(schema: dict[str, Any]) -> None:
    """Name in a JSON Schema what a generic model's own text does not reach."""
    schema.setdefault("description", "A prediction with its bounds.")


class Interval(BaseModel, Generic[Bound_co]):
    """A prediction with its bounds, low ≤ value ≤ high, all in the unit of whatever holds the interval."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        model_title_generator=lambda model: model.__name__.partition("[")[0],
        json_schema_extra=_described,
    )

    value: Bound_co = Field(default=UNKNOWN)
    low: Bound_co = Field(default=UNKNOWN)
    high: Bound_co = Field(default=UNKNOWN)

    def __init__(
        self,
        low: Bound_co | None = None,
        value: Bound_co | None = None,
        high: Bound_co | None = None,
        **more: Any,
    ) -> None:
        super().__init__(low=low, value=value, high=high, **more)

    @model_validator(mode="after")
    def _rises(self) -> Self:
        bounds: list[Any] = [bound for bound in (self.low, self.value, self.high) if bound is not None]
        if not all(a <= b for a, b in pairwise(bounds)):
            raise ValueError(f"an interval rises: {self.low} ≤ {self.value} ≤ {self.high}")
        return self

    @classmethod
    def exactly(cls, value: float) -> "Interval":
        """Make an interval of one point."""
        return Interval(value, value, value)

    @classmethod
    def read(cls, found: Mapping[str, float | None]) -> "Interval":
        """Read an interval that crossed as JSON, where a bound without end is null."""
        return Interval(endless(found["low"]), endless(found["value"]), endless(found["high"]))

    def rising(self: "Interval", function: Callable[..., float], *others: "Interval") -> "Interval":
        """Apply a function that rises with each of its arguments, bound by bound."""
        spans = (self, *others)
        return Interval(
            function(*(span.low for span in spans)),
            function(*(span.value for span in spans)),
            function(*(span.high for span in spans)),
        )

    def named(self: "Interval", name: str) -> dict[str, Any]:
        """The interval as keys of a flat document: `name`, `name_low` and `name_high`, null where it has no end."""
        ends = {"": self.value, "_low": self.low, "_high": self.high}
        return {f"{name}{end}": finite(bound) for end, bound in ends.items()}


def finite(value: float | None) -> float | None:
    """A number as JSON can hold it; none where it has no end."""
    return value if value is not None and math.isfinite(value) else None


def endless(value: float | None) -> float:
    """A number that is null in JSON where it has no end."""
    return math.inf if value is None else value


Span = Interval[Annotated[float | None, BeforeValidator(finite)]]
"""An interval in a document: null where a bound is not known, or has no end."""
