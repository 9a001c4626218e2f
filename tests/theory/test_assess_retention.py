"""Retention against the equivalents that JESD218 states; background programs against their differential equation."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivecast.assess.endurance import Course
from drivecast.assess.rating import retention
from drivecast.assess.retention import Retention, Rule
from drivecast.catalog import load
from drivecast.quantity.interval import Interval

CLIENT, ENTERPRISE = Rule(12, 30, 40), Rule(3, 40, 55)
HOURS_PER_MONTH = 8766 / 12
WEEKS_PER_MONTH = 52.18 / 12


def law(rule: Rule) -> Retention:
    exactly = Interval.exactly
    return Retention(
        rule=rule,
        rated_cycles=exactly(3000),
        slope=exactly(1),
        activation_ev=1.1,
        operating_c=exactly(rule.on_c),
        storage_c=exactly(rule.off_c),
        refresh_share=exactly(0.5),
    )


def months(rule: Rule, off_c: float, on_c: float, cycles: float = 3000) -> float:
    return law(rule).months(cycles, rated=3000, slope=1, off_c=off_c, on_c=on_c)


@pytest.mark.parametrize(("off_c", "hours"), [(52, 500), (66, 96)])
def test_a_year_at_30_c_is_what_jesd218_says_it_is_in_an_oven(off_c: float, hours: float) -> None:
    assert months(CLIENT, off_c, 40) * HOURS_PER_MONTH == pytest.approx(hours, rel=0.05)


@pytest.mark.parametrize(("off_c", "weeks"), [(25, 105), (30, 52), (35, 26)])
def test_five_degrees_halve_it_as_in_the_presentation_of_jedec(off_c: float, weeks: float) -> None:
    assert months(CLIENT, off_c, 40) * WEEKS_PER_MONTH == pytest.approx(weeks, rel=0.02)


@pytest.mark.parametrize(("off_c", "weeks"), [(25, 20), (30, 10)])
def test_cool_operation_costs_an_enterprise_drive_its_shelf_life(off_c: float, weeks: float) -> None:
    """The presentation has 20 and 10 weeks; one activation energy for healing and leaking gives four fifths of it."""
    assert months(ENTERPRISE, off_c, 40) * WEEKS_PER_MONTH == pytest.approx(weeks, rel=0.25)


def test_the_rule_is_what_comes_out_at_its_own_point() -> None:
    for rule in (CLIENT, ENTERPRISE):
        assert law(rule).after(Interval.exactly(3000)).value == pytest.approx(rule.months)
        assert law(rule).cycles_for(rule).value == pytest.approx(3000)


def test_retention_can_be_sold_for_cycles() -> None:
    """Under the three-month rule the same flash has 6.7 times the cycles; 25 nm flash is sold with 5,000, or 30,000."""
    traded = law(CLIENT).cycles_for(ENTERPRISE).value / 3000
    assert traded == pytest.approx(6.7, rel=0.01)
    catalog = load()
    plain, enduring = (catalog.get(name).pe_cycles for name in ("intel-320-300gb", "intel-710-300gb"))
    assert traded == pytest.approx(enduring.typical / plain.typical, rel=0.15)


@given(st.floats(0.01, 1e3), st.floats(-0.5, 1), st.floats(0, 0.2), st.floats(0.1, 20))
def test_cycles_obey_their_differential_equation(
    per_day: float, growth: float, own: float, years: float
) -> None:
    course = Course(per_day, growth, own)
    step = 1e-4
    slope = (course.cycles(years + step) - course.cycles(years - step)) / (2 * step)
    expected = 365 * per_day * (1 + growth) ** years + own * course.cycles(years)
    assert slope == pytest.approx(expected, rel=1e-5)
    assert course.cycles(0) == 0


@given(st.floats(0.01, 1e3), st.floats(0, 1), st.floats(0.001, 0.2), st.floats(0.1, 20))
def test_years_undo_cycles(per_day: float, growth: float, own: float, years: float) -> None:
    course = Course(per_day, growth, own)
    assert course.years(course.cycles(years)) == pytest.approx(years, rel=1e-9)


def test_background_programs_of_flash_on_sale_cost_little_life() -> None:
    """Under 3 % of the cycles in five years for three-bit flash: the drive's own writes decide, not its refresh."""
    flash = retention(load().get("samsung-pm893-480gb"))
    own = flash.relaxation_per_year()
    assert 0 < own.low < own.value < own.high
    assert math.expm1(5 * own.value) / (5 * own.value) < 1.03
