"""Headroom has a margin above growth, and endurance a tolerance below the years: both shown, both justified."""

import pytest

from bundled import CATALOG
from drivecast.errors import InputError
from drivecast.plan.bound import Limits, rule_out
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.trial import Trial
from drivecast.plan.verdict import Verdict, judge
from drivecast.quantity import parse as quantity
from drivecast.stage.design import Design
from made_up_load import PEAK, PROFILE
from worn import wear

MIRROR = Design(CATALOG.get("samsung-pm893-480gb"), "raid1", 2)


def _needs(**given: float) -> Requirements:
    return derive(Given(hours_per_day=24, **given), PROFILE)  # type: ignore[arg-type]


def _of(needs: Requirements) -> dict[str, tuple[str, str]]:
    return {name: (how, why) for name, how, why in needs.origins}


def test_headroom_is_growth_times_a_margin_that_is_shown() -> None:
    needs = _needs(growth_per_year=0.1, years=3)
    assert needs.headroom == pytest.approx(1.1**3 * 1.2)
    how, why = _of(needs)["headroom margin"]
    assert how == "assumed"
    assert "not recorded" in why
    assert "margin 1.2" in _of(needs)["headroom"][1]
    none = _needs(growth_per_year=0.1, years=3, headroom_margin=1.0)
    assert none.headroom == pytest.approx(1.1**3)
    assert _of(none)["headroom margin"][0] == "given"


def test_a_headroom_that_is_given_has_no_margin_unless_that_is_given_too() -> None:
    assert _needs(headroom=2.0).headroom == 2.0
    assert _needs(headroom=2.0, headroom_margin=1.5).headroom == 3.0
    assert _needs(headroom=2.0).headroom_margin == 1.0


def _judged(needs: Requirements) -> Verdict:
    trial = Trial(PEAK, wear(parity_factor=2.0, members=2), None, None, {})
    return judge(MIRROR, trial, CATALOG, needs, PROFILE)


def _life_years() -> float:
    life = _judged(_needs(growth_per_year=0.0, years=1)).life
    return life.life_years.value


@pytest.mark.parametrize(
    ("short_by", "kinds", "tolerated"), [(0.006, [], True), (0.06, ["life"], False), (-0.01, [], False)]
)
def test_a_life_may_fall_short_by_the_tolerance(short_by: float, kinds: list[str], tolerated: bool) -> None:
    needs = _needs(growth_per_year=0.0, years=_life_years() / (1 - short_by))
    verdict = _judged(needs)
    missed = ["life" for miss in verdict.misses if miss.kind in ("flash-life", "rated-writes")]
    assert missed == kinds
    assert bool(verdict.tolerated) is tolerated
    exact = _judged(_needs(growth_per_year=0.0, years=needs.years, endurance_tolerance=0.0))
    assert any(miss.kind in ("flash-life", "rated-writes") for miss in exact.misses) is (short_by > 0)


def test_nothing_is_bought_again_for_the_days_that_are_missing() -> None:
    years = _life_years() / 0.994
    within = _judged(_needs(growth_per_year=0.0, years=years)).cost
    exact = _judged(_needs(growth_per_year=0.0, years=years, endurance_tolerance=0.0)).cost
    assert within.replacement_usd < exact.replacement_usd / 2
    assert within.residual_usd == 0.0, "worn-out drives bring nothing"
    assert within.total_usd < exact.total_usd


def test_a_bound_rules_out_no_design_that_is_tolerated() -> None:
    life = _life_years()
    for years, ruled_out in ((life * 0.9, False), (life * 100, True)):
        needs = _needs(growth_per_year=0.0, years=min(30.0, years), endurance_tolerance=0.5, data_loss=1.0)
        found = rule_out(MIRROR, Limits(CATALOG, needs, PROFILE, include_old=True, trimmed=True))
        assert found is None or ruled_out


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"headroom_margin": 0.9}, "--headroom-margin"),
        ({"endurance_tolerance": 0.6}, "--endurance-tolerance"),
    ],
)
def test_what_is_no_margin_is_refused(given: dict[str, float], option: str) -> None:
    with pytest.raises(InputError) as refused:
        _needs(**given)
    assert str(refused.value).startswith(f"{option}: ")
    assert quantity.fraction_or_more("5%") == 0.05
