"""What is fitted: a positive number with a place to start, and what the data show of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from drivecast.document.fit import Estimate as EstimateRow

Unit = Literal["ns", "ns/B", "B/s", "1/s", "", "B", "requests", "ms", "MB/s"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a simulated device. It is fitted by its logarithm: all of them are positive."""

    name: str
    """Path of its key in the specification, such as `front.batch_ns`."""
    start: float
    low: float
    high: float
    unit: Unit
    meaning: str
    determined_by: str
    """The run that determines it."""
    otherwise: float = 0.0
    """What is taken where the data do not determine it."""
    group: tuple[str, ...] = ()
    """Further keys that take the same value."""


@dataclass(frozen=True)
class Estimate:
    """A parameter after the fit."""

    parameter: Parameter
    value: float
    low: float | None
    """Bounds of the interval; none where the data do not determine the parameter."""
    high: float | None
    why: str = ""
    """Why it is assumed, where it is."""

    @property
    def is_fitted(self) -> bool:
        """Whether the data decided it."""
        return self.low is not None

    def row(self) -> EstimateRow:
        """The estimate as a document has it."""
        return EstimateRow(
            name=self.parameter.name,
            meaning=self.parameter.meaning,
            unit=self.parameter.unit or None,
            value=self.value,
            low=self.low,
            high=self.high,
            provenance="fitted" if self.is_fitted else "assumed",
            determined_by=self.parameter.determined_by,
        )


Values = Mapping[str, float]
"""Parameters by name."""
