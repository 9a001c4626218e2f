"""Requirements that exclude each other: why nothing fits.

Model. Each design misses some requirements: all that a simulation or a bound finds. The fewest requirements of which
every design misses at least one exclude each other; of sets of equal size the one with most that were given. A design
that is no longer sold, or partitioned in vain, says nothing of requirements. A remedy is the best design that fits
without one of these requirements, searched as in a scenario of `flip`: the least that somebody has to give up.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from drivecast.document.miss import Miss
from drivecast.document.plan import Design, Remedy
from drivecast.plan import flip, space
from drivecast.plan.bound import Limits, missed
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.rank import ranked
from drivecast.plan.requirement import Requirements
from drivecast.plan.shadow_price import no_limit_ns
from drivecast.plan.trial import Bench

TOGETHER_MAX = 3
"""Requirements that are said to exclude each other: more say no more than that nothing fits."""
NO_REQUIREMENT = frozenset({"not-sold", "no-power-loss-protection", "host-managed", "trimmed"})
LOAD = "load"
"""The measured peak, which is no option."""
OF_KIND = {
    "flash-life": "years",
    "rated-writes": "years",
    "budget": "budget",
    "power": "power",
    "capacity": "capacity",
    "failures-tolerated": "drive_losses",
    "data-loss": "data_loss",
    "rotation": "p99_read",
    "backup": "backup",
}


def requirement(miss: Miss) -> str:
    """The requirement that a design misses, by its name in the document."""
    if miss.load is not None and miss.load != 1.0:
        return "headroom"
    if miss.kind == "latency":
        return f"p99_{miss.op}"
    return OF_KIND.get(miss.kind, LOAD)


def excluding(candidates: Sequence[Candidate], rented: Iterable[Design], limits: Limits) -> list[str]:
    """The fewest requirements of which every design misses one; nothing where more than three would be needed."""
    missed_by = {
        frozenset(map(requirement, (*candidate.misses, *missed(candidate.design, limits))))
        for candidate in candidates
        if not any(miss.kind in NO_REQUIREMENT for miss in candidate.misses)
    }
    missed_by |= {frozenset(map(requirement, design.misses)) for design in rented}
    given = {name.replace(" ", "_") for name, how, _ in limits.requirements.origins if how == "given"}
    given |= {"budget", "power"}
    names = sorted(set().union(*missed_by), key=lambda name: (name not in given, name))
    for count in range(1, TOGETHER_MAX + 1):
        for chosen in combinations(names, count):
            if missed_by and all(missed_names & set(chosen) for missed_names in missed_by):
                return list(chosen)
    return []


WITHOUT: dict[str, Callable[[Requirements], dict[str, Any]]] = {
    "budget": lambda _: {"budget_usd": None},
    "power": lambda _: {"power_w_max": None},
    "p99_read": lambda needs: {"p99_read_ns": no_limit_ns(needs.p99_read_ns)},
    "p99_write": lambda needs: {"p99_write_ns": no_limit_ns(needs.p99_write_ns)},
    "headroom": lambda _: {"headroom": 1.0},
    "drive_losses": lambda _: {"drive_losses": 0},
    "data_loss": lambda _: {"data_loss": 1.0},
}
"""What is required without a requirement; others have no end."""


MOST_USD = 1e9
"""More than anybody pays."""
TRIES = 48
"""Designs that are tried for a remedy, cheapest first: where none fits by then, what is missed is far away."""


def remedies(names: Sequence[str], bench: Bench, limits: Limits, options: Options) -> Iterator[Remedy]:
    """What fits without each of the requirements that exclude each other, one at a time."""
    for name in names:
        if name not in WITHOUT or options.deadline.passed(flip.ANSWERED):
            continue
        needs = replace(limits.requirements, **WITHOUT[name](limits.requirements))
        scenario = flip.required(name, "", needs, bench.branched(), limits)
        ladders = space.searched(bench.catalog, needs, options.where, limits.profile)
        found = flip.searched(scenario, [], ladders, MOST_USD, tries=TRIES)
        if places := ranked(found, needs, bench.seed):
            best = places[0].candidate
            yield Remedy(
                requirement=name,
                line=best.design.line,
                title=best.design.title,
                cost=flip.cost_usd(best) * bench.catalog.prices.per_dollar,
            )
