"""Climbing: each ladder of designs is tried in rising counts until one fits, many ladders at a time.

Ladders are independent and each is walked by one thread, so the result does not depend on how many threads there are or
in which order they finish.
"""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import partial

from drivecast.document.design import Level
from drivecast.document.plan import Miss
from drivecast.plan import risk
from drivecast.plan.bound import Limits, rule_out
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.space import Ladder
from drivecast.plan.trial import Bench
from drivecast.plan.verdict import judge
from drivecast.stage.design import Design

PARITY: tuple[Level, ...] = ("raid5", "raid6", "raid50", "raid60")
Progress = Callable[[float, str], None]
Work = tuple[int, Callable[[], list[Candidate]]]
"""A task, and the place of its result."""
Shape = tuple[Level, int, int]
"""Level, drives in use and groups of an array."""


def within(update: Progress, low: float, high: float) -> Progress:
    """The progress of a part of the work, which lies between these shares of all of it."""
    return lambda share, what: update(low + (high - low) * share, what)


def threads(options: Options) -> int:
    """How many runs there are at a time."""
    return options.threads or os.cpu_count() or 1


def climbs(
    ladders: Sequence[Ladder],
    found: list[list[Candidate]],
    bench: Bench,
    limits: Limits,
    at_a_time: int,
    cheapest_usd: float = math.inf,
) -> list[Work]:
    """The ladders to climb; what a bound rules out of each is put into `found`, where the rest will come, too."""
    judged = [[(design, rule_out(design, limits, cheapest_usd)) for design in ladder] for ladder in ladders]
    open_to_try = [design for ladder in judged for design, ruling in ladder if ruling is None]
    alone = arrays_alone(open_to_try, bench, at_a_time)
    work: list[Work] = []
    for ladder in judged:
        rulings = [(design, ruling or alone.get(_shape(design))) for design, ruling in ladder]
        found.append([Candidate(design, ruling) for design, ruling in rulings if ruling is not None])
        left = [design for design, ruling in rulings if ruling is None]
        if left:
            work.append((len(found) - 1, partial(climb, left, bench, limits)))
    return work


def arrays_alone(designs: Sequence[Design], bench: Bench, at_a_time: int) -> dict[Shape, Miss | None]:
    """What arrays with parity miss whatever their drives: those without do no work of their own."""
    shapes = sorted({_shape(design) for design in designs if design.level in PARITY})
    with ThreadPoolExecutor(at_a_time) as pool:
        return dict(zip(shapes, pool.map(lambda shape: bench.array_alone(*shape), shapes), strict=True))


def _shape(design: Design) -> Shape:
    return design.level, design.count, design.redundancy.groups


def climb(designs: Sequence[Design], bench: Bench, limits: Limits) -> list[Candidate]:
    """Try the designs in rising counts until one fits; the rest is larger than it needs to be."""
    climbed: list[Candidate] = []
    for position, design in enumerate(designs):
        climbed.append(try_one(design, bench, limits))
        if climbed[-1].fits:
            ruling = Miss(kind="smaller-fits", found=design.bays, is_bound=True)
            return climbed + [Candidate(larger, ruling) for larger in designs[position + 1 :]]
    return climbed


def try_one(design: Design, bench: Bench, limits: Limits, *, requested: bool = False) -> Candidate:
    """Simulate and judge one design."""
    if bench.brisk and not bench.holds(design, needed := bench.requirements.headroom):
        return Candidate(design, Miss(kind="latency", load=needed, is_bound=True), requested=requested)
    trial = bench.try_out(design)
    verdict = judge(design, trial, bench.catalog, bench.requirements, limits.profile)
    return Candidate(design, trial=trial, verdict=verdict, requested=requested)


def try_requested(design: Design, bench: Bench, limits: Limits) -> list[Candidate]:
    """A design that was named is tried even where a bound speaks against it, unless the data do not fit."""
    if design.usable_bytes < bench.requirements.data_bytes:
        return [Candidate(design, rule_out(design, limits), requested=True)]
    return [try_one(design, bench, limits, requested=True)]


def cheapest_usd(found: Sequence[Sequence[Candidate]]) -> float:
    """What the cheapest design that fits costs; infinite where none does."""
    tried = (candidate for rung in found for candidate in rung)
    return min(
        (each.verdict.cost.total_usd for each in tried if each.fits and each.verdict), default=math.inf
    )


def refine(candidate: Candidate, bench: Bench) -> list[Candidate]:
    """A candidate with headroom, intervals, and a simulated chance of losing data."""
    if candidate.trial is None or candidate.verdict is None:
        raise ValueError(f"`{candidate.design.line}` was not tried")
    verdict = candidate.verdict
    loss = risk.simulated(candidate.design, candidate.trial, verdict.life, bench)
    trial = bench.refine(candidate.design, candidate.trial)
    return [replace(candidate, trial=trial, verdict=verdict.with_loss(loss, bench.requirements))]


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
