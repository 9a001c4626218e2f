"""What a database refuses, with what to do about it.

Nothing is lost by any of these: a transaction that cannot be finished leaves the database as it was.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from drivecast.errors import InputError

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


@contextmanager
def explained(history: str) -> Iterator[None]:
    """Raise what the database refuses as `InputError`; `history` is where it lies, without a password."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        what, hint = meaning(error.orig)
        raise InputError(f"the history `{history}`: {what}\nhint: {hint}") from None


def meaning(error: BaseException | None) -> tuple[str, str]:
    """What went wrong, and what to do."""
    first = (str(error).strip().splitlines() or ["no reason given"])[0]
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
