"""The search: bounds first, then every ladder of designs in parallel, then judgement and ranking.

Ladders are independent and each is walked in rising counts by one thread, so the result does not depend on how many
threads there are or in which order they finish.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from drivecast import trace
from drivecast.catalog import load as load_catalog
from drivecast.plan import result, space
from drivecast.plan.bound import Limits, Ruling, rule_out
from drivecast.plan.load import load
from drivecast.plan.requirement import Given, derive
from drivecast.plan.space import Design, Ladder
from drivecast.plan.trial import Bench, Trial
from drivecast.plan.verdict import Verdict, judge

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Options:
    """How to search; nothing here is a requirement."""

    event: str | None = None
    disk: str | None = None
    interval_s: float | None = None
    peak_window_s: float = 60.0
    designs: tuple[str, ...] = ()
    """Designs to judge besides those searched."""
    include_old: bool = False
    trimmed: bool = True
    """Whether the file system tells the drives what is free."""
    catalog: tuple[Path, ...] = ()
    seed: int = 0
    threads: int | None = None


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


Work = tuple[int, Callable[[], list[Candidate]]]
"""A task, and the place of its result."""


def plan(logs: Sequence[Path], given: Given, options: Options, update: Progress) -> dict[str, Any]:
    """Rank designs for the workload in `logs`; the document that `docs/reference/json.md` describes.

    Raises `InputError` for logs, requirements or designs that cannot be used. That nothing fits is a result: `winner`
    is null then.
    """
    update(0.0, "reading the log")
    profile = trace.profile(
        logs,
        event=options.event,
        disk=options.disk,
        interval_s=options.interval_s,
        peak_window_s=options.peak_window_s,
    )
    catalog = load_catalog(options.catalog)
    requirements = derive(given, profile)
    workload = load(logs, profile, options.event)
    bench = Bench(catalog, requirements, workload, options.seed, options.trimmed)
    limits = Limits(catalog, requirements, profile, options.include_old, options.trimmed)
    candidates = search(bench, limits, options, update)
    context = result.Context(logs, options, requirements, profile, catalog, workload.assumed)
    return result.document(context, candidates)


def search(bench: Bench, limits: Limits, options: Options, update: Progress) -> list[Candidate]:
    """Every design of the space, ruled out or tried, in the order of the space; asked-for designs first."""
    asked = [Ladder((space.parse(line, bench.catalog),)) for line in options.designs]
    found: list[list[Candidate]] = [[] for _ in asked]
    work: list[Work] = [
        (index, partial(try_asked, ladder.designs[0], bench, limits)) for index, ladder in enumerate(asked)
    ]
    for ladder in space.ladders(bench.catalog):
        rulings = [(design, rule_out(design, limits)) for design in ladder.designs]
        found.append([Candidate(design, ruling) for design, ruling in rulings if ruling is not None])
        left = [design for design, ruling in rulings if ruling is None]
        if left:
            work.append((len(found) - 1, partial(climb, left, bench, limits)))
    for index, candidates in run(work, options.threads or os.cpu_count() or 1, update):
        found[index].extend(candidates)
    return [candidate for ladder_found in found for candidate in ladder_found]


def climb(designs: Sequence[Design], bench: Bench, limits: Limits) -> list[Candidate]:
    """Try the designs in rising counts until one fits; the rest is larger than it needs to be."""
    climbed: list[Candidate] = []
    for position, design in enumerate(designs):
        candidate = try_one(design, bench, limits)
        climbed.append(candidate)
        if candidate.fits:
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
    ruling = rule_out(design, Limits(limits.catalog, limits.requirements, limits.profile, True, False))
    if ruling is not None and design.usable_bytes < bench.requirements.data_bytes:
        return [Candidate(design, ruling, asked=True)]
    return [try_one(design, bench, limits, asked=True)]


def run(work: Sequence[Work], threads: int, update: Progress) -> Iterator[tuple[int, list[Candidate]]]:
    """Do the work on `threads` threads; the simulator releases the interpreter lock. Results as they come."""
    with ThreadPoolExecutor(threads) as pool:
        futures: dict[Future[list[Candidate]], int] = {pool.submit(task): index for index, task in work}
        try:
            for done, future in enumerate(as_completed(futures), 1):
                candidates = future.result()
                yield futures[future], candidates
                update(done / len(work), candidates[0].design.line)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
