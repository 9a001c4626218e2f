"""The steady-state rule on cases computed by hand, at the limits and just beyond them."""

import math

import pytest

from drivecast.bench.pts import steady

FLAT = [100.0] * 5


def test_a_window_by_hand() -> None:
    # Mean 103; range 8 / 103; slope (−2·100 − 101 + 104 + 2·108) / 10 = 1.9.
    window = steady.judge([100, 101, 102, 104, 108], first=3)
    assert (window.first, window.last) == (3, 7)
    assert window.mean == 103
    assert window.range == pytest.approx(8 / 103)
    assert window.slope == pytest.approx(1.9)
    assert window.excursion == pytest.approx(7.6 / 103)
    assert (window.fit_first, window.fit_last) == pytest.approx((99.2, 106.8))
    assert window.steady


@pytest.mark.parametrize(
    ("values", "range_holds", "slope_holds"),
    [
        # Range 20 of mean 100: exactly a fifth. Slope 0.
        ([100, 90, 100, 110, 100], True, True),
        ([100, 90, 100, 110.001, 99.999], False, True),
        # Slope 2.5: the line moves by 10 of mean 100, exactly a tenth.
        ([95, 97.5, 100, 102.5, 105], True, True),
        ([94.999, 97.5, 100, 102.5, 105.001], True, False),
        ([105, 102.5, 100, 97.5, 95], True, True),
        ([105.001, 102.5, 100, 97.5, 94.999], True, False),
        # Both fail.
        ([50, 75, 100, 125, 150], False, False),
    ],
)
def test_at_the_limits_and_just_beyond(values: list[float], range_holds: bool, slope_holds: bool) -> None:
    window = steady.judge(values)
    assert (window.range_holds, window.slope_holds) == (range_holds, slope_holds)
    assert window.steady == (range_holds and slope_holds)


def test_a_limit_is_decided_exactly() -> None:
    # One unit in the last place beyond the limit is beyond it, at any scale.
    for scale in (1.0, 2.0**40, 2.0**-40):
        assert steady.judge([100 * scale, 90 * scale, 100 * scale, 110 * scale, 100 * scale]).range_holds
        beyond = math.nextafter(110 * scale, math.inf)
        assert not steady.judge([100 * scale, 90 * scale, 100 * scale, beyond, 100 * scale]).range_holds


def test_all_variables_are_steady_at_once() -> None:
    # The first is steady in rounds 1 to 5, the second only from round 4 on: together in rounds 4 to 8.
    late = [10.0, 20, 30, 40, 40, 40, 40, 40]
    found = steady.sought({"early": [100.0] * 8, "late": late})
    assert (found.reached, found.rounds) == (True, 8)
    # Where they are never steady in the same five, it is not reached, although each was for a while.
    early = [100.0] * 5 + [50, 20, 80]
    assert not steady.sought({"early": early, "late": late}).reached


def test_not_reached_tells_the_last_window() -> None:
    found = steady.sought({"iops": [2.0**i for i in range(25)]})
    assert not found.reached
    assert found.rounds == 25
    assert (found.windows["iops"].first, found.windows["iops"].last) == (21, 25)


def test_before_the_fifth_round_there_is_no_window() -> None:
    found = steady.sought({"iops": [100.0] * 4})
    assert (found.reached, found.rounds, found.windows) == (False, 4, {})


def test_nothing_done_is_not_steady() -> None:
    assert not steady.judge([0.0] * 5).steady


@pytest.mark.parametrize(
    "values", [[1.0] * 4, [1.0] * 6, [1, 1, math.nan, 1, 1], [1, 1, math.inf, 1, 1], [1, -1, 1, 1, 1]]
)
def test_what_is_no_window_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match=r"window has 5 rounds|negative or not finite"):
        steady.judge(values)


def test_variables_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="one value a round"):
        steady.sought({"a": FLAT, "b": FLAT[:4]})


HIGH, LOW = [100.0] * 10, [30.0] * 10


def test_a_cliff_is_found_where_it_falls() -> None:
    found = steady.cliff([*HIGH, *LOW])
    assert found == steady.Cliff(step=11, before=100, settled=30)
    # The step in which it falls does not move the level before it.
    found = steady.cliff([*HIGH, 85.0, *LOW])
    assert found == steady.Cliff(step=12, before=100, settled=30)


def test_the_steepest_of_two_falls_is_the_cliff() -> None:
    found = steady.cliff([*HIGH, *([75.0] * 10), *LOW])
    assert (found.step, found.before) == (21, 75)


@pytest.mark.parametrize(
    "values",
    [
        [*HIGH, 30, 30, 30, 30, *HIGH],  # four slow steps
        [*HIGH, *([30.0] * 5), *HIGH],  # five, but most of what follows is fast
        [*HIGH, *([80.0] * 10)],  # a fifth less is within what steady state allows
        [100 * 0.97**at for at in range(40)],  # slower by the hour
        [*HIGH, 30, 30, 30, 30],  # too short to tell
        [],
        [1.0],
    ],
)
def test_what_is_no_cliff(values: list[float]) -> None:
    assert steady.cliff(values) is None
