"""How designs that fit are ranked: ties, chances and neighbours. Trials are made up, prices are the catalog's."""

from dataclasses import replace

import pytest

from bundled import CATALOG
from drivecast.catalog.latency_error import OPS, QUANTILES
from drivecast.document.design import Level
from drivecast.plan.candidate import Candidate
from drivecast.plan.rank import TIED, Place, beside, ranked
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.trial import Trial
from drivecast.plan.verdict import judge
from drivecast.quantity.interval import Interval
from drivecast.stage.design import Design
from made_up_load import PEAK, PROFILE
from worn import wear

NEEDS = derive(Given(years=5, data_loss=1e-2), PROFILE)


def _candidate(
    drive: str,
    count: int = 2,
    *,
    level: Level = "raid1",
    headroom: float = 10.0,
    p99_ns: float = 2e5,
    loss: float | None = None,
    chance: float | None = None,
) -> Candidate:
    design = Design(CATALOG.get(drive), level, count)
    latency = {(op, name): Interval.exactly(p99_ns) for op in OPS for name in QUANTILES}
    worn = wear(parity_factor=2.0, members=count)
    trial = Trial(PEAK, worn, None, headroom, latency, chance=chance, refined=True)  # type: ignore[arg-type]
    verdict = judge(design, trial, CATALOG, NEEDS, PROFILE)
    if loss is not None:
        verdict = replace(verdict, loss=replace(verdict.loss, probability=Interval.exactly(loss)))
    return Candidate(design, trial=trial, verdict=verdict)


def _ranked(*candidates: Candidate, needs: Requirements = NEEDS, seed: int = 0) -> list[Place]:
    return ranked(candidates, needs, seed)


def _lines(places: list[Place]) -> list[str]:
    return [place.candidate.design.line for place in places]


def test_designs_of_one_drive_share_its_price_and_are_told_apart() -> None:
    two, three = _candidate("samsung-pm9a3-1.92tb"), _candidate("samsung-pm9a3-1.92tb", 3)
    places = _ranked(three, two)
    assert [place.tier for place in places] == [1, 2]
    assert places[0].candidate is two
    assert places[0].chance_cheapest > 0.95
    assert places[1].chance_cheapest < 0.01, "where the cheaper is worn out before and the other is not"


def test_drives_of_nearly_one_price_are_tied_and_the_safer_comes_first() -> None:
    cheap = _candidate("samsung-pm9a3-1.92tb", loss=1e-4)
    dearer = _candidate("micron-7450-pro-1.92tb", loss=1e-6)
    assert cheap.verdict is not None
    assert dearer.verdict is not None
    assert cheap.verdict.cost.total_usd < dearer.verdict.cost.total_usd
    places = _ranked(cheap, dearer)
    assert [place.tier for place in places] == [1, 1]
    assert places[0].candidate is dearer, "of designs tied on cost the one that loses less data"
    assert min(place.chance_cheapest for place in places) > TIED
    assert sum(place.chance_cheapest for place in places) == pytest.approx(1.0, abs=0.01)


def test_headroom_decides_after_data_loss_and_p99_after_headroom() -> None:
    plain = _candidate("samsung-pm9a3-1.92tb", loss=1e-5)
    roomy = _candidate("micron-7450-pro-1.92tb", loss=1.2e-5, headroom=100.0)
    quick = _candidate("kioxia-cd8-r-1.92tb", loss=0.9e-5, p99_ns=1e5)
    assert _lines(_ranked(plain, roomy, quick)) == [each.design.line for each in (roomy, quick, plain)], (
        "data losses within a factor of three are alike"
    )


def test_a_design_that_may_not_fit_is_the_cheapest_less_often() -> None:
    sure = _candidate("samsung-pm9a3-1.92tb")
    other = _candidate("samsung-pm9a3-3.84tb")
    doubtful = replace(sure, trial=replace(sure.trial, chance=0.6)) if sure.trial else sure
    (first, second) = _ranked(doubtful, other)
    assert first.chance_cheapest == pytest.approx(0.6, abs=0.02)
    assert second.chance_cheapest == pytest.approx(0.4, abs=0.02)


def test_order_and_seed_of_the_same_designs_decide_nothing() -> None:
    names = ("samsung-pm9a3-1.92tb", "micron-7450-pro-1.92tb", "kioxia-cd8-r-1.92tb", "samsung-pm9a3-3.84tb")
    candidates = [_candidate(name) for name in names]
    forward, backward = _ranked(*candidates), _ranked(*reversed(candidates))
    assert forward == backward
    assert _lines(_ranked(*candidates, seed=1)) == _lines(forward)
    assert _ranked() == []


def test_a_neighbour_with_much_more_for_little_money_is_named() -> None:
    winner = _candidate("samsung-pm9a3-1.92tb", headroom=3.0)
    same = _candidate("micron-7450-pro-1.92tb", headroom=4.0)
    assert beside(_ranked(winner, same)) is None
    places = _ranked(winner, same)
    roomy = replace(same, trial=replace(same.trial, headroom=30.0)) if same.trial else same
    found = beside([places[0], replace(places[1], candidate=roomy)])
    assert found is not None
    assert (found.line, found.better) == (same.design.line, "headroom")
    assert found.factor == pytest.approx(10.0)
    assert 0 < found.cost_more < 0.1
    lossy = _candidate("micron-7450-pro-1.92tb", headroom=30.0, loss=1e-5)
    found = beside([places[0], replace(places[1], candidate=lossy)])
    assert found is not None, "the page says how often it loses data; both lose less than is required"
