"""What the server holds, in SQLite: items (traces, plans, comparisons, results), and what happened to them.

An item is a row with its state; what was asked for and what was found are JSON, as their documents have them. All
threads of the server use it, a short transaction a change; with a write-ahead log readers do not wait for writers. Jobs
are claimed in one statement, so that no two take one. Events have numbers that only grow, across restarts, too.
"""

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from drivecast.document.served import Kind, State
from drivecast.errors import HintedError

VERSION = 1
EVENTS_MAX = 5_000
"""Events that a browser can catch up with."""
_PREFIX: dict[Kind, str] = {"trace": "t", "plan": "p", "comparison": "c", "result": "r"}

_meta = sa.MetaData()
_items = sa.Table(
    "items",
    _meta,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("kind", sa.String, nullable=False, index=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("notes", sa.String, nullable=False, default=""),
    sa.Column("revision", sa.Integer, nullable=False, default=1),
    sa.Column("state", sa.String, nullable=False, index=True),
    sa.Column("share", sa.Float, nullable=False, default=0.0),
    sa.Column("what", sa.String, nullable=False, default=""),
    sa.Column("message", sa.String),
    sa.Column("hint", sa.String),
    sa.Column("created", sa.String, nullable=False),
    sa.Column("queued", sa.Integer, nullable=False, default=0, index=True),
    sa.Column("began", sa.String),
    sa.Column("ended", sa.String),
    sa.Column("given", sa.JSON, nullable=False),
    sa.Column("found", sa.JSON, nullable=False),
)
_events = sa.Table(
    "events",
    _meta,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("subject", sa.String, nullable=False, index=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("data", sa.String, nullable=False),
    sqlite_autoincrement=True,
)


class Event(NamedTuple):
    """Something that happened to an item."""

    id: int
    name: str
    data: str


@dataclass(frozen=True)
class Item:
    """A row; `given` is what was asked for, `found` what became of it."""

    id: str
    kind: Kind
    name: str
    state: State
    created: str
    notes: str = ""
    revision: int = 1
    share: float = 0.0
    what: str = ""
    message: str | None = None
    hint: str | None = None
    queued: int = 0
    began: str | None = None
    ended: str | None = None
    given: dict[str, Any] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)

    @property
    def progress(self) -> dict[str, Any]:
        """As the document of a job has it."""
        return {name: getattr(self, name) for name in ("state", "share", "what", "message", "hint")}


def now() -> str:
    """The present, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class ItemStore:
    """The database of a data folder."""

    def __init__(self, path: Path) -> None:
        """Open it, or make it.

        Raises `InputError` where it is of a newer program.
        """
        self.engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 30.0})
        sa.event.listen(self.engine, "connect", _configured)
        with self.engine.begin() as connection:
            version = connection.exec_driver_sql("PRAGMA user_version").scalar() or 0
            if version > VERSION:
                raise HintedError(
                    f"`{path}` was written by a newer drivecast",
                    "use that one, or name another folder: `--data`",
                )
            _meta.create_all(connection)
            connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")

    def close(self) -> None:
        """Let go of the file."""
        self.engine.dispose()

    def add(self, kind: Kind, name: str, given: dict[str, Any], state: State = "queued", **more: Any) -> Item:
        """A new item."""
        item = Item(f"{_PREFIX[kind]}-{secrets.token_hex(6)}", kind, name, state, now(), given=given, **more)
        with self.engine.begin() as connection:
            turn = _next_turn(connection)
            connection.execute(_items.insert().values(**{**vars(item), "queued": turn}))
        return item

    def find(self, kind: Kind | None, id: str) -> Item | None:  # noqa: A002 (that is its name)
        """The item of a kind with this id, if there is one."""
        wanted = [_items.c.id == id, *([] if kind is None else [_items.c.kind == kind])]
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(_items).where(*wanted)).mappings().first()
        return None if row is None else Item(**row)

    def all(self, kind: Kind) -> list[Item]:
        """Those of a kind, the newest first."""
        with self.engine.connect() as connection:
            rows = connection.execute(
                sa.select(_items)
                .where(_items.c.kind == kind)
                .order_by(_items.c.created.desc(), _items.c.queued.desc())
            ).mappings()
            return [Item(**row) for row in rows]

    def change(self, id: str, only: Sequence[State] | None = None, **values: Any) -> bool:  # noqa: A002
        """Set columns of an item, if its state is one of `only`; whether that was so."""
        wanted = [_items.c.id == id, *([] if only is None else [_items.c.state.in_(only)])]
        with self.engine.begin() as connection:
            if values.get("state") == "queued":
                values["queued"] = _next_turn(connection)
            return bool(connection.execute(_items.update().where(*wanted).values(**values)).rowcount)

    def edit(self, id: str, revision: int, **values: str) -> bool:  # noqa: A002
        """Set name and notes, if nobody else did since `revision`; whether that was so."""
        with self.engine.begin() as connection:
            found = connection.execute(
                _items.update()
                .where(_items.c.id == id, _items.c.revision == revision)
                .values(**values, revision=revision + 1)
            )
            return bool(found.rowcount)

    def claim(self, kinds: Iterable[Kind]) -> Item | None:
        """The next job that waits, which is now running; none where none does."""
        following = (
            sa.select(_items.c.id)
            .where(_items.c.state == "queued", _items.c.kind.in_(list(kinds)))
            .order_by(_items.c.queued)
            .limit(1)
            .scalar_subquery()
        )
        taken = (
            _items.update()
            .where(_items.c.id == following, _items.c.state == "queued")
            .values(state="running", began=now(), ended=None, share=0.0, what="", message=None, hint=None)
            .returning(_items)
        )
        with self.engine.begin() as connection:
            row = connection.execute(taken).mappings().first()
        return None if row is None else Item(**row)

    def remove(self, id: str) -> bool:  # noqa: A002
        """Forget an item; whether there was one."""
        with self.engine.begin() as connection:
            return bool(connection.execute(_items.delete().where(_items.c.id == id)).rowcount)

    def running(self) -> list[Item]:
        """Jobs that run, or ran when the server ended."""
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(_items).where(_items.c.state == "running")).mappings()
            return [Item(**row) for row in rows]

    def report(self, subject: str, name: str, data: dict[str, Any]) -> int:
        """Note an event; its number."""
        text = json.dumps({"subject": subject, **data}, ensure_ascii=False)
        with self.engine.begin() as connection:
            made = connection.execute(_events.insert().values(subject=subject, name=name, data=text))
            number = int(made.inserted_primary_key[0])  # type: ignore[index]
            if number % 100 == 0:
                connection.execute(_events.delete().where(_events.c.id <= number - EVENTS_MAX))
        return number

    def last_event(self) -> int:
        """The number of the newest event; 0 before the first."""
        with self.engine.connect() as connection:
            return connection.execute(sa.select(sa.func.max(_events.c.id))).scalar() or 0

    def events(self, after: int, subject: str | None = None) -> tuple[list[Event], bool]:
        """Up to 500 events after a number, and whether some of those are no longer known."""
        wanted = [_events.c.id > after, *([] if subject is None else [_events.c.subject == subject])]
        with self.engine.connect() as connection:
            first = connection.execute(sa.select(sa.func.min(_events.c.id))).scalar()
            rows = connection.execute(sa.select(_events).where(*wanted).order_by(_events.c.id).limit(500))
            found = [Event(row.id, row.name, row.data) for row in rows]
        return found, first is not None and after + 1 < first


def _next_turn(connection: sa.Connection) -> int:
    return (connection.execute(sa.select(sa.func.max(_items.c.queued))).scalar() or 0) + 1


def _configured(connection: Any, _record: Any) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "busy_timeout = 30000"):
        connection.execute(f"PRAGMA {pragma}")
