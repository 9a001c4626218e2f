"""The errors of predictions so far: what each comparison adds to the log, and what is listed of it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from drivecast.document.part import Document, Part

Scope = Literal["drive and kind", "drive", "kind", "none"]
"""Which comparisons a summary is of; the nearest that there are."""


class Ratio(BaseModel):
    """Predicted over measured, with the interval that is noise."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    op: str
    figure: str
    ratio: float
    low: float | None = None
    high: float | None = None


class Record(BaseModel):
    """The errors of one prediction of one run."""

    model_config = ConfigDict(frozen=True)

    schema_version: int
    key: str
    """Of the run that was measured, and the design it was predicted on."""
    measured: str
    """When it was measured: ISO 8601, UTC; empty where the result does not state it."""
    version: str
    """Of drivecast, when it was predicted."""
    design: str
    drives: list[str]
    drives_hash: str
    """Of what the drives were simulated as."""
    kind: str
    workload: str
    target: str
    tolerance: float
    outcome: str
    ratios: list[Ratio]


class Spread(Part):
    """Ratios of predicted to measured over comparisons."""

    n: int
    median: float
    low: float
    high: float


class Standing(Part):
    """How far predictions have been off so far."""

    scope: Scope
    n: int
    """Comparisons within the scope."""
    within: int
    """Of them, those whose prediction was within its tolerance."""
    iops: Spread | None = None
    p50: Spread | None = None
    p99: Spread | None = None


class KindRow(Part):
    """A drive under a kind of workload: medians and ranges of predicted over measured."""

    drive: str
    kind: str
    comparisons: int
    within: int
    iops: float | None
    iops_low: float | None
    iops_high: float | None
    p50: float | None
    p50_low: float | None
    p50_high: float | None
    p99: float | None
    p99_low: float | None
    p99_high: float | None


class ComparisonRow(Part):
    """A comparison: predicted over measured."""

    drive: str
    kind: str
    design: str
    workload: str
    target: str
    measured: str
    version: str
    outcome: str
    iops: float | None
    read_p50: float | None
    read_p99: float | None
    write_p50: float | None
    write_p99: float | None


class ErrorLog(Document):
    """The log as it is listed: a row a drive and kind of workload, or a row a comparison."""

    history: str
    """The file."""
    comparisons: int
    rows: list[KindRow] | list[ComparisonRow]
