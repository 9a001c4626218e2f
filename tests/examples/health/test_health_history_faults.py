"""What may happen to a database: locked, full, killed, newer; nothing is lost, and the words say what to do."""

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import psycopg
import pytest

from agreed import agreed_refusals
from drive_samples import START, content, opened, steady
from drivecast.errors import HintedError, InputError
from drivecast.health.history import History
from drivecast.health.history.database import SQLITE, WAIT_S

WRITER = """
import sys
sys.path.insert(0, {tests!r})
from drive_samples import opened, steady
with opened({url!r}) as history:
    first = int(sys.argv[1])
    for batch in range(first, first + 10_000):
        history.add([one for drive in range(20) for one in steady(f"K{{batch}}-{{drive}}", range(0, 60, 10))])
        print(batch, flush=True)
"""


@contextmanager
def refused_by(code: str) -> Iterator[None]:
    """What the block does is refused with the reason and the hint of this code."""
    with pytest.raises(HintedError) as error:
        yield
    reason, hint = SQLITE[code]
    assert (error.value.reason.endswith(reason), error.value.hint.startswith(hint[:30])) == (True, True)


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Another process that is in the middle of writing."""
    if url.startswith("postgresql"):
        with psycopg.connect(url) as other:
            other.execute(f"SELECT pg_advisory_xact_lock({0x6472_6976_6563_6173})")
            yield
        return
    other_file = sqlite3.connect(url, isolation_level=None)
    other_file.execute("BEGIN IMMEDIATE")
    yield
    other_file.execute("ROLLBACK")
    other_file.close()


def large() -> pl.DataFrame:
    """More than the small disks hold."""
    numbers = pl.int_range(20_000, eager=True)
    times = pl.repeat(START, 20_000, dtype=pl.Datetime("ms", "UTC"), eager=True)
    return pl.DataFrame(
        {"serial": pl.Series(numbers.cast(pl.String)), "model": ["M"] * 20_000, "time": times}
    )


def test_a_writer_waits_and_says_when_it_waits_no_longer(history_url: str) -> None:
    with opened(history_url, wait_s=0.3) as history:
        history.add(steady("A", range(3)))
        before = content(history)
        with locked(history_url):
            started = time.monotonic()
            with refused_by("SQLITE_BUSY"):
                history.add(steady("A", range(5)))
            assert 0.2 < time.monotonic() - started < WAIT_S / 2
            assert content(history) == before  # a reader does not wait
        assert history.add(steady("A", range(5))).samples_new == 2


def test_a_newer_schema_is_left_alone(history_url: str) -> None:
    with opened(history_url) as history:
        history.add(steady("A", range(3)))
        with history.database.writing() as connection:
            connection.exec_driver_sql("UPDATE health_version SET version_num = '0999'")
    with pytest.raises(InputError) as error:
        opened(history_url)
    assert "0999" in str(error.value)


@pytest.mark.needs("mounts", "mount", "umount")
def test_a_full_disk_and_a_read_only_one_are_told(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "none", disk], check=True)
    try:
        url = str(disk / "health.sqlite3")
        with opened(url) as history:
            history.add(steady("A", range(30)))
            before = content(history)
            with refused_by("SQLITE_FULL"):
                history.add_table(large())
            assert content(history) == before
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with refused_by("SQLITE_READONLY"), opened(url) as history:
            history.add(steady("B", range(3)))
        with opened(url) as history:
            assert content(history) == before
    finally:
        subprocess.run(["umount", disk], check=True)


def test_killed_writers_leave_whole_batches(history_url: str) -> None:
    opened(history_url).close()
    script = WRITER.format(tests=str(Path(__file__).parents[2]), url=history_url)
    told: set[int] = set()
    for life in (1, 3):
        command = [sys.executable, "-c", script, str(life * 10_000)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            told |= {int(process.stdout.readline()) for _ in range(3 + life)}
            time.sleep(0.013 * life)  # a moment in the middle of a batch
            process.send_signal(signal.SIGKILL)
            told |= {int(line) for line in process.stdout.read().split()}
    with opened(history_url) as history:
        drives, samples = history.drives(), history.samples()
        counts = drives["serial"].str.split("-").list.first().value_counts()
        assert set(counts["count"]) == {20}
        assert samples.group_by("drive").len()["len"].unique().to_list() == [6]
        kept = {int(name[1:]) for name in counts["serial"]}
        assert told <= kept  # what was told as done is there
        assert len(kept - told) <= 4  # at most the last of each, done and not yet told
        assert history.add(steady("A", range(3))).samples_new == 3
    if not history_url.startswith("postgresql"):
        assert sqlite3.connect(history_url).execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_servers_that_are_none_are_told(tmp_path: Path, postgresql: str) -> None:
    for url in (postgresql.format("nowhere"), f"postgresql://u:secret@/d?host={tmp_path}"):
        with pytest.raises(HintedError) as refused:
            History.open(url)
        assert "`createdb`" in refused.value.hint
        assert "secret" not in str(refused.value)


def test_places_that_are_none_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    places = ["mysql://u:secret@host/db", str(tmp_path), str(tmp_path / "file/below/health.sqlite3")]
    unmade = [str(tmp_path / name) for name in ("none.sqlite3", "file")]
    tries = [partial(History.open, url) for url in places]
    tries += [partial(History.open, path, create=False) for path in unmade]
    agreed_refusals("history-places.txt", tries, {str(tmp_path): "FOLDER"})
    assert (tmp_path / "file").read_bytes() == b"", "a report writes nothing into it"


def test_verbs_take_what_they_write(tmp_path: Path, drivecast: Callable[..., Any]) -> None:
    url, table = tmp_path / "a.sqlite3", tmp_path / "samples.parquet"
    with opened(str(url)) as history:
        history.add(steady("A", range(30)) + steady("GONE", range(3)), group="md0")
        before = content(history)
    assert drivecast("health", "export", "-o", table, "--history", url).code == 0
    copied = tmp_path / "b.sqlite3"
    done = drivecast("health", "import", table, "--history", copied, "--output-format", "json")
    assert (done.code, done.json["samples_new"], done.json["drives_new"]) == (0, 33, 2)
    with opened(str(copied)) as history:
        assert content(history) == before
    status = drivecast("health", "history", "--history", copied, "--output-format", "json").json
    assert (status["drives"], status["samples"], status["version"]) == (2, 33, "0003")
    assert [row["serial"] for row in status["vanished"]] == ["GONE"]
    (tmp_path / "broken.csv").write_text("serial,model\nA,M\n")
    mixed = drivecast("health", "import", table, tmp_path / "broken.csv", "--history", copied)
    assert mixed.code == 1
    assert "33" in mixed.out
    assert "`time`" in mixed.err
    pruned = drivecast(
        "health", "prune", "--keep-days", "0", "--history", copied, "--output-format", "json"
    ).json
    assert (pruned["samples_left"], pruned["drives_forgotten"]) == (0, 2)


def test_daily_drive_statistics_go_through_the_vendor_rules(
    tmp_path: Path, drivecast: Callable[..., Any]
) -> None:
    path, url = tmp_path / "2026-01-01.csv", tmp_path / "a.sqlite3"
    path.write_text(
        "date,serial_number,model,capacity_bytes,failure,smart_9_normalized,smart_9_raw,smart_194_raw\n"
        "2026-01-01,Z1,ST4000DM000,4000787030016,0,95,5000,30\n"
        "2026-01-02,Z1,ST4000DM000,4000787030016,1,95,5024,31\n"
        "2026-13-02,Z2,ST4000DM000,4000787030016,0,95,1,30\n"
    )
    done = drivecast("health", "import", path, "--history", url)
    assert done.code == 1
    assert f"{path}:4" in done.err
    with opened(str(url)) as history:
        samples = history.samples()
        assert samples["power_on_hours"].to_list() == [5000.0, 5024.0]
        assert samples["passed"].to_list() == [True, False]
