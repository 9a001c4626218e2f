"""A private server: the interface of each kind of server, and a running server.

A server listens on a socket in a directory that only its own account may enter, and on no network, so that neither a
port nor a system's instance can be in its way. It is stopped cleanly between two settings, so that the next finds its
data whole; in any other case it is stopped at once, for its data are removed anyway.
"""

import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import ClassVar

from drivecast.bench.database.directory import Place
from drivecast.bench.database.tuning import Tuning
from drivecast.bench.environment.machine import version
from drivecast.errors import HintedError, InputError
from drivecast.files import program
from drivecast.supervisor import supervised

START_S = 600.0
"""How long a server may take to be ready: it may have to recover, or to rebuild its log."""

LAST_LINES = 12
"""Of a log that are shown when something fails."""
WIDTH = 240
"""Of such a line: a load generator prints whole statements."""
READ_BYTES = 1 << 20


class Server(ABC):
    """A kind of database server."""

    name: ClassVar[str]
    title: ClassVar[str]
    accounts: ClassVar[Sequence[str]]
    """Which accounts its packages make."""
    halt: ClassVar[signal.Signals]
    """Stops it at once; it recovers at the next start."""
    finish: ClassVar[signal.Signals]
    """Stops it cleanly."""

    copies: ClassVar[bool] = False
    """Whether a data directory may be copied to another place."""
    tables: ClassVar[str]
    """Where in the data directory the tables are."""

    @abstractmethod
    def programs(self) -> list[Path]:
        """Its programs, the server first. Raises `InputError` with how to install what is missing."""

    @abstractmethod
    def create(self, place: Place) -> None:
        """Make an empty data directory."""

    @abstractmethod
    def argv(self, place: Place, tuning: Tuning, connections: int) -> list[str]:
        """How it is started."""

    @abstractmethod
    def is_ready(self, place: Place) -> bool:
        """Whether it serves."""

    @abstractmethod
    def process(self, place: Place) -> int:
        """Its process. Raises `OSError` or `ValueError` where it is unknown."""

    @abstractmethod
    def sysbench(self, place: Place) -> list[str]:
        """How sysbench reaches it."""

    @abstractmethod
    def notes(self, tuning: Tuning, data_bytes: int) -> list[str]:
        """What is to be known of figures with this tuning."""

    @property
    def version(self) -> str | None:
        """The version that the server prints."""
        return version(self.programs()[0])


@dataclass(frozen=True)
class Running:
    """A server that serves."""

    server: Server
    place: Place
    log: Path
    supervisor: "Popen[bytes]"

    def must_live(self, patience_s: float = 0.0) -> None:
        """Raise `InputError` with its last words where it has ended, or does within `patience_s`."""
        until = time.monotonic() + patience_s
        while self.supervisor.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        if self.supervisor.poll() is not None:
            raise self._error("ended by itself")

    def wait_until_ready(self) -> None:
        """Wait until it serves. Raises `InputError` with its last words where it does not."""
        until = time.monotonic() + START_S
        while not self.server.is_ready(self.place):
            if self.supervisor.poll() is not None:
                raise self._error("does not start")
            if time.monotonic() > until:
                raise self._error(f"is not ready after {START_S:.0f} s")
            time.sleep(0.05)

    def finish(self) -> None:
        """Stop it cleanly, however long the dirty pages take. Raises `InputError` where it does not stop so."""
        try:
            os.kill(self.server.process(self.place), self.server.finish)
        except (OSError, ValueError):
            self.must_live()
            raise InputError(
                f"{self.server.title} has no process number in its data directory: {self.place.data}"
            ) from None
        if self.supervisor.wait() != 0:
            raise self._error("did not stop cleanly")

    def _error(self, what: str) -> InputError:
        return InputError(f"{self.server.title} {what}\nlast lines of its log:\n{last_lines(self.log)}")


@contextmanager
def running(server: Server, place: Place, tuning: Tuning, connections: int) -> Iterator[Running]:
    """The server on its data, serving for as long as the block lasts.

    Raises `InputError` with its log's last lines when it does not start.
    """
    log = place.work / "server.log"
    with _started(server.argv(place, tuning, connections), place, log, server.halt) as supervisor:
        started = Running(server, place, log, supervisor)
        started.wait_until_ready()
        yield started
        started.finish()


def run_whole(argv: Sequence[str], place: Place, what: str, tick: Callable[[], None] = lambda: None) -> Path:
    """Run a program to its end, as the place's account; the file with all it printed.

    `tick` is called while it runs. Raises `InputError` with its last lines when it fails.
    """
    printed = place.work / "program.log"
    with _started(argv, place, printed, signal.SIGTERM, grace_s=2) as supervisor:
        while supervisor.poll() is None:
            time.sleep(0.05)
            tick()
    # sysbench ends a failed load with code 0.
    if supervisor.returncode != 0 or b"\nFATAL: " in printed.read_bytes():
        raise InputError(
            f"{what} failed (code {supervisor.returncode})\nits last lines:\n{last_lines(printed)}"
        )
    return printed


@contextmanager
def _started(
    argv: Sequence[str], place: Place, log: Path, stop: signal.Signals, grace_s: float = 10.0
) -> Iterator["Popen[bytes]"]:
    """A program as the place's account, with all it prints in `log`, for as long as the block lasts."""
    with (
        log.open("wb") as printed,
        supervised(
            argv,
            stop=stop,
            grace_s=grace_s,
            cwd=place.work,
            env=environment(),
            stdout=printed,
            stderr=printed,
            account=place.account.ids,
            group=place.group,
        ) as supervisor,
    ):
        yield supervisor


def find(name: str, install: str, *folders: Path) -> Path:
    """A program in PATH or in `folders`. Raises `InputError` with how to install it."""
    found = program(name) or next(
        (str(folder / name) for folder in folders if os.access(folder / name, os.X_OK)), None
    )
    if found is None:
        raise HintedError(f"`{name}` was not found", install)
    return Path(found)


def environment() -> dict[str, str]:
    """Ours, without what would send a client elsewhere or make programs speak another language."""
    ours = {
        name: value for name, value in os.environ.items() if not name.startswith(("PG", "MYSQL_", "MARIADB_"))
    }
    return {**ours, "LC_ALL": "C"}


def last_lines(path: Path) -> str:
    """The last lines of a file, indented and cut, with control characters shown as `?`."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - READ_BYTES))
        lines = file.read().decode(errors="replace").splitlines()
    lines = [
        line if len(line) <= WIDTH else f"{line[: WIDTH - 60]} … {line[-57:]}"
        for line in lines
        if line.strip()
    ]
    clean = ["".join(sign if sign.isprintable() else "?" for sign in line) for line in lines]
    return "\n".join(f"  {line}" for line in clean[-LAST_LINES:]) or "  (it printed nothing)"
