"""Which data sets are copied from one design to the next, and which are loaded."""

from pathlib import Path

from drivecast.bench.database.copied import copies, donor
from drivecast.bench.database.design_target import Design
from drivecast.bench.database.directory import Account, Place, Site
from drivecast.bench.database.mariadb import MariaDB
from drivecast.bench.database.postgresql import PostgreSQL

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
