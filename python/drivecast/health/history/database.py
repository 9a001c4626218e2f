"""A connection that writes whole transactions, one writer at a time, whichever database is below.

What the database refuses is said with what to do about it. Nothing is lost by it: a transaction that cannot be finished
leaves the database as it was.

SQLite: write-ahead log, `BEGIN IMMEDIATE`, a wait for the lock, every commit flushed to the disk. PostgreSQL: an
advisory lock for the length of a transaction. Readers wait for nobody and see one state for as long as they look.
"""

import contextlib
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from drivecast import optional_dependency
from drivecast.errors import HintedError, InputError, refused
from drivecast.files import is_full, state_folder
from drivecast.health.history import schema
from drivecast.plain_text import redacted

VARIABLE = "DRIVECAST_HISTORY"
WAIT_S = 30.0
"""How long a writer waits for another."""
LOCK = 0x6472_6976_6563_6173  # "drivecas": one number for all who write here
KEPT = "nothing of this step was changed"
SQLITE = {
    "SQLITE_BUSY": (
        "it is locked by another process",
        f"{KEPT}; try again when that one is done (`fuser` names it), or wait longer: `--wait`",
    ),
    "SQLITE_LOCKED": ("it is locked by another process", f"{KEPT}; try again when that one is done"),
    "SQLITE_FULL": ("the disk is full", f"{KEPT}; free some space and repeat the import"),
    "SQLITE_READONLY": (
        "it, or the directory it lies in, is read-only",
        f"{KEPT}; SQLite writes two files beside it",
    ),
    "SQLITE_CANTOPEN": ("it cannot be opened", "the file and the directory it lies in must be writable"),
    "SQLITE_PERM": ("permission denied", KEPT),
    "SQLITE_NOTADB": ("it is not a SQLite database", "name another file"),
    "SQLITE_CORRUPT": (
        "it is damaged",
        "`sqlite3 FILE .recover` saves what can be read; imports can be repeated into a new file",
    ),
    "SQLITE_IOERR": ("the disk fails to read or write", f"{KEPT}; see the kernel's log"),
}
"""Primary result codes; extended ones begin alike."""
POSTGRESQL = {
    "55P03": ("it is locked by another process", f"{KEPT}; try again, or wait longer: `--wait`"),
    "53100": ("its disk is full", f"{KEPT}; free some space and repeat the import"),
    "42501": ("permission denied", f"{KEPT}; the owner of the tables must grant it"),
    "25006": ("it is read-only", KEPT),
    "57P01": ("the server was shut down", KEPT),
}


