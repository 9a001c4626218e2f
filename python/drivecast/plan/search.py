"""The search: bounds first, then every ladder of designs, then a closer look at the best.

The climbs decide what fits; headroom and intervals take ten times as many runs, and are found for the designs that
somebody may buy: the front, the cheapest, and the nearest misses.

Ladders are independent and each is walked in rising counts by one thread, so the result does not depend on how many
threads there are or in which order they finish.
"""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from drivecast.catalog import Catalog, quotes
from drivecast.catalog import load as load_catalog
from drivecast.document.plan import Miss, Plan, Worn
from drivecast.plan import backup, error, rank, result, risk, space
from drivecast.plan.bound import Limits, rule_out
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.load import load
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench
from drivecast.plan.verdict import judge
from drivecast.plan.worn import worn
from drivecast.source.locate import located
from drivecast.stage import trace
from drivecast.stage.design import Design, parse

Progress = Callable[[float, str], None]


CLIMB_SHARE = 0.6
"""About how much of the time the climbs take, for the progress bar."""
MORE_SHARE = 0.1
"""About how much of that for designs that tolerate more failures than required."""

Work = tuple[int, Callable[[], list[Candidate]]]
"""A task, and the place of its result."""


def plan(logs: Sequence[Path], given: Given, options: Options, update: Progress) -> Plan:
    """Rank designs for the workload in `logs`.

    Raises `InputError` for logs, requirements or designs that cannot be used. That nothing fits is a result: `winner`
    is null then.
    """
    catalog, notes, hashes = priced(options)
    update(0.0, "reading the log")
    with located(logs, update, again=True) as log:
        profile = trace.profile(log.files, options.reading, peak_window_s=options.peak_window_s)
        profile = profile.noted([*log.remarks(options.reading.strict), *notes])
        found_backup = backup.find(profile, options.backup)
        if found_backup is not None:
            profile = profile.noted([backup.noted(found_backup.backup)])
        beneath = backup.without(profile, found_backup) if found_backup else profile
        workload = load(log.files, beneath, options.reading)
    met = found_backup if options.backup == "meet" else None
    judged = profile if met or found_backup is None else beneath
    requirements = derive(given, beneath)
    bench = Bench(catalog, requirements, workload, options.seed, options.trimmed, met, beneath)
    limits = Limits(catalog, requirements, judged, options.include_old, options.trimmed)
    candidates = search(bench, limits, options, update)
    places = rank.ranked(candidates, requirements, options.seed)
    context = result.Context(logs, options, requirements, profile, catalog, workload.assumed)
    found = result.document(context, candidates, places, worn_reads(places, bench))
    if found_backup is not None:
        named = found.workload.model_copy(update={"backup": found_backup.backup})
        found = found.model_copy(update={"workload": named})
    found = found.model_copy(update={"hashes": {**found.hashes, **hashes}})
    if options.history is None:
        return found
    stated = error.stated(found, options.history, catalog)
    return found.model_copy(update={"prediction_error": stated})


def priced(options: Options) -> tuple[Catalog, tuple[str, ...], dict[str, str]]:
    """The catalog at the prices of the options, notes on the quotes, and the hash of their file."""
    catalog = load_catalog(options.catalog)
    catalog = replace(catalog, prices=catalog.prices.scenario(options.prices))
    if options.quotes is None:
        return catalog, (), {}
    found = quotes.read(options.quotes, catalog, dict(options.rates), date.today())
    return found.laid_over(catalog), found.notes, {"quotes": found.digest}


def search(bench: Bench, limits: Limits, options: Options, update: Progress) -> list[Candidate]:
    """Every design of the space, ruled out or tried, in the order of the space; requested designs first."""
    requested = _each_once([parse(line, bench.catalog) for line in options.designs])
    yours: list[Work] = [
        (place, partial(try_requested, design, bench, limits)) for place, design in enumerate(requested)
    ]
    found: list[list[Candidate]] = [[] for _ in requested]
    threads = options.threads or os.cpu_count() or 1
    usual, more = space.by_redundancy(bench.catalog, limits.requirements)
    walked = CLIMB_SHARE * (1 - MORE_SHARE)
    climbs = _climbs(usual, found, bench, limits)
    for place, climbed in run([*yours, *climbs], threads, lambda share, what: update(walked * share, what)):
        found[place].extend(climbed)
    climbs = _climbs(more, found, bench, limits, cheapest_usd=_cheapest_usd(found))
    rest = CLIMB_SHARE - walked
    for place, climbed in run(climbs, threads, lambda share, what: update(walked + rest * share, what)):
        found[place].extend(climbed)
    named = {_shape(design) for design in requested if design.is_plain}
    candidates = [
        candidate
        for rung in found
        for candidate in rung
        if candidate.requested or _shape(candidate.design) not in named
    ]
    tried = rank.ranked(candidates, bench.requirements, bench.seed)
    refined: list[Work] = [
        (place, partial(refine, candidates[place], bench))
        for place in result.worth_refining(candidates, tried)
    ]
    for place, (better,) in run(
        refined, threads, lambda share, what: update(CLIMB_SHARE + (1 - CLIMB_SHARE) * share, what)
    ):
        candidates[place] = better
    return candidates


