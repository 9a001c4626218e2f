"""Designs of several volumes and rented ones among those of the search: one ranking of all.

Model. All that fit are ranked by what `rank` ranks by, and compared by what designs are compared by (`ranking`): cost
over the years, p99 latencies, life. What is counted differs: of what is bought drives, energy and replacements; of what
is rented the volumes. Neither has a server, an instance or people in it: the assumptions say so.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from drivecast.document.miss import Miss
from drivecast.document.plan import Design, Plan
from drivecast.plan import rank, result
from drivecast.plan.cached_trial import Tried
from drivecast.plan.ranking import counted, placed
from drivecast.plan.renting import Offer
from drivecast.stage.cached_design import CachedDesign


@dataclass(frozen=True)
class Extra:
    """A design that the search of designs does not know."""

    design: Design
    entry: rank.Entry | None
    """None where it does not fit."""
    of: Offer | Tried | tuple[CachedDesign, Miss] | None = None
    """What was offered, of a rented design; a cached design that was tried, or what ruled it out. What a report carries
    follows from that."""


def merged(found: Plan, places: Sequence[rank.Place], extras: Sequence[Extra]) -> Plan:
    """The plan with more designs, in the order of all."""
    entries = [place.entry for place in places]
    entries += [extra.entry for extra in extras if extra.entry is not None]
    by_line = {design.line: design for design in (*found.ranked(), *(extra.design for extra in extras))}
    of = {entry.line: entry for entry in entries}
    standings = rank.standings(entries)
    fits = placed(
        [
            by_line[each.line].model_copy(update={"tier": each.tier, "chance_cheapest": each.chance_cheapest})
            for each in standings
        ]
    )
    others = [*found.designs, *(extra.design for extra in extras)]
    missed = sorted((design for design in others if design.verdict == "misses"), key=_short)
    designs = [*fits, *missed, *(design for design in others if design.verdict == "pruned")]
    near = [design.line for design in missed if design.miss and design.miss.shortfall is not None]
    return found.model_copy(
        update={
            "designs": designs,
            "winner": fits[0].line if fits else None,
            "pareto_front": [design.line for design in fits if design.pareto_optimal],
            "beside": rank.beside([of[each.line] for each in standings]) if standings else None,
            "nearest": [] if fits else near[: result.NEAREST],
            "counts": counted(designs, found.ruled_out),
        }
    )


def _short(design: Design) -> tuple[float, str]:
    shortfall = design.miss.shortfall if design.miss else None
    return math.inf if shortfall is None else shortfall, design.line
