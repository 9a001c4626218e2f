"""How designs that fit are ranked: ties, chances and neighbours. Trials are made up, prices are the catalog's."""

from dataclasses import replace
from statistics import mean

import pytest

from bundled import CATALOG
from drivecast.catalog.latency_error import OPS, QUANTILES
from drivecast.document import plan as document
from drivecast.document.design import Level
from drivecast.plan.candidate import Candidate
from drivecast.plan.rank import Entry, Place, beside, of_rent, of_volumes, ranked, standings
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.trial import Trial
from drivecast.plan.verdict import judge
from drivecast.quantity.interval import Interval
from drivecast.stage.design import Design
from made_up_load import PEAK, PROFILE
from worn import wear

NEEDS = derive(Given(years=5, data_loss=1e-2), PROFILE)
TIED = 0.2
"""The share of the draws from which on designs are tied."""


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
    cheap = _candidate("micron-7450-pro-1.92tb", loss=1e-4)
    dearer = _candidate("samsung-pm9a3-1.92tb", loss=1e-6)
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
    other = _candidate("micron-7450-pro-7.68tb")
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
    winner = _candidate("micron-7450-pro-1.92tb", headroom=3.0)
    same = _candidate("micron-7500-pro-1.92tb", headroom=4.0)
    first, second = (place.entry for place in _ranked(winner, same))
    assert beside([first, second]) is None
    found = beside([first, replace(second, headroom=30.0)])
    assert (found.line, found.better) == (same.design.line, "headroom")
    assert found.factor == pytest.approx(10.0)
    assert 0 < found.cost_more < 0.1
    found = beside([first, replace(second, headroom=30.0, loss=1e-5)])
    assert found is not None, "the page says how often it loses data; both lose less than is required"


def _apart(line: str, *candidates: Candidate, data_loss: float = 1e-2) -> Entry:
    loss = document.DataLoss(value=1e-4, method="closed form")
    design = document.Design(line=line, title=line, verdict="fits", fits=True, headroom=10.0, data_loss=loss)
    return of_volumes(design, candidates, data_loss, seed=0)


def test_costs_of_volumes_add_up_in_each_draw() -> None:
    small, large = _candidate("samsung-pm9a3-1.92tb"), _candidate("samsung-pm9a3-3.84tb")
    entries = [place.entry for place in _ranked(small, large)]
    both = _apart("both", small, large)
    assert both.total_usd == pytest.approx(sum(entry.total_usd for entry in entries))
    alone = (entry.drawn.costs_usd for entry in entries)
    assert both.drawn.costs_usd == pytest.approx([a + b for a, b in zip(*alone, strict=True)])
    found = {each.line: each for each in standings([*entries, both])}
    assert found["both"].chance_cheapest == 0.0, (
        "it has the drives of either, and their prices are the same draws"
    )
    assert sum(each.chance_cheapest for each in found.values()) == pytest.approx(1.0, abs=0.01)


def test_volumes_fit_where_each_does_and_all_of_them_lose_little_enough() -> None:
    sure = _candidate("samsung-pm9a3-1.92tb", loss=4e-3)
    doubtful = _candidate("kioxia-cd8-r-1.92tb", loss=4e-3)
    doubtful = replace(doubtful, trial=replace(doubtful.trial, chance=0.6)) if doubtful.trial else doubtful
    (alone,) = _ranked(sure)
    assert _apart("volumes", sure, sure).drawn.holds == alone.entry.drawn.holds, "the same drive twice"
    assert mean(alone.entry.drawn.holds) > 0.99
    assert mean(_apart("volumes", sure, doubtful).drawn.holds) == pytest.approx(0.6, abs=0.02)
    together = _apart("volumes", sure, sure, data_loss=7.9e-3)
    assert not any(together.drawn.holds), "together they lose 8e-3"


def test_what_is_rented_is_tied_with_what_costs_as_much_and_stands_for_a_mirror() -> None:
    bought = _ranked(_candidate("samsung-pm9a3-1.92tb", loss=1e-5))[0].entry

    def rented(share: float, loss: float | None = 1e-2, *, is_lost_with_host: bool = False) -> Entry:
        total = share * bought.total_usd
        known = document.DataLoss(value=loss, method="closed form") if loss else None
        line = f"rent of {share}"
        design = document.Design(line=line, title=line, verdict="fits", fits=True, data_loss=known)
        usd = Interval(0.8 * total, total, 1.2 * total)
        return of_rent(design, "somebody", usd, seed=0, is_lost_with_host=is_lost_with_host)

    as_much, dear = rented(0.97), rented(5.0)
    found = standings([bought, as_much, dear])
    assert [(each.line, each.tier) for each in found] == [(bought.line, 1), (as_much.line, 1), (dear.line, 2)]
    assert found[1].chance_cheapest > TIED
    unknown = standings([bought, rented(0.97, None)])
    assert unknown[0].line == bought.line, "what goes with its instance has no chance of keeping data"
    inside = replace(rented(0.97, is_lost_with_host=True), headroom=bought.headroom or 100.0)
    assert standings([inside, dear, bought])[0].line == bought.line, (
        "an array inside of an instance is gone with it"
    )
    none = document.Design(line="a", title="a", verdict="fits")
    of_no_price = of_rent(none, "somebody", None, seed=0, is_lost_with_host=False)
    last = standings([of_no_price, bought])[-1]
    assert (last.line, last.chance_cheapest) == ("a", 0.0)
