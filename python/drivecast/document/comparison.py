"""A comparison: runs, each next to its prediction or to another run, figure by figure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field

from drivecast.document import outcome as runs
from drivecast.document.findings import Setting
from drivecast.document.part import Document, Part

Outcome = Literal["within", "beyond", "untold"]
"""Of a judgement: within the tolerance, beyond it, or hidden by the noise."""
Method = Literal["repeats", "seconds", "requests", "independent requests", "none"]
"""What was resampled for an interval."""

Op = Literal["all", "read", "write", "transaction"]
"""A kind of request; `all` is reads and writes together."""

RATES = ("iops", "throughput_bytes_per_s")


@dataclass(frozen=True)
class Run:
    """One workload on one place, once or several times."""

    target: str
    workload: str | None
    settings: Mapping[str, Setting]
    outcomes: Sequence[runs.Outcome]
    """Of each repeat."""
    started: str | None = None
    """Of the first repeat."""
    workload_hash: str | None = None
    span_bytes: int | None = None
    named: tuple[str, ...] = ()
    """Settings that differ from those of the other runs of its side."""
    made: bool = False
    """Whether the target was made for the run: a file written once, in order."""
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The workload, with the settings that differ."""
        varied = ", ".join(f"{name} {self.settings[name]}" for name in self.named)
        what = self.workload or "database"
        return f"{what}{f' [{varied}]' if varied else ''}"

    @property
    def is_database(self) -> bool:
        """Whether transactions were measured, which no simulation predicts."""
        return self.outcomes[0].transaction is not None


@dataclass(frozen=True)
class Side:
    """All runs of a file, in its order."""

    name: str
    runs: Sequence[Run]
    seed: int | None
    measured: bool | None
    """Whether on a real target; none where the file does not state it."""
    partial: str | None = None
    """Why there is less than was planned; none where it is complete."""
    machine: Mapping[str, Any] = field(default_factory=dict)
    hash: str = ""
    """Of what was measured, by which the same measurement is recognised."""


class Figure(Part):
    """One figure of one kind of request on both sides, with 95 % intervals; none where the noise is not known."""

    op: Op
    figure: str
    measured: float
    measured_low: float | None
    measured_high: float | None
    predicted: float
    predicted_low: float | None
    """The interval spans flash times at either end of their range, and the noise of each."""
    predicted_high: float | None
    ratio: float
    """Predicted over measured; its interval is noise alone."""
    ratio_low: float | None
    ratio_high: float | None
    outcome: Outcome | Literal["shown"]
    beyond_noise: bool | None
    """Whether the difference is more than noise."""
    resampled: Method

    @property
    def factor(self) -> float:
        """How far off, whichever way; at least 1."""
        return max(self.ratio, 1 / self.ratio) if self.ratio > 0 else math.inf

    @property
    def covered(self) -> bool | None:
        """Whether the measured value lies within the prediction's own interval."""
        if self.predicted_low is None or self.predicted_high is None:
            return None
        return self.predicted_low <= self.measured <= self.predicted_high

    @property
    def is_rate(self) -> bool:
        """Whether more of it is better."""
        return self.figure in RATES


class Modes(Part):
    """Peaks of a distribution of latencies, fastest first: where, and what share of the requests."""

    latency_ns: list[float]
    shares: list[float]

    def __len__(self) -> int:
        return len(self.latency_ns)


class BothModes(Part):
    """The modes of either side."""

    measured: Modes
    predicted: Modes


class Point(Part):
    """A run next to its prediction."""

    run: Run = Field(exclude=True)
    prediction: Run = Field(exclude=True)
    saturated: Literal["measured", "predicted"] | None = Field(exclude=True)
    """The one side that does not keep up with the load; none where neither or both."""
    tolerance: float = Field(exclude=True)

    workload: str | None
    workload_hash: str | None
    kind: str | None
    """Of the workload; none of a database's."""
    target: str
    against: str
    settings: dict[str, Setting]
    repeats: int
    outcome: Outcome
    verdict: list[str] = Field(default_factory=list)
    """In sentences, the judgement first."""
    figures: list[Figure]
    modes: dict[str, BothModes]


class Comparison(Document):
    """Every run of a measurement next to its partner."""

    side: Side = Field(exclude=True)

    version: str
    seed: int
    """Of the bootstrap."""
    measured: str
    prediction: str
    """The design, or the other file."""
    against: Literal["prediction", "measurement"]
    tolerance: float
    up_to: str
    """The highest quantile that is judged."""
    outcome: Outcome
    verdict: str = ""
    """In a sentence."""
    notes: list[str]
    points: list[Point]

    @property
    def predicted(self) -> bool:
        """Whether the other side is a prediction, and not a measurement too."""
        return self.against == "prediction"

    def to_rows(self) -> list[dict[str, Any]]:
        """One row a figure and point."""
        return [
            {"point": at, "workload": point.workload, "target": point.target, **figure.model_dump()}
            for at, point in enumerate(self.points)
            for figure in point.figures
        ]
