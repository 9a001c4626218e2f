"""What errors of measured drives leave open of a prediction, against arithmetic by hand."""

import math

import pytest

from bundled import CATALOG
from drivecast.assess import latency_interval, outcome_interval
from drivecast.catalog.latency_error import DriveErrors, Spread
from drivecast.document.outcome import Latency, Outcome, Stream


def _spread(*drives: tuple[list[float], list[float]]) -> Spread:
    named = [
        DriveErrors(drive=f"d{at}", ratios=ratios, excess_us=excess)
        for at, (ratios, excess) in enumerate(drives)
    ]
    return Spread(measured="lab", drives=named)


def test_an_interval_is_that_of_one_more_drive() -> None:
    # ln 1.2, -ln 1.2 and 0: mean 0, deviation 0.18232; Student's 90 % point with two degrees of freedom is 1.8856.
    low, high = latency_interval.bounds(_spread(([1.2], []), ([1 / 1.2], []), ([1.0], [])), 100e3)
    half = 0.182322 * 1.885618 * math.sqrt(4 / 3)
    assert (low, high) == (pytest.approx(100e3 * math.exp(-half)), pytest.approx(100e3 * math.exp(half)))


def test_an_interval_holds_its_prediction() -> None:
    low, high = latency_interval.bounds(_spread(([1.50], []), ([1.51], [])), 100e3)
    assert low == 100e3
    assert high > 150e3


def test_stalls_that_most_drives_lack_do_not_move_the_upper_end() -> None:
    quiet = ([1.0, 1.1], [])
    rare = latency_interval.bounds(_spread(quiet, quiet, ([1.0], [5000.0])), 100e3)
    same = latency_interval.bounds(_spread(quiet, quiet, ([1.0, 2.0], [])), 100e3)
    assert rare == pytest.approx(same)
    common = latency_interval.bounds(_spread(quiet, ([1.0], [5000.0]), ([1.0], [5000.0])), 100e3)
    assert common[1] == pytest.approx(5.1e6)


def test_every_stall_counts_in_the_chance() -> None:
    spread = _spread(([1.0, 1.1, 1.2], [5000.0]), ([0.9], []))
    assert latency_interval.chance(spread, 100e3, 1e6) == pytest.approx(4 / 5)
    assert latency_interval.chance(spread, 100e3, 115e3) == pytest.approx(3 / 5)
    assert latency_interval.chance(spread, 100e3, 1e9) == pytest.approx(4.5 / 5), (
        "five errors make nothing certain"
    )
    assert latency_interval.chance(spread, 100e3, 1.0) == pytest.approx(0.5 / 5)


def test_a_drive_known_from_its_sheet_has_the_wider_intervals() -> None:
    latency = Latency.model_validate({"q0.5": 80e3, "q0.99": 300e3, "q0.999": 450e3})
    outcome = Outcome(iops=1000.0, read=Stream(requests=1000, iops=1000.0, latency_ns=latency))
    measured, sheet = (
        outcome_interval.known(outcome, [f"samsung-pm9a3-{size}"], CATALOG) for size in ("960gb", "1.92tb")
    )
    assert measured is not None
    assert sheet is not None
    assert (measured.drives, sheet.drives) == ("measured", "sheet-only")
    for mine, theirs in zip(measured.intervals, sheet.intervals, strict=True):
        assert (mine.op, mine.quantile) == (theirs.op, theirs.quantile)
    widths = [[each.high / each.low for each in known.intervals] for known in (measured, sheet)]
    assert widths[0][1] < widths[1][1]
    saturated = outcome.model_copy(update={"saturated": True})
    assert outcome_interval.known(saturated, ["samsung-pm9a3-960gb"], CATALOG) is None
    assert outcome_interval.known(outcome, ["seagate-exos-x20-20tb"], CATALOG) is None
    assert outcome_interval.known(outcome, ["samsung-pm9a3-960gb", "samsung-pm9a3-1.92tb"], CATALOG) is None
