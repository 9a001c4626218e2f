"""What the steady-state rule keeps to for any series."""

import math
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from drivecast.bench.pts import steady

values = st.floats(min_value=1e-3, max_value=1e9)
windows = st.lists(values, min_size=5, max_size=5)
series = st.lists(values, min_size=5, max_size=40)


@given(windows, st.integers(min_value=-30, max_value=30))
def test_scale_does_not_matter(window: list[float], power: int) -> None:
    # Powers of two scale without rounding, so the verdict is the same at the limit too.
    judged = steady.judge(window)
    other = steady.judge([math.ldexp(value, power) for value in window])
    assert (other.range_holds, other.slope_holds) == (judged.range_holds, judged.slope_holds)
    assert math.isclose(other.range, judged.range) or judged.range < 1e-12
    assert math.isclose(other.mean, math.ldexp(judged.mean, power))


@given(windows)
def test_time_backwards_turns_the_slope_alone(window: list[float]) -> None:
    forwards, other = steady.judge(window), steady.judge(window[::-1])
    assert other.slope == -forwards.slope
    assert (other.range, other.excursion, other.steady) == (
        forwards.range,
        forwards.excursion,
        forwards.steady,
    )


@given(windows)
def test_the_line_is_the_best_of_all_lines(window: list[float]) -> None:
    told = steady.judge(window)

    def error(first: float, last: float) -> float:
        line = [first + (last - first) * i / 4 for i in range(5)]
        return sum((value - at) ** 2 for value, at in zip(window, line, strict=True))

    best = error(told.fit_first, told.fit_last)
    step = told.mean * 1e-3
    for first, last in ((step, 0), (-step, 0), (0, step), (0, -step), (step, -step), (step, step)):
        assert best <= error(told.fit_first + first, told.fit_last + last) * (1 + 1e-9) + 1e-9


@given(windows)
def test_the_mean_lies_within_and_the_limits_are_what_they_say(window: list[float]) -> None:
    told = steady.judge(window)
    assert min(window) * (1 - 1e-12) <= told.mean <= max(window) * (1 + 1e-12)
    assume(abs(told.range - steady.RANGE_MAX) > 1e-9 and abs(told.excursion - steady.SLOPE_MAX) > 1e-9)
    assert told.range_holds == (told.range <= steady.RANGE_MAX)
    assert told.slope_holds == (told.excursion <= steady.SLOPE_MAX)


@given(series, st.lists(values, max_size=10))
def test_what_went_before_only_moves_the_window(behind: list[float], before: list[float]) -> None:
    alone = steady.sought({"y": behind})
    moved = steady.sought({"y": [*before, *behind]})
    if alone.reached:
        assert moved.reached
        assert moved.rounds <= alone.rounds + len(before)
    if moved.reached and moved.windows["y"].first > len(before):
        assert alone.rounds + len(before) == moved.rounds


@given(series, st.lists(values, max_size=10))
def test_what_comes_after_does_not_matter(until: list[float], after: list[float]) -> None:
    found = steady.sought({"y": until})
    if found.reached:
        assert steady.sought({"y": [*until, *after]}) == found


@given(series)
def test_the_window_holds_and_none_before_it_does(values: list[float]) -> None:
    found = steady.sought({"y": values})
    firsts = range(len(values) - 4)
    holding = [first for first in firsts if steady.judge(values[first : first + 5]).steady]
    assert found.reached == bool(holding)
    if holding:
        assert found.windows["y"].first == holding[0] + 1


@given(st.lists(st.floats(min_value=-0.04, max_value=0.04), min_size=5, max_size=25))
def test_noise_within_the_limits_is_steady_at_once(noise: list[float]) -> None:
    # Within ±4 % the range is at most 8.4 % and the line moves by at most 9.7 % of the mean.
    found = steady.sought({"y": [1 + value for value in noise]})
    assert (found.reached, found.rounds) == (True, 5)


@given(st.floats(min_value=1.06, max_value=3), st.integers(min_value=5, max_value=25))
def test_growth_is_never_steady(ratio: float, rounds: int) -> None:
    assert not steady.sought({"y": [ratio**i for i in range(rounds)]}).reached


@given(series)
def test_a_cliff_is_a_fall_that_lasts(values: list[float]) -> None:
    found = steady.cliff(values)
    if found is None:
        return
    behind, ahead = values[max(0, found.step - 6) : found.step - 1], values[found.step - 1 : found.step + 4]
    assert len(ahead) == 5
    assert max(ahead) < 0.8 * found.before
    assert min(behind) * (1 - 1e-12) <= found.before <= max(behind) * (1 + 1e-12)


@given(st.lists(st.floats(min_value=1, max_value=1.24), min_size=5, max_size=60))
def test_what_stays_within_a_fifth_has_no_cliff(values: list[float]) -> None:
    assert steady.cliff(values) is None
    assert all(later > 0.8 * earlier for earlier, later in pairwise(values))
