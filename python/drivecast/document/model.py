"""A workload model as it is exchanged: the canonical JSON of a model file, typed.

What the keys mean, and which values they may have, is decided by the core (`_core.model_read`); this is the same
document for the arithmetic of exporters and importers. Fractions are of the span, sizes in bytes, times in seconds.
"""

import math
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

Quantiles = float | list[tuple[float, float]]
"""A number, or pairs of a share and the value that this share of the draws does not exceed."""


class Part(BaseModel):
    """A table of a model file; keys that exporters do not know are kept, to be told."""

    model_config = ConfigDict(extra="allow")


class Size(Part):
    """A size and its share of the requests."""

    bytes: int
    share: float
    next: Any = None


class Zone(Part):
    """A part of the span and its share of the requests."""

    from_: float = Field(
        default=0.0, validation_alias=AliasChoices("from", "from_"), serialization_alias="from"
    )
    to: float = 1.0
    share: float = 1.0
    used: float = 1.0


class Random(Part):
    """Each request anywhere in its zone."""

    pattern: Literal["random"] = "random"
    zones: list[Zone] = Field(default_factory=lambda: [Zone.model_validate({})])
    law: Literal["uniform", "zipf"] = "uniform"
    exponent: float | None = None
    reuse: Any = None
    near: Any = None


class Sequential(Part):
    """Runs of requests; without a length: through the zone, again and again."""

    pattern: Literal["sequential"] = "sequential"
    zones: list[Zone] = Field(default_factory=lambda: [Zone.model_validate({})])
    run_bytes: Quantiles | None = None
    run_requests: Quantiles | None = None
    reuse: Any = None
    near: Any = None
    interleaved: int = 1
    switch: float = 1.0


class Append(Part):
    """A log, from the beginning again at its end."""

    pattern: Literal["append"] = "append"
    from_: float = Field(
        default=0.0, validation_alias=AliasChoices("from", "from_"), serialization_alias="from"
    )
    to: float = 1.0


class Closed(Part):
    """Requests come as earlier ones complete."""

    loop: Literal["closed"] = "closed"
    iodepth: int
    think_s: float = 0.0


class Open(Part):
    """Requests come whatever the device does; Poisson where only the rate is given."""

    loop: Literal["open"] = "open"
    rate_iops: float
    batch: Any = None
    gaps: Quantiles | None = None
    rate_over_time: Any = None


class Stream(Part):
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


class Model(Part):
    """A mixture of independent streams on one range of addresses."""

    schema_version: int = 1
    name: str
    description: str | None = None
    span_bytes: int
    duration_s: float | None = None
    streams: list[Stream]
    provenance: dict[str, Any] = {}

    def json_text(self) -> str:
        """The document, as the core reads it."""
        return self.model_dump_json(by_alias=True, exclude_none=True)


def mean(table: Quantiles) -> float:
    """Mean of the draws: the first pair is an atom, between pairs values are logarithmic where both are above 0."""
    if not isinstance(table, list):
        return table
    total = table[0][0] * table[0][1]
    for (low, a), (high, b) in pairwise(table):
        total += (high - low) * ((b - a) / math.log(b / a) if 0 < a < b else (a + b) / 2)
    return total


def geometric_runs(mean_requests: float, request_bytes: float) -> Quantiles:
    """Lengths of runs that end after each request with the same chance, as a table with exactly that mean.

    A run is longer than k requests with chance (1 − 1/m)^k.
    """
    if mean_requests <= 1:
        return request_bytes
    ends = 1 / mean_requests
    shares = [ends + (1 - ends) * share for share in (0.0, 0.25, 0.5, 0.75, 0.9, 0.97, 0.995)]
    steps = [math.log(1 - share) / math.log(1 - ends) for share in shares]
    points = [*zip(shares, steps, strict=True), (1.0, steps[-1] + mean_requests)]

    def table(stretch: float) -> list[tuple[float, float]]:
        return [(share, request_bytes * (1 + stretch * max(0.0, step - 1))) for share, step in points]

    low, high = 0.0, 8.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(table(middle)) < mean_requests * request_bytes else (low, middle)
    return table(high)
