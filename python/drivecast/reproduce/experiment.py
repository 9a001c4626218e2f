"""An experiment: what to run, how to read it, and how it is run.

An experiment is data: named tasks, each a design and a workload, and a pure function from their outcomes to findings.
Equal tasks of different experiments run once, over all cores and with the same seed. Results come in the order of the
experiments, so they do not depend on the number of cores.
"""

import functools
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Generic, Literal, Protocol, TypeVar

from drivecast import __version__, _core
from drivecast.catalog import Catalog
from drivecast.document.outcome import Outcome
from drivecast.document.reproduction import (
    WITHIN,
    Described,
    Kind,
    Ordering,
    Reproduction,
    Row,
    passed,
    share_within,
)
from drivecast.document.wear import Amplification
from drivecast.stage.simulate import Options, State, drive_specs, simulate
from drivecast.stage.wear import amplification
from drivecast.thread import over_cores

MIB = 1 << 20

CLOSE = 0.10
"""A ratio further off than this is explained."""


@dataclass(frozen=True)
class Timed:
    """A workload line on a design, against the clock."""

    design: str
    workload: str
    duration_s: float | None = None
    fill: float = 1.0
    state: State = "steady"

    def run(self, catalog: Catalog, seed: int) -> Outcome:
        """Return the outcome as `drivecast simulate` prints it."""
        options = Options(seed=seed, duration_s=self.duration_s, fill=self.fill, state=self.state)
        return simulate(self.design, _core.Workload.line(self.workload), catalog, options)


@dataclass(frozen=True)
class Worn:
    """A workload line on a design, without a clock."""

    design: str
    workload: str
    fill: float = 1.0
    reduced: int = 1
    """Capacity and flash of each drive divided by this: uniform writes are amplified by their ratio, not their size."""

    def run(self, catalog: Catalog, seed: int) -> Amplification:
        """Return what the flash does."""
        load = _core.Workload.line(self.workload)
        if self.reduced == 1:
            return amplification(self.design, load, catalog, fill=self.fill, seed=seed)
        specs = {name: json.loads(text) for name, text in drive_specs(self.design, catalog).items()}
        for spec in specs.values():
            for size in ("logical_bytes", "physical_bytes"):
                spec[size] //= self.reduced
        smaller = {name: json.dumps(spec) for name, spec in specs.items()}
        found = _core.wear(self.design, smaller, load, seed=seed, fill=self.fill)
        return Amplification.model_validate(found)


class Task(Protocol):
    """A run; equal tasks are hashable and run once."""

    def run(self, catalog: Catalog, seed: int) -> Any:
        """Return its outcome."""


T = TypeVar("T")


@dataclass
class Findings(Generic[T]):
    """What one experiment found; its `read` fills it in."""

    experiment: str
    catalog: Catalog
    outcomes: Mapping[str, T] = field(default_factory=dict)
    """What the tasks returned, by name."""
    kind: Kind = "simulated"
    """Of figures that do not say otherwise."""
    rows: list[Row] = field(default_factory=list)
    orderings: list[Ordering] = field(default_factory=list)

    def figure(
        self,
        quantity: str,
        unit: str,
        published: float,
        ours: float,
        *others: float,
        why: str = "",
        kind: Kind | None = None,
    ) -> None:
        """Add a figure; `others` is what ours could also be, and `why` is left out where the ratio is close."""
        self.rows.append(
            figure_row(self.experiment, quantity, unit, published, [ours, *others], kind or self.kind, why)
        )

    def figures(
        self, published: Mapping[str, float], rows: Iterable[tuple[str, str, str, float]], why: str = ""
    ) -> None:
        """Add figures: quantity, unit, key of the published figure, ours."""
        for quantity, unit, key, ours in rows:
            self.figure(quantity, unit, published[key], ours, why=why)

    def compared(
        self,
        statement: str,
        first: float,
        sign: Literal["<", ">"],
        second: float,
        unit: str = "",
        digits: int = 2,
    ) -> None:
        """Add a statement that one of our figures is less or more than another."""
        right = first < second if sign == "<" else first > second
        ours = f"{first:,.{digits}f} against {second:,.{digits}f} {unit}".rstrip()
        self.ordering(statement, right, ours)

    def ordering(self, statement: str, right: bool, ours: str) -> None:
        """Add a statement, whether ours agrees, and the figures it was judged by."""
        self.orderings.append(
            Ordering(experiment=self.experiment, statement=statement, ours=ours, right=right)
        )


