"""An experiment: what to run, and how to read it.

An experiment is data: named tasks, each a design and a workload, and a pure function from their outcomes to findings.
Equal tasks of different experiments run once. The outcome of a task is the JSON document of `drivecast simulate` or
`drivecast wear`.
"""

import functools
import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Protocol

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.reproduce.result import Findings
from drivecast.stage.simulate import Options, drive_specs, simulate
from drivecast.stage.wear import amplification

Outcome = dict[str, Any]
MIB = 1 << 20


@dataclass(frozen=True)
class Timed:
    """A workload line on a design, against the clock."""

    design: str
    workload: str
    requests: int | None = None
    duration_s: float | None = None
    fill: float = 1.0
    laid_out: bool = False
    """Start from a file written once, in order, instead of from the steady state."""

    def run(self, catalog: Catalog, seed: int) -> Outcome:
        """The outcome as `drivecast simulate` prints it."""
        options = Options(
            seed=seed,
            requests=self.requests,
            duration_s=self.duration_s,
            fill=self.fill,
            state="laid-out" if self.laid_out else "steady",
        )
        return simulate(self.design, _core.Workload.line(self.workload), catalog, options)


@dataclass(frozen=True)
class Worn:
    """A workload line on a design, without a clock."""

    design: str
    workload: str
    fill: float = 1.0
    reduced: int = 1
    """Capacity and flash of each drive divided by this: uniform writes are amplified by their ratio, not their size."""

    def run(self, catalog: Catalog, seed: int) -> Outcome:
        """The result as `drivecast wear` prints it."""
        load = _core.Workload.line(self.workload)
        if self.reduced == 1:
            return amplification(self.design, load, catalog, fill=self.fill, seed=seed)
        specs = {name: json.loads(text) for name, text in drive_specs(self.design, catalog).items()}
        for spec in specs.values():
            for size in ("logical_bytes", "physical_bytes"):
                spec[size] //= self.reduced
        smaller = {name: json.dumps(spec) for name, spec in specs.items()}
        return dict(json.loads(_core.wear(self.design, smaller, load, seed=seed, fill=self.fill)))


class Task(Protocol):
    """A run; equal tasks are hashable and run once."""

    def run(self, catalog: Catalog, seed: int) -> Outcome:
        """Its outcome."""


Outcomes = Mapping[str, Outcome]


@dataclass(frozen=True)
class Experiment:
    """One published experiment."""

    name: str
    title: str
    documents: tuple[str, ...]
    """Names in `published.toml`."""
    conditions: tuple[str, ...]
    """What the documents leave open, and what is taken for it."""
    read: Callable[[Findings, Outcomes, Catalog], None]
    """Fills in the findings."""
    tasks: Mapping[str, Task] = field(default_factory=dict)


@functools.cache
def published() -> dict[str, Any]:
    """The published figures."""
    return tomllib.loads(resources.files("drivecast.reproduce").joinpath("published.toml").read_text("utf-8"))


def mib_s(outcome: Outcome) -> float:
    """Throughput in MiB/s."""
    return float(outcome["throughput_bytes_per_s"]) / MIB


def mb_s(outcome: Outcome) -> float:
    """Throughput in MB/s."""
    return float(outcome["throughput_bytes_per_s"]) / 1e6


def latency_ms(outcome: Outcome, op: str, which: str = "mean") -> float:
    """A latency of reads or writes in ms: `mean`, `q0.95`, `max`."""
    return float(outcome[op]["latency_ns"][which]) / 1e6
