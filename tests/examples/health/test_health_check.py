"""The check for monitoring systems: its line, its figures and its exit codes; and the files that are shipped."""

import json
import re
import shlex
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from conftest import Run, execute
from drivecast.document.drive_health import Check, Horizons
from drivecast.health import concern as checking
from drivecast.health import shipped
from drivecast.health.history import History
from drivecast.present import plugin
from judged_drives import table

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HORIZONS = Horizons(NOW)
PERFDATA = re.compile(r"('[^'=|]+'=-?[\d.]+(s|%)?(;[\d:.]*){0,3} ?)+")
"""Figures as the guidelines of monitoring plug-ins write them."""


def row(serial: str = "S1", **said: Any) -> dict[str, Any]:
    """A drive that is well."""
    return {
        "serial": serial,
        "host": "db1",
        "device": "/dev/sda",
        "forecast_reason": {"kind": "flash ends", "end": date(2031, 1, 1)},
        "wear_ratio": 0.5,
        "spare_ratio": 1.0,
        "passed": True,
        "media_end": date(2031, 1, 1),
        "media_end_low": date(2030, 1, 1),
        "warranty_end": date(2029, 1, 1),
        "time": NOW - timedelta(hours=1),
        **said,
    }


def check(drives: Sequence[dict[str, Any]], *, named: bool = False) -> Check:
    return plugin.document(checking.check(table(drives), HORIZONS, named=named))


YOUNG = {"kind": "too young", "samples": 2, "span_days": 1.0}
ERRORS = {"errors_recent": 3.0, "error_days": 1, "error_window_days": 30.0}
GROWN = {**ERRORS, "errors_grow": True, "error_days": 3, "error_days_before": 0, "days_before": 560.0}
TROUBLE: list[tuple[dict[str, Any], str, str]] = [
    ({}, "OK", ""),
    ({"passed": False}, "CRITICAL", "reports that it is failing"),
    ({"wear_ratio": 1.3}, "CRITICAL", "worn to 130 % of its rating"),
    ({"spare_ratio": 0.1}, "CRITICAL", "10 % of its spare blocks left (threshold 10 %, assumed)"),
    ({"spare_ratio": 0.11}, "OK", ""),
    (
        {"spare_ratio": 0.05, "spare_threshold_ratio": 0.05},
        "CRITICAL",
        "5 % of its spare blocks left (threshold 5 %)",
    ),
    (
        {"spare_ratio": 0.11, "spare_threshold_ratio": 0.1, "spare_end_low": date(2026, 11, 24)},
        "CRITICAL",
        "spare 11 % (threshold 10 %): may be reached 2026-11-24",
    ),
    ({"spare_end_low": date(2027, 3, 1)}, "WARNING", "spare 100 % (threshold 10 %, assumed): may be reached"),
    (
        {"media_end_low": date(2027, 2, 21), "media_end": date(2027, 5, 1)},
        "CRITICAL",
        "flash may end 2027-02-21, expected 2027-05-01",
    ),
    ({"media_end_low": date(2026, 11, 1)}, "CRITICAL", "flash may have ended 2026-11-01"),
    ({"media_end_low": date(2027, 2, 22)}, "WARNING", "flash may end 2027-02-22"),
    (GROWN, "CRITICAL", "3 new errors on 3 of the last 30 days, on none of the 560 days before"),
    (ERRORS, "WARNING", "3 new errors on 1 of the last 30 days"),
    ({"pending_sectors": 8.0}, "WARNING", "8 sectors wait to be replaced"),
    (
        {"wear_ratio": 0.93, "media_end": None, "media_end_low": None},
        "WARNING",
        "worn to 93 % of its rating, without a date",
    ),
    (
        {"written_bytes": 8.0, "rated_bytes": 5.0, "wear_ratio": None},
        "WARNING",
        "has written 160 % of its rated writes and reports no wear",
    ),
    ({"written_bytes": 8.0, "rated_bytes": 5.0}, "OK", ""),
    ({"warranty_end": date(2027, 1, 1), "warranty_end_limit": "term"}, "OK", ""),
    ({"time": NOW - timedelta(days=3)}, "UNKNOWN", "no sample since 2026-11-18"),
    ({"time": NOW - timedelta(days=3), "silent_after_s": 21 * 86_400.0}, "OK", ""),
    ({"time": None}, "UNKNOWN", "no sample"),
    ({"forecast_reason": YOUNG}, "UNKNOWN", "samples: 2 over 1.0 days"),
    ({"spare_ratio": None, "wear_ratio": None, "passed": None, "media_end": None}, "OK", ""),
]


