"""What is done to an attached design: how it is typed, and what no redundancy survives."""

from functools import partial

import pytest

from agreed import agreed_refusals
from bundled import CATALOG
from drivecast.attach.timetable import Planned, error_rate, timetable, unsurvived
from drivecast.stage.design import shape

DRIVE = "samsung-pm893-480gb"


def test_events_come_in_order_of_time() -> None:
    found = timetable(["3@60s", "0@5min"], ["200MB/s@90"], ["2@500ms:10"], "2h")
    assert found.events == [
        Planned(0.5, "slow", member=2, factor=10.0),
        Planned(60.0, "fail", member=3),
        Planned(90.0, "rebuild", bytes_per_s=200e6),
        Planned(300.0, "fail", member=0),
        Planned(7200.0, "cut"),
    ]
    assert found.cuts
    assert not timetable(["0@0"]).cuts


def test_what_is_not_understood_is_said() -> None:
    texts = {
        "fails": ["3", "3@", "-1@1s", "1@soon", "1@-5", "1@nan"],
        "rebuilds": ["0@1s"],
        "slows": ["1@1s", "1@1s:0.5", "1@1s:nan"],
    }
    given = [{option: [text]} for option, of in texts.items() for text in of]
    agreed_refusals("attach-events.txt", [partial(timetable, **each) for each in given])


def test_a_share_of_requests() -> None:
    assert error_rate("0.1%") == pytest.approx(0.001)


@pytest.mark.parametrize(
    ("design", "fails", "rebuilds", "survives"),
    [
        (DRIVE, ["0@1s"], [], False),
        (f"raid1(2 * {DRIVE})", ["1@1s"], [], True),
        (f"raid1(2 * {DRIVE})", ["1@1s", "0@2s"], [], False),
        (f"raid1(2 * {DRIVE})", ["1@1s", "0@9s"], ["1GB/s@2s"], True),
        (f"raid5(4 * {DRIVE})", ["3@1s"], [], True),
        (f"raid6(4 * {DRIVE})", ["3@1s", "0@2s"], [], True),
        (f"raid10(4 * {DRIVE})", ["0@1s", "2@2s"], [], True),
        (f"raid10(4 * {DRIVE})", ["0@1s", "1@2s"], [], False),
        (f"raid50(6 * {DRIVE}, groups=2)", ["0@1s", "3@2s"], [], True),
        (f"raid50(6 * {DRIVE}, groups=2)", ["0@1s", "2@2s"], [], False),
    ],
)
def test_what_a_level_survives(design: str, fails: list[str], rebuilds: list[str], survives: bool) -> None:
    found = unsurvived(timetable(fails, rebuilds), shape(design, CATALOG))
    assert (found is None) == survives
    if found:
        assert f"member {fails[-1][0]}" in found
        assert "EIO" in found


def test_a_member_that_is_not_there() -> None:
    timetable(["3@1s"]).within(4, "raid10(4 * x)")
    tries = [
        lambda: timetable(["4@1s"]).within(4, "raid10(4 * x)"),
        lambda: timetable((), (), ["1@1s:2"]).within(1, "x"),
        *(partial(error_rate, text) for text in ("200%", "-1", "nan", "many")),
    ]
    agreed_refusals("attach-timetable.txt", tries)
