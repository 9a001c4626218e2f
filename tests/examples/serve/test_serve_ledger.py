"""What the server holds, and what those who were away hear."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from drivecast.errors import InputError
from drivecast.serve import ledger as of
from drivecast.serve.feed import HERE, Feed
from drivecast.serve.ledger import Ledger


def test_a_job_is_claimed_once(tmp_path: Path) -> None:
    """By eight lanes at a time, and in the order in which they came."""
    ledger = Ledger(tmp_path / "a.sqlite3")
    made = [ledger.add("plan", str(turn), {}).id for turn in range(20)]
    with ThreadPoolExecutor(8) as lanes:
        found = list(lanes.map(lambda _: ledger.claim(["plan"]), range(24)))
    claimed = [item.id for item in found if item is not None]
    assert sorted(claimed) == sorted(made)
    assert found.count(None) == 4
    assert {item.state for item in ledger.all("plan")} == {"running"}
    first = ledger.add("plan", "first", {})
    ledger.add("plan", "second", {})
    claimed_first = ledger.claim(["plan"])
    assert claimed_first.id == first.id
    ledger.close()


def test_an_edit_is_of_a_revision(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "a.sqlite3")
    item = ledger.add("plan", "a", {})
    with ThreadPoolExecutor(8) as people:
        won = list(people.map(lambda who: ledger.edit(item.id, 1, notes=str(who)), range(8)))
    found = ledger.find("plan", item.id)
    assert (won.count(True), found.revision, found.notes) == (1, 2, str(won.index(True)))
    ledger.close()


def test_a_ledger_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "a.sqlite3")
    with ledger.engine.begin() as connection:
        connection.execute(sa.text("PRAGMA user_version = 99"))
    ledger.close()
    with pytest.raises(InputError, match="newer"):
        Ledger(tmp_path / "a.sqlite3")


def heard(ledger: Ledger, last: int | None, count: int) -> list[str]:
    """The first parts of a stream, but for its signs of life."""

    async def listen() -> list[str]:
        parts = []
        async for part in Feed(ledger).stream(last, None):
            if part == HERE:
                continue
            parts.append(part)
            if len(parts) == count:
                return parts
        return parts

    return asyncio.run(asyncio.wait_for(listen(), 30))


def test_who_was_away_too_long_loads_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of, "EVENTS_MAX", 50)
    ledger = Ledger(tmp_path / "a.sqlite3")
    for turn in range(200):
        ledger.report("p-1", "progress", {"turn": turn})
    first, second = heard(ledger, 10, 2)
    assert first.startswith("event: reset")
    assert second.startswith("id: 151\n")
    assert heard(ledger, 198, 1)[0].startswith("id: 199\n")
    assert heard(ledger, None, 1)[0].startswith("id: 200\n")
    assert heard(ledger, 9_999, 1)[0].startswith("event: reset"), "of another data folder"
    ledger.close()
