"""The work of a search: designs tried and refined, many at a time, by threads of this process or by other machines.

A part depends on no other, so results do not depend on how many there are at a time or in which order they end. What
another machine finds is remembered here, and what is known of a design goes along with it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from drivecast.document.miss import Miss
from drivecast.executors import Job
from drivecast.plan import risk
from drivecast.plan.bound import Limits, rule_out
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.data_loss import Risk
from drivecast.plan.trial import Bench, Learned, Trial
from drivecast.plan.verdict import judge
from drivecast.stage.design import Design

Progress = Callable[[float, str], None]


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


def within(update: Progress, low: float, high: float) -> Progress:
    """The progress of a part of the work, which lies between these shares of all of it."""
    return lambda share, what: update(low + (high - low) * share, what)


def threads(options: Options) -> int:
    """How many runs there are at a time in this process."""
    return options.workers.parallel


def try_one(design: Design, bench: Bench, limits: Limits, *, requested: bool = False) -> Candidate:
    """Simulate and judge one design."""
    if bench.brisk and not bench.holds(design, needed := bench.requirements.headroom):
        return Candidate(design, Miss(kind="latency", load=needed, is_bound=True), requested=requested)
    trial = bench.try_out(design)
    verdict = judge(design, trial, bench.catalog, bench.requirements, limits.profile)
    return Candidate(design, trial=trial, verdict=verdict, requested=requested)


def try_out(design: Design, bench: Bench, limits: Limits) -> list[Candidate]:
    """A design with all its figures."""
    return [try_one(design, bench, limits)]


def try_requested(design: Design, bench: Bench, limits: Limits) -> list[Candidate]:
    """A design that was named is tried even where a bound speaks against it, unless the data do not fit."""
    if design.usable_bytes < bench.requirements.data_bytes:
        return [Candidate(design, rule_out(design, limits), requested=True)]
    return [try_one(design, bench, limits, requested=True)]


def refine(candidate: Candidate, bench: Bench, limits: Limits) -> list[Candidate]:
    """A candidate with headroom, intervals, and a simulated chance of losing data, rebuilds at rest."""
    if candidate.trial is None or candidate.verdict is None:
        raise ValueError(f"`{candidate.design.line}` was not tried")
    loss = risk.simulated(candidate.design, candidate.trial, candidate.verdict.life, bench, at_rest=True)
    return [judged_again(candidate, bench.refine(candidate.design, candidate.trial), loss, bench, limits)]


def judged_again(candidate: Candidate, trial: Trial, loss: Risk, bench: Bench, limits: Limits) -> Candidate:
    """The candidate with more of its trial known, and how often it loses data."""
    verdict = judge(candidate.design, trial, bench.catalog, bench.requirements, limits.profile)
    return replace(candidate, trial=trial, verdict=verdict.with_loss(loss, bench.requirements))


def run(work: Sequence[Work], job: Job[Shared], update: Progress) -> Iterator[tuple[int, list[Candidate]]]:
    """Do the work. Results as they come, each with its place."""
    bench = job.context.bench
    if job.workers.is_here:
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
