"""Options of `bench database`, as typed and as meant."""

from functools import partial
from pathlib import Path

import pytest

from agreed import agreed_refusals
from drivecast.bench.database.configure import Request, planned
from drivecast.bench.database.directory import Account, Place, Site, choose, must_have_room
from drivecast.bench.database.mariadb import MariaDB, MySQL
from drivecast.bench.database.postgresql import PostgreSQL
from drivecast.bench.database.server import last_lines, run_whole
from drivecast.bench.database.tuning import MIB, Tuning
from drivecast.errors import NoRoomError

A = Path("/a")
B = Path("/b")


def place(tmp_path: Path) -> Place:
    return Place(Account("x", 1, 1), tmp_path / "top", tmp_path / "log", tmp_path)


def test_the_paper_is_the_default() -> None:
    plan = planned(Request("sysbench", [A], size="250GB"))
    assert isinstance(plan.server, MariaDB)
    assert plan.load.title == "sysbench oltp_read_write"
    assert plan.load.data_bytes == pytest.approx(250e9, rel=0.001)
    shares = [tuning.buffer_bytes / plan.load.data_bytes for tuning in plan.tunings]
    assert shares == pytest.approx([0.052, 0.1, 0.2, 0.3, 0.4, 0.5], rel=0.001)
    assert (plan.ramp_s, plan.time_s, plan.repeats, plan.threads) == (120, 600, 3, (32,))
    assert {tuning.flush_method for tuning in plan.tunings} == {"O_DIRECT"}
    assert {tuning.log_bytes for tuning in plan.tunings} == {4096 * MIB}