def _climbs(
    ladders: Sequence[space.Ladder],
    found: list[list[Candidate]],
    bench: Bench,
    limits: Limits,
    cheapest_usd: float = math.inf,
) -> list[Work]:
    """The ladders to climb; what a bound rules out of each is put into `found`, where the rest will come, too."""
    climbs: list[Work] = []
    for ladder in ladders:
        rulings = [(design, rule_out(design, limits, cheapest_usd)) for design in ladder]
        found.append([Candidate(design, ruling) for design, ruling in rulings if ruling is not None])
        left = [design for design, ruling in rulings if ruling is None]
        if left:
            climbs.append((len(found) - 1, partial(climb, left, bench, limits)))
    return climbs


def _cheapest_usd(found: Sequence[Sequence[Candidate]]) -> float:
    """What the cheapest design that fits costs; infinite where none does."""
    tried = (candidate for rung in found for candidate in rung)
    return min(
        (each.verdict.cost.total_usd for each in tried if each.fits and each.verdict), default=math.inf
    )


def worn_reads(places: Sequence[rank.Place], bench: Bench) -> Worn | None:
    """Reads of the best design at the end of the service."""
    if not places or (verdict := places[0].candidate.verdict) is None:
        return None
    return worn(places[0].candidate.design, verdict.life, bench)


def _shape(design: Design) -> tuple[str, str, int, float]:
    return design.drive.name, design.level, design.count, design.partition


def _each_once(designs: Sequence[Design]) -> list[Design]:
    """Leave out designs that were named before, however they were written."""
    return list({"".join(design.line.split()): design for design in reversed(designs)}.values())[::-1]


def refine(candidate: Candidate, bench: Bench) -> list[Candidate]:
    """A candidate with headroom, intervals, and a simulated chance of losing data."""
    if candidate.trial is None or candidate.verdict is None:
        raise ValueError(f"`{candidate.design.line}` was not tried")
    verdict = candidate.verdict
    loss = risk.simulated(candidate.design, candidate.trial, verdict.life, bench)
    trial = bench.refine(candidate.design, candidate.trial)
    return [replace(candidate, trial=trial, verdict=verdict.with_loss(loss, bench.requirements))]


def climb(designs: Sequence[Design], bench: Bench, limits: Limits) -> list[Candidate]:
    """Try the designs in rising counts until one fits; the rest is larger than it needs to be."""
    climbed: list[Candidate] = []
    for position, design in enumerate(designs):
        climbed.append(try_one(design, bench, limits))
        if climbed[-1].fits:
            ruling = Miss(kind="smaller-fits", found=design.count, is_bound=True)
            return climbed + [Candidate(larger, ruling) for larger in designs[position + 1 :]]
    return climbed


def try_one(design: Design, bench: Bench, limits: Limits, *, requested: bool = False) -> Candidate:
    """Simulate and judge one design."""
    trial = bench.try_out(design)
    verdict = judge(design, trial, bench.catalog, bench.requirements, limits.profile)
    return Candidate(design, trial=trial, verdict=verdict, requested=requested)


def try_requested(design: Design, bench: Bench, limits: Limits) -> list[Candidate]:
    """A design that was named is tried even where a bound speaks against it, unless the data do not fit."""
    if design.usable_bytes < bench.requirements.data_bytes:
        return [Candidate(design, rule_out(design, limits), requested=True)]
    return [try_one(design, bench, limits, requested=True)]


def run(work: Sequence[Work], threads: int, update: Progress) -> Iterator[tuple[int, list[Candidate]]]:
    """Do the work on `threads` threads; the simulator releases the interpreter lock. Results as they come."""
    with ThreadPoolExecutor(threads) as pool:
        futures = {pool.submit(task): place for place, task in work}
        try:
            for done, future in enumerate(as_completed(futures), 1):
                candidates = future.result()
                update(done / len(work), candidates[0].design.line)
                yield futures[future], candidates
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
