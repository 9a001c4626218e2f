"""Which data sets are copied from one design to the next, and which are loaded."""

from pathlib import Path

import pytest

from drivecast.bench.database.configure import Request, planned
from drivecast.bench.database.data_copy import copies, donor
from drivecast.bench.database.design_target import Design
from drivecast.bench.database.directory import Account, Place, Site
from drivecast.bench.database.mariadb import MariaDB
from drivecast.bench.database.postgresql import PostgreSQL
from drivecast.bench.database.session import carried_out

FIRST, SECOND, LOG = (Design(line) for line in ("intel-x25-e-32gb", "samsung-pm9a3-960gb", "intel-710-100gb"))
SERVER = MariaDB()


def place(name: str) -> Place:
    return Place(Account("somebody", 1000, 1000), Path(name), None, Path("work"))


def test_the_second_design_gets_the_data_of_the_first() -> None:
    loaded = {Site(FIRST): place("first")}
    assert donor(SERVER, Site(SECOND), loaded) == place("first")
    assert donor(SERVER, Site(FIRST), {}) is None
    assert copies(SERVER, [Site(FIRST), Site(SECOND)]) == 1


def test_a_log_that_lay_apart_joins_the_data_and_not_the_other_way_round() -> None:
    together, apart = Site(FIRST), Site(SECOND, LOG)
    assert donor(SERVER, together, {apart: place("apart")}) == place("apart")
    assert donor(SERVER, apart, {together: place("together")}) is None
    assert copies(SERVER, [apart, together]) == 1
    assert copies(SERVER, [together, apart]) == 0


def test_directories_and_servers_that_know_their_place_are_loaded() -> None:
    directory = Site(Path("/mnt/a"))
    assert donor(SERVER, directory, {Site(FIRST): place("first")}) is None
    assert donor(SERVER, Site(FIRST), {directory: place("directory")}) is None
    assert donor(PostgreSQL(), Site(SECOND), {Site(FIRST): place("first")}) is None
    assert copies(PostgreSQL(), [Site(FIRST), Site(SECOND)]) == 0


@pytest.mark.needs("root", "fuse", "loop", "mkfs.ext4", "sysbench", "mariadbd")
def test_a_load_with_scripts_of_its_own_runs_on_copied_data() -> None:
    """What a load brings along is where its programs start, whether its data were loaded there or copied."""
    said: list[str] = []
    plan = planned(
        Request(
            "tpcc",
            on=[Design(FIRST.line, speed=0.5), Design(SECOND.line, speed=0.5)],
            warehouses=1,
            warehouse_scale=0.01,
            buffer="32MiB",
            log_size="16MiB",
            threads="2",
            ramp=1,
            runtime=2,
            repeats=1,
        )
    )
    result = carried_out(plan, update=lambda _share, what: said.append(what))
    assert [point.transactions is not None and point.transactions.per_s > 0 for point in result.points] == [
        True,
        True,
    ]
    assert {what.partition(":")[2].split(":")[0] for what in said if "copying" in what} == {SECOND.line}
