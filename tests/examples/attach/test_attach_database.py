"""Databases on an attached disk: after a power cut they recover, their own checks pass, and no commit is missing.

`benches/attach_integrity.py` makes more tries, and kills the server of the disk, too.
"""

import pytest

import attach_database_tries
import database_place

CONSUMER = "intel-x25-m-g2-80gb"

pytestmark = [
    pytest.mark.needs("attached", "root", "fuse", "loop", "mkfs.ext4", "e2fsck"),
]


@pytest.mark.parametrize(
    "server",
    [
        pytest.param("mariadb", marks=pytest.mark.needs("mariadbd", "mariadb")),
        pytest.param("postgresql", marks=pytest.mark.needs("postgres", "psql", "pg_amcheck")),
    ],
)
def test_no_commit_is_lost_with_the_power(server: str) -> None:
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
