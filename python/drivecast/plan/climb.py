"""Climbing: each ladder of designs is tried in rising counts until one fits, many ladders at a time.

Ladders are independent and each is walked by one thread, here or on another machine, so the result does not depend on
how many there are or in which order they finish. What another machine finds is remembered here, and what is known of a
design goes along with it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from drivecast.crew import Job
from drivecast.document.design import Level
from drivecast.document.plan import Miss
from drivecast.plan import risk
from drivecast.plan.bound import Limits, rule_out
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.space import Ladder
from drivecast.plan.trial import Bench, Learned
from drivecast.plan.verdict import judge
from drivecast.stage.design import Design
from drivecast.thread import over_cores

PARITY: tuple[Level, ...] = ("raid5", "raid6", "raid50", "raid60")
Progress = Callable[[float, str], None]
Shape = tuple[Level, int, int]
"""Level, drives in use and groups of an array."""


@dataclass(frozen=True)
class Shared:
    """What all parts of a walk have in common."""

    bench: Bench
    limits: Limits


@dataclass(frozen=True)
class Part:
    """Designs that are tried one after another, and how."""

    task: Callable[[Any, Bench, Limits], list[Candidate]]
    """A function of this module: elsewhere it is found by its name."""
    subject: Any
    designs: Sequence[Design]
    """Those of the subject."""


Work = tuple[int, Part]
"""A part, and the place of its result."""


def unsaid(_share: float, _what: str) -> None:
    """The progress of what nobody waits for."""


def within(update: Progress, low: float, high: float) -> Progress:
    """The progress of a part of the work, which lies between these shares of all of it."""
    return lambda share, what: update(low + (high - low) * share, what)


def threads(options: Options) -> int:
    """How many runs there are at a time in this process."""
    return options.crew.hands


def climbs(
    ladders: Sequence[Ladder],
    found: list[list[Candidate]],
    bench: Bench,
    limits: Limits,
    at_a_time: int,
    cheapest_usd: float = math.inf,
    update: Progress = unsaid,
) -> list[Work]:
    """The ladders to climb; what a bound rules out of each is put into `found`, where the rest will come, too."""
    judged = [[(design, rule_out(design, limits, cheapest_usd)) for design in ladder] for ladder in ladders]
    open_to_try = [design for ladder in judged for design, ruling in ladder if ruling is None]
    alone = arrays_alone(open_to_try, bench, at_a_time, update)
    work: list[Work] = []
    for ladder in judged:
        rulings = [(design, ruling or alone.get(_shape(design))) for design, ruling in ladder]
        found.append([Candidate(design, ruling) for design, ruling in rulings if ruling is not None])
        left = [design for design, ruling in rulings if ruling is None]
        if left:
            work.append((len(found) - 1, Part(climb, left, left)))
    return work


def arrays_alone(
    designs: Sequence[Design], bench: Bench, at_a_time: int, update: Progress = unsaid
) -> dict[Shape, Miss | None]:
    """What arrays with parity miss whatever their drives: those without do no work of their own."""
    shapes = sorted({_shape(design) for design in designs if design.level in PARITY})
    misses = over_cores(
        lambda shape: bench.array_alone(*shape),
        shapes,
        lambda _share, shape: update(0.0, f"parity of {shape[0]} of {shape[1]} drives"),
        threads=at_a_time,
    )
    return dict(zip(shapes, misses, strict=True))


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


def refine(candidate: Candidate, bench: Bench, _limits: Limits | None = None) -> list[Candidate]:
    """A candidate with headroom, intervals, and a simulated chance of losing data."""
    if candidate.trial is None or candidate.verdict is None:
        raise ValueError(f"`{candidate.design.line}` was not tried")
    verdict = candidate.verdict
    loss = risk.simulated(candidate.design, candidate.trial, verdict.life, bench)
    trial = bench.refine(candidate.design, candidate.trial)
    return [replace(candidate, trial=trial, verdict=verdict.with_loss(loss, bench.requirements))]


def run(work: Sequence[Work], job: Job[Shared], update: Progress) -> Iterator[tuple[int, list[Candidate]]]:
    """Do the work. Results as they come, each with its place."""
    bench = job.context.bench
    if job.crew.is_here:
        results = job.each(_done, [part for _, part in work])
    else:
        results = _learning(
            bench, job.each(_done_apart, [(part, bench.about(part.designs)) for _, part in work])
        )
    for done, (at, candidates) in enumerate(results, 1):
        update(done / len(work), candidates[0].design.line)
        yield work[at][0], candidates


def _done(shared: Shared, part: Part) -> list[Candidate]:
    return part.task(part.subject, shared.bench, shared.limits)


def _done_apart(shared: Shared, sent: tuple[Part, Learned]) -> tuple[list[Candidate], Learned]:
    """The same where nothing is remembered: what is known is sent along, and what was found is sent back."""
    part, before = sent
    bench = shared.bench.knowing(before)
    found = part.task(part.subject, bench, shared.limits)
    known = {key: value for key, value in bench.known.items() if key not in before.known}
    return found, Learned(known, bench.edges)


def _learning(
    bench: Bench, results: Iterator[tuple[int, tuple[list[Candidate], Learned]]]
) -> Iterator[tuple[int, list[Candidate]]]:
    for at, (candidates, learned) in results:
        bench.learn(learned)
        yield at, candidates
