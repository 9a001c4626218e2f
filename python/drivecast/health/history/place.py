"""Where a history lies: a file of SQLite, or a PostgreSQL database by URL."""

import os
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from drivecast.errors import InputError

VARIABLE = "DRIVECAST_HISTORY"


def default() -> Path:
    """The file of a user who says nothing."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "drivecast" / "health.sqlite3"


def parse(url: str | None) -> sa.URL:
    """The address of `url`: a path is a file of SQLite.

    Raises `InputError` for what is neither.
    """
    url = url or os.environ.get(VARIABLE) or str(default())
    if "://" not in url and url != ":memory:":
        return sa.URL.create("sqlite", database=str(Path(url).expanduser()))
    scheme, _, rest = url.partition("://")
    try:
        if scheme == "sqlite" and rest.strip("/") not in ("", ":memory:"):
            return sa.make_url(url)
        if scheme in ("postgresql", "postgres", "postgresql+psycopg"):
            return sa.make_url(f"postgresql+psycopg://{rest}")
    except (sa.exc.ArgumentError, ValueError):
        pass
    raise InputError(
        f"`{hidden(url)}` is no place for a history\n"
        "hint: a path, `sqlite:///PATH`, or `postgresql://USER@HOST/DATABASE`"
    )


def shown(url: sa.URL) -> str:
    """As a person knows it: the path of a file, or the address without its password."""
    return (
        str(url.database)
        if url.get_backend_name() == "sqlite"
        else url.set(drivername="postgresql").render_as_string()
    )


def hidden(url: str) -> str:
    """Without what may be a password."""
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


def reached(url: sa.URL) -> sa.URL:
    """How to open it: a file that nobody can write beside is read as one that nobody changes.

    SQLite would make two files beside it even to read, and so could not be read from a read-only disk.
    """
    path = Path(shown(url))
    if url.get_backend_name() != "sqlite" or not path.exists() or os.access(path.parent, os.W_OK):
        return url
    if path.with_name(path.name + "-wal").exists():
        return url
    return sa.URL.create(
        "sqlite", database=f"file:{quote(str(path))}", query={"immutable": "1", "uri": "true"}
    )


def prepare(url: sa.URL, *, create: bool) -> None:
    """Make the folder of a file, or raise `InputError` where there is nothing to open."""
    if url.get_backend_name() != "sqlite":
        return
    path = Path(shown(url))
    if path.is_dir():
        raise InputError(f"cannot open the history `{path}`: it is a directory")
    if path.exists():
        return
    if not create:
        raise InputError(
            f"no history at `{path}`\nhint: `drivecast health import SOURCE --history {path}` begins one"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make `{path.parent}` for the history: {error.strerror}") from None
