"""The walk over the space of designs: bounds first, then every ladder, then a closer look at the best.

The climbs decide what fits; headroom and intervals take ten times as many runs, and are found for the designs that
somebody may buy: the best tied on cost, the front, the cheapest, and the nearest misses.
"""

from dataclasses import replace

from drivecast.crew import Job
from drivecast.plan import rank, result, space
from drivecast.plan.bound import Limits
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.climb import (
    Part,
    Progress,
    Shared,
    Work,
    cheapest_usd,
    climbs,
    refine,
    run,
    threads,
    try_requested,
    within,
)
from drivecast.plan.trial import Bench
from drivecast.stage.design import Design, parse

CLIMB_SHARE = 0.7
"""About how much of the time the climbs take, for the progress bar."""
MORE_SHARE = 0.1
"""About how much of that for designs that tolerate more failures than required."""


def walk(bench: Bench, limits: Limits, options: Options, update: Progress) -> list[Candidate]:
    """Every design of the space, ruled out or tried, in the order of the space; requested designs first."""
    with options.crew.job(Shared(bench, limits)) as job:
        candidates = _climbed(job, options, update)
        tried = rank.ranked(candidates, bench.requirements, bench.seed)
        refined: list[Work] = [
            (place, Part(refine, candidates[place], [candidates[place].design]))
            for place in result.worth_refining(candidates, tried)
        ]
        for place, (better,) in run(refined, job, within(update, CLIMB_SHARE, 1.0)):
            candidates[place] = better
    return candidates


def _climbed(job: Job[Shared], options: Options, update: Progress) -> list[Candidate]:
    """Every design as the bounds and the climbs leave it."""
    bench, limits, at_a_time = job.context.bench, job.context.limits, threads(options)
    requested = [parse(line, bench.catalog) for line in options.designs]
    yours: list[Work] = [
        (place, Part(try_requested, design, [design])) for place, design in enumerate(requested)
    ]
    found: list[list[Candidate]] = [[] for _ in requested]
    usual, more = space.by_redundancy(bench.catalog, limits.requirements, options.where)
    walked = CLIMB_SHARE * (1 - MORE_SHARE)
    first, then = within(update, 0.0, walked), within(update, walked, CLIMB_SHARE)
    work = climbs(usual, found, bench, limits, at_a_time, update=first)
    for place, climbed in run([*yours, *work], job, first):
        found[place].extend(climbed)
    work = climbs(more, found, bench, limits, at_a_time, cheapest_usd(found), then)
    for place, climbed in run(work, job, then):
        found[place].extend(climbed)
    named = {_shape(design) for design in requested if design.is_plain}
    return [
        replace(candidate, today=candidate.requested and candidate.design.line == options.today)
        for rung in found
        for candidate in rung
        if candidate.requested or _shape(candidate.design) not in named
    ]


def _shape(design: Design) -> tuple[object, ...]:
    return design.drive.name, design.level, design.redundancy, design.partition, design.spares
