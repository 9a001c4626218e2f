"""How a measured database reads in a terminal: two targets, and one; `UPDATE_SNAPSHOTS=1` writes it anew."""

import database_result
from agreed import agreed
from drivecast.present.measured import transactions


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
    agreed(
        "database.txt", "\n\n".join(transactions.text(result).plain for result in (two, single, cut)) + "\n"
    )
