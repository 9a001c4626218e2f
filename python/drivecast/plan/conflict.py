"""Requirements that exclude each other: why nothing fits.

Model. Each design misses some requirements: all that a simulation or a bound finds. The fewest requirements of which
every design misses at least one exclude each other; of sets of equal size the one with most that were given. A design
that is no longer sold, or partitioned in vain, says nothing of requirements.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from drivecast.document.miss import Miss
from drivecast.document.plan import Design
from drivecast.plan.bound import Limits, missed
from drivecast.plan.candidate import Candidate

TOGETHER_MAX = 3
"""Requirements that are said to exclude each other: more say no more than that nothing fits."""
NO_REQUIREMENT = frozenset({"not-sold", "trimmed"})
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