class Database:
    """One history's database, at the schema that this program writes."""

    def __init__(self, url: sa.URL, *, create: bool, wait_s: float = WAIT_S) -> None:
        """Open it, and bring an older schema up.

        Raises `InputError` where it is missing, newer, locked or not ours to change.
        """
        made = prepare(url, create=create)
        self.url = url
        self.wait_s = wait_s
        self.sqlite = url.get_backend_name() == "sqlite"
        waits = {"connect_args": {"timeout": wait_s}, "paramstyle": "named"}
        options: dict[str, Any] = waits if self.sqlite else {}
        with optional_dependency.named():
            self.engine = sa.create_engine(reached(url), poolclass=sa.pool.NullPool, **options)
        if self.sqlite:
            sa.event.listen(self.engine, "connect", _manual)
        sa.event.listen(self.engine, "begin", self._begin)
        try:
            with explained(shown(url)):
                if self._found() != schema.VERSIONS[-1]:
                    self._upgrade()
        except InputError:
            if made:
                _discard_empty(Path(self.shown))
            raise

    @property
    def shown(self) -> str:
        """Where it lies, without a password."""
        return shown(self.url)

    @property
    def version(self) -> str:
        """The revision of its schema."""
        with self.reading() as connection:
            return _version(connection) or ""

    @property
    def size_bytes(self) -> int:
        """What it takes on its disk."""
        if self.sqlite:
            places = (Path(self.shown), Path(f"{self.shown}-wal"))
            return sum(place.stat().st_size for place in places if place.exists())
        query = sa.text(
            "SELECT sum(pg_total_relation_size(c)) FROM unnest(ARRAY['health_drive','health_segment',"
            "'health_source']::regclass[]) AS c"
        )
        with self.reading() as connection:
            return int(connection.execute(query).scalar_one())

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """One state of the database, for as long as the block lasts."""
        return self._transaction("read")

    def writing(self) -> AbstractContextManager[sa.Connection]:
        """A transaction of the only writer; it is there whole after the block, or not at all."""
        return self._transaction("write")

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[sa.Connection]:
        with explained(self.shown), self.engine.connect() as plain:
            connection = plain.execution_options(kind=kind)
            with connection.begin():
                yield connection

    def vacuum(self) -> None:
        """Return unused space to the file system."""
        with explained(self.shown), self.engine.connect() as plain:
            if self.sqlite:
                raw: Any = plain.connection.driver_connection
                raw.execute("VACUUM")
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            else:
                plain.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql(
                    "VACUUM health_segment, health_drive"
                )

    def close(self) -> None:
        """Let go of the connections."""
        self.engine.dispose()

    def _begin(self, connection: sa.Connection) -> None:
        kind = connection.get_execution_options().get("kind")
        if self.sqlite and kind is not None:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if kind == "write" else "BEGIN")
        elif kind == "write":
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(self.wait_s * 1e3)}")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
        elif kind == "read":
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")

    def _found(self) -> str | None:
        with self.engine.connect() as connection:
            found = _version(connection)
        if found is not None and found not in schema.VERSIONS:
            raise HintedError(
                f"the history `{self.shown}` has schema {found}, and this drivecast knows {schema.VERSIONS[-1]}",
                "a newer drivecast wrote it: update this one; nothing was changed",
            )
        return found

    def _upgrade(self) -> None:
        from alembic import command  # noqa: PLC0415 (a quarter of a second, and rarely needed)
        from alembic.config import Config  # noqa: PLC0415

        if self.sqlite:
            self._log_ahead()
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self.writing() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")  # it does nothing where another process was first

    def _log_ahead(self) -> None:
        """Turn on the write-ahead log; SQLite does not wait for a lock here, so we do."""
        until = time.monotonic() + self.wait_s
        with self.engine.connect() as connection:
            raw: Any = connection.connection.driver_connection
            while True:
                try:
                    raw.execute("PRAGMA journal_mode = WAL")
                    return
                except sqlite3.OperationalError as error:
                    if "lock" not in str(error) or time.monotonic() > until:
                        raise sa.exc.OperationalError("PRAGMA journal_mode", None, error) from None
                    time.sleep(0.02)


def _manual(raw: Any, _record: object) -> None:
    """Leave transactions to us: the driver would begin one with the first write, not with the first read."""
    raw.isolation_level = None
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA foreign_keys = ON")


def _version(connection: sa.Connection) -> str | None:
    """The revision that is there; nothing in an empty database."""
    if not sa.inspect(connection).has_table(schema.VERSION_TABLE):
        return None
    table = sa.table(schema.VERSION_TABLE, sa.column("version_num"))
    return connection.execute(sa.select(table.c.version_num)).scalar_one_or_none()