def test_quick_is_less_of_everything_and_gives_way_to_what_is_said() -> None:
    plan = planned(Request("pgbench", [A], quick=True, runtime=7))
    assert isinstance(plan.server, PostgreSQL)
    assert plan.load.title == "pgbench tpcb-like"
    assert (plan.ramp_s, plan.time_s, plan.repeats, plan.threads) == (10, 7, 1, (8,))
    assert [tuning.buffer_bytes // MIB for tuning in plan.tunings] == [52, 259]


def test_settings_are_multiplied_and_repeats_are_outermost() -> None:
    plan = planned(
        Request(
            "tpcc",
            [A, B],
            log_on=[B],
            buffer="16MiB,32MiB",
            flush_at_commit="1,2",
            doublewrite="on,off",
            io_capacity="200,2000",
            flush_method="fsync",
            warehouses=10,
            threads="1,8",
            repeats=2,
        )
    )
    assert plan.load.title == "TPC-C-like"
    assert plan.load.settings["warehouses"] == 10
    assert [(site.on, site.log_on) for site in plan.sites] == [(A, B), (B, B)]
    assert len(plan.tunings) == 16
    steps = plan.steps()
    assert len(steps) == 128
    assert [step.repeat for step in steps] == [1] * 64 + [2] * 64
    assert [step.site.on for step in steps[:5]] == [A, A, B, B, A], (
        "every tuning on every target before the next"
    )
    assert [step.threads for step in steps[:4]] == [1, 8, 1, 8]
    assert len({str((step.site, plan.settings(step))) for step in steps}) == 128


def test_what_is_wrong_is_named() -> None:
    requests = [
        Request("sysbench", [A], warehouses=3),
        Request("tpcc", [A], kind="read_only"),
        Request("pgbench", [A], distribution="pareto"),
        Request("pgbench", [A], server="mysql"),
        Request("sysbench", [A], server="postgresql", io_capacity="200"),
        Request("sysbench", [A], kind="oltp_x"),
        Request("sysbench", [A], size="1kB"),
        Request("sysbench", [A], buffer="many"),
        Request("sysbench", [A], threads="0"),
        Request("sysbench", [A], flush_at_commit="0"),
        Request("sysbench", [A, B], log_on=[A, B, A]),
        Request("sysbench", [A, A]),
        Request("sysbench", [A], set_=["x"]),
        Request("sysbench", [A], set_=["datadir=/var/lib/mysql"]),
        Request("sysbench", [A], set_=["loose-Skip-Net=0"]),
        Request("pgbench", [A], set_=["listen_addresses=*"]),
        Request("tpcc", [A], size="1GB", warehouses=2),
        Request("tpcc", [A], tpcc=A),
    ]
    agreed_refusals("database-options.txt", [partial(planned, asked) for asked in requests])


@pytest.mark.needs("sysbench")
def test_perconas_scripts_are_copied_to_where_they_run(tmp_path: Path) -> None:
    scripts = tmp_path / "sysbench-tpcc"
    scripts.mkdir()
    for name in ("tpcc.lua", "tpcc_common.lua", "other.txt"):
        (scripts / name).write_text("--")
    work = tmp_path / "work"
    work.mkdir()
    plan = planned(Request("tpcc", [A], tpcc=scripts, warehouses=7))
    assert plan.load.title == "sysbench-tpcc"
    plan.load.bring(place(work))
    argv = plan.load.prepare(plan.server, place(work), 4)[0]
    assert sorted(path.name for path in work.iterdir()) == ["tpcc.lua", "tpcc_common.lua"]
    assert argv[1] == str(work / "tpcc.lua")
    assert argv[-4:] == ["--tables=1", "--scale=7", "--threads=4", "prepare"]


def test_mysql_is_told_the_size_of_its_log_by_its_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mysqld").write_text("#!/bin/sh\n")
    (tmp_path / "mysqld").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    argv = MySQL().argv(place(tmp_path), Tuning(64 * MIB, 96 * MIB, 2, doublewrite=False), 4)
    assert argv[0] == str(tmp_path / "mysqld")
    assert f"--innodb-redo-log-capacity={96 * MIB}" in argv
    assert "--innodb-doublewrite=OFF" in argv
    assert "--innodb-flush-log-at-trx-commit=2" in argv
    assert not [argument for argument in argv if argument.startswith("--innodb-log-file-size")]


def test_programs_and_places_that_will_not_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mysqld").write_text("#!/bin/sh\necho mysqld Ver 10.11.19-MariaDB\n")
    (tmp_path / "mysqld").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("drivecast.files._OF_ROOT", "")
    deep = Path("/" + "x" * 99)
    tries = [
        planned(Request("sysbench", [A], size="1GB")).load.program,
        MySQL().programs,
        partial(Place(Account("x", 1, 1), deep, None, deep).socket, "mysql.sock"),
    ]
    agreed_refusals("database-programs.txt", tries, {str(tmp_path): "BIN"})


def test_room_is_asked_for_before_anything_is_made(tmp_path: Path) -> None:
    must_have_room([Site(tmp_path)], 1, 1)
    with pytest.raises(NoRoomError) as error:
        must_have_room([Site(tmp_path, tmp_path)], 10**15 - 1, 1)
    assert error.value.needed_bytes == 10**15
    (tmp_path / "file").write_text("")
    sites = [Site(tmp_path / "none"), Site(tmp_path, tmp_path / "file")]
    tries = [partial(must_have_room, [site], 1, 1) for site in sites]
    agreed_refusals("database-places.txt", tries, {str(tmp_path): "FOLDER"})
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_last_words_are_short_and_print_nothing_odd(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("first\n" * 20 + "INSERT " + "x" * 10_000 + " failed\n\n\x1b[31mred\x1b[0m\n")
    lines = last_lines(log).splitlines()
    assert len(lines) == 12
    assert lines[-1] == "  ?[31mred?[0m"
    assert lines[-2].startswith("  INSERT xxx")
    assert lines[-2].endswith("xxx failed")
    assert max(map(len, lines)) <= 242
    log.write_text("")
    assert len(last_lines(log).splitlines()) == 1


def test_a_load_that_fails_is_told_although_it_ends_well(tmp_path: Path) -> None:
    here = Place(choose(tmp_path, ()), tmp_path, None, tmp_path)
    if here.account.ids is not None:
        tmp_path.chmod(0o755)
    assert run_whole(["echo", "fine"], here, "loading").read_text() == "fine\n"
    tries = [partial(run_whole, argv, here, "loading") for argv in (["printf", "so\nFATAL: no\n"], ["false"])]
    agreed_refusals("database-loading.txt", tries)
