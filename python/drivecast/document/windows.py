"""Windows that represent a trace: which were kept, and how often each counts.

The header of an archive (`stage.windows_file`), as a person reads and edits it. Times are of the trace, in seconds.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from drivecast.document.part import Document, Part

SUFFIX = ".windows"
"""How the file of an archive ends."""
VERSION = 2
LENGTH_MAX_S = 1e9
WINDOWS_MAX = 1 << 24
"""Of a trace, and of a pass."""
ANONYMOUS = "anonymous: "
"""How a change begins that makes an archive one for others."""

Seconds = Annotated[float, Field(ge=0, le=1e8)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Cluster(Part):
    """Windows that are alike."""

    name: str
    """What they are: `busy 1`, or how they differ from the mean window."""
    weight: float = Field(ge=0, le=1e9)
    """Windows of the trace that it represents; to be edited."""
    windows: Annotated[list[int], Field(min_length=1)]
    """Those kept, by their number in the trace from 0; the weight is shared evenly."""
    leads_s: list[Seconds]
    """Of the trace before each of these: played, and not counted."""
    iops: Finite
    """Reads and writes a second, mean over all of the cluster."""
    bytes_per_s: Finite
    read_fraction: Finite

    @model_validator(mode="after")
    def _fits_together(self) -> "Cluster":
        if len(self.leads_s) != len(self.windows):
            raise ValueError(f"`leads_s` has {len(self.leads_s)} lengths for {len(self.windows)} windows")
        return self


class Estimate(Part):
    """What a quantile of latency may be in truth, over what windows give: an 80 % interval."""

    op: Literal["read", "write"]
    quantile: float
    low: float = Field(gt=0)
    high: float = Field(gt=0)


class Windows(Document):
    """The header."""

    schema_version: int = VERSION
    kind: Literal["windows"] = "windows"
    name: str
    trace_hash: str
    """Of the trace that they are of."""
    requests: int
    """Of a pass, reads and writes."""
    duration_s: float = Field(gt=0, le=1e9)
    span_bytes: int = Field(gt=0, lt=1 << 63)
    window_s: float = Field(ge=1e-9, le=1e8)
    windows: int = Field(gt=0, le=WINDOWS_MAX)
    """How many the trace has."""
    map_rate: int = Field(ge=1)
    """Of so many chunks of the address space the map has one; of 1 all."""
    error: Finite
    """What a p50 or p99 may be off on a design, as a factor less 1: estimated on designs left out of the choice."""
    estimates: list[Estimate]
    remarks: list[str]
    """What to bear in mind of this trace, in words."""
    changes: list[str] = Field(default_factory=list)
    """What is no longer as it was fitted, in words."""
    clusters: Annotated[list[Cluster], Field(min_length=1)]

    @property
    def notes(self) -> tuple[str, ...]:
        """What whoever uses them is to know."""
        return tuple(f"changed: {text}" for text in self.changes)

    @model_validator(mode="after")
    def _fits_together(self) -> "Windows":
        numbers = [number for cluster in self.clusters for number in cluster.windows]
        wrong = next((number for number in numbers if not 0 <= number < self.windows), None)
        if self.windows * self.window_s > LENGTH_MAX_S:
            raise ValueError(
                f"{self.windows} windows of {self.window_s:g} s are longer than {LENGTH_MAX_S:g} s"
            )
        if wrong is not None:
            raise ValueError(f"a cluster has window {wrong}; the trace has {self.windows}, from 0")
        if len(set(numbers)) < len(numbers):
            raise ValueError("a window is in two clusters, or twice in its own")
        if not any(cluster.weight > 0 for cluster in self.clusters):
            raise ValueError("no cluster has a weight")
        return self
