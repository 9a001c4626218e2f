"""What the server holds, and what those who were away hear."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from drivecast.errors import InputError
from drivecast.serve import item_store as of
from drivecast.serve.event_feed import HERE, EventFeed
from drivecast.serve.item_store import ItemStore


def test_a_job_is_claimed_once(tmp_path: Path) -> None:
    """By eight lanes at a time, and in the order in which they came."""
    store = ItemStore(tmp_path / "a.sqlite3")
    made = [store.add("plan", str(turn), {}).id for turn in range(20)]
    with ThreadPoolExecutor(8) as lanes:
        found = list(lanes.map(lambda _: store.claim(["plan"]), range(24)))
    claimed = [item.id for item in found if item is not None]
    assert sorted(claimed) == sorted(made)
    assert found.count(None) == 4
    assert {item.state for item in store.all("plan")} == {"running"}
    first = store.add("plan", "first", {})
    store.add("plan", "second", {})
    claimed_first = store.claim(["plan"])
    assert claimed_first.id == first.id
    store.close()


def test_an_edit_is_of_a_revision(tmp_path: Path) -> None:
    store = ItemStore(tmp_path / "a.sqlite3")
    item = store.add("plan", "a", {})
    with ThreadPoolExecutor(8) as people:
        won = list(people.map(lambda who: store.edit(item.id, 1, notes=str(who)), range(8)))
    found = store.find("plan", item.id)
    assert (won.count(True), found.revision, found.notes) == (1, 2, str(won.index(True)))
    store.close()


def test_a_ledger_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    store = ItemStore(tmp_path / "a.sqlite3")
    with store.engine.begin() as connection:
        connection.execute(sa.text("PRAGMA user_version = 99"))
    store.close()
    with pytest.raises(InputError, match="newer"):
        ItemStore(tmp_path / "a.sqlite3")


def heard(store: ItemStore, last: int | None, count: int) -> list[str]:
    """The first parts of a stream, but for its signs of life."""

    async def listen() -> list[str]:
        parts = []
        async for part in EventFeed(store).stream(last, None):
            if part == HERE:
                continue
            parts.append(part)
            if len(parts) == count:
                return parts
        return parts

    return asyncio.run(asyncio.wait_for(listen(), 30))


def test_who_was_away_too_long_loads_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of, "EVENTS_MAX", 50)
    store = ItemStore(tmp_path / "a.sqlite3")
    for turn in range(200):
        store.report("p-1", "progress", {"turn": turn})
    first, second = heard(store, 10, 2)
    assert first.startswith("event: reset")
    assert second.startswith("id: 151\n")
    assert heard(store, 198, 1)[0].startswith("id: 199\n")
    assert heard(store, None, 1)[0].startswith("id: 200\n")
    assert heard(store, 9_999, 1)[0].startswith("event: reset"), "of another data folder"
    store.close()