@contextmanager
def explained(history: str) -> Iterator[None]:
    """Raise what the database refuses as `InputError`; `history` is where it lies, without a password."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        what, hint = meaning(error.orig)
        # It cannot make its files beside a history on a full disk, and says that the disk fails.
        if (what, hint) == SQLITE["SQLITE_IOERR"] and is_full(Path(history).parent):
            what, hint = SQLITE["SQLITE_FULL"]
        raise HintedError(f"the history `{history}`: {what}", hint) from None


def meaning(error: BaseException | None) -> tuple[str, str]:
    """What went wrong, and what to do."""
    first = redacted((str(error).strip().splitlines() or ["no reason given"])[0])
    explanation = first, KEPT
    if isinstance(error, sqlite3.Error):
        name = getattr(error, "sqlite_errorname", "") or ""
        explanation = next((what for known, what in SQLITE.items() if name.startswith(known)), explanation)
    if type(error).__module__.startswith("psycopg"):  # not imported where SQLite is all that is used
        state = getattr(error, "sqlstate", None)
        explanation = POSTGRESQL.get(state or "", explanation)
        if state is None and type(error).__name__ == "OperationalError":
            hint = "see that the server runs and the database exists (`createdb`)"
            explanation = f"cannot be reached: {first}", f"{KEPT}; {hint}"
    return explanation


LOST_SLASH = re.compile(
    r"(sqlite|postgres(ql)?(\+\w+)?|mysql|https?|s3|file):(?!//)|[A-Za-z][\w+-]+:/(?!/)", re.ASCII
)
"""What looks like an address and is none: as a path it would be a folder, with the password for a name."""


def parse(url: str | None) -> sa.URL:
    """The address of `url`, where a path is a file of SQLite; raises `InputError` for what is neither."""
    url = url or os.environ.get(VARIABLE) or str(state_folder() / "health.sqlite3")
    if "://" not in url and url != ":memory:" and not LOST_SLASH.match(url):
        return sa.URL.create("sqlite", database=str(Path(url).expanduser()))
    scheme, _, rest = url.partition("://")
    try:
        if scheme == "sqlite" and rest.strip("/") not in ("", ":memory:"):
            return sa.make_url(url)
        if scheme in ("postgresql", "postgres", "postgresql+psycopg"):
            return sa.make_url(f"postgresql+psycopg://{rest}")
    except (sa.exc.ArgumentError, ValueError):
        pass
    # Without what may be a password.
    scheme, mark, rest = url.partition("://" if "://" in url else ":")
    known = redacted(f"{scheme}{mark}{rest.rpartition('@')[2]}")
    raise HintedError(
        f"`{known}` is no place for a history",
        "a path, `sqlite:///PATH`, or `postgresql://USER@HOST/DATABASE`",
    )


def shown(url: sa.URL) -> str:
    """As a person knows it: the path of a file, or the address without its password."""
    local = url.get_backend_name() == "sqlite"
    return str(url.database) if local else redacted(url.set(drivername="postgresql").render_as_string())


def reached(url: sa.URL) -> sa.URL:
    """How to open it: a file that nobody can write beside is read as one that nobody changes.

    SQLite would make two files beside it even to read, and so could not be read from a read-only disk.
    """
    path = Path(shown(url))
    if url.get_backend_name() != "sqlite" or not path.exists() or os.access(path.parent, os.W_OK):
        return url
    if Path(f"{path}-wal").exists():
        return url
    options = {"immutable": "1", "uri": "true"}
    return sa.URL.create("sqlite", database=f"file:{quote(str(path))}", query=options)


def prepare(url: sa.URL, *, create: bool) -> bool:
    """Make the folder of a file, and the file; whether it is new.

    Raises `InputError` where there is nothing to open.
    """
    if url.get_backend_name() != "sqlite":
        return False
    path = Path(shown(url))
    if path.is_dir():
        raise InputError(f"cannot open the history `{path}`: it is a directory")
    if not create and path.is_file() and path.stat().st_size == 0:
        raise HintedError(
            f"the history `{path}` is an empty file",
            f"`drivecast health import SOURCE --history {path}` begins one there",
        )
    if path.exists():
        return False
    if not create:
        raise HintedError(
            f"no history at `{path}`", f"`drivecast health import SOURCE --history {path}` begins one"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make `{path.parent}` for the history: {refused(error)}") from None
    try:
        # Hosts and serial numbers are for who reads them; the files that SQLite puts beside it are as private.
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise InputError(f"cannot make the history `{path}`: {refused(error)}") from None
    return True


def _discard_empty(path: Path) -> None:
    """Remove a history into which nothing came, with what SQLite put beside it."""
    with contextlib.suppress(OSError):
        if path.stat().st_size == 0:
            for end in ("", "-wal", "-shm", "-journal"):
                Path(f"{path}{end}").unlink(missing_ok=True)
