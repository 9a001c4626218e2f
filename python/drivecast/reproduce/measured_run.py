"""A row of a table of measured drives, as a run of the simulator."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from drivecast._core import Workload
from drivecast.assess import outcome_interval
from drivecast.calibration import load_table
from drivecast.calibration.load_table import BELOW_SATURATION, Wanted
from drivecast.catalog import Catalog
from drivecast.catalog.drive import Drive
from drivecast.document.model import Model
from drivecast.document.outcome import Outcome
from drivecast.stage import model_file, simulate

SECONDS_MAX, REQUESTS_MAX = 10_000.0, 40_000_000
"""At which a run stops, whatever rate a table states."""
Reading = tuple[str, float, Callable[[Outcome], float]]
"""A quantity, what was measured of it, and how ours is read off an outcome."""


@dataclass(frozen=True)
class Run:
    """A workload on a drive, and what is read off the outcome."""

    source: str
    drive: str
    workload: str
    seconds: float
    fitted: bool
    figures: Sequence[Reading]
    model: Model | None = None
    """The load, where no line says it; `workload` is then words."""
    instead: Drive | None = None
    """What is simulated in place of the catalog's drive."""
    design: str | None = None
    """What the drive is a part of; none: it is alone."""
    warmup_s: float = load_table.WARMUP_S
    state: simulate.State = "steady"
    offered_per_s: float | None = None
    """Requests that arrive a second; none where the next waits for one to finish."""

    load: float | None = None
    """What is offered, as a share of what the drive was measured to carry."""
    light: bool | None = None
    """Of a closed loop, whether so little is outstanding that its latencies are the drive's, not those of a queue."""

    def saturated(self, outcome: Outcome) -> bool:
        """Whether the simulated drive does not keep up with what arrives, or has a queue in front."""
        if self.light is not None:
            return not self.light
        return self.offered_per_s is not None and outcome.iops < BELOW_SATURATION * self.offered_per_s

    def play(self, catalog: Catalog, seed: int) -> Outcome:
        """Simulate it, and say what is known of its latency."""
        if self.instead is not None:
            catalog = replace(catalog, drives={**catalog.drives, self.drive: self.instead})
        load = self._load(seed)
        again = None
        if self.offered_per_s is not None:
            again = outcome_interval.Again(
                lambda times: self._at(times, load, catalog, seed), load.iodepth is not None
            )
        outcome = self._at(1.0, load, catalog, seed)
        known = outcome_interval.known(outcome, [self.drive], catalog, again)
        return outcome.model_copy(update={"latency_known": known})

    def _at(self, times: float, load: Workload, catalog: Catalog, seed: int) -> Outcome:
        options = simulate.Options(
            seed=seed,
            speedup=times,
            duration_s=min(self.seconds, SECONDS_MAX),
            requests=REQUESTS_MAX,
            warmup_s=self.warmup_s,
            state=self.state,
        )
        return simulate.simulate(self.design or self.drive, load, catalog, options)

    def _load(self, seed: int) -> Workload:
        if self.model is None:
            return simulate.workload(self.workload)
        return model_file.workload(self.model, seed=seed)


@dataclass(frozen=True)
class Kind:
    """Quantities that are judged together: the median error and, where there is one, the worst factor that pass."""

    name: str
    quantities: Sequence[str]
    error_goal: float
    factor_goal: float | None = None


@dataclass(frozen=True)
class Blind:
    """Quantities of drives predicted from their sheets: what share of them the interval is to hold."""

    name: str
    quantities: Sequence[str]
    coverage_goal: tuple[float, float] | None = None
    width_goal: float | None = None
    """Of the upper end over the lower, of reads below saturation."""
    rows: Callable[[Run], bool] = lambda _: True
    """Which rows are simulated."""


@dataclass(frozen=True)
class Table:
    """A table by its file name, and how its rows become runs."""

    file: str
    kinds: Sequence[Kind]
    runs: Callable[[Path, Catalog, Wanted], Iterable[Run]]
    drive: Callable[[str, Path, Catalog], str]
    """The drive of the catalog that it calls by a title; raises `UnknownDriveError` where there is none."""
    blind: Blind | None = None
    """How its drives are judged when each is left out of all fits in turn; none: they are not."""


def quantile_us(op: str, key: str) -> Callable[[Outcome], float]:
    """Return what reads a quantile (`q0.99`) of an operation in microseconds."""
    return lambda outcome: outcome.latency_of(op, key) / 1e3
