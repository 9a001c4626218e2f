"""A history, in SQLite and in PostgreSQL alike."""

import csv
import io
import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import polars as pl
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from agreed import agreed_refusals
from conftest import Run
from drive_samples import START, content, opened, record, steady
from drivecast.health.history import migrations, schema, segment


def test_what_goes_in_comes_out(history_url: str) -> None:
    with opened(history_url) as history:
        added = history.add(steady("A", range(3)) + steady("B", range(2), host="db2"))
        assert (added.drives_new, added.samples_new, added.samples_repeated) == (2, 5, 0)
        drives, samples = history.drives(), history.samples()
    assert drives.select("serial", "model", "host", "device", "bus").rows() == [
        ("A", "M1", "db1", "/dev/sda", "ata"),
        ("B", "M1", "db2", "/dev/sda", "ata"),
    ]
    assert drives["last_seen"].to_list() == [START + timedelta(days=2), START + timedelta(days=1)]
    assert samples["host_written_bytes"].to_list() == [1e12, 1.01e12, 1.02e12, 1e12, 1.01e12]
    assert samples["passed"].all()
    assert '"trust": "documented"' in drives["sources"][0]


def test_counters_that_go_back_are_another_drive(history_url: str) -> None:
    with opened(history_url) as history:
        history.add(steady("A", range(5)))
        added = history.add([record("A", 5, 1e9, 5.0), record("A", 6, 2e9, 29.0)])
        assert added.samples_new == 2
        assert len(added.notes) == 1
        drives = history.drives()
        assert drives["serial"].to_list() == ["A", "A"]
        assert drives["first_seen"].to_list() == [START, START + timedelta(days=5)]
        assert drives["host_written_bytes"].to_list() == [1.04e12, 2e9]
        assert history.samples().group_by("drive").len().sort("drive")["len"].to_list() == [5, 2]


def test_two_drives_that_swap_their_serial_numbers_are_told_apart(history_url: str) -> None:
    young = [record("Y", day, 1e10 * day, 24.0 * day) for day in range(10)]
    old = [record("O", day, 9e14 + 1e10 * day, 40000.0 + 24 * day) for day in range(10)]
    swapped = [record("O", day, 1e10 * day, 24.0 * day) for day in range(10, 20)]
    swapped += [record("Y", day, 9e14 + 1e10 * day, 40000.0 + 24 * day) for day in range(10, 20)]
    with opened(history_url) as history:
        history.add(young + old)
        notes = history.add(swapped).notes
        assert [note.split(":")[0] for note in notes] == ["O", "Y"]
        assert "40024" in notes[1]
        assert history.samples().group_by("drive").len()["len"].to_list() == [10] * 4


def test_drives_that_swap_back_are_the_earlier_ones_again(history_url: str) -> None:
    with opened(history_url) as history:
        history.add(steady("A", range(10)))
        history.add([record("A", day, 1e9 * day, 24.0 * day) for day in range(10, 20)])
        notes = history.add(steady("A", range(20, 30))).notes
        assert "2026-02-09" in notes[0]
        assert history.add(steady("A", range(30, 40))).drives_new == 0
        drives = history.drives()
        assert drives["last_seen"].to_list() == [START + timedelta(days=39), START + timedelta(days=19)]
        assert drives["host_written_bytes"].to_list() == [1e12 + 39e10, 19e9]
        assert history.samples().group_by("drive").len().sort("drive")["len"].to_list() == [30, 10]
        kept = history.samples(drives=[1])["host_written_bytes"]
        assert kept.is_sorted()


def test_one_reading_of_zeros_does_not_cut_a_history(history_url: str) -> None:
    with opened(history_url) as history:
        added = history.add([*steady("A", range(5)), record("A", 5, 0.0, 0.0), *steady("A", range(6, 60))])
        assert added.drives_new == 2
        assert history.samples().group_by("drive").len().sort("drive")["len"].to_list() == [59, 1]
        history.prune(thin_after_days=1, weekly=True)
        thinned = history.samples().group_by("drive").len().sort("drive")["len"].to_list()
        assert thinned[1] == 1
        assert history.drives()["first_seen"].to_list() == [START, START + timedelta(days=5)]


def test_a_history_of_an_earlier_schema_is_brought_up(history_url: str) -> None:
    with opened(history_url) as history:
        history.add([*steady("A", range(5)), record("A", 5, 1e9, 5.0)])
        before = content(history)
        config = Config()
        config.set_main_option("script_location", str(Path(migrations.__file__).parent))
        with history.database.writing() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0001")
            columns = sa.inspect(connection).get_columns("health_drive")
            assert "continues" not in {column["name"] for column in columns}
    with opened(history_url) as history:
        assert history.database.version == schema.VERSIONS[-1]
        assert content(history) == before
        assert history.add(steady("A", range(7, 9))).drives_new == 0


