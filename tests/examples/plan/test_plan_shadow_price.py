"""What requirements cost: each loosened or tightened, one at a time, and said in words."""

from dataclasses import replace

import pytest

import real_plan
from drivecast.document.buyers_question import ShadowPrice
from drivecast.document.plan import Cost, Design, Plan
from drivecast.document.profile import Profile
from drivecast.plan.requirement import Given, derive
from drivecast.plan.shadow_price import NO_LIMIT_NS, otherwise
from drivecast.present import buyers_question

PROFILE = Profile(source="counters", extent_bytes=20e9, write_bytes_per_day=200e9, reads=9, writes=9)
NEEDS = derive(Given(years=5, p99_read_ns=5_000_000, p99_write_ns=2_000_000, headroom=3.0), PROFILE)


def test_each_requirement_is_otherwise_alone() -> None:
    found = list(otherwise(NEEDS))
    assert [(each.name, each.instead, each.is_looser) for each in found] == [
        ("p99", None, True),
        ("headroom", "1×", True),
        ("drive_losses", "0", True),
        ("drive_losses", "2", False),
    ]
    assert found[0].needs == replace(NEEDS, p99_read_ns=NO_LIMIT_NS, p99_write_ns=NO_LIMIT_NS), "a second"
    slow = next(otherwise(replace(NEEDS, p99_read_ns=NO_LIMIT_NS))).needs.p99_read_ns
    assert slow == 10 * NO_LIMIT_NS, "a limit of a second is one, too"
    assert found[1].needs == replace(NEEDS, headroom=1.0)


def test_what_there_are_no_requests_for_has_no_limit_without_it_either() -> None:
    of_reads = replace(NEEDS, p99_write_ns=None)
    assert next(otherwise(of_reads)).needs.p99_write_ns is None, (
        "a design that is never written does not wear"
    )


def test_a_limit_on_data_loss_is_loosened_where_there_is_one() -> None:
    assert "data_loss" not in {each.name for each in otherwise(replace(NEEDS, data_loss=1.0))}
    assert "data_loss" in {each.name for each in otherwise(replace(NEEDS, data_loss=1e-4))}


def test_a_requirement_that_is_dropped_never_costs_less_than_nothing() -> None:
    plan = real_plan.plan()
    cheapest = min(design.cost.total for design in plan.ranked() if design.cost)
    assert {price.requirement for price in plan.shadow_prices} == {"p99", "headroom", "drive_losses"}
    for price in plan.shadow_prices:
        is_more = price.instead == "2"
        if is_more or price.costs_usd is None:
            continue
        assert 0 <= price.costs_usd <= cheapest
        assert price.without is not None


@pytest.mark.parametrize(
    ("price", "words"),
    [
        (("p99", "reads 5 ms", None, 0.0, "a"), "p99 of reads 5 ms costs nothing"),
        (("drive_losses", "1", "2", 348.0, "a"), "surviving 2 drive failures would cost $348: with it 2 × A"),
    ],
)
def test_a_price_is_said_with_the_design_without_it(
    price: tuple[str, str, str | None, float | None, str | None], words: str
) -> None:
    names = ("requirement", "value", "instead", "costs_usd", "without")
    design = Design(line="a", title="2 x A", verdict="fits", fits=True, cost=Cost(total=1.0))
    said = ShadowPrice.model_validate(dict(zip(names, price, strict=True)))
    plan = Plan.model_construct(designs=[design], winner="a", shadow_prices=[said])
    assert buyers_question.prices(plan) == [words]
