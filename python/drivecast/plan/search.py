"""The search: bounds first, then every ladder of designs, then a closer look at the best.

The climbs decide what fits; headroom and intervals take ten times as many runs, and are found for the designs that
somebody may buy: the front, the cheapest, and the nearest misses.

Ladders are independent and each is walked in rising counts by one thread, so the result does not depend on how many
threads there are or in which order they finish.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from drivecast.catalog import Scenario
from drivecast.catalog import load as load_catalog
from drivecast.plan import error, result, risk, space
from drivecast.plan.bound import Limits, Ruling, rule_out
from drivecast.plan.load import load
from drivecast.plan.requirement import Given, derive
from drivecast.plan.space import Design
from drivecast.plan.trial import Bench, Trial
from drivecast.plan.verdict import Verdict, judge
from drivecast.source.locate import located
from drivecast.stage import trace

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Options:
    """How to search; nothing here is a requirement."""

    reading: trace.Reading = trace.AS_IT_IS
    peak_window_s: float = 60.0
    designs: tuple[str, ...] = ()
    """Designs to judge besides those searched."""
    include_old: bool = False
    trimmed: bool = True
    """Whether the file system tells the drives what is free."""
    catalog: tuple[Path, ...] = ()
    prices: Scenario = Scenario.TYPICAL
    """The end of their bounds at which drives are bought."""
    seed: int = 0
    threads: int | None = None
    history: Path | None = None
    """Errors of predictions so far, as `drivecast compare` keeps them."""


@dataclass(frozen=True)
class Candidate:
    """A design and what became of it: ruled out by a bound, or tried and judged."""

    design: Design
    ruling: Ruling | None = None
    trial: Trial | None = None
    verdict: Verdict | None = None
    asked: bool = False
    """Whether the person named it."""

    @property
    def fits(self) -> bool:
        """Whether it meets all requirements."""
        return self.verdict is not None and self.verdict.miss is None


CLIMB_SHARE = 0.6
"""About how much of the time the climbs take, for the progress bar."""

Work = tuple[int, Callable[[], list[Candidate]]]
"""A task, and the place of its result."""


def plan(logs: Sequence[Path], given: Given, options: Options, update: Progress) -> dict[str, Any]:
    """Rank designs for the workload in `logs`; the document that `docs/reference/json.md` describes.

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
    document = result.document(context, candidates)
    if options.history is not None:
        document["prediction_error"] = error.stated(document, options.history, catalog)
    return document


def search(bench: Bench, limits: Limits, options: Options, update: Progress) -> list[Candidate]:
    """Every design of the space, ruled out or tried, in the order of the space; asked-for designs first."""
    asked = [space.parse(line, bench.catalog) for line in options.designs]
    found: list[list[Candidate]] = [[] for _ in asked]
    climbs: list[Work] = [
        (place, partial(try_asked, design, bench, limits)) for place, design in enumerate(asked)
    ]
    for ladder in space.ladders(bench.catalog):
        rulings = [(design, rule_out(design, limits)) for design in ladder.designs]
        found.append([Candidate(design, ruling) for design, ruling in rulings if ruling is not None])
        left = [design for design, ruling in rulings if ruling is None]
        if left:
            climbs.append((len(found) - 1, partial(climb, left, bench, limits)))
    threads = options.threads or os.cpu_count() or 1
    for place, tried in run(climbs, threads, lambda share, what: update(CLIMB_SHARE * share, what)):
        found[place].extend(tried)
    candidates = [candidate for rung in found for candidate in rung]
    refined: list[Work] = [
        (place, partial(refine, candidates[place], bench)) for place in result.worth_refining(candidates)
    ]
    for place, (better,) in run(
        refined, threads, lambda share, what: update(CLIMB_SHARE + (1 - CLIMB_SHARE) * share, what)
    ):
        candidates[place] = better
    return candidates


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
            ruling = Ruling(f"more drives than needed: {design.count} fit")
            return climbed + [Candidate(larger, ruling) for larger in designs[position + 1 :]]
    return climbed


def try_one(design: Design, bench: Bench, limits: Limits, *, asked: bool = False) -> Candidate:
    """Simulate and judge one design."""
    trial = bench.try_out(design)
    verdict = judge(design, trial, bench.catalog, bench.requirements, limits.profile)
    return Candidate(design, trial=trial, verdict=verdict, asked=asked)


def try_asked(design: Design, bench: Bench, limits: Limits) -> list[Candidate]:
    """A design that was named is tried even where a bound speaks against it, unless the data do not fit."""
    if design.usable_bytes < bench.requirements.data_bytes:
        return [Candidate(design, rule_out(design, limits), asked=True)]
    return [try_one(design, bench, limits, asked=True)]


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
