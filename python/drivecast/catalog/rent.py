"""What clouds ask a month: the `[cloud]` table of `prices.toml`.

A volume costs its size, what is provisioned beyond what is included, or its step. Drives inside of an instance cost
what the instance costs more than its sibling without them. What follows for a volume is worked out in
`crates/assess/src/rental.rs`. A commitment leaves a share of what drives cost: the longest terms that fit into the
years, then shorter ones; what no term fits is on demand. Left out: snapshots, traffic, taxes, payment upfront, spot
prices, discounts by contract, reserved volumes.
"""

from collections.abc import Iterator
from datetime import date
from typing import Annotated

from pydantic import Field

from drivecast.catalog.figure import Figure, NonNegative, Positive, Sourced, Strict

Share = Figure[Annotated[float, Field(gt=0, le=1)]]
Above = Annotated[str, Field(pattern=r"^[0-9]+$")]


class Rent(Strict):
    """The prices of one kind or instance, each of a month."""

    on: date
    usd_per_gib: NonNegative | None = None
    usd_per_iops: NonNegative | None = None
    """Of IOPS that are provisioned beyond those included."""
    usd_per_iops_beyond: dict[Above, NonNegative] = Field(default_factory=dict)
    """The same, of those beyond so many."""
    usd_per_mib_per_s: NonNegative | None = None
    usd_per_step: dict[str, Positive] = Field(default_factory=dict)
    usd_for_drives: Positive | None = None

    @property
    def is_assumed(self) -> bool:
        """Whether any of the prices is."""
        return any(figure.assumed is not None for figure in self._figures())

    def _figures(self) -> Iterator[Sourced]:
        for part in (self.usd_per_gib, self.usd_per_iops, self.usd_per_mib_per_s, self.usd_for_drives):
            if part is not None:
                yield part
        yield from self.usd_per_iops_beyond.values()
        yield from self.usd_per_step.values()


class Commitment(Strict):
    """What is left of the price on demand of drives of some instances, by the years of a term."""

    on: date
    years_1: Share
    years_3: Share

    def terms(self, longest: int) -> dict[int, Share]:
        """The shares of terms of up to so many years, the longest first."""
        return {term: share for term, share in ((3, self.years_3), (1, self.years_1)) if term <= longest}

    def over(self, years: float, longest: int) -> float:
        """The share that is left in the mean of the years."""
        cost, left = 0.0, years
        for term, share in self.terms(longest).items():
            committed = left // term * term
            cost, left = cost + committed * share.value, left - committed
        return (cost + left) / years


class RentSpread(Strict):
    """Bounds of rents, as multiples: contracts differ, and regions, up to the dearest."""

    low: Share
    regions: Annotated[dict[str, Figure[Annotated[float, Field(ge=1)]]], Field(min_length=1)]

    @property
    def high(self) -> float:
        """Of the dearest region."""
        return max(region.value for region in self.regions.values())
