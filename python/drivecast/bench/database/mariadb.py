"""MariaDB and MySQL: InnoDB alone, without accounts, binary log or network.

Access needs no password (`skip-grant-tables`): the socket's directory is closed to all other users. The buffer pool
is neither saved at the end nor loaded at the start: its reads would fall into the ramp of the next setting.

MariaDB was run with 10.11. MySQL differs in how an empty data directory is made and in the name of the log's size.
"""

import signal
import socket
from pathlib import Path

from drivecast.bench.database.directory import Place
from drivecast.bench.database.server import Server, find, run_whole
from drivecast.bench.database.tuning import Tuning
from drivecast.bench.environment.machine import version
from drivecast.errors import HintedError

DATABASE = "drivecast"


class MariaDB(Server):
    """A private server of MariaDB."""

    name = "mariadb"
    title = "MariaDB"
    accounts = ("mysql", "mariadb")
    halt = signal.SIGTERM
    finish = signal.SIGTERM
    copies = True
    tables = DATABASE

    def programs(self) -> list[Path]:
        """The server alone: it makes its data directory itself."""
        return [find("mariadbd", "Debian: apt-get install mariadb-server", Path("/usr/libexec"))]

    def create(self, place: Place) -> None:
        """Make an empty directory: the server fills it, and needs no tables of its own without accounts."""
        place.data.mkdir(mode=0o700)
        place.account.owns(place.data)

    def argv(self, place: Place, tuning: Tuning, connections: int) -> list[str]:
        """How it is started."""
        first = place.work / "first.sql"
        first.write_text(f"CREATE DATABASE IF NOT EXISTS {DATABASE};\n")
        first.chmod(0o644)
        options = {
            "datadir": place.data,
            "tmpdir": place.top,
            "socket": place.socket("mysql.sock"),
            "pid-file": place.work / "server.pid",
            "init-file": first,
            "max-connections": connections + 8,
            "innodb-buffer-pool-size": tuning.buffer_bytes,
            "innodb-buffer-pool-dump-at-shutdown": "OFF",
            "innodb-buffer-pool-load-at-startup": "OFF",
            "innodb-flush-log-at-trx-commit": tuning.flush_at_commit,
            "innodb-doublewrite": "ON" if tuning.doublewrite else "OFF",
            "innodb-flush-method": tuning.flush_method,
            "innodb-io-capacity": tuning.io_capacity,
            "innodb-io-capacity-max": 2 * tuning.io_capacity if tuning.io_capacity else None,
            "innodb-stats-persistent": "OFF",
            "innodb-log-group-home-dir": place.log,
            **self._log(tuning),
            **dict(tuning.further),
        }
        given = [f"--{name}={value}" for name, value in options.items() if value is not None]
        alone = ["--no-defaults", "--skip-networking", "--skip-grant-tables", "--skip-log-bin"]
        return [str(self.programs()[0]), *alone, *given]

    def _log(self, tuning: Tuning) -> dict[str, int]:
        return {"innodb-log-file-size": tuning.log_bytes}

    def is_ready(self, place: Place) -> bool:
        """Whether it greets: it accepts only after it has recovered."""
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(5)
                client.connect(str(place.socket("mysql.sock")))
                return bool(client.recv(1))
        except OSError:
            return False

    def process(self, place: Place) -> int:
        """Its process."""
        return int((place.work / "server.pid").read_text())

    def sysbench(self, place: Place) -> list[str]:
        """How sysbench reaches it."""
        return [
            "--db-driver=mysql",
            f"--mysql-socket={place.socket('mysql.sock')}",
            "--mysql-user=root",
            f"--mysql-db={DATABASE}",
        ]

    def notes(self, tuning: Tuning, data_bytes: int) -> list[str]:  # noqa: ARG002 (as all servers have it)
        """What is to be known of figures with this tuning."""
        if tuning.flush_method and tuning.flush_method.upper().startswith("O_DIRECT"):
            return []
        return ["data pass through the system's page cache, which serves reads beside the buffer pool"]


class MySQL(MariaDB):
    """A private server of MySQL, 8.0.30 or newer."""

    name = "mysql"
    title = "MySQL"
    accounts = ("mysql", "mysqld")

    def programs(self) -> list[Path]:
        """The server alone."""
        hint = "install MySQL's community server: https://dev.mysql.com/downloads/mysql"
        found = find("mysqld", hint, Path("/usr/libexec"))
        if "MariaDB" in (version(found) or ""):
            raise HintedError(
                f"`{found}` is MariaDB's other name for its server", f"`--server mariadb`, or {hint}"
            )
        return [found]

    def create(self, place: Place) -> None:
        """Let the server make its data dictionary."""
        argv = [str(self.programs()[0]), "--no-defaults", "--initialize-insecure", f"--datadir={place.data}"]
        if place.log:
            argv.append(f"--innodb-log-group-home-dir={place.log}")
        run_whole(argv, place, "making MySQL's data directory")

    def argv(self, place: Place, tuning: Tuning, connections: int) -> list[str]:
        """How it is started."""
        return [*super().argv(place, tuning, connections), "--mysqlx=OFF"]

    def _log(self, tuning: Tuning) -> dict[str, int]:
        return {"innodb-redo-log-capacity": tuning.log_bytes}
