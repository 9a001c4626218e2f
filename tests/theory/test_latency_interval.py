"""What errors of measured drives leave open of a prediction, against arithmetic by hand."""

import math

import pytest

from bundled import CATALOG
from drivecast.assess import latency_interval, outcome_interval
from drivecast.catalog.latency_error import DriveErrors, Spread
from drivecast.document.outcome import Latency, LatencyKnowledge, Outcome, Stream


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


LATENCY = Latency.model_validate({"q0.5": 80e3, "q0.99": 300e3, "q0.999": 450e3})
OUTCOME = Outcome(iops=1000.0, read=Stream(requests=1000, iops=1000.0, latency_ns=LATENCY))
SHEET_ONLY = "sandisk-sn650-7.68tb"


def test_a_drive_known_from_its_sheet_has_the_wider_intervals() -> None:
    measured, sheet, platform = (
        outcome_interval.known(OUTCOME, [name], CATALOG)
        for name in ("samsung-pm9a3-960gb", SHEET_ONLY, "samsung-pm9a3-1.92tb")
    )
    assert measured is not None
    assert sheet is not None
    assert platform is not None
    assert (measured.drives, sheet.drives, platform.drives) == ("measured", "sheet-only", "platform")
    assert platform.intervals == sheet.intervals, "nobody has measured two drives of a platform"
    for mine, theirs in zip(measured.intervals, sheet.intervals, strict=True):
        assert (mine.op, mine.quantile) == (theirs.op, theirs.quantile)
    widths = [[(each.high or 0) / each.low for each in known.intervals] for known in (measured, sheet)]
    assert widths[0][1] < widths[1][1]
    assert outcome_interval.known(OUTCOME, ["seagate-exos-x20-20tb"], CATALOG) is None
    assert outcome_interval.known(OUTCOME, ["samsung-pm9a3-960gb", "samsung-pm9a3-1.92tb"], CATALOG) is None


def _known(outcome: Outcome, at: float, *, bounded: bool = False) -> LatencyKnowledge:
    """What is known of a run on a drive that is in saturation, and ten times as slow, from `at` times its load on."""

    def under(times: float) -> Outcome:
        slow = Latency.model_validate({"q0.5": 800e3, "q0.99": 3000e3, "q0.999": 4500e3})
        read = OUTCOME.read.model_copy(update={"latency_ns": slow})
        return OUTCOME.model_copy(update={"saturated": True, "read": read}) if times >= at else OUTCOME

    again = outcome_interval.Again(under, bounded)
    known = outcome_interval.known(outcome, [SHEET_ONLY], CATALOG, again)
    assert known is not None
    return known


def test_near_what_a_drive_may_carry_nothing_bounds_its_latency() -> None:
    errors = CATALOG.get(SHEET_ONLY).latency_errors
    assert errors is not None
    low, high = outcome_interval.capacity(errors) or (0.0, 0.0)
    assert 0.5 < low < 1 < high < 2
    far, near = _known(OUTCOME, 1.01 / low), _known(OUTCOME, 0.99 / low)
    assert all(each.high is not None for each in far.intervals)
    assert [each.high for each in near.intervals] == [None] * 3
    assert [each.low for each in near.intervals] == [each.low for each in far.intervals]
    limited = _known(OUTCOME, 0.99 / low, bounded=True)
    assert all(mine.high > theirs.high for mine, theirs in zip(limited.intervals, far.intervals, strict=True))  # type: ignore[operator]


def test_of_a_saturated_run_it_is_said_what_drives_carry() -> None:
    errors = CATALOG.get(SHEET_ONLY).latency_errors
    assert errors is not None
    low, high = outcome_interval.capacity(errors) or (0.0, 0.0)
    saturated = OUTCOME.model_copy(update={"saturated": True})
    for at, count in ((0.99 / high, 0), (1.01 / high, 3)):
        known = _known(saturated, at)
        assert len(known.intervals) == count, "a lighter run that keeps up is what it may be at best"
        assert known.served is not None
        assert (known.served.low, known.served.high) == pytest.approx((1000 * low, 1000 * high))
    assert CATALOG.get("micron-7450-pro-960gb").latency_errors is not None
