"""What is measured: every tuning of the server on every target, at every number of threads, several times.

Repeats are the outermost loop, then tunings, and each is measured on every target before the next: what changes slowly
(the data grow, the drive warms, neighbours come and go) then touches all targets alike, and spreads over the settings
instead of deciding between them. Numbers of threads are innermost, on one running server.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from drivecast.bench.database.data_copy import copies
from drivecast.bench.database.directory import Site
from drivecast.bench.database.generator import Load
from drivecast.bench.database.server import Server
from drivecast.bench.database.tuning import Tuning
from drivecast.catalog import Catalog, load
from drivecast.document.findings import Setting

LOAD_BYTES_PER_S = 25e6
"""How fast a data set is loaded, for the time left; assumed."""
COPY_BYTES_PER_S = 200e6
"""How fast one is copied between designs, for the time left; assumed."""
RESTART_S = 5.0
"""How long a server takes to stop and start, for the time left; assumed."""

FIXED_BYTES = 512 << 20
"""What a server's own files take beside data and log: system tables, undo, doublewrite, temporary tables; assumed."""
GROWTH = 1.25
"""How much larger than when it was loaded a data set may grow; assumed."""


@dataclass(frozen=True)
class Step:
    """One point to be."""

    site: Site
    tuning: Tuning
    threads: int
    repeat: int


@dataclass(frozen=True)
class Plan:
    """All that decides what is measured."""

    server: Server
    load: Load
    sites: tuple[Site, ...]
    tunings: tuple[Tuning, ...]
    threads: tuple[int, ...]
    ramp_s: int
    time_s: int
    repeats: int = 1
    seed: int = 0
    catalog: Catalog | None = None
    """Of the drives of designs; none: the one that is bundled."""

    def drives(self) -> Catalog:
        """The drives of designs."""
        return self.catalog or load([])

    def steps(self) -> list[Step]:
        """The points, in order."""
        every = product(range(1, self.repeats + 1), self.tunings, self.sites, self.threads)
        return [Step(site, tuning, threads, repeat) for repeat, tuning, site, threads in every]

    def settings(self, step: Step) -> dict[str, Setting]:
        """The settings that identify a point."""
        return {
            "server": self.server.name,
            **self.load.settings,
            **step.tuning.settings(),
            **dict(step.tuning.further),
            "threads": step.threads,
            "repeat": step.repeat,
        }

    def described(self) -> Mapping[str, Any]:
        """All that decides what is measured, for its hash."""
        chosen = {name: value for name, value in vars(self).items() if name != "catalog"}
        designs = [design.described(self.drives()) for site in self.sites for design in site.designs]
        return {
            **chosen,
            **({"designs": designs} if designs else {}),
            "server": self.server.name,
            "load": self.load.settings,
            "sites": [site.name for site in self.sites],
            "tunings": [dataclasses.asdict(tuning) for tuning in self.tunings],
        }

    @property
    def title(self) -> str:
        """The load and the server, in a line."""
        return f"{self.load.title} on {self.server.title}"

    @property
    def log_bytes(self) -> int:
        """The largest log among the tunings."""
        return max(tuning.log_bytes for tuning in self.tunings)

    @property
    def need_bytes(self) -> tuple[int, int]:
        """Room for the data and for the log."""
        return round(self.load.data_bytes * GROWTH) + FIXED_BYTES, 2 * self.log_bytes

    @property
    def load_s(self) -> float:
        """About how long loading takes on one target."""
        return RESTART_S + self.load.data_bytes / LOAD_BYTES_PER_S

    @property
    def copy_s(self) -> float:
        """About how long copying the data set takes."""
        return self.load.data_bytes / COPY_BYTES_PER_S

    @property
    def loads_s(self) -> float:
        """About how long it takes until all targets have the data set."""
        copied = copies(self.server, list(self.sites))
        return copied * self.copy_s + (len(self.sites) - copied) * self.load_s

    @property
    def step_s(self) -> float:
        """About how long a point takes."""
        return RESTART_S + self.ramp_s + self.time_s
