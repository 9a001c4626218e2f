"""PostgreSQL: without passwords or network, its write-ahead log perhaps elsewhere.

Access needs no password (`trust`): the socket's directory is closed to all other users. Data always pass through the
system's page cache, so that `shared_buffers` does not bound the memory that serves reads.
"""

import os
import signal
import subprocess
from pathlib import Path

from drivecast.bench.database.directory import Place
from drivecast.bench.database.server import Server, environment, find, run_whole
from drivecast.bench.database.tuning import MIB, Tuning
from drivecast.errors import InputError

USER = "drivecast"
DATABASE = "postgres"
PORT = 5432
"""Names the socket; nothing listens on it."""

_PACKAGED = Path("/usr/lib/postgresql")
_INSTALL = "Debian: apt-get install postgresql"


class PostgreSQL(Server):
    """A private server of PostgreSQL."""

    name = "postgresql"
    title = "PostgreSQL"
    accounts = ("postgres",)
    halt = signal.SIGQUIT
    finish = signal.SIGINT
    tables = "base"

    def programs(self) -> list[Path]:
        """`postgres`, `initdb` and `pgbench` of one version: the newest that is packaged, else those in PATH."""
        return [program(name) for name in ("postgres", "initdb", "pgbench")]

    def create(self, place: Place) -> None:
        """Let `initdb` make the system's tables."""
        _server, initdb, _pgbench = self.programs()
        argv = [str(initdb), "-D", str(place.data), "-A", "trust", "-U", USER, "--locale=C", "-E", "UTF8"]
        if place.log:
            argv.append(f"--waldir={place.log / 'wal'}")
        run_whole(argv, place, "making PostgreSQL's data directory")

    def argv(self, place: Place, tuning: Tuning, connections: int) -> list[str]:
        """How it is started."""
        if tuning.io_capacity is not None or tuning.flush_method is not None:
            raise InputError("PostgreSQL has neither an I/O capacity nor a flush method to set")
        place.socket(f".s.PGSQL.{PORT}")
        settings = {
            "listen_addresses": "",
            "port": PORT,
            "unix_socket_directories": place.work,
            "unix_socket_permissions": "0700",
            "max_connections": connections + 8,
            "shared_buffers": f"{tuning.buffer_bytes // 1024}kB",
            "synchronous_commit": "on" if tuning.flush_at_commit == 1 else "off",
            "full_page_writes": "on" if tuning.doublewrite else "off",
            "max_wal_size": f"{tuning.log_bytes // MIB}MB",
            "logging_collector": "off",
            **dict(tuning.further),
        }
        given = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(self.programs()[0]), "-D", str(place.data), *given]

    def is_ready(self, place: Place) -> bool:
        """Whether it takes connections."""
        argv = [str(program("pg_isready")), "-q", *self.reached(place), "-d", DATABASE]
        return subprocess.run(argv, check=False, env=environment()).returncode == 0

    def process(self, place: Place) -> int:
        """Its process: the first line of its own file."""
        return int((place.data / "postmaster.pid").read_text().partition("\n")[0])

    def sysbench(self, place: Place) -> list[str]:
        """How sysbench reaches it."""
        return [
            "--db-driver=pgsql",
            f"--pgsql-host={place.work}",
            f"--pgsql-port={PORT}",
            f"--pgsql-user={USER}",
            f"--pgsql-db={DATABASE}",
        ]

    def reached(self, place: Place) -> list[str]:
        """How its own programs reach it."""
        return ["-h", str(place.work), "-p", str(PORT), "-U", USER]

    def notes(self, tuning: Tuning, data_bytes: int) -> list[str]:
        """What is to be known of figures with this tuning."""
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") - tuning.buffer_bytes
        if data_bytes > memory:
            return []
        return [
            "the data fit in the system's page cache: once they are there, reads do not reach the storage "
            "(a `--size` beyond the memory measures those)"
        ]


def program(name: str) -> Path:
    """A program of PostgreSQL. Raises `InputError` with how to install it."""
    versions = [folder for folder in _PACKAGED.glob("*/bin") if folder.parent.name.isdigit()]
    newest = sorted(versions, key=lambda folder: int(folder.parent.name), reverse=True)
    packaged = next((folder / name for folder in newest if os.access(folder / name, os.X_OK)), None)
    return packaged or find(name, _INSTALL)
