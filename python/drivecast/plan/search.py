"""The search: bounds first, then every ladder of designs, then a closer look at the best.

The climbs decide what fits; headroom and intervals take ten times as many runs, and are found for the designs that
somebody may buy: the front, the cheapest, and the nearest misses.

Ladders are independent and each is walked in rising counts by one thread, so the result does not depend on how many
threads there are or in which order they finish.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from pathlib import Path

from drivecast.catalog import load as load_catalog
from drivecast.document.design import Level
from drivecast.document.plan import Miss, Plan
from drivecast.plan import error, result, risk, space
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

PARITY: tuple[Level, ...] = ("raid5", "raid6")

Work = tuple[int, Callable[[], list[Candidate]]]
"""A task, and the place of its result."""


def plan(logs: Sequence[Path], given: Given, options: Options, update: Progress) -> Plan:
    """Rank designs for the workload in `logs`.

    Raises `InputError` for logs, requirements or designs that cannot be used. That nothing fits is a result: `winner`
    is null then.
    """
    update(0.0, "reading the log")
    with located(logs, update, again=True) as log:
        profile = trace.profile(log.files, options.reading, peak_window_s=options.peak_window_s)
        profile = profile.noted(log.remarks(options.reading.strict))
        workload = load(log.files, profile, options.reading)
    requirements = derive(given, profile)
    catalog = load_catalog(options.catalog)
    catalog = replace(catalog, prices=catalog.prices.scenario(options.prices))
    bench = Bench(catalog, requirements, workload, options.seed, options.trimmed)
    limits = Limits(catalog, requirements, profile, options.include_old, options.trimmed)
    candidates = search(bench, limits, options, update)
    context = result.Context(logs, options, requirements, profile, catalog, workload.assumed)
    found = result.document(context, candidates)
    if options.history is None:
        return found
    stated = error.stated(found, options.history, catalog)
    return found.model_copy(update={"prediction_error": stated})


def search(bench: Bench, limits: Limits, options: Options, update: Progress) -> list[Candidate]:
    """Every design of the space, ruled out or tried, in the order of the space; requested designs first."""
    requested = _each_once([parse(line, bench.catalog) for line in options.designs])
    found: list[list[Candidate]] = [[] for _ in requested]
    climbs: list[Work] = [
        (place, partial(try_requested, design, bench, limits)) for place, design in enumerate(requested)
    ]
    threads = options.threads or os.cpu_count() or 1
    ladders = [
        [(design, rule_out(design, limits)) for design in ladder] for ladder in space.ladders(bench.catalog)
    ]
    alone = arrays_alone(
        [design for ladder in ladders for design, ruling in ladder if not ruling], bench, threads
    )
    for ladder in ladders:
        rulings = [(design, ruling or alone.get((design.level, design.count))) for design, ruling in ladder]
        found.append([Candidate(design, ruling) for design, ruling in rulings if ruling is not None])
        left = [design for design, ruling in rulings if ruling is None]
        if left:
            climbs.append((len(found) - 1, partial(climb, left, bench, limits)))
    for place, tried in run(climbs, threads, lambda share, what: update(CLIMB_SHARE * share, what)):
        found[place].extend(tried)
    named = {_shape(design) for design in requested if design.is_plain}
    candidates = [
        candidate
        for rung in found
        for candidate in rung
        if candidate.requested or _shape(candidate.design) not in named
    ]
    refined: list[Work] = [
        (place, partial(refine, candidates[place], bench)) for place in result.worth_refining(candidates)
    ]
    for place, (better,) in run(
        refined, threads, lambda share, what: update(CLIMB_SHARE + (1 - CLIMB_SHARE) * share, what)
    ):
        candidates[place] = better
    if (best := result.winning(candidates)) is not None:
        candidates[best] = _with_worn_reads(candidates[best], bench)
    return candidates


def _with_worn_reads(winner: Candidate, bench: Bench) -> Candidate:
    life = winner.verdict.life if winner.verdict else None
    return replace(winner, worn=worn(winner.design, life, bench))


def arrays_alone(
    designs: Sequence[Design], bench: Bench, threads: int
) -> dict[tuple[Level, int], Miss | None]:
    """What arrays with parity miss whatever their drives, by level and count: those without do no work of their own."""
    shapes = sorted({(design.level, design.count) for design in designs if design.level in PARITY})
    with ThreadPoolExecutor(threads) as pool:
        return dict(zip(shapes, pool.map(lambda shape: bench.array_alone(*shape), shapes), strict=True))


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
    return [replace(candidate, trial=trial, verdict=replace(verdict, loss=loss))]


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
