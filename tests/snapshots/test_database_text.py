"""How a measured database reads in a terminal: two targets, and one; `UPDATE_SNAPSHOTS=1` writes it anew."""

import os
from pathlib import Path

import database_result
from drivecast.present.measured import transactions

EXPECTED = Path(__file__).parent / "database.txt"


def test_text() -> None:
    two = database_result.made()
    single = database_result.made(targets=1, flushes=(1,), repeats=1)
    cut = single.model_copy(
        update={
            "points": single.points[:1],
            "complete": False,
            "partial": "1 of 6 points were measured; interrupted",
        }
    )
    found = "\n\n".join(transactions.text(result).plain for result in (two, single, cut)) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        EXPECTED.write_text(found)
    assert found == EXPECTED.read_text()
