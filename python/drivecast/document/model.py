"""A workload model: a mixture of independent streams on one range of addresses.

What the keys mean, and which values they may have, is decided by the core (`_core.model_read`); this is the same
document, typed. Fractions are of the span, sizes in bytes, times in seconds.
"""

import math
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, ConfigDict, Field

from drivecast.document.part import Checked

Quantiles = float | list[tuple[float, float]]
"""A number, or pairs of a share and the value that this share of the draws does not exceed."""
Provenance = Literal["measured", "published", "fitted", "assumed"]


class Table(Checked):
    """A table of a model file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Size(Table):
    """A size and its share of the requests."""

    bytes: int
    share: float
    next: list[float] | None = None
    """Shares of all sizes among the requests that follow one of this size; none: those of all requests."""


class Zone(Table):
    """A part of the span and its share of the requests."""

    from_: float = Field(
        default=0.0, validation_alias=AliasChoices("from", "from_"), serialization_alias="from"
    )
    to: float = 1.0
    share: float = 1.0
    used: float = 1.0
    """The share of its extents that is ever addressed."""


class Reuse(Table):
    """Runs that begin at an address met before."""

    share: float
    runs_ago: Quantiles
    among: str | None = None
    """The streams among whose runs it looks: all with this word; none: its own."""
    in_order: float | None = None


class Near(Table):
    """Runs that begin near the end of the one before."""

    forward: float = 0.0
    back: float = 0.0
    bytes: Quantiles


class Random(Table):
    """Each request anywhere in its zone."""

    pattern: Literal["random"] = "random"
    zones: list[Zone] = Field(default_factory=lambda: [Zone()])
    law: Literal["uniform", "zipf"] = "uniform"
    exponent: float | None = None
    reuse: Reuse | None = None
    near: Near | None = None


class Sequential(Table):
    """Runs of requests; without a length: through the zone, again and again."""

    pattern: Literal["sequential"] = "sequential"
    zones: list[Zone] = Field(default_factory=lambda: [Zone()])
    run_bytes: Quantiles | None = None
    run_requests: Quantiles | None = None
    reuse: Reuse | None = None
    near: Near | None = None
    interleaved: int = 1
    """Runs under way at once."""
    switch: float = 1.0
    """The share of the requests that continue another of these runs than the one before."""


class Append(Table):
    """A log, from the beginning again at its end."""

    pattern: Literal["append"] = "append"
    from_: float = Field(
        default=0.0, validation_alias=AliasChoices("from", "from_"), serialization_alias="from"
    )
    to: float = 1.0


class Closed(Table):
    """Requests come as earlier ones complete."""

    loop: Literal["closed"] = "closed"
    iodepth: int
    think_s: float = 0.0


class Batch(Table):
    """Requests that come together."""

    requests: Quantiles
    spacing_s: Quantiles


class Burst(Table):
    """Batches that come together."""

    batches: Quantiles
    spacing_s: Quantiles


class RateOverTime(Table):
    """How a rate goes up and down, again and again."""

    period_s: float
    steps: list[tuple[float, float]]
    """From when on (seconds) the rate is multiplied by what; the mean over the period counts as 1."""


class Listed(Table):
    """Bursts listed one by one: the few that decide the tail of the latency."""

    period_s: float
    bursts: list[tuple[float, float, float]]
    """When each begins, how many requests it has, and how long it takes."""


class Open(Table):
    """Requests come whatever the device does; Poisson where only the rate is given."""

    loop: Literal["open"] = "open"
    rate_iops: float
    batch: Batch | None = None
    burst: Burst | None = None
    gaps: Quantiles | None = None
    rate_over_time: RateOverTime | None = None
    listed: Listed | None = None


class Stream(Table):
    """One stream of the mixture."""

    name: str
    read: float = 0.0
    trim: float = 0.0
    flush: float = 0.0
    sizes: list[Size]
    align_bytes: int = 4096
    address: Annotated[Random | Sequential | Append, Field(discriminator="pattern")]
    arrivals: Annotated[Closed | Open, Field(discriminator="loop")]

    @property
    def mean_bytes(self) -> float:
        """Mean size of the requests."""
        total = sum(size.share for size in self.sizes)
        return sum(size.bytes * size.share for size in self.sizes) / total

    @property
    def zones(self) -> list[Zone]:
        """Parts of the span with their shares; a log is one."""
        if isinstance(self.address, Append):
            return [Zone(from_=self.address.from_, to=self.address.to)]
        return self.address.zones

    def run_requests(self) -> float | None:
        """Mean length of the runs in requests; none for one that never ends, 1 for random addresses."""
        if isinstance(self.address, Random):
            return 1.0
        if isinstance(self.address, Append):
            return None
        if self.address.run_requests is not None:
            return max(1.0, mean(self.address.run_requests))
        if self.address.run_bytes is None:
            return None
        return max(1.0, mean(self.address.run_bytes) / self.mean_bytes)


class Model(Table):
    """A mixture of independent streams on one range of addresses."""

    schema_version: int = 1
    name: str
    description: str | None = None
    span_bytes: int
    extent_bytes: int | None = None
    """Unit of what is used of a zone; none: 1 MiB."""
    duration_s: float | None = None
    streams: list[Stream]
    provenance: dict[str, dict[Provenance, str]] = Field(default_factory=dict)
    """How values are known, by key; `default` is of all that are not named."""

    def json_text(self) -> str:
        """The document, as the core reads it."""
        return self.model_dump_json(by_alias=True, exclude_none=True)

    def stated(self) -> dict[str, Any]:
        """The document of a model that was read, without what its file leaves to defaults."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    @property
    def assumed(self) -> dict[str, str]:
        """What is assumed, with the reason, by key."""
        return {key: how["assumed"] for key, how in self.provenance.items() if "assumed" in how}


def mean(table: Quantiles) -> float:
    """Mean of the draws: the first pair is an atom, between pairs values are logarithmic where both are above 0."""
    if not isinstance(table, list):
        return table
    total = table[0][0] * table[0][1]
    for (low, a), (high, b) in pairwise(table):
        total += (high - low) * ((b - a) / math.log(b / a) if 0 < a < b else (a + b) / 2)
    return total
