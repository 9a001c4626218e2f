"""Whether the winner changes where what nobody measured is otherwise: the search again, one assumption at a time.

Model. In each scenario designs are searched as before, with the runs of the search where they are the same; designs
whose drives cost more than all of the winner are left out where it still fits, since what is cheaper decides whether it
is tied; where it does not, those that cost more than `WITHIN` times one that fits. Drives are filled as in the search.
The winner changes where it no longer fits, or is no longer tied with the cheapest; then the best of the designs that
are tied takes its place, without their headroom, which is searched for in the plan only. Left out: two
assumptions that move at once, volumes that are rented, and cached designs that would take the place of one without a
cache (`cached_flip` has those of a winner with one).
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from drivecast.catalog import Scenario as Prices
from drivecast.document.plan import Flip, FlipInput
from drivecast.document.profile import Profile
from drivecast.plan import space
from drivecast.plan.best_first import Near, chains, here, search
from drivecast.plan.bound import Limits, affordable
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.rank import Place, ranked
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.trial import Bench
from drivecast.plan.trial_pool import threads, try_one
from drivecast.thread import over_cores

WITHIN = 1.3
"""Of what the cheapest design costs: beyond it designs are seldom tied."""
TRIES = 6
"""Designs that are tried in a scenario, cheapest first, once one is known to fit."""
PEERS = 4
"""Designs that are tried first where the winner no longer fits, for a bound on the cost."""
GROWTHS = (0.0, 0.1, 0.2, 0.4)
PEAK = 2.0
FAR = 1.5
"""A limit on p99 that is missed by more is missed with any seed: between seeds p99 differs by some percent."""
ANSWERED = 0.9
"""Share of a time limit by which this ends: then the report is written."""
SHARE = 0.5
"""Of the hours, and of the limits on p99."""


N = TypeVar("N", bound=str)
A_co = TypeVar("A_co", covariant=True)


@dataclass(frozen=True)
class Scenario(Generic[N]):
    """What is otherwise, by its name."""

    input: N
    value: str
    bench: Bench
    limits: Limits
    hopeless: frozenset[str] = frozenset()
    """Designs that are not tried."""

    @property
    def name(self) -> str:
        """As progress has it."""
        return f"{self.input} {self.value}"


@dataclass(frozen=True)
class Question(Generic[A_co]):
    """Something that may be otherwise, by its name, and how its answer is found, on one thread."""

    name: str
    answer: Callable[[], A_co]


def questions(
    candidates: Sequence[Candidate],
    places: Sequence[Place],
    bench: Bench,
    limits: Limits,
    given: Given,
    options: Options,
) -> list[Question[Flip]]:
    """The winner of each scenario."""
    # No scenario changes what these depend on: redundancy, data loss, years.
    ladders = space.searched(bench.catalog, bench.requirements, options.where, limits.profile)
    return [
        Question(scenario.name, partial(_flip, scenario, places, ladders))
        for scenario in scenarios(candidates, bench, limits, given)
    ]


def answered(
    asked: Sequence[Question[A_co]], options: Options, update: Callable[[float, str], None]
) -> list[A_co]:
    """The answers in the order of the questions, as many as there is time for; each takes one core."""
    return over_cores(
        lambda question: question.answer(),
        asked,
        lambda share, question: update(share, question.name),
        threads(options),
        lambda: options.deadline.passed(ANSWERED),
    )


def scenarios(
    candidates: Sequence[Candidate], bench: Bench, limits: Limits, given: Given
) -> list[Scenario[FlipInput]]:
    """What may be otherwise, one at a time; what is learned in one is not known in the others."""
    return [
        replace(scenario, bench=scenario.bench.branched())
        for scenario in _scenarios(bench, limits, given, _hopeless(candidates))
    ]


def _hopeless(candidates: Sequence[Candidate]) -> frozenset[str]:
    """Designs that miss a limit by far."""
    missed = ((each.design.line, each.trial.miss) for each in candidates if each.trial is not None)
    return frozenset(line for line, miss in missed if miss and (miss.shortfall or 0.0) > FAR)


def _within(ladder: space.Ladder, scenario: Scenario[Any], most_usd: float) -> space.Ladder:
    """The designs of a ladder worth the other bounds: where one costs too much, so do those with more drives."""
    cheap = itertools.takewhile(lambda design: affordable(design, scenario.limits, most_usd), ladder)
    return tuple(design for design in cheap if design.line not in scenario.hopeless)


def _scenarios(
    bench: Bench, limits: Limits, given: Given, hopeless: frozenset[str]
) -> Iterator[Scenario[FlipInput]]:
    needs, profile = bench.requirements, limits.profile
    for growth in GROWTHS:
        if not math.isclose(growth, needs.growth_per_year):
            other = _with_growth(needs, given, growth, profile)
            yield required("growth", f"{growth * 100:.0f} %/y", other, bench, limits)
    for name, which in (("low", Prices.LOW), ("high", Prices.HIGH)):
        catalog = replace(bench.catalog, prices=bench.catalog.prices.scenario(which))
        yield Scenario("prices", name, replace(bench, catalog=catalog), replace(limits, catalog=catalog))
    if (now := bench.catalog.now) is not None:
        yield Scenario("prices", "today's", replace(bench, catalog=now), replace(limits, catalog=now))
    yield Scenario("peak", f"{PEAK:g}", replace(bench, times=PEAK), limits)
    hours = needs.hours_per_day * SHARE
    yield required("hours a day", f"{hours:g} h", replace(needs, hours_per_day=hours), bench, limits)
    halved = replace(needs, p99_read_ns=_half(needs.p99_read_ns), p99_write_ns=_half(needs.p99_write_ns))
    yield required("limits on p99", "halved", halved, bench, limits)
    reseeded = replace(bench, seed=bench.seed + 1)
    yield Scenario("seed", f"{reseeded.seed}", reseeded, limits, hopeless)


def _half(limit_ns: int | None) -> int | None:
    return None if limit_ns is None else round(limit_ns * SHARE)


def _with_growth(needs: Requirements, given: Given, growth: float, profile: Profile) -> Requirements:
    """What follows from another growth; the capacity that was given remains."""
    other = derive(replace(given, growth_per_year=growth), profile)
    return replace(other, origins=needs.origins)


def required(input_: N, value: str, needs: Requirements, bench: Bench, limits: Limits) -> Scenario[N]:
    """The scenario of other requirements; drives are filled as they were."""
    filled = bench.requirements.capacity_bytes
    other = replace(bench, requirements=needs, filled_bytes=filled)
    return Scenario(input_, value, other, replace(limits, requirements=needs))


def _flip(scenario: Scenario[FlipInput], places: Sequence[Place], ladders: Sequence[space.Ladder]) -> Flip:
    """The winner of a scenario, on one thread: scenarios run beside each other, and each run may take much memory."""
    bench, limits = scenario.bench, scenario.limits
    today = places[0].candidate.design
    first = try_one(today, bench, limits)
    known = [first] if first.fits else [first, *peers(scenario, places[1:])]
    least_usd = min((cost_usd(candidate) for candidate in known if candidate.fits), default=math.inf)
    others = searched(scenario, known, ladders, least_usd if first.fits else least_usd * WITHIN)
    lines = {candidate.design.line for candidate in known}
    others = [candidate for candidate in others if candidate.design.line not in lines]
    order = ranked([*known, *others], bench.requirements, bench.seed)
    tied = [place.candidate for place in order if place.tier == 1]
    holds = first in tied
    winner = first if holds else order[0].candidate if order else None
    rate = bench.catalog.prices.per_dollar
    return Flip(
        input=scenario.input,
        value=scenario.value,
        winner=winner.design.line if winner else None,
        changed=not holds,
        cost=cost_usd(winner) * rate if winner else None,
        regret=_regret_usd(places[0].candidate, first, order) * rate,
        misses=list(first.misses),
    )


def _regret_usd(bought: Candidate, first: Candidate, order: Sequence[Place]) -> float:
    """What the winner costs more than the best of a scenario; what its drives cost where it does not fit there."""
    if first.fits:
        return cost_usd(first) - min(place.entry.total_usd for place in order)
    cost = bought.verdict.cost if bought.verdict else None
    return cost.purchase_usd - cost.hosting_usd if cost else 0.0


def peers(scenario: Scenario[Any], places: Sequence[Place]) -> list[Candidate]:
    """A design that fits in a scenario, of the cheapest and that with the most headroom; none where none does."""
    by_cost = sorted(places, key=lambda place: cost_usd(place.candidate))[:PEERS]
    by_cost += sorted(places, key=lambda place: -(place.entry.headroom or 0.0))[:1]
    tried = (try_one(place.candidate.design, scenario.bench, scenario.limits) for place in by_cost)
    return [*itertools.islice((peer for peer in tried if peer.fits), 1)]


def searched(
    scenario: Scenario[Any],
    known: Sequence[Candidate],
    ladders: Sequence[space.Ladder],
    most_usd: float,
    within: float = WITHIN,
    tries: int = TRIES,
) -> list[Candidate]:
    """The designs of a scenario whose drives cost no more than that, nor than so many times the cheapest that fits.

    Once there is such a bound, at most so many are tried.
    """
    bench, limits = scenario.bench, scenario.limits
    found: list[list[Candidate]] = [[*known]]
    costs = (cost_usd(candidate) for candidate in known if candidate.fits)
    near = Near(within, min(costs, default=math.inf), most_usd, tries)
    cheap = [part for ladder in ladders if (part := _within(ladder, scenario, most_usd))]
    waiting = chains(cheap, found, limits, bench)
    search(waiting, found, limits, near, here(replace(bench, brisk=True), limits))
    return [candidate for rung in found[1:] for candidate in rung]


def cost_usd(candidate: Candidate) -> float:
    """What a design is expected to cost; infinite where that is not known."""
    return candidate.verdict.cost.total_usd if candidate.verdict else math.inf
