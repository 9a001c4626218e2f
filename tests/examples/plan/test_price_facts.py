"""How old prices are, at which the order flips, and what is otherwise with those of another day."""

from datetime import date, timedelta
from pathlib import Path
from unittest import mock

import pytest

import real_plan
from drivecast.errors import InputError
from drivecast.plan import search, space
from drivecast.plan.buyers_question import drives_cost
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from drivecast.present import price_words

THEN = date(2025, 10, 1)


def test_at_the_price_that_is_named_two_designs_cost_the_same() -> None:
    plan = real_plan.plan()
    assert plan.prices.break_even
    for each in plan.prices.break_even:
        mine, other = plan.find(each.line), plan.find(each.against)
        assert mine.cost is not None
        then = mine.total + drives_cost(mine.cost) * (each.flips_at / each.price - 1)
        assert then == pytest.approx(other.total)
        assert mine.drive != other.drive


def test_old_prices_are_said_to_be_old_with_what_to_do() -> None:
    plan = real_plan.plan()
    newest = plan.prices.newest
    (fresh,) = price_words.age(plan, newest + timedelta(days=90))
    assert fresh.endswith("90 days old.")
    assert "`--quotes`" in price_words.age(plan, newest + timedelta(days=91))[1]


def test_a_year_s_rent_is_set_against_the_price_in_a_year() -> None:
    facts = real_plan.with_rented().prices
    assert facts.waiting.low < facts.waiting.value < facts.waiting.high
    assert 0 < facts.waiting.chance < 0.5
    assert facts.waiting.flips_at < 1, "a rent is not free"


def test_with_prices_of_another_day_the_plan_says_what_changed() -> None:
    options = Options(peak_window_s=5.0, threads=1, prices_on=THEN)
    with mock.patch.object(space, "ladders", real_plan.few):
        found = search.plan([real_plan.RECORDING], Given(years=5.0), options, lambda _share, _what: None)
    now, then = real_plan.plan().find(real_plan.plan().winner), found.find(found.winner)
    assert (found.date, found.prices and found.prices.moves["flash"] > 3) == (THEN, True)
    assert then.total < now.total / 2
    (flip,) = [flip for flip in found.flips if flip.value == "today's"]
    first, second = price_words.age(found, date(2026, 11, 22))
    assert "2025-10-01" in first
    assert flip.winner is not None
    winner = found.find(flip.winner)
    assert winner.drive.partition("-")[2].partition("-")[0] in second.lower()


@pytest.mark.parametrize("day", [date(2025, 9, 30), date(2029, 1, 1)])
def test_a_day_of_which_nothing_is_known_is_refused(day: date) -> None:
    with pytest.raises(InputError, match="--prices-on"):
        search.plan([Path("no-such-log")], Given(), Options(prices_on=day), lambda _share, _what: None)
