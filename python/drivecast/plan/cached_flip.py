"""Whether a winner with a cache changes where what nobody measured is otherwise.

Model. The scenarios of `flip`, of the winner and of what would take its place: other cached designs that fit in the
plan, and designs without a cache, searched as there. Besides, hits that are fewer than simulated: those of an empty
cache at the peak, and twice as many misses as an LRU cache is expected to have; the best design without a cache takes
its place then. Left out: as in `flip`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from drivecast.document.miss import Miss
from drivecast.document.plan import Flip, FlipInput, Plan
from drivecast.plan import cache_space, cached, flip, rank, space
from drivecast.plan.block_reuse import BlockReuse
from drivecast.plan.bound import missed
from drivecast.plan.cached_trial import SIDES, briefly, misses_from_empty
from drivecast.plan.candidate import Candidate
from drivecast.plan.flip import Scenario
from drivecast.plan.merge import Extra
from drivecast.plan.rank import Place
from drivecast.plan.volume_share import Whole
from drivecast.stage.cached_design import CachedDesign, parse_cached

PEERS = 2
"""Other cached designs that may take its place: the cheapest that fit in the plan."""
MISSES = 2.0
"""How many times the expected misses."""


@dataclass(frozen=True)
class _Rivals:
    """The winner, and what may take its place."""

    cached: Sequence[CachedDesign]
    """The winner comes first."""
    cost: float | None
    """Of the winner, in the currency of the prices."""
    places: Sequence[Place]
    ladders: Sequence[space.Ladder]
    whole: Whole
    met: BlockReuse


def flips(
    found: Plan,
    candidates: Sequence[Candidate],
    places: Sequence[Place],
    whole: Whole,
    met: BlockReuse,
    update: Callable[[float, str], None],
) -> list[Flip]:
    """Return the winner of each scenario of a plan whose winner has a cache."""
    bench, limits, options = whole.bench, whole.limits, whole.options
    ladders = space.searched(bench.catalog, bench.requirements, options.where, limits.profile)
    winner = found.find(found.winner)
    cost = winner.cost.total if winner and winner.cost else None
    rivals = _Rivals(_designs(found, whole, met), cost, places, ladders, whole, met)
    asked = [
        flip.Question(scenario.name, partial(_flip, scenario, rivals))
        for scenario in flip.scenarios(candidates, bench, limits, whole.given)
    ]
    return [*flip.answered(asked, options, update), *_fewer_hits(rivals)]


def _designs(found: Plan, whole: Whole, met: BlockReuse) -> list[CachedDesign]:
    """The winner, and the cheapest other cached designs that fit."""
    again = met.again
    known = (
        {}
        if again is None
        else {each.design.line: each.design for each in cache_space.considered(whole.limits, again, math.inf)}
    )
    fits = [design.line for design in found.ranked() if design.cached is not None]
    return [known.get(line) or parse_cached(line, whole.bench.catalog) for line in fits[: 1 + PEERS]]


def _flip(scenario: Scenario[FlipInput], rivals: _Rivals) -> Flip:
    first, *peers = (_tried(design, scenario, rivals) for design in rivals.cached)
    fits = [each.entry for each in (first, *peers) if each.entry is not None]
    most_usd = min((entry.total_usd for entry in fits), default=math.inf)
    known: list[Candidate] = []
    if first.entry is None:
        known = flip.peers(scenario, rivals.places)
        costs = [peer.verdict.cost.total_usd for peer in known if peer.verdict is not None]
        most_usd = flip.WITHIN * min([most_usd, *costs])
    others = rank.ranked(
        [*known, *flip.searched(scenario, [], rivals.ladders, most_usd)],
        scenario.bench.requirements,
        scenario.bench.seed,
    )
    entries = {entry.line: entry for entry in (*fits, *(place.entry for place in others))}
    order = rank.standings([*entries.values()])
    tied = [each.line for each in order if each.tier == 1]
    holds = first.design.line in tied
    line = first.design.line if holds else order[0].line if order else None
    return Flip(
        input=scenario.input,
        value=scenario.value,
        winner=line,
        changed=not holds,
        cost=entries[line].total_usd * scenario.bench.catalog.prices.per_dollar if line else None,
        misses=first.design.misses,
    )


def _tried(design: CachedDesign, scenario: Scenario[FlipInput], rivals: _Rivals) -> Extra:
    """A cached design in a scenario: ruled out by a bound, or played."""
    bench, limits, again = scenario.bench, scenario.limits, rivals.met.again
    if rivals.met.load is not None:
        bench = bench.anew(load=rivals.met.load)
    context = replace(rivals.whole.context, requirements=bench.requirements, catalog=bench.catalog)
    whole = replace(rivals.whole, bench=bench, limits=limits, context=context)
    ruling = _ruled_out(design, scenario, rivals)
    if ruling is not None:
        return cached.pruned(design, ruling, whole, again)
    tried = briefly(design, bench, limits.profile, cached.sent(design, bench, again))
    return cached.extra_of(tried, whole, again)


def _ruled_out(design: CachedDesign, scenario: Scenario[FlipInput], rivals: _Rivals) -> Miss | None:
    """What the bounds know, of what is behind and of both together."""
    limits, again = scenario.limits, rivals.met.again
    behind = [miss for miss in missed(design.slow, limits) if miss.kind not in cache_space.LIFTED]
    if behind:
        return behind[0].model_copy(update={"volume": SIDES[1]})
    if again is None:
        return None
    return cache_space.ruled_out(
        design, cache_space.least_usd_of(design, limits), limits, again, cheapest_usd=math.inf
    )


def _fewer_hits(rivals: _Rivals) -> list[Flip]:
    """The winner with fewer hits than simulated."""
    design, whole, again = rivals.cached[0], rivals.whole, rivals.met.again
    bench = whole.bench if rivals.met.load is None else whole.bench.anew(load=rivals.met.load)
    found = [("as from empty", misses_from_empty(design, bench))]
    if again is not None:
        many = cache_space.too_many_misses(design, whole.limits, again, MISSES)
        found.append((f"with {MISSES:g} times the misses expected", many))
    return [_with_hits(value, miss, rivals) for value, miss in found]


def _with_hits(value: str, miss: Miss | None, rivals: _Rivals) -> Flip:
    line, cost = rivals.cached[0].line, rivals.cost
    instead = rivals.places[0] if rivals.places else None
    if miss is not None:
        rate = rivals.whole.bench.catalog.prices.per_dollar
        cost = instead.entry.total_usd * rate if instead else None
    return Flip(
        input="hits",
        value=value,
        winner=line if miss is None else instead.entry.line if instead else None,
        changed=miss is not None,
        cost=cost,
        misses=[] if miss is None else [miss],
    )
