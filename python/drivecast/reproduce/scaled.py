"""A run of hours on a cache and an array of disks, in seconds: sizes and times divided by one number.

Kept: every rate, every share (of the cache over the data, of dirty blocks, of the stroke that seeks cross), how often a
page is written in a run, and so when a cache is warm and how dirty it is after a share of the run. The memory of the
array's controller is scaled along.

Not kept: what does not scale. As many blocks are cleaned at a time, so a request meets one of them more often than in
the real cache, by the scale at most; runs of neighbours end at fewer blocks.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np
import polars as pl

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.document.outcome import Outcome
from drivecast.reproduce.experiment import MIB
from drivecast.stage.simulate import Options, State, controller_specs, drive_specs

PAGE = 16384
CONTROLLER_MIB = 256


class Load(Protocol):
    """What is played."""

    def made(self, scale: int, seed: int) -> _core.Workload:
        """The requests at this scale."""


@dataclass(frozen=True)
class Line:
    """A workload line: its span is a share, so it is the same at every scale."""

    text: str

    def made(self, scale: int, seed: int) -> _core.Workload:  # noqa: ARG002 (the run has the seed)
        """The line."""
        return _core.Workload.line(self.text)


@dataclass(frozen=True)
class BehindPool:
    """Pages below a buffer pool that holds the hottest: reads are of the others, writes of all.

    Popularity is sysbench's Pareto distribution with h = 0.2: of n rows in order the first x n are chosen with
    probability x^(ln 0.8 / ln 0.2), in each of equal tables. A page is written back however hot it is, since the pool
    writes what is dirty, and read only if it is not in the pool.
    """

    data_bytes: float
    pool_bytes: float
    tables: int
    read: float
    requests: int

    def made(self, scale: int, seed: int) -> _core.Workload:
        """So many requests."""
        random = np.random.default_rng(seed)
        power = np.log(0.8) / np.log(0.2)
        is_read = random.random(self.requests) < self.read
        least = np.where(is_read, (self.pool_bytes / self.data_bytes) ** power, 0.0)
        rank = (least + random.random(self.requests) * (1 - least)) ** (1 / power)
        pages = int(self.data_bytes / scale / PAGE) // self.tables
        row = np.minimum((rank * pages).astype(np.int64), pages - 1)
        page = random.integers(0, self.tables, self.requests) * pages + row
        columns = {
            "time_ns": np.arange(self.requests) * 1000,
            "op": np.where(is_read, "read", "write"),
            "offset_bytes": page * PAGE,
            "size_bytes": np.full(self.requests, PAGE),
            "stream": np.zeros(self.requests, dtype=np.int64),
            "latency_ns": [None] * self.requests,
        }
        with TemporaryDirectory(prefix="drivecast-pool-") as folder:
            path = Path(folder) / "pages.csv"
            pl.DataFrame(columns).write_csv(path)
            return _core.Workload.trace([path])


@dataclass(frozen=True)
class Scaled:
    """A load in a closed loop on a design that is written at its scale."""

    design: str
    load: Load
    scale: int
    run_s: float
    """Of the real run, the time before `warmup_s` included."""
    warmup_s: float = 0.0
    state: State = "fresh"
    outstanding: int = 32

    def run(self, catalog: Catalog, seed: int) -> Outcome:
        """Return the outcome; its rates are those of the real run."""
        controllers = {}
        for name, text in controller_specs(self.design, catalog).items():
            spec: dict[str, Any] = json.loads(text)
            if spec["cache"]:
                spec["cache"]["bytes"] = CONTROLLER_MIB * MIB // self.scale
            controllers[name] = json.dumps(spec)
        options = Options(
            seed=seed,
            iodepth=self.outstanding,
            warmup_s=self.warmup_s / self.scale,
            duration_s=(self.run_s - self.warmup_s) / self.scale,
            state=self.state,
        )
        load = self.load.made(self.scale, seed)
        found = _core.simulate(self.design, drive_specs(self.design, catalog), load, options, controllers)
        return Outcome.model_validate(found)
