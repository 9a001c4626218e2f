"""Whatever the order, repetition and interleaving of imports: the same content."""

import shutil
import threading
from itertools import count
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drive_samples import content, opened, record, steady
from drivecast.document.record import Record
from drivecast.health.history import History

# Counters that go on, go back and jump; two models under one serial number; seconds told twice, once with less.
samples = st.builds(
    record,
    serial=st.sampled_from("AB"),
    day=st.sampled_from([0, 0.5, 1, 2, 11, 12, 40, 41]),
    written=st.sampled_from([None, 1e9, 5e12, 5.1e12, 9e12]),
    hours=st.sampled_from([None, 3.0, 1000.0, 1024.0, 2000.0]),
    model=st.sampled_from(["M1", "M2"]),
    doubtful=st.sampled_from([(), ("host_written_bytes",)]),
)
places = count()


def empty(folder: Path) -> str:
    """A new history; a copy of one, since most of the time to make one goes into its tables."""
    first, path = folder / "first.sqlite3", folder / f"{next(places)}.sqlite3"
    if not first.exists():
        opened(str(first)).close()
    shutil.copy(first, path)
    return str(path)


def imported(folder: Path, parts: list[list[Record]]) -> object:
    with opened(empty(folder)) as history:
        for part in parts:
            history.add(part)
        return content(history)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(known=st.lists(samples, min_size=1, max_size=8), data=st.data())
def test_order_and_repetition_do_not_matter(tmp_path: Path, known: list[Record], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(known))
    cut = data.draw(st.integers(0, len(known)))
    again = data.draw(st.lists(st.sampled_from(known), max_size=3))
    whole = imported(tmp_path, [known])
    assert imported(tmp_path, [shuffled[:cut], shuffled[cut:], again]) == whole
    assert imported(tmp_path, [[row] for row in shuffled]) == whole


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(known=st.lists(samples, min_size=1, max_size=8))
def test_nothing_is_lost_and_every_sample_has_one_drive(tmp_path: Path, known: list[Record]) -> None:
    with opened(empty(tmp_path)) as history:
        added = history.add(known)
        kept = history.samples()
        assert added.samples_new == kept.height
        assert added.samples_new + added.samples_repeated == len(known)
        assert kept.height == len({(row.serial, row.model, row.time) for row in known})
        drives = history.drives()
        assert kept["drive"].unique().sort().to_list() == drives["drive"].sort().to_list()
        for row in drives.iter_rows(named=True):
            times = history.samples(drives=[row["drive"]])["time"]
            assert (times.min(), times.max()) == (row["first_seen"], row["last_seen"])


def test_two_writers_at_once_leave_what_one_would(history_url: str, tmp_path: Path) -> None:
    if history_url.startswith("postgresql"):
        psycopg.connect(history_url).close()
    days = range(60)
    records = [record for serial in ("A", "B", "C") for record in steady(serial, days)]
    records += [record("A", 60 + day, 1e9 * day, 24.0 * day) for day in range(5)]
    errors: list[BaseException] = []
    start = threading.Barrier(2)

    def write(own: list[Record]) -> None:
        try:
            start.wait()
            with opened(history_url) as history:  # both may create the tables
                for first in range(0, len(own), 13):
                    history.add(own[first : first + 13])
        except BaseException as error:  # told to the main thread
            errors.append(error)

    threads = [threading.Thread(target=write, args=(records[::2] + records[:50],))]
    threads.append(threading.Thread(target=write, args=(records[1::2][::-1],)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    with opened(history_url) as both, opened(str(tmp_path / "one.sqlite3")) as single:
        single.add(records)
        assert content(both) == content(single)


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0", bytes(range(256)) * 16])
def test_a_file_that_is_no_history_is_told_or_begun(tmp_path: Path, damage: bytes) -> None:
    from drivecast.errors import InputError  # noqa: PLC0415

    path = tmp_path / "some.sqlite3"
    path.write_bytes(damage)
    if not damage:  # what an interrupted creation leaves
        with History.open(str(path)) as history:
            assert history.drives().is_empty()
        return
    with pytest.raises(InputError, match="not a SQLite database"):
        History.open(str(path))
    assert path.read_bytes() == damage