def figure_row(
    experiment: str, quantity: str, unit: str, published: float, ours: Sequence[float], kind: Kind, why: str
) -> Row:
    """A published figure and ours; further ones are what ours could also be."""
    ratio = ours[0] / published
    off = abs(ratio - 1)
    return Row(
        experiment=experiment,
        quantity=quantity,
        unit=unit,
        published=published,
        ours=ours[0],
        ratio=ratio,
        low=min(ours) if len(ours) > 1 else None,
        high=max(ours) if len(ours) > 1 else None,
        within=off <= WITHIN,
        kind=kind,
        why="" if off <= CLOSE else why,
    )


def documents(names: Iterable[str]) -> list[str]:
    """Publications by their names in `published.toml`."""
    return [published()["documents"][name] for name in names]


@dataclass(frozen=True)
class Experiment:
    """One published experiment."""

    name: str
    title: str
    documents: tuple[str, ...]
    """Names in `published.toml`."""
    conditions: tuple[str, ...]
    """What the documents leave open, and what is assumed for it."""
    read: Callable[[Findings[Any]], None]
    """Fills in the findings."""
    tasks: Mapping[str, Task] = field(default_factory=dict)
    kind: Kind = "simulated"
    """Of its figures."""


@functools.cache
def published() -> dict[str, Any]:
    """The published figures."""
    return tomllib.loads(resources.files("drivecast.reproduce").joinpath("published.toml").read_text("utf-8"))


def mib_s(outcome: Outcome) -> float:
    """Return the throughput in MiB/s."""
    return outcome.throughput_bytes_per_s / MIB


def mb_s(outcome: Outcome) -> float:
    """Return the throughput in MB/s."""
    return outcome.throughput_bytes_per_s / 1e6


def latency_ms(outcome: Outcome, op: str, which: str = "mean") -> float:
    """Return a latency of reads or writes in ms: `mean`, `q0.95`, `max`."""
    return outcome.latency_of(op, which) / 1e6


def run(
    experiments: Sequence[Experiment], catalog: Catalog, *, seed: int, progress: Callable[[float, str], None]
) -> Reproduction:
    """Run experiments; `progress` takes (share done, experiment)."""
    owners: dict[Task, str] = {}
    for experiment in experiments:
        for task in experiment.tasks.values():
            owners.setdefault(task, experiment.name)
    tasks = list(owners)
    results = over_cores(
        lambda task: task.run(catalog, seed), tasks, lambda share, task: progress(share, owners[task])
    )
    outcomes = dict(zip(tasks, results, strict=True))
    rows: list[Row] = []
    orderings: list[Ordering] = []
    for experiment in experiments:
        own = {name: outcomes[task] for name, task in experiment.tasks.items()}
        findings = Findings(experiment.name, catalog, own, experiment.kind)
        experiment.read(findings)
        rows += findings.rows
        orderings += findings.orderings
    return Reproduction(
        version=__version__,
        seed=seed,
        experiments=[
            Described(
                name=experiment.name,
                title=experiment.title,
                documents=documents(experiment.documents),
                conditions=list(experiment.conditions),
            )
            for experiment in experiments
        ],
        rows=rows,
        orderings=orderings,
        share_within_simulated=share_within(rows, "simulated"),
        share_within_computed=share_within(rows, "computed"),
        orderings_right=sum(ordering.right for ordering in orderings),
        passed=passed(rows, orderings),
    )
