"""The report for an e-mail, word for word, and the shape that mail programs need.

After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from agreed import agreed
from drivecast.document.drive_health import DriveInService, Horizons, Report
from drivecast.health import concern
from drivecast.present import drive_report
from judged_drives import table

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HORIZONS = Horizons(NOW)


def row(serial: str, **said: Any) -> dict[str, Any]:
    return {
        "serial": serial,
        "model": "SAMSUNG MZ7L3480HCHQ-00A07",
        "host": "db1",
        "device": "/dev/sda",
        "forecast_reason": {"kind": "flash ends", "end": date(2031, 1, 1)},
        "wear_ratio": 0.5,
        "media_end": date(2031, 1, 1),
        "media_end_low": date(2030, 1, 1),
        "time": NOW,
        "gap_s": 86_400.0,
        **said,
    }


YOUNG = {"kind": "too young", "samples": 2, "span_days": 1.0}
ERRORS = {"errors_recent": 12.0, "error_days": 1, "error_window_days": 30.0}
GROWN = {**ERRORS, "errors_grow": True, "error_days": 9, "error_days_before": 0, "days_before": 812.0}
LOST = {"host": "db7", "time": NOW - timedelta(days=4)}
FLEET = [
    row("WELL1"),
    row("WELL2", host="db2"),
    row("WORN", host="db3", wear_ratio=1.3, group="md0"),
    row("SOON", host="db4", media_end=date(2027, 4, 2), media_end_low=date(2027, 1, 3), **ERRORS),
    row("FAIL", host="a-host-with-a-name-so-long-that-no-line-of-a-mail-holds-it.example.com", passed=False),
    row("GROW", host="db8", device="/dev/sdb", **GROWN),
    row(
        "SPARE",
        host="db9",
        spare_ratio=0.11,
        spare_threshold_ratio=0.1,
        spare_end_low=date(2026, 11, 22),
        spare_end=date(2026, 11, 24),
    ),
    row("LATER", host="db5", media_end=date(2027, 7, 1), media_end_low=date(2027, 4, 1)),
    row("ONCE", host=None, device="/dev/sdb", **ERRORS),
    row(
        "TERM",
        host="db6",
        warranty_end=date(2027, 1, 31),
        warranty_end_limit="writes",
        model="INTEL SSDSC2BB480G7 ✓",
    ),
    row("USED", host="db6", written_bytes=9e15, rated_bytes=5e15),
    row("YOUNG", host=None, device=None, forecast_reason=YOUNG),
    row("LOST1", **LOST),
    row("LOST2", **LOST),
    row("PULLED", host="db1", device="/dev/sdc", time=NOW - timedelta(days=9)),
]


def report(drives: list[dict[str, Any]]) -> Report:
    judged = concern.judged(table(drives), HORIZONS)
    rows = DriveInService.rows(judged)
    return drive_report.document(rows, concern.counts(judged), concern.silent_hosts(judged), HORIZONS)


@pytest.mark.parametrize(
    ("name", "rows"),
    [("health-report.txt", FLEET), ("health-report-well.txt", FLEET[:2]), ("health-report-none.txt", [])],
)
def test_the_words_are_the_ones_agreed_on(name: str, rows: list[DriveInService]) -> None:
    made = report(rows)
    agreed(name, f"Subject: {made.subject}\n\n{drive_report.text(made)}")


def test_a_mail_is_ascii_of_72_columns_and_begins_with_what_to_do() -> None:
    made = report(FLEET)
    lines = drive_report.text(made).splitlines()
    assert all(len(line) <= 72 and line.isascii() for line in lines)
    assert len(made.subject) <= 100
    assert lines[0] == "Replace 5 drives by 2027-02-21, 2 of them now; 15 checked."
    assert lines[2] == "REPLACE (5)"
    assert "FAIL" in lines[6]


def test_every_drive_is_in_one_list() -> None:
    made = report(FLEET)
    assert made.drives_checked == len(FLEET) == sum(made.counts.values())
    assert [drive.serial for drive in made.drives] == [
        *("FAIL", "GROW", "SPARE", "SOON", "WORN"),
        *("LATER", "ONCE"),
        *("PULLED", "LOST1", "LOST2"),
        "YOUNG",
        *("TERM", "USED"),
    ]
    assert [(host.host, host.drives) for host in made.silent_hosts] == [("db7", 2)]
    assert made.counts["ok"] == 2