def test_segments_of_before_a_figure_are_joined_with_later_ones(tmp_path: Path) -> None:
    """A segment of ten figures, as the first revision stored it, is read and completed."""
    old = [name for name in segment.SHAPE if name not in ("spare_threshold_ratio", "pending_sectors")]
    with opened(str(tmp_path / "h.sqlite3")) as history:
        history.add(steady("A", range(3)))
        with history.database.writing() as connection:
            data = connection.execute(sa.select(schema.segment.c.data)).scalar_one()
            file = io.BytesIO()
            segment.decode(data).select(old).write_parquet(file)
            connection.execute(sa.update(schema.segment).values(data=file.getvalue()))
        assert history.samples()["pending_sectors"].to_list() == [None] * 3
        table = pl.DataFrame({"serial": "A", "model": "M1", "time": START, "pending_sectors": 8.0})
        assert history.add_table(table).samples_repeated == 1
        assert history.samples()["pending_sectors"].to_list() == [8.0, None, None]
        assert history.samples()["host_written_bytes"].to_list() == [1e12, 1.01e12, 1.02e12]


def test_the_revisions_make_the_tables_that_are_declared(history_url: str) -> None:
    with opened(history_url) as history, history.database.reading() as connection:
        found = sa.inspect(connection)
        for table in schema.metadata.tables.values():
            columns = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
            assert columns == {column.name: bool(column.nullable) for column in table.columns}
    scripts = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert (
        tuple(revision.revision for revision in reversed(list(scripts.walk_revisions()))) == schema.VERSIONS
    )


def test_another_model_under_a_known_serial_number_is_another_drive(history_url: str) -> None:
    with opened(history_url) as history:
        history.add(steady("A", range(3)))
        added = history.add([record("A", 3, 5.0, 1.0, model="M2"), *steady("A", [4])])
        assert added.samples_new == 2
        assert "M2" in added.notes[0]
        drives = history.drives()
        assert drives["model"].to_list() == ["M1", "M2"]
        assert [bool(reason) for reason in drives["reason"]] == [False, True]
        assert history.samples(drives=[1]).height == 4


def test_a_source_without_capacity_means_the_known_drive(history_url: str) -> None:
    with opened(history_url) as history:
        history.add([record("A", 0, 1e12, 1000.0, capacity=None), *steady("B", [0])])
        history.add([*steady("A", range(1, 3)), record("B", 1, 1.1e12, 1024.0, capacity=None)])
        assert history.drives()["capacity_bytes"].to_list() == [480 * 10**9] * 2


def test_wrong_clocks_are_refused_and_the_others_kept(history_url: str) -> None:
    future, past = record("F", 4000, 1.0, 1.0), record("P", -365 * 40, 1.0, 1.0)
    with opened(history_url) as history:
        added = history.add([future, past, record("", 1, 1.0, 1.0, host=None), *steady("A", [0])])
        assert added.samples_new == 1
        assert [text.split(":")[0] for text in added.refused] == ["F", "P", "a drive"]
        assert history.drives()["serial"].to_list() == ["A"]


def test_doubtful_figures_are_named_and_not_given(history_url: str) -> None:
    with opened(history_url) as history:
        history.add([record("A", 0, 1e12, 7.0, doubtful=["host_written_bytes"])])
        sample = history.samples().row(0, named=True)
        assert sample["host_written_bytes"] is None
        assert sample["doubtful"] == ["host_written_bytes"]
        history.add([record("A", 0, 1e12, 7.0)])  # another reading of that second knows
        sample = history.samples().row(0, named=True)
        assert (sample["host_written_bytes"], sample["doubtful"]) == (1e12, [])


def test_a_group_stays_when_later_records_do_not_name_it(history_url: str) -> None:
    with opened(history_url) as history:
        history.add(steady("A", range(3)), group="db1:md0")
        history.add(steady("A", range(3, 5)))
        assert history.drives()["group"].to_list() == ["db1:md0"]


def test_batches_give_every_drive_once(history_url: str) -> None:
    days = pl.DataFrame({"day": range(3)})
    table = pl.DataFrame({"serial": [f"S{number:04d}" for number in range(600)]}).join(days, how="cross")
    table = table.select("serial", model=pl.lit("M"), time=pl.lit(START) + pl.duration(days="day"))
    with opened(history_url) as history:
        assert history.add_table(table).samples_new == 1800
        batches = list(history.batches(256))
        assert [drives.height for drives, _ in batches] == [255, 256, 89]
        assert sum(samples.height for _, samples in batches) == 1800
        for drives, samples in batches:
            assert samples["drive"].unique().sort().to_list() == drives["drive"].to_list()
            assert samples.select("drive", "time").equals(
                samples.select("drive", "time").sort("drive", "time")
            )
        assert history.samples(drives=[1, 300], since=START + timedelta(days=1)).height == 4


