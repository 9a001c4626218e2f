"""`latency.toml`: how far predicted latencies are off real drives.

Represented: by operation and quantile, the errors of predictions below saturation, and in it, at drives that others
measured: of calibrated drives, and of drives predicted from their sheets alone, each left out in turn
(`reproduce.left_out`). An error is measured over predicted. Beyond twice it is a stall that the model lacks, which
lasts as long whatever was predicted, so that its excess is kept in microseconds. `capacity` has the errors of what a
drive carries at most: it decides how far from saturation a load is. What follows for a prediction:
`assess.latency_interval` and `assess.outcome_interval`. SATA drives are a class of their own (`sata`): reads alone and
writes alone with few outstanding, and, for what nobody measured of them, the tails of reads beside writes and capacity,
those of NVMe drives.
Left out: disks; SAS drives and cards, which take the errors of NVMe drives.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from drivecast.catalog.figure import Sourced, Strict

STALL = 2.0
"""Times a prediction from which on an error is a stall."""
Factor = Annotated[float, Field(gt=0)]
Op = Literal["read", "write"]
OPS: tuple[Op, ...] = ("read", "write")
QuantileName = Literal["p50", "p99", "p999"]
QUANTILES: dict[QuantileName, str] = {"p50": "q0.5", "p99": "q0.99", "p999": "q0.999"}
"""Those whose errors are known, and what an outcome calls them."""


class DriveErrors(Strict):
    """Of one drive."""

    drive: str
    ratios: list[Factor] = Field(default_factory=list)
    excess_us: list[Factor] = Field(default_factory=list)


class Spread(Sourced):
    """Errors of one quantile."""

    drives: Annotated[list[DriveErrors], Field(min_length=2)]


class QuantileErrors(Strict):
    """Of one operation."""

    p50: Spread
    p99: Spread
    p999: Spread

    def of(self, quantile: QuantileName) -> Spread:
        """Return those of a quantile."""
        found: Spread = getattr(self, quantile)
        return found


class OpErrors(Strict):
    """Of reads and writes."""

    read: QuantileErrors
    write: QuantileErrors

    def of(self, op: Op, quantile: QuantileName) -> Spread:
        """Return those of an operation's quantile."""
        return (self.read if op == "read" else self.write).of(quantile)


class LatencyErrors(OpErrors):
    """Of reads and writes below saturation, of those in saturation, and of the rate at which that begins."""

    saturated: OpErrors | None = None
    capacity: Spread | None = None

    def without(self, drive: str) -> "LatencyErrors | None":
        """Return the errors of the other drives; none where these are fewer than two."""
        try:
            return LatencyErrors.model_validate(_without(self.model_dump(), drive))
        except ValidationError:
            return None


class ClassErrors(Strict):
    """Of a class of drives."""

    measured: LatencyErrors
    sheet_only: LatencyErrors


class LatencyFile(ClassErrors):
    """`latency.toml`: errors of NVMe drives, and those of SATA drives where they are known."""

    sources: dict[str, str]
    sata: ClassErrors | None = None

    def of_interface(self, interface: str) -> ClassErrors:
        """Return the errors of the class of drives with this link."""
        return self if self.sata is None or not interface.startswith("SATA") else self.sata


def _without(errors: Any, drive: str) -> Any:
    if not isinstance(errors, dict):
        return errors
    if "drives" in errors:
        return errors | {"drives": [each for each in errors["drives"] if each["drive"] != drive]}
    return {name: _without(each, drive) for name, each in errors.items()}
