"""The walk over the space of designs: bounds first, then the search, then a closer look at the best.

The search decides what fits; headroom and intervals take ten times as many runs, and are found for the designs that
somebody may buy: the best tied on cost, the front, the cheapest, and the nearest misses.
"""

import math
from dataclasses import replace

from drivecast.executors import Job
from drivecast.plan import array_state, rank, result, space
from drivecast.plan.best_first import UNTRIED, Shown, by_job, chains, search, side
from drivecast.plan.bound import Limits, least_cost_usd
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.trial import Bench
from drivecast.plan.trial_pool import (
    Part,
    Progress,
    Shared,
    Work,
    refine,
    run,
    try_out,
    try_requested,
    within,
)
from drivecast.stage.design import PARITY, Design, parse

SEARCH_SHARE = 0.7
"""About how much of the time the search takes, for the progress bar."""
SEARCHED, REFINED = 0.55, 0.8
"""Shares of a time limit by which the search ends, and the closer look."""
REQUESTED_SHARE = 0.1
"""About how much of that designs take that were named."""


def walk(bench: Bench, limits: Limits, options: Options, update: Progress) -> list[Candidate]:
    """Every design of the space, ruled out or tried, in the order of the space; requested designs first."""
    options.deadline.is_working = True
    with options.workers.job(Shared(bench, limits)) as whole:
        job = whole.until(lambda: options.deadline.passed(SEARCHED))
        candidates = _searched(job, options, within(update, 0.0, SEARCH_SHARE))
        job = whole.until(lambda: options.deadline.passed(REFINED))
        missed: list[Work] = [
            (place, Part(try_out, candidates[place].design, [candidates[place].design]))
            for place in missing_by_least(candidates, limits)
        ]
        for place, (tried_out,) in run(missed, job, within(update, SEARCH_SHARE, SEARCH_SHARE)):
            candidates[place] = tried_out
        candidates = array_state.leading(candidates, bench, limits, options.deadline, REFINED)
        tried = rank.ranked(candidates, bench.requirements, bench.seed)
        refined: list[Work] = [
            (place, Part(refine, candidates[place], [candidates[place].design]))
            for place in result.worth_refining(candidates, tried)
        ]
        for place, (better,) in run(refined, job, within(update, SEARCH_SHARE, 1.0)):
            candidates[place] = better
    return candidates


def missing_by_least(candidates: list[Candidate], limits: Limits) -> list[int]:
    """Places of designs that were not simulated, of which a buyer would ask how far they miss.

    Of those that missed the required load at the first look, the cheapest of flash and of disks; where nothing fits,
    the cheapest and the dearest of each side. Where no parity was tried, the array nearest to its rated writes.
    """
    by_side: dict[object, list[tuple[float, int]]] = {}
    worn: list[tuple[float, int]] = []
    fits = any(each.fits for each in candidates)
    tries_parity = any(each.verdict is not None and each.design.level in PARITY for each in candidates)
    for place, each in enumerate(candidates):
        if each.verdict is not None or each.ruling is None:
            continue
        if each.ruling.load is not None:
            of = each.design.is_flash if fits else side(each.design)
            by_side.setdefault(of, []).append((least_cost_usd(each.design, limits), place))
        elif each.ruling.kind == "rated-writes" and each.design.level in PARITY and not tries_parity:
            worn.append((each.ruling.shortfall or math.inf, place))
    ends = (min,) if fits else (min, max)
    nearest = [min(worn)[1]] if worn else []
    return sorted({*nearest, *(end(places)[1] for places in by_side.values() for end in ends)})


def _searched(job: Job[Shared], options: Options, update: Progress) -> list[Candidate]:
    """Every design as the bounds and the search leave it."""
    bench, limits = job.context.bench, job.context.limits
    requested = [parse(line, bench.catalog) for line in options.designs]
    yours: list[Work] = [(at, Part(try_requested, design, [design])) for at, design in enumerate(requested)]
    found: list[list[Candidate]] = [[] for _ in requested]
    for at, candidates in run(yours, job, within(update, 0.0, REQUESTED_SHARE)):
        found[at].extend(candidates)
    for at, design in enumerate(requested):
        if not found[at]:
            found[at].append(Candidate(design, UNTRIED, requested=True))
    ladders = space.searched(bench.catalog, limits.requirements, options.where, limits.profile)
    waiting = chains(ladders, found, limits, bench)
    search(
        waiting, found, limits, Shown(), by_job(job, within(update, REQUESTED_SHARE, 1.0)), job.workers.passed
    )
    named = {_shape(design) for design in requested if design.is_plain}
    return [
        replace(candidate, today=candidate.requested and candidate.design.line == options.today)
        for rung in found
        for candidate in rung
        if candidate.requested or _shape(candidate.design) not in named
    ]


def _shape(design: Design) -> tuple[object, ...]:
    return design.drive.name, design.level, design.redundancy, design.partition, design.spares