@pytest.mark.parametrize(("said", "state", "why"), TROUBLE)
def test_one_drive(said: dict[str, Any], state: str, why: str) -> None:
    found = check([row(**said)], named=True)
    assert (found.state, found.drives[0].state) == (state, state)
    assert checking.STATES.index(found.state) == {"OK": 0, "WARNING": 1, "CRITICAL": 2, "UNKNOWN": 3}[state]
    assert why in plugin.line(found)
    assert bool(found.drives[0].why) == (state != "OK" or found.drives[0].status == "warranty")


def test_the_worst_decides_and_the_soonest_is_named_first() -> None:
    rows = [
        row("well"),
        row("late", media_end_low=date(2027, 2, 1), media_end=date(2027, 2, 1)),
        row("early", media_end_low=date(2027, 1, 1), media_end=date(2027, 1, 1)),
        row("silent", time=NOW - timedelta(days=9)),
        row("watch", **ERRORS),
        *(row(f"more{index}", media_end_low=date(2027, 2, 2)) for index in range(4)),
    ]
    found = check(rows)
    assert [drive.serial for drive in found.drives[:2]] == ["early", "late"]
    assert plugin.line(found).startswith("DRIVES CRITICAL - ")
    assert "'critical'=6;;;0" in found.perfdata
    assert "'days_left'=41;184:;92:" in found.perfdata


def test_a_young_drive_decides_only_where_it_was_asked_for() -> None:
    young = row("young", forecast_reason=YOUNG)
    assert check([row(), young]).state == "OK"
    assert check([row(), young]).counts["no date"] == 1
    assert check([young]).state == "UNKNOWN"
    assert check([row(), young], named=True).state == "UNKNOWN"
    # A young drive that is no longer read is no longer merely young.
    lost = row("lost", forecast_reason=YOUNG, time=NOW - timedelta(days=5))
    assert check([row(), lost]).state == "UNKNOWN"


def test_a_warranty_is_counted_and_no_state() -> None:
    ends = row("ends", warranty_end=date(2027, 1, 1), warranty_end_limit="term")
    over = row("over", written_bytes=8.0, rated_bytes=5.0)
    found = check([row(), ends, over])
    assert (found.state, found.counts["warranty"]) == ("OK", 2)
    assert "'warranty'=2;;;0" in found.perfdata
    # It never comes before what fails.
    failing = check([ends, over, row("bad", passed=False)])
    assert failing.text.startswith("1 of 3 drives: bad ")
    assert [drive.serial for drive in failing.drives] == ["bad", "ends", "over"]


def test_a_warning_comes_before_what_is_unknown() -> None:
    rows = [row("silent", time=NOW - timedelta(days=9)), row("watch", **ERRORS)]
    assert check(rows).state == "WARNING"
    assert check([*rows[:1], row()]).state == "UNKNOWN"


def test_no_drive_at_all() -> None:
    assert plugin.line(check([])) == "DRIVES UNKNOWN - no drive in the history | 'drives'=0;;;0"


