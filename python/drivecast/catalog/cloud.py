"""What clouds rent: kinds of volumes with what each allows, and instances with theirs (`cloud.toml`).

Model. A volume does so many IOPS and MiB/s: what is included, plus what each GiB brings, or what is chosen up to a
limit, or what the step of its size says. Some save what they do not use as credits and burst on them. An instance lets
through so much to all its volumes. What follows for a size: `rental.rs` and `bucket.rs` of `crates/assess/src`.
Left out: how many volumes an instance takes, limits for requests of one direction,
the network that some instances share with their volumes, bursts that are paid by use, and what a volume that bursts
saves besides its credits.
"""

from datetime import date
from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from drivecast.catalog.figure import Figure, NonNegative, Positive, Probability, Sourced, Strict
from drivecast.catalog.volume import VolumeOp

Gib = Figure[Annotated[int, Field(gt=0, le=2**30)]]


class Rule(Strict):
    """How many IOPS, or MiB/s, a volume does."""

    included: NonNegative
    per_gib: NonNegative | None = None
    """What each GiB brings."""
    per_iops: NonNegative | None = None
    """What each IOPS brings, of MiB/s."""
    least: NonNegative | None = None
    most: Positive
    chosen_per_gib: Positive | None = None
    """More than is included may be provisioned: so many for each GiB."""
    chosen_per_iops: Positive | None = None
    """The same, for each IOPS."""

    @property
    def is_chosen(self) -> bool:
        """Whether more may be provisioned than comes with the size."""
        return self.chosen_per_gib is not None or self.chosen_per_iops is not None


class Step(Sourced):
    """A size of a kind that comes in steps."""

    gib: Annotated[int, Field(gt=0)]
    iops: Annotated[int, Field(gt=0)]
    mib_per_s: Annotated[int, Field(gt=0)]


class Burst(Strict):
    """What a volume does while it has credits: as many as are stated, or as last for so long."""

    iops: Positive
    mib_per_s: Positive | None = None
    iops_credits: Positive | None = None
    seconds: Positive | None = None
    per_gib: Positive | None = None
    """IOPS, and MiB/s, that each GiB brings to the burst, up to those above."""
    credits_per_gib: Positive | None = None
    """Requests, and MiB, that each GiB saves."""
    gib_max: Gib | None = None
    """Larger volumes do not burst."""

    @model_validator(mode="after")
    def _has_credits(self) -> Self:
        given = (self.iops_credits, self.seconds, self.credits_per_gib)
        if sum(part is not None for part in given) != 1:
            raise PydanticCustomError("range", "needs one of `iops_credits`, `seconds` and `credits_per_gib`")
        by_size = (self.mib_per_s, self.per_gib, self.credits_per_gib)
        if (self.per_gib or self.credits_per_gib) and None in by_size:
            raise PydanticCustomError("range", "needs `mib_per_s`, `per_gib` and `credits_per_gib`")
        return self


class Kind(Strict):
    """One kind of volume."""

    vendor: str
    model: str
    on: date
    """The day its limits were read."""
    like: str
    """The volume of the catalog whose times, unit of requests and failure rate it has."""
    gib_min: Gib
    gib_max: Gib
    iops: Rule | None = None
    mib_per_s: Rule | None = None
    steps: dict[str, Step] | None = None
    burst: Burst | None = None

    @model_validator(mode="after")
    def _has_a_rule(self) -> Self:
        rules = (self.iops, self.mib_per_s)
        if None in rules and (self.steps is None or any(rules)):
            raise PydanticCustomError("range", "needs `iops` and `mib_per_s`, or `steps`")
        return self

    @property
    def is_chosen(self) -> bool:
        """Whether IOPS are provisioned, and not those of the size."""
        return self.iops is not None and self.iops.is_chosen


class LocalDrives(Strict):
    """Drives inside of an instance."""

    drives: Figure[Annotated[int, Field(gt=0, le=64)]]
    gb: Positive
    """Of each."""
    read_iops: Positive
    """Of each."""
    write_iops: Positive
    read_mib_per_s: Positive | None = None
    """Of each, in long requests; none where nobody states it."""
    write_mib_per_s: Positive | None = None


class Instance(Strict):
    """What an instance lets through to its volumes."""

    vendor: str
    on: date
    iops: Positive
    mib_per_s: Positive
    burst_iops: Positive | None = None
    burst_mib_per_s: Positive | None = None
    burst_s: Positive | None = None
    """How long full credits last at the burst."""
    local: LocalDrives | None = None


class LocalTimes(Strict):
    """How drives inside of instances serve requests."""

    afr: Probability
    read: VolumeOp
    write: VolumeOp


class CloudFile(Strict):
    """`cloud.toml`."""

    sources: dict[str, str] = Field(default_factory=dict)
    kinds: dict[str, Kind] = Field(default_factory=dict)
    instances: dict[str, Instance] = Field(default_factory=dict)
    local: LocalTimes | None = None
    saved_s: NonNegative | None = None
    """How long limits may be idle and be made up for: rates are held in the mean of so long, not request by request."""
