"""Databases on an attached disk: after a power cut they recover, their own checks pass, and no commit is missing.

`benches/attach_integrity.py` makes more tries, and kills the server of the disk, too.
"""

import pytest

import attach_database_tries
import database_place
from needs import needs

CONSUMER = "intel-x25-m-g2-80gb"

pytestmark = [
    pytest.mark.needs("attached"),
    pytest.mark.slow,
    pytest.mark.needs("root", "fuse", "loop"),
]


@pytest.mark.parametrize("server", ["mariadb", "postgresql"])
def test_no_commit_is_lost_with_the_power(server: str) -> None:
    needs("mariadb") if server == "mariadb" else needs("psql")
    with database_place.folder() as top:
        image = top / "image"
        attach_database_tries.prepared(image, server, CONSUMER)
        found = {}
        for lazily in (False, True):
            (folder := top / f"{lazily}").mkdir(mode=0o755)
            found[lazily] = attach_database_tries.database_once(
                folder, 1, CONSUMER, server, image, how="cut", lazily=lazily
            )
    assert not found[False].broken
    assert found[False].commits >= attach_database_tries.COMMITS_MIN
    assert found[False].missing == 0
    assert not found[True].broken
    assert found[True].missing > 0, "commits that were not flushed are lost, or the cut proves nothing"