@pytest.mark.parametrize("serial", ["a|b", "it's", "x=1", "new\nline", "\x1b[31m", "é"])
def test_names_that_would_break_the_line(serial: str) -> None:
    found = check([row(serial, passed=False), row("other", wear_ratio=1.1)])
    line = plugin.line(found)
    assert line.count("|") == 1
    assert line.isprintable()
    assert PERFDATA.fullmatch(line.partition(" | ")[2])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A year of a drive that wears out in three months, of one that is well, of one that was taken away."""
    path = tmp_path_factory.mktemp("history") / "h.db"
    now, rows = datetime.now(UTC).replace(microsecond=0), []
    for serial, per_day, ago in (("HOT", 1.6e12, 0), ("COOL", 1e10, 0), ("GONE", 1e10, 100)):
        rows += [
            {
                "serial": serial,
                "model": "SAMSUNG MZ7L3480HCHQ-00A07",
                "capacity_bytes": 480_103_981_056,
                "time": now - timedelta(days=ago + 300 - day, minutes=1),
                "host_written_bytes": 1e12 + per_day * day,
                "wear_ratio": (1e12 + per_day * day) * 2 / 1.1e15 // 0.01 * 0.01,
                "power_on_hours": 24.0 * (day + 9),
                "host": "db1",
                "device": "/dev/sda",
            }
            for day in range(301)
        ]
    with History.open(str(path)) as history:
        assert not history.add_table(pl.DataFrame(rows)).refused
    return path


def test_the_program(drivecast: Callable[..., Run], path: Path) -> None:
    everything = drivecast("health", "check", "--all", "--history", path, "--output-format", "json")
    states = {drive["serial"]: drive["state"] for drive in everything.json["drives"]}
    assert states == {"HOT": "CRITICAL", "COOL": "OK"}, "GONE was not seen for a hundred days"
    assert everything.code == 2
    cool = drivecast("health", "check", "--serial", "COOL", "--history", path)
    assert cool.code == 0
    assert cool.out.startswith("DRIVES OK - COOL (db1 /dev/sda) is well | 'drives'=1;;;0 'wear'=0%;;100;0 ")
    assert PERFDATA.fullmatch(cool.out.strip().partition(" | ")[2])


def test_a_history_to_which_nothing_is_added_says_so(drivecast: Callable[..., Run], path: Path) -> None:
    later = ("--history", path, "--now", "2099-01-01")
    told = "none of the 3 drives of the history was seen shortly before 2099-01-01, the last on 20"
    check_all, mail = drivecast("health", "check", "--all", *later), drivecast("health", "report", *later)
    assert check_all.code == 3
    assert check_all.out.startswith(f"DRIVES UNKNOWN - {told}")
    assert mail.code == 2
    assert told in mail.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "give `--serial SERIAL`, or `--all`"),
        (["--all", "--serial", "x"], "give `--serial SERIAL`, or `--all`"),
        (["--all", "--warning", "9d", "--critical", "10d"], "cannot exceed --warning"),
        (["--all"], "no history at"),
        (["--alles"], "No such option: --alles"),
        (["--all", "extra"], "unexpected extra argument"),
    ],
)
def test_wrong_use_is_unknown_and_never_critical(
    options: list[str], message: str, drivecast: Callable[..., Run], tmp_path: Path
) -> None:
    history = ["--history", str(tmp_path / "none.db")] if "--alles" not in options else []
    run = drivecast("health", "check", *options, *history)
    assert run.code == 3
    first = run.out.splitlines()[0]
    assert first.startswith("DRIVES UNKNOWN - ")
    assert message in first.replace("Got ", "")


def test_shipped_files_are_listed_printed_and_written(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    listed = drivecast("health", "files")
    assert [line.split()[0] for line in listed.out.splitlines()] == [*shipped.WHAT]
    assert drivecast("health", "files", "drivecast.rules.yml").out == shipped.text("drivecast.rules.yml")
    # In a process of its own: a unit starts the program that wrote it.
    written = execute("health", "files", "-o", tmp_path / "new", "--output-format", "json")
    assert written.code == 0
    assert {path.name for path in (tmp_path / "new").iterdir()} == {*shipped.WHAT}
    json.loads((tmp_path / "new/drivecast.dashboard.json").read_text())
    unit = (tmp_path / "new/drivecast-serve.service").read_text()
    command = re.search(r"ExecStart=(.+)", unit)
    assert command
    assert Path(shlex.split(command[1])[0]).is_file(), "a unit starts the program that wrote it"
    wrong = drivecast("health", "files", "rules")
    assert (wrong.code, "`drivecast.rules.yml`" in wrong.err) == (2, True)
    (tmp_path / "file").write_text("")
    blocked = drivecast("health", "files", "-o", tmp_path / "file")
    assert (blocked.code, str(tmp_path / "file") in blocked.err) == (2, True)
