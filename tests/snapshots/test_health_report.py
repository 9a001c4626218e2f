"""The report for an e-mail, word for word, and the shape that mail programs need.

After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

import os
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from drivecast.document.drive_health import DriveInService, Horizons, Report
from drivecast.health.concern import judged, rank
from drivecast.present import drive_report

HERE = Path(__file__).parent
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HORIZONS = Horizons(NOW, timedelta(days=92), timedelta(days=365))


def row(serial: str, **said: Any) -> DriveInService:
    return DriveInService.model_validate(
        {
            "serial": serial,
            "model": "SAMSUNG MZ7L3480HCHQ-00A07",
            "host": "db1",
            "device": "/dev/sda",
            "group": None,
            "status": "ok",
            "wear_ratio": 0.5,
            "media_end": date(2031, 1, 1),
            "media_end_low": date(2030, 1, 1),
            "time": NOW,
            **said,
        }
    )


YOUNG = {"kind": "too young", "samples": 2, "span_days": 1.0}
FLEET = [
    row("WELL1"),
    row("WELL2", host="db2"),
    row("WORN", host="db3", wear_ratio=1.3, status="alarm", group="md0"),
    row("SOON", host="db4", media_end=date(2027, 4, 2), media_end_low=date(2027, 1, 3), errors_recent=12.0),
    row("FAIL", host="a-host-with-a-name-so-long-that-no-line-of-a-mail-holds-it.example.com", passed=False),
    row("LATER", host="db5", media_end=date(2027, 12, 1), media_end_low=date(2027, 9, 1)),
    row(
        "TERM",
        host="db6",
        warranty_end=datetime(2027, 1, 31, tzinfo=UTC),
        warranty_end_limit="writes",
        model="INTEL SSDSC2BB480G7 ✓",
    ),
    row("YOUNG", host=None, device=None, status="not enough data", status_reason=YOUNG),
    row("LOST", host="db7", time=NOW - timedelta(days=4)),
]


def report(drives: list[DriveInService]) -> Report:
    return drive_report.document(sorted(judged(drives, HORIZONS), key=rank), HORIZONS)


@pytest.mark.parametrize(
    ("name", "rows"),
    [("health-report.txt", FLEET), ("health-report-well.txt", FLEET[:2]), ("health-report-none.txt", [])],
)
def test_the_words_are_the_ones_agreed_on(name: str, rows: list[DriveInService]) -> None:
    made = report(rows)
    text = f"Subject: {made.subject}\n\n{drive_report.text(made, HORIZONS)}"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        (HERE / name).write_text(text, encoding="utf-8")
    assert text == (HERE / name).read_text(encoding="utf-8")


def test_a_mail_is_ascii_of_72_columns_and_begins_with_what_to_do() -> None:
    made = report(FLEET)
    lines = drive_report.text(made, HORIZONS).splitlines()
    assert all(len(line) <= 72 and line.isascii() for line in lines)
    assert len(made.subject) <= 78
    assert lines[0] == "Replace 3 drives within 92 days; 9 checked."
    assert lines[2] == "REPLACE BY 2027-02-21 (3)"
    assert "FAIL" in lines[6]


def test_every_drive_is_in_one_list() -> None:
    made = report(FLEET)
    assert made.counts.drives == len(FLEET)
    assert [drive.serial for drive in made.drives] == [
        *("FAIL", "WORN", "SOON"),
        *("LATER", "TERM"),
        *("YOUNG", "LOST"),
    ]
