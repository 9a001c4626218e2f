"""Load generators: the interface of a load of transactions, and the figures read from its output."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from drivecast.bench.database.directory import Place
from drivecast.bench.database.server import Server
from drivecast.document.findings import Setting
from drivecast.document.outcome import QUANTILES


@dataclass(frozen=True)
class Run:
    """One run of a load."""

    threads: int
    ramp_s: int
    time_s: int
    seed: int


@dataclass(frozen=True)
class Measured:
    """What a load carried in the measured time."""

    per_s: float
    latency_ns: dict[str, float]
    seconds: list[dict[str, float]]
    errors: int = 0
    kinds: dict[str, int] | None = None
    """How many transactions of each kind, the ramp included."""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Load(ABC):
    """A data set and the transactions on it."""

    title: str
    """Its name, as people know it."""
    data_bytes: int
    """About what the data set takes in a server's files."""
    settings: Mapping[str, Setting]
    """What decides the load."""

    @abstractmethod
    def program(self) -> Path:
        """What runs it. Raises `InputError` with how to install it."""

    def bring(self, place: Place) -> None:  # noqa: B027 (most loads bring nothing)
        """Put what its programs read into the working directory, before any of them is started."""

    @abstractmethod
    def prepare(self, server: Server, place: Place, threads: int) -> list[list[str]]:
        """The programs that make the data set, in order."""

    @abstractmethod
    def argv(self, server: Server, place: Place, run: Run) -> list[str]:
        """The program that runs it."""

    @abstractmethod
    def read(self, printed: Path, place: Place, run: Run) -> Measured:
        """Return the figures in what the program printed. Raises `InputError` where the format is unknown."""


def quantiles(buckets: Sequence[tuple[float, int]]) -> dict[str, float]:
    """Quantiles by name (`q0.95`), from rows of value and count; values in any unit, in ascending order.

    The quantile q of n latencies is the least value that at least q × n of them do not exceed. It is given only where
    a latency lies beyond it (n (1 − q) ≥ 1): with a thousand transactions there is a q0.999 and no q0.9999.
    """
    whole = sum(count for _value, count in buckets)
    sums = list(accumulate(count for _value, count in buckets))
    found = {}
    for name, quantile in QUANTILES.items():
        if whole * (1 - quantile) < 1 - 1e-9:
            break
        wanted = quantile * whole
        at = next(index for index, sum_ in enumerate(sums) if sum_ >= wanted - 1e-9 * whole)
        found[name] = float(buckets[at][0])
    return found
