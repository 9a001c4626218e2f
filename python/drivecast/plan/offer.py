"""Designs that are rented, ranked with those that are bought.

Model. All that fit are compared by what designs are compared by (`placing`): cost over the years, p99 latencies, life.
What is counted differs: of what is bought drives, energy and replacements; of what is rented the volumes. Neither has a
server, an instance or people in it: the assumptions say so.
"""

import math
from collections.abc import Sequence

from drivecast.document.plan import Assumption, Design, Plan
from drivecast.plan import result
from drivecast.plan.lease import Lease
from drivecast.plan.placing import costs, counted, placed
from drivecast.plan.renting import Offer


def joined(found: Plan, offers: Sequence[Offer], context: result.Context) -> Plan:
    """The plan with rented designs, all of them ranked together."""
    window = context.profile.peak_window
    lease = Lease(context.catalog, context.requirements, (window.iops_mean if window else None) or 0.0)
    plan = ranked(found, [lease.design(offer) for offer in offers])
    winner = plan.find(plan.winner)
    of_winner = list(found.assumptions)
    if winner is not None and winner.where == "cloud":
        of_winner = result.assumptions(context, None)
    return plan.model_copy(update={"assumptions": [*of_winner[:1], *assumptions(context), *of_winner[1:]]})


def ranked(found: Plan, rented: Sequence[Design]) -> Plan:
    """The plan with more designs, in the order of all."""
    fits = placed(_in_order(found.ranked(), [design for design in rented if design.fits]))
    others = [*found.designs, *rented]
    missed = sorted((design for design in others if design.verdict == "misses"), key=_short)
    designs = [*fits, *missed, *(design for design in others if design.verdict == "pruned")]
    near = [design.line for design in missed if design.miss and design.miss.shortfall is not None]
    return found.model_copy(
        update={
            "designs": designs,
            "winner": fits[0].line if fits else None,
            "pareto_front": [design.line for design in fits if design.pareto_optimal],
            **({} if not fits or fits[0].line == found.winner else {"beside": None}),
            "nearest": [] if fits else near[: result.NEAREST],
            "counts": counted(designs),
        }
    )


def _key(design: Design) -> tuple[float, float, str]:
    total, reads, *_ = costs(design)
    return total, reads, design.line


def _in_order(bought: Sequence[Design], rented: Sequence[Design]) -> list[Design]:
    """What is bought in its own order, with its ties; what is rented comes before what costs more."""
    ordered: list[Design] = []
    left = sorted(rented, key=_key)
    for design in bought:
        while left and costs(left[0])[0] < costs(design)[0]:
            ordered.append(left.pop(0))
        ordered.append(design)
    return [*ordered, *left]


def _short(design: Design) -> tuple[float, str]:
    shortfall = design.miss.shortfall if design.miss else None
    return math.inf if shortfall is None else shortfall, design.line


def assumptions(context: result.Context) -> list[Assumption]:
    """What is counted of what is rented, and what not."""
    low, high = context.catalog.prices.rent_bounds
    rows = [
        (
            "cost",
            "of drives, energy and replacements, or of volumes: no server, instance, network or people",
            "what an instance asks for the drives inside of it counts as rent",
        ),
        (
            "rent",
            f"on demand, {low:g} to {high:g} times by region",
            "catalog/prices.toml, `[cloud]`: the region usually named first, the same for all years",
        ),
        ("size of volumes", "that of the last year, from the first month on", "a volume can begin smaller"),
        ("times of volumes", "half to twice the catalog's", "providers publish limits, hardly any times"),
    ]
    instance = context.options.instance
    if instance is None:
        rows.append(("instance", "none that limits volumes", "`--instance` puts them behind one"))
    return [
        Assumption(name=name, value=value, provenance="assumed", source=source)
        for name, value, source in rows
    ]
