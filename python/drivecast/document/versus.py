"""Designs under one workload, side by side: what `drivecast versus` prints."""

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from drivecast.document.array_state import Condition
from drivecast.document.cost import Cost
from drivecast.document.design import LatencyKnown, Level
from drivecast.document.part import Document, Part, Provenance, left_out
from drivecast.document.plan import Assumption, CachedPart, DataLoss, Life
from drivecast.flat_row import flat
from drivecast.quantity.interval import Span

By = Literal["speedup", "iodepth"]
"""What the load is varied by: a multiple of its own rate, or requests outstanding."""


class Played(Part):
    """The workload, and the part of it that is played."""

    name: str
    source: Literal["trace", "counters", "line"]
    iops: float | None = None
    """At its own speed, over the part that is played; null for a closed loop."""
    throughput_bytes_per_s: float | None = None
    read_fraction: float | None = None
    length_s: float | None = None
    """Of the part that is played; null for a closed loop."""
    extent_bytes: float | None = None
    """The first address behind all requests."""
    write_bytes_per_day: float | None = None
    """What life and cost are worked out from; null where it is unknown."""
    hash: Annotated[str | None, left_out()] = None
    """Of the log's content."""
    notes: list[str] = Field(default_factory=list)


class Price(Span):
    """What the drives cost to buy, without slots and controllers."""

    currency: str = "USD"
    provenance: Provenance
    source: str


class Headroom(Part):
    """The largest multiple of the load that a design serves as fast as it arrives."""

    condition: Condition
    times: float | None = None
    """At most 64; null below 1/16."""


class Contender(Part):
    """A design, and what does not depend on how fast the load is played."""

    line: str
    title: str
    drive: str | None = None
    """Null for a cached design, as are its name and the level: `cached` has both sides."""
    drive_title: str | None = None
    level: Level | None = None
    count: int
    """Drives in use."""
    failures_tolerated: int
    """Drives that may fail, whichever they are, without loss of data."""
    usable_bytes: float
    latency_known: LatencyKnown | None = None
    """How the latency of an SSD under load is known; null for a disk."""
    headroom: list[Headroom] = Field(default_factory=list)
    """Of each condition; empty for a closed loop."""
    write_amplification: Span | None = None
    life_years: Life | None = None
    """Null where nothing wears, or the writes of a day are unknown."""
    data_loss: DataLoss | None = None
    """The chance of losing data over the years."""
    price: Price
    cost: Cost
    """Over the years: purchase, energy, replacement."""
    power_w: Span
    """Idle, at the mean utilization of the years, always at this load."""
    rebuild_idle_h: float | None = None
    """Without load; null without redundancy."""
    cached: Annotated[CachedPart | None, left_out()] = None
    """Of a cache before slower drives; the figures of the design are those of both together."""

    def carries(self, condition: Condition) -> Headroom | None:
        """The headroom in a condition; none where it was not searched for, or data are lost."""
        return next((each for each in self.headroom if each.condition == condition), None)


class Run(Part):
    """A design in one condition under one load."""

    design: str
    condition: Condition
    at: float
    """The multiple of the load's own rate, or the requests outstanding."""
    lost: bool = False
    """Whether the failed drive takes the data with it: nothing is run then."""
    keeps_up: bool | None = None
    """Whether requests are served as fast as they arrive; null in a closed loop."""
    is_near_saturation: bool = False
    """Whether they may not be: drives may carry less than predicted. Latencies have no interval then."""
    iops: float | None = None
    throughput_bytes_per_s: float | None = None
    utilization: float | None = None
    """Share of the time in which a drive works, in [0, 1]."""
    read_p50_ns: Span | None = None
    read_p99_ns: Span | None = None
    read_p999_ns: Span | None = None
    write_p50_ns: Span | None = None
    write_p99_ns: Span | None = None
    write_p999_ns: Span | None = None
    rebuild_h: float | None = None
    """Of a whole drive at the rate it had in this run; null unless it was rebuilding, or got nowhere."""

    def p99(self, op: Literal["read", "write"]) -> Span | None:
        """The 99th percentile of reads or writes, in ns."""
        return self.read_p99_ns if op == "read" else self.write_p99_ns


class Reached(Part):
    """How much load a design takes in one condition at latencies that another has at the least load."""

    condition: Condition
    at: float | None = None
    """The largest load tried below which it always does; null where it does not at the least."""
    clear_at: float | None = None
    """The same where intervals of latency must not overlap, either."""
    undecided: bool = False
    """Whether `at` is null for p99s alone that are longer by less than their intervals: it may be as fast."""
    iops_ratio: float | None = None
    """In a closed loop: IOPS of the design over those of the other, the smallest over the depths."""


class Replacement(Part):
    """Whether a design can take the place of another."""

    design: str
    other: str
    holds: bool
    """In every condition that both survive, at the least load or more; in a closed loop, at every depth."""
    undecided: bool = False
    """Whether it does not by nothing but p99s that are longer by less than their intervals."""
    reached: list[Reached]


class Versus(Document):
    """Designs side by side."""

    version: str
    seed: int
    date: datetime.date | None = None
    """Of the prices."""
    command: Annotated[str | None, left_out()] = None
    workload: Played
    by: By
    at: list[float]
    """The loads, rising."""
    conditions: list[Condition]
    years: float
    capacity_bytes: float | None = None
    """What must fit, growth included; null for a line, which uses a share of each design."""
    designs: list[Contender]
    """In the order in which they were named: the question is whether the first replaces the others."""
    runs: list[Run]
    """Each condition, each load, each design."""
    replacements: list[Replacement]
    """Of each of the others by the first."""
    reverse: list[Replacement] = Field(default_factory=list)
    """Of the first by each of the others."""
    assumptions: list[Assumption] = Field(default_factory=list)
    hashes: dict[str, str | None] = Field(default_factory=dict)

    def to_rows(self) -> list[dict[str, Any]]:
        """A row a run; all have the same columns."""
        return [_row(run) for run in self.runs]

    def run(self, design: str, condition: Condition, at: float) -> Run | None:
        """The run of a design."""
        return next(
            (
                run
                for run in self.runs
                if run.design == design and run.condition == condition and run.at == at
            ),
            None,
        )

    def contender(self, line: str) -> Contender:
        """The design of that line; raises `KeyError` where there is none."""
        for design in self.designs:
            if design.line == line:
                return design
        raise KeyError(line)

    def rebuilds(self, line: str) -> Iterator[Run]:
        """The runs in which a drive of a design was rebuilt, in order of the load."""
        return (run for run in self.runs if run.design == line and run.rebuild_h is not None)


def _row(run: Run) -> dict[str, Any]:
    unknown = {"value": None, "low": None, "high": None}
    content = run.model_dump(mode="json", by_alias=True)
    return flat({key: value or unknown if key.endswith("_ns") else value for key, value in content.items()})
