"""Load generators: the interface of a load of transactions, and the figures read from its output."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from drivecast.bench.database.directory import Place
from drivecast.bench.database.server import Server
from drivecast.document.findings import Setting


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


class Load(ABC):
    """A data set and the transactions on it."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Its name, as people know it."""

    @property
    @abstractmethod
    def data_bytes(self) -> int:
        """About what the data set takes in a server's files."""

    @abstractmethod
    def settings(self) -> Mapping[str, Setting]:
        """What decides the load."""

    @abstractmethod
    def programs(self) -> Mapping[str, Sequence[str]]:
        """Its programs by name, each with the command that prints its version."""

    @abstractmethod
    def prepare(self, server: Server, place: Place, threads: int) -> list[list[str]]:
        """The programs that make the data set, in order."""

    @abstractmethod
    def argv(self, server: Server, place: Place, run: Run) -> list[str]:
        """The program that runs it."""

    @abstractmethod
    def read(self, printed: Path, place: Place, run: Run) -> Measured:
        """Return the figures in what the program printed. Raises `InputError` where the format is unknown."""
