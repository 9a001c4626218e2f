"""What `drivecast serve` says of what it holds: traces, jobs, results, and windows of a trace.

The answers themselves are the documents of the verbs (`Profile`, `Plan`, `Fleet`, …). These parts are what is around
them: which there are, how far they have got, and the columns that a chart of a window needs.
"""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from drivecast.document.part import Part
from drivecast.document.plan import Design
from drivecast.document.plan_options import PlanOptions
from drivecast.quantity.interval import Span

State = Literal["draft", "queued", "running", "done", "failed", "cancelled", "interrupted"]
ENDED: tuple[State, ...] = ("done", "failed", "cancelled", "interrupted")
Kind = Literal["trace", "plan", "comparison", "result"]


class Progress(Part):
    """How far a job has got; `message` says why one failed, and `hint` what to do."""

    state: State
    share: float = 0.0
    what: str = ""
    message: str | None = None
    hint: str | None = None
    quiet_s: float | None = None
    """So long a job that runs has said nothing; none where the server does not know."""


class Failure(Part):
    """Why a request was refused."""

    code: str
    reason: str
    """For people."""
    hint: str | None = None


class About(Part):
    """The server, and what it allows."""

    version: str
    token: bool
    """Whether one is needed."""
    folders: list[str]
    fetch: Literal["any", "named", "none"]
    fetch_hosts: list[str]
    upload_bytes_max: int
    jobs_max: int
    job_time_max_s: float
    job_memory_max_bytes: int | None


class Trace(Progress):
    """A trace or a counter log that plans can be made of."""

    id: str
    name: str
    origin: Literal["upload", "folder", "url"]
    place: str | None = None
    """Where it is, in a folder, or where it came from."""
    files: list[str] = Field(default_factory=list)
    bytes: int = 0
    kind: Literal["trace", "counters"] | None = None
    format: str | None = None
    requests: float | None = None
    duration_s: float | None = None
    added: datetime
    reading: dict[str, Any] = Field(default_factory=dict)
    """How it is read, as far as that was said."""


class Traces(Part):
    """All traces, the newest first."""

    traces: list[Trace]


class Entry(Part):
    """A file or a folder within a named folder."""

    name: str
    kind: Literal["file", "folder"]
    bytes: int | None = None
    modified: datetime


class Folders(Part):
    """The folders that traces may be named in."""

    folders: list[str]


class Listing(Part):
    """What is in a folder."""

    folder: str
    path: str
    entries: list[Entry]


class Series(Part):
    """A window of a trace over time, in columns of equal length; a bin without requests has no latency and no size."""

    from_s: float
    to_s: float
    step_s: float
    duration_s: float
    source: Literal["trace", "counters"]
    time_s: list[float]
    """The begin of each bin."""
    reads_per_s: list[float]
    writes_per_s: list[float]
    read_bytes_per_s: list[float]
    written_bytes_per_s: list[float]
    size_bytes_mean: list[float | None]
    latency_ns_mean: list[float | None]
    latency_ns_q50: list[float | None]
    latency_ns_q99: list[float | None]
    latency_ns_max: list[float | None]


class HeatWindow(Part):
    """Requests in each bin of time (outer) and address (inner), of a window."""

    from_s: float
    to_s: float
    from_bytes: int
    to_bytes: int
    time_bin_s: float
    address_bin_bytes: float
    time_bins: int
    address_bins: int
    counts: list[list[int]]


class Latencies(Part):
    """The cumulative distribution of latency in a window."""

    from_s: float
    to_s: float
    requests: int
    below_ns: list[float]
    shares: list[float]


class Answer(Part):
    """A plan in short."""

    winner: str | None
    title: str | None
    total_usd: float | None
    fits: int
    considered: int


class PlanJob(Progress):
    """A plan, made or being made."""

    id: str
    name: str
    notes: str = ""
    revision: int
    """Counts edits of name and notes."""
    traces: list[str]
    model: str | None = None
    """A workload model in place of traces."""
    options: PlanOptions
    created: datetime
    began: datetime | None = None
    ended: datetime | None = None
    answer: Answer | None = None


class NamedModel(Part):
    """A workload model that comes with the program."""

    name: str
    description: str


class Models(Part):
    """Workload models that a plan can be made of."""

    models: list[NamedModel]


class PlanJobs(Part):
    """All plans, the newest first."""

    plans: list[PlanJob]


def _value(span: Span | None) -> float | None:
    return None if span is None else span.value


class ComparedRequirement(Part):
    """A requirement of two plans."""

    name: str
    first: str | None = None
    second: str | None = None
    same: bool


class Side(Part):
    """A design in one of two plans."""

    rank: int | None
    verdict: str
    total_usd: float | None
    life_years: float | None
    headroom: float | None
    read_p99_ns: float | None
    write_p99_ns: float | None
    data_loss: float | None

    @classmethod
    def of(cls, design: Design) -> "Side":
        """What is compared of a design."""
        return cls(
            rank=design.rank,
            verdict=design.verdict,
            total_usd=design.cost.total if design.cost else None,
            life_years=_value(design.life_years),
            headroom=design.headroom,
            read_p99_ns=_value(design.read_p99_ns),
            write_p99_ns=_value(design.write_p99_ns),
            data_loss=_value(design.data_loss),
        )


class ComparedDesign(Part):
    """A design in two plans; none where one of them does not have it."""

    line: str
    title: str
    first: Side | None = None
    second: Side | None = None


class PlanComparison(Part):
    """Two plans side by side."""

    first: PlanJob
    second: PlanJob
    requirements: list[ComparedRequirement]
    designs: list[ComparedDesign]


class Measured(Part):
    """A result of `drivecast bench`, in short."""

    id: str
    name: str
    kind: str
    targets: list[str]
    points: int
    complete: bool
    added: datetime


class MeasuredResults(Part):
    """All results, the newest first."""

    results: list[Measured]


class ComparisonJob(Progress):
    """A measured result next to another, or next to a design on which it is simulated."""

    id: str
    measured: str
    result: str | None = None
    design: str | None = None
    created: datetime
    outcome: str | None = None


class ComparisonJobs(Part):
    """All comparisons, the newest first."""

    comparisons: list[ComparisonJob]
