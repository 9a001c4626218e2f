"""A result: what was measured, point by point, with all that it takes to measure it again.

One JSON document whatever measured it (fio, the replayer, a database). A point is one workload on one target for one
stretch of time; its `outcome` is the document that `drivecast simulate` prints, so that a measured and a predicted run
are compared key by key. The file is written whole after each point: an interrupted run leaves a result with
`complete: false` and why, and the same command resumes after its last point.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag, ValidationError, field_serializer

from drivecast.document.attached import AttachedTarget, Carried
from drivecast.document.findings import Findings, Setting, SteadyState
from drivecast.document.outcome import Latency, Outcome
from drivecast.document.part import Part, left_out
from drivecast.errors import HintedError, first_fault
from drivecast.files import read_text, write_whole

SCHEMA_VERSION = 1

Kind = Literal["run", "sweep", "steady-state", "replay", "database", "quick"]


class Processor(Part):
    """Shares of the machine's processor time during a point, in [0, 1]; measured from `/proc/stat`."""

    user: float
    system: float
    iowait: float
    steal: float


class Transactions(Part):
    """What a database carried."""

    per_s: float
    errors: int = 0
    latency_ns: dict[str, float]
    """`mean`, `q0.5`, … `max`, as far as the load generator reports them."""
    seconds: list[dict[str, float]]
    """Rows `second`, `per_s`, `latency_ns_q0.95` where known."""
    kinds: dict[str, int] | None = None
    """How many of each kind (`new-order`, …), the ramp included, where the load has kinds."""


class Point(Part):
    """One workload on one target for one stretch of time."""

    target: str
    """The target as the user calls it: one of the result's `targets`."""
    settings: dict[str, Setting]
    """What is varied and what was chosen: `iodepth`, `block_bytes`, `read_fraction`, `repeat`, `round`, …"""
    workload: str | None
    """What the simulator can play again: a line such as `random(4KiB, read=0.7, iodepth=32)`, or the path of a
    model or trace; null for a database."""
    workload_hash: str | None = None
    """Of the model or trace, so that a prediction is known to be of the same."""
    span_bytes: int | None = None
    """How much of the target it works on."""
    started: str
    """ISO 8601, UTC."""
    ramp_s: float = 0.0
    """Left out of the figures."""
    outcome: Outcome | None = None
    """The document of `drivecast simulate`; null for a database. What a real target cannot report is null in it."""
    transactions: Transactions | None = None
    processor: Processor | None = None
    lag_ns: Latency | None = None
    """How late requests were issued, where the replayer issued them."""
    noise: dict[str, float] | None = None
    """What others did to the device meanwhile; see `environment`."""
    devices: dict[str, dict[str, float]] | None = None
    """What the devices behind a database did meanwhile, by their own counters: device to `reads_per_s`,
    `read_bytes_per_s`, `writes_per_s`, `written_bytes_per_s`, `flushes_per_s`, `queue_depth_mean`, `busy`."""
    attached: Annotated[list[Carried] | None, left_out()] = None
    """What simulated designs did meanwhile, where a database was on such."""
    notes: list[str] = Field(default_factory=list)


class Disk(Part):
    """A disk behind a target; further keys are those of `environment.storage`."""

    model_config = ConfigDict(extra="allow")

    name: str | None = None
    model: str | None = None
    firmware: str | None = None
    queue: dict[str, str | None] | None = None


class TargetRow(Part):
    """A target, and what `environment.storage` found behind it, all of which further keys hold."""

    model_config = ConfigDict(extra="allow")

    name: str
    """As the user calls it."""
    bytes: int | float | None = None
    made: bool | None = None
    """Whether it was made for the run."""
    on: str | None = None
    """What was opened, of replays."""
    kind: Literal["device", "file"] | None = None
    """Of tests of steady state."""
    mount: dict[str, str | None] | None = None
    disks: list[Disk] = Field(default_factory=list)
    attached: list[AttachedTarget] = Field(default_factory=list)
    """The simulated designs that it is, of databases."""

    @property
    def known(self) -> dict[str, Any]:
        """The row as JSON, without what was not judged."""
        return self.model_dump(mode="json", exclude_unset=True)


def _kind_of_findings(value: object) -> str:
    steady = isinstance(value, SteadyState) or (isinstance(value, Mapping) and "parts" in value)
    return "steady-state" if steady else "other"


class Result(Part):
    """A whole result; see the module."""

    schema_version: Literal[1] = 1
    kind: Kind
    title: str
    version: str
    seed: int
    plan_hash: str
    """Of all that decides what is measured; a result is resumed only by the same plan."""
    command: list[str]
    """The arguments that made it."""
    started: str
    ended: str | None = None
    complete: bool = False
    partial: str | None = None
    """Why it is not complete."""
    environment: dict[str, Any]
    """The machine, as `environment.machine` describes it."""
    targets: list[TargetRow]
    points: list[Point]
    findings: Annotated[
        Annotated[SteadyState, Tag("steady-state")] | Annotated[Findings, Tag("other")],
        Discriminator(_kind_of_findings),
    ] = Field(default_factory=Findings)
    """What was made of the points: steady state, knees, ratios; by kind."""

    @field_serializer("findings")
    def _filled(self, findings: Findings) -> dict[str, Any]:
        return findings.model_dump(mode="json", by_alias=True, exclude_unset=True)

    @field_serializer("targets")
    def _known(self, targets: list[TargetRow]) -> list[dict[str, Any]]:
        return [row.known for row in targets]


def write(path: Path, result: Result) -> None:
    """Write the result whole, or not at all."""
    write_whole(path, result.model_dump_json(indent=2) + "\n")


def read(path: Path) -> Result:
    """The result in a file. Raises `InputError` that names the file and the place."""
    text = read_text(path)
    try:
        found = Result.model_validate_json(text)
    except ValidationError as error:
        raise HintedError(
            f"`{path}` is no result of `drivecast bench`: {first_fault(error)}",
            "give a file that `drivecast bench … -o FILE` wrote",
        ) from None
    return found