def test_pruning_forgets_and_thinning_keeps_the_ends(history_url: str) -> None:
    hourly = [record("A", day / 24, 1e12 + 1e9 * day, 1000.0 + day) for day in range(24 * 40)]
    with opened(history_url) as history:
        history.add(hourly + steady("OLD", [0]))
        thinned = history.prune(thin_after_days=(datetime(2026, 6, 1, tzinfo=UTC) - START).days - 30)
        assert thinned.samples_removed == 30 * 23 - 1  # the first of all stays beside the last of its day
        samples = history.samples(drives=[1])
        assert samples["host_written_bytes"][0] == 1e12
        assert samples["time"][1] == START + timedelta(hours=23)
        pruned = history.prune(keep_days=(datetime(2026, 6, 1, tzinfo=UTC) - START).days - 35)
        assert pruned.drives_forgotten == 1
        assert history.drives()["first_seen"].to_list() == [START + timedelta(days=35)]
        assert history.add(hourly[-5:]).samples_repeated == 5


def test_a_table_may_say_times_in_several_ways(history_url: str) -> None:
    times = [[START], ["2026-01-20"], ["2026-01-20T00:00:00Z"], ["2026-01-20 01:00:00+01:00"]]
    times.append([int(START.timestamp())])
    with opened(history_url) as history:
        new = [
            history.add_table(pl.DataFrame({"serial": ["A"], "model": ["M"], "time": time})).samples_new
            for time in times
        ]
    assert new == [1, 0, 0, 0, 0]


def test_impossible_values_become_doubtful(history_url: str) -> None:
    table = pl.DataFrame(
        {
            "serial": ["A"] * 3,
            "model": ["M"] * 3,
            "time": [START + timedelta(days=day) for day in range(3)],
            "wear_ratio": [float("nan"), -1.0, 0.5],
            "temperature_c": [-5.0, float("inf"), 20.0],
        }
    )
    with opened(history_url) as history:
        history.add_table(table)
        samples = history.samples()
    assert samples["wear_ratio"].to_list() == [None, None, 0.5]
    assert samples["temperature_c"].to_list() == [-5.0, None, 20.0]
    assert samples["doubtful"].to_list() == [["wear_ratio"], ["wear_ratio", "temperature_c"], []]


def test_tables_that_are_none_are_refused(history_url: str) -> None:
    known = {"serial": ["A"], "model": ["M"]}
    tables = [
        {"serial": ["A"], "time": [START]},
        {**known, "time": [START], "wear_ration": [1.0]},
        {**known, "time": [START], "wear_ratio": ["x"]},
        {**known, "time": [True]},
    ]
    with opened(history_url) as history:
        tries = [partial(history.add_table, pl.DataFrame(columns)) for columns in tables]
        agreed_refusals("history-tables.txt", tries)


def test_whole_numbers_that_are_no_seconds_are_refused(history_url: str) -> None:
    table = pl.DataFrame(
        {"serial": ["A\0", "B", "C"], "model": ["M"] * 3, "time": [1_770_000_000, 10**13, 2**62]}
    )
    with opened(history_url) as history:
        added = history.add_table(table)
        assert added.samples_new == 1
        assert [text.split(":")[0] for text in added.refused] == ["B", "C"]
        assert history.drives()["serial"].to_list() == ["A"]


def test_the_reference_names_every_column() -> None:
    page = (Path(__file__).parents[3] / "docs/reference/health-history.md").read_text()
    for table in schema.metadata.tables.values():
        assert f"`{table.name}`" in page
        assert not [column.name for column in table.columns if f"`{column.name}`" not in page]


def test_a_csv_for_spreadsheets_runs_nothing_and_comes_back(
    tmp_path: Path, drivecast: Callable[..., Run]
) -> None:
    names = ["=cmd|x", "+1", "-1", "@x", "'=x", "''-x", "a=b", "'a", "plain"]
    first, again, out = tmp_path / "a.sqlite3", tmp_path / "b.sqlite3", tmp_path / "out.csv"
    with opened(str(first)) as history:
        history.add([record(name, 0, 1e12, 100.0, model=name, host=name) for name in names])
    assert drivecast("health", "export", "--history", first, "-o", out).code == 0
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert len(rows) == len(names)
    assert not [
        text for row in rows for text in (row["serial"], row["model"], row["host"]) if text[0] in "=+-@"
    ]
    assert drivecast("health", "import", out, "--history", again).code == 0
    with opened(str(first)) as before, opened(str(again)) as after:
        identity = ("serial", "model", "host")
        assert after.drives().select(identity).rows() == before.drives().select(identity).rows()


def test_whatever_sqlite_puts_beside_a_history_is_private(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        with opened(str(tmp_path / "h.sqlite3")) as history:
            history.add(steady("A", range(3)))
            with history.database.writing() as connection:
                connection.exec_driver_sql("CREATE TABLE more (what TEXT)")
                modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        os.umask(mask)
    assert set(modes.values()) == {0o600}
    assert {"h.sqlite3-wal", "h.sqlite3-shm"} <= set(modes)
