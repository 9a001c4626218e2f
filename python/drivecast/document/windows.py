"""Windows that stand for a trace: which were kept, and how often each counts.

The header of an archive (`stage.windows_file`), as a person reads and edits it. Times are of the trace, in seconds.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from drivecast.document.part import Document, Part

VERSION = 1


class Cluster(Part):
    """Windows that are alike."""

    name: str
    """What they are: `heaviest 1`, or how they differ from the mean window."""
    weight: float = Field(ge=0)
    """Windows of the trace that it stands for; to be edited."""
    windows: Annotated[list[int], Field(min_length=1)]
    """Those kept, by their number in the trace from 0; the weight is shared evenly."""
    iops: float
    """Reads and writes a second, mean over all of the cluster."""
    bytes_per_s: float
    read_fraction: float


class Windows(Document):
    """The header."""

    schema_version: int = VERSION
    kind: Literal["windows"] = "windows"
    name: str
    trace_hash: str
    """Of the trace that they are of."""
    requests: int
    """Of the trace, reads and writes."""
    duration_s: float = Field(gt=0)
    span_bytes: int = Field(gt=0)
    window_s: float = Field(gt=0)
    lead_s: float = Field(ge=0)
    """Of the trace before a window: played, and not counted."""
    error: float
    """What a p50 or p99 may be off on a design, as a factor less 1: estimated on designs left out of the choice."""
    clusters: Annotated[list[Cluster], Field(min_length=1)]
    order: list[int]
    """For each window of the trace its cluster."""

    @model_validator(mode="after")
    def _fits_together(self) -> "Windows":
        wrong = next((at for at in self.order if not 0 <= at < len(self.clusters)), None)
        if wrong is not None:
            raise ValueError(f"`order` names cluster {wrong}; there are {len(self.clusters)}, from 0")
        if not any(cluster.weight > 0 for cluster in self.clusters):
            raise ValueError("no cluster has a weight")
        return self
