"""A row of a table of measured drives, as a run of the simulator."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from drivecast.calibration import load_table
from drivecast.catalog import Catalog
from drivecast.catalog.figure import correction
from drivecast.document.outcome import Outcome
from drivecast.errors import InputError
from drivecast.stage import simulate


@dataclass(frozen=True)
class Run:
    """A workload on a drive, and what is read off the outcome: quantity, measured, how to find ours."""

    source: str
    drive: str
    workload: str
    seconds: float
    fitted: bool
    figures: Sequence[tuple[str, float, Callable[[Outcome], float]]]

    def play(self, catalog: Catalog, seed: int) -> Outcome:
        """Simulate it."""
        options = simulate.Options(seed=seed, duration_s=self.seconds, warmup_s=load_table.WARMUP_S)
        return simulate.simulate(self.drive, simulate.workload(self.workload), catalog, options)


@dataclass(frozen=True)
class Kind:
    """Quantities that are judged together: the median error and, where there is one, the worst factor that pass."""

    name: str
    quantities: Sequence[str]
    error_goal: float
    factor_goal: float | None = None


@dataclass(frozen=True)
class Table:
    """A table by its file name, and how its rows become runs."""

    file: str
    kinds: Sequence[Kind]
    runs: Callable[[Path, Catalog], Iterable[Run]]


def quantile_us(op: str, key: str) -> Callable[[Outcome], float]:
    """Return what reads a quantile (`q0.99`) of an operation in microseconds."""
    return lambda outcome: outcome.latency_of(op, key) / 1e3


def drive_named(title: str, table: Path, catalog: Catalog) -> str:
    """Return the drive of the catalog that a table calls `title`. Raises `InputError` where there is none."""
    name = load_table.catalog_name(title)
    if name not in catalog.drives:
        hint = correction(name, list(catalog.drives), "`drivecast catalog list` lists them")
        raise InputError(
            f"{table}: drive `{title}`: expected a drive of the catalog, found no `{name}`\nhint: {hint}"
        )
    return name
