"""A database on an attached disk: transactions while something ends it, and its own check after.

    python attach_databases.py create SERVER FOLDER          makes its data there, and stops it cleanly
    python attach_databases.py write SERVER FOLDER RECORD [lazily]
                                                             commits until it cannot; RECORD has a line for each commit
    python attach_databases.py check SERVER FOLDER RECORD    prints what is wrong, and how many commits are missing

A transaction moves 1 between two of the accounts and notes it in a ledger. So what is there can be judged three times:
by the server (InnoDB's recovery and `CHECK TABLE … EXTENDED`; PostgreSQL's `pg_amcheck --heapallindexed`), by the
transactions that were answered, and by balances that add up to those of the ledger. `lazily` lets commits be answered
before their log is flushed (`innodb_flush_log_at_trx_commit=2`, `synchronous_commit=off`): these may be missing.
"""

import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO

from drivecast.bench.database.directory import Place, choose
from drivecast.bench.database.mariadb import DATABASE, MariaDB
from drivecast.bench.database.postgresql import PostgreSQL, program
from drivecast.bench.database.server import Running, Server, environment, running
from drivecast.bench.database.tuning import MIB, Tuning
from drivecast.errors import InputError

ACCOUNTS = 1000
CLIENTS = 4
SERVERS: dict[str, type[Server]] = {"mariadb": MariaDB, "postgresql": PostgreSQL}
MAKE = (
    "CREATE TABLE account (id INT PRIMARY KEY, balance INT NOT NULL)",
    "CREATE TABLE ledger (id BIGINT PRIMARY KEY, giver INT NOT NULL, taker INT NOT NULL, pad CHAR(200) NOT NULL)",
    "CREATE INDEX ledger_giver ON ledger (giver)",
)
ACCOUNT = "INSERT INTO account VALUES ({}, 0)"
TRANSFER = (
    "BEGIN; UPDATE account SET balance = balance - 1 WHERE id = {giver}; "
    "UPDATE account SET balance = balance + 1 WHERE id = {taker}; "
    "INSERT INTO ledger VALUES ({at}, {giver}, {taker}, 'x'); COMMIT; SELECT {at};\n"
)
BALANCES = (
    "SELECT COUNT(*) FROM account WHERE balance <> "
    "(SELECT COUNT(*) FROM ledger WHERE taker = account.id) - (SELECT COUNT(*) FROM ledger WHERE giver = account.id)"
)


@contextmanager
def placed(server: Server, folder: Path) -> Iterator[Place]:
    """Its data in a folder of the disk, its socket elsewhere."""
    account = choose(folder, server.accounts)
    (top := folder / "db").mkdir(mode=0o700, exist_ok=True)
    account.owns(top)
    with tempfile.TemporaryDirectory(prefix="db-", ignore_cleanup_errors=True) as name:
        account.owns(Path(name))
        yield Place(account, top, None, Path(name))


def started(server: Server, place: Place, *, lazily: bool = False) -> AbstractContextManager[Running]:
    """The server, serving."""
    tuning = Tuning(buffer_bytes=64 * MIB, log_bytes=96 * MIB, flush_at_commit=2 if lazily else 1)
    return running(server, place, tuning, CLIENTS)


def client(server: Server, place: Place) -> list[str]:
    """Its own client: statements in, rows out, as they come."""
    if server.name == "mariadb":
        socket = f"--socket={place.socket('mysql.sock')}"
        return ["mariadb", "--no-defaults", "-N", "-B", "-n", socket, "-u", "root", DATABASE]
    assert isinstance(server, PostgreSQL)
    return [str(program("psql")), "-X", "-q", "-A", "-t", *server.reached(place), "postgres"]


def asked(server: Server, place: Place, *statements: str) -> list[str]:
    """Rows. Raises `CalledProcessError` where one is refused."""
    done = subprocess.run(
        client(server, place),
        input="".join(f"{each};\n" for each in statements),
        env=environment(),
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.splitlines()


def create(server: Server, folder: Path) -> None:
    """Make the tables."""
    with placed(server, folder) as place:
        server.create(place)
        with started(server, place):
            asked(server, place, *MAKE, *(ACCOUNT.format(number) for number in range(ACCOUNTS)))
            if server.name == "postgresql":
                asked(server, place, "CREATE EXTENSION amcheck")


def write(server: Server, folder: Path, record: Path, *, lazily: bool) -> None:
    """Commit on some connections until the server is gone."""
    with (
        placed(server, folder) as place,
        record.open("ab", buffering=0) as said,
        suppress(InputError),
        started(server, place, lazily=lazily),
    ):
        clients = [
            threading.Thread(target=commit, args=(client(server, place), number, said))
            for number in range(CLIENTS)
        ]
        for each in clients:
            each.start()
        for each in clients:
            each.join()
        raise InputError("the clients have ended")  # so that it is not asked to stop cleanly


def commit(argv: list[str], number: int, said: IO[bytes]) -> None:
    """One connection: a number is said once its transaction was answered."""
    dice = random.Random(number)
    with subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            for at in range(number, 1 << 40, CLIENTS):
                # In the order of their numbers, so that no two wait for each other in a circle.
                giver, taker = sorted(dice.sample(range(ACCOUNTS), 2))
                process.stdin.write(TRANSFER.format(giver=giver, taker=taker, at=at))
                process.stdin.flush()
                if process.stdout.readline() != f"{at}\n":
                    return
                os.write(said.fileno(), f"{at}\n".encode())


def check(server: Server, folder: Path, record: Path) -> list[str]:
    """Let it recover, and judge what is there; what is wrong, and at the end how many commits are missing."""
    wrong = []
    with placed(server, folder) as place, started(server, place):
        if server.name == "mariadb":
            rows = asked(server, place, "CHECK TABLE account, ledger EXTENDED")
            wrong += [row for row in rows if row.split("\t")[-1] != "OK"]
        else:
            assert isinstance(server, PostgreSQL)
            done = subprocess.run(
                [program("pg_amcheck"), "--heapallindexed", *server.reached(place), "-d", "postgres"],
                env=environment(),
                check=False,
                capture_output=True,
                text=True,
            )
            wrong += (done.stdout + done.stderr).splitlines() if done.returncode else []
        if (found := asked(server, place, BALANCES)) != ["0"]:
            wrong.append(f"{found} balances are not those of the ledger")
        there = set(asked(server, place, "SELECT id FROM ledger"))
    said = record.read_text().split("\n")[:-1]
    return [*wrong, f"missing {len(set(said) - there)} of {len(said)}"]


def main() -> None:
    """See the module."""
    verb, name, folder, *rest = sys.argv[1:]
    server, place = SERVERS[name](), Path(folder)
    if verb == "create":
        create(server, place)
    elif verb == "write":
        write(server, place, Path(rest[0]), lazily=rest[1:] == ["lazily"])
    else:
        sys.stdout.writelines(f"{line}\n" for line in check(server, place, Path(rest[0])))


if __name__ == "__main__":
    main()
