"""The states that an array lives in, what each leaves of p99 and headroom, and for how long.

Model. The peak is played on the array as it is in each state: healthy, without one of its drives, and while that drive
is rebuilt onto a spare, at no more than half of its sequential rate, or slower where only that keeps the limits, as an
administrator would have it (`stage.rebuild`). Of n drives that fail at λ a year, each waits for a new one
(`OPERATOR_H`; a spare is there at once) and then is rebuilt: a state of h hours has the share n λ h / 8760 of the time.
Where limits are missed in it, these hours cost what an outage does, all of them, although only the busiest stretch is
known to miss. Left out: two drives lost at a time, of which the share is about the square of that.
"""

from collections.abc import Sequence
from dataclasses import replace

from drivecast.document.array_state import CONDITIONS, ArrayState, Condition
from drivecast.plan import rank, risk
from drivecast.plan.bound import Limits
from drivecast.plan.candidate import Candidate
from drivecast.plan.headroom import bisected
from drivecast.plan.latencies import latencies
from drivecast.plan.load import Beginning
from drivecast.plan.rank import Place
from drivecast.plan.trial import Bench
from drivecast.plan.trial_pool import judged_again, refine
from drivecast.quantity.interval import Interval
from drivecast.quantity.year import MTBF_HOURS_PER_YEAR
from drivecast.stage import rebuild
from drivecast.stage.cached_design import CachedDesign
from drivecast.stage.design import Design
from drivecast.stage.loss import OPERATOR_H
from drivecast.thread import Deadline, over_cores

RIVALS = 2
"""Designs after the winner whose states are simulated, too."""
LEADING = 5
"""Designs whose p99 with a drive lost is found first: as many get a closer look."""
REBUILT_MOST = 0.9
"""Share of a drive that is rebuilt within a run: beyond the end of the rebuild it would be a run of a whole array."""

Compared = Design | CachedDesign
States = dict[str, list[ArrayState]]
"""By the line of a design."""


def in_condition(design: Compared, condition: Condition, share: float = rebuild.SHARE) -> Compared:
    """The design as the simulator takes it in a condition: the same array, with what has failed in its line."""
    if condition == "healthy":
        return design
    array = failing(design)
    hit = rebuild.degraded(array) if condition == "degraded" else rebuild.rebuilding(array, share)
    return design.before(hit) if isinstance(design, CachedDesign) else replace(design, written=hit)


def failing(design: Compared) -> Design:
    """The array of which a drive fails."""
    return design.slow if isinstance(design, CachedDesign) else design


def watching(design: Compared, bench: Bench, times: float, share: float = rebuild.SHARE) -> Bench:
    """The bench for a run in which a drive is rebuilt: it ends before the rebuild does.

    That takes less time on flash that is simulated at a smaller scale.
    """
    whole = bench.run(in_condition(design, "rebuilding", share), times)
    array = failing(design)
    scale = whole.scale or 1.0 if array.is_flash else 1.0
    seconds = REBUILT_MOST * scale * rebuild.idle_h(array.drive, share) * 3600
    if seconds >= whole.duration_s or isinstance(bench.load, Beginning):
        return bench
    shorter = Beginning(bench.load, seconds)
    return bench.once((design.line, times, seconds), lambda: bench.anew(load=shorter))


def _time_share(candidate: Candidate, condition: Condition) -> Interval | None:
    design, verdict = candidate.design, candidate.verdict
    if condition == "healthy" or verdict is None:
        return None
    hours, drives = _hours(candidate, condition), design.count
    return verdict.annual_failure_rate.rising(
        lambda rate: min(1.0, drives * rate * hours / MTBF_HOURS_PER_YEAR)
    )


def _hours(candidate: Candidate, condition: Condition) -> float:
    """Of each failed drive, in a condition."""
    if condition == "degraded":
        return 0.0 if candidate.design.spares else OPERATOR_H
    return candidate.verdict.loss.rebuild_h if condition == "rebuilding" and candidate.verdict else 0.0


def _state(candidate: Candidate, condition: Condition, bench: Bench) -> ArrayState:
    design, trial = candidate.design, candidate.trial
    share = candidate.verdict.loss.rebuild_share if candidate.verdict else rebuild.SHARE
    slowed_to = rebuild.bytes_per_s(failing(design).drive, share) if share < rebuild.SHARE else None
    if condition == "rebuilding":
        bench = watching(design, bench, 1.0, share)
    hit = in_condition(design, condition, share)
    outcome = bench.run(hit)
    holds = bench.miss(outcome) is None
    found = latencies([outcome], design.latency_errors)
    if trial is not None and condition == "healthy":
        found = trial.latency_ns
    return ArrayState(
        condition=condition,
        time_share=_time_share(candidate, condition),
        slowed_to_bytes_per_s=slowed_to if condition == "rebuilding" else None,
        holds=holds,
        headroom=_headroom(hit, trial.headroom if trial else None, bench) if holds else None,
        read_p99_ns=found["read", "p99"],
        write_p99_ns=found["write", "p99"],
    )


def _headroom(hit: Compared, most: float | None, bench: Bench) -> float | None:
    """The largest multiple of the peak that is held, no more than by the healthy array."""
    if most is None or most <= 1 or bench.holds(hit, most):
        return most
    return bisected(lambda times: bench.holds(hit, times), 1.0, most)


def leading(
    candidates: list[Candidate], bench: Bench, limits: Limits, deadline: Deadline, by: float
) -> list[Candidate]:
    """The candidates with what it costs that limits are missed while a drive is gone, of those that lead.

    One run tells that of a design, ten times as many its headroom and its rebuilds: those are for designs that lead
    even so.
    """
    known: set[str] = set()
    while not deadline.passed(by):
        places = rank.ranked(candidates, bench.requirements, bench.seed)[:LEADING]
        wanted = [place.candidate for place in places if _survives(place.candidate.design)]
        wanted = [each for each in wanted if each.design.line not in known]
        if not wanted:
            break
        states = over_cores(lambda each: _state(each, "degraded", bench), wanted)
        weighed = {
            each.design.line: _weighed(each, [state], bench, limits)
            for each, state in zip(wanted, states, strict=True)
        }
        known.update(weighed)
        candidates = [weighed.get(each.design.line, each) for each in candidates]
    return candidates


def ranked(
    candidates: list[Candidate], bench: Bench, limits: Limits, deadline: Deadline, by: float
) -> tuple[list[Candidate], list[Place], States]:
    """The candidates with what their states cost, their order, and the states of the first, as far as there is time.

    States decide, so those of designs that they bring forward are simulated, too.
    """
    found: States = {}
    while True:
        places = rank.ranked(candidates, bench.requirements, bench.seed)
        wanted = _wanted([place.candidate for place in places[: 1 + RIVALS]], found)
        if not wanted or deadline.passed(by):
            return candidates, places, found
        hit = {candidate.design.line: candidate for candidate, _ in wanted}
        watched = {candidate.design.line for candidate, condition in wanted if condition == "rebuilding"}
        rebuilt = over_cores(
            lambda of: _rebuilt_under_load(*of, bench, limits),
            [(candidate, line in watched) for line, candidate in hit.items()],
        )
        hit = dict(zip(hit, rebuilt, strict=True))
        wanted = [(hit[candidate.design.line], condition) for candidate, condition in wanted]
        for (candidate, _), state in zip(
            wanted, over_cores(lambda of: _state(*of, bench), wanted), strict=True
        ):
            found.setdefault(candidate.design.line, []).append(state)
        hit = {line: _weighed(each, found[line], bench, limits) for line, each in hit.items()}
        candidates = [hit.get(each.design.line, each) for each in candidates]


def _wanted(first: Sequence[Candidate], found: States) -> list[tuple[Candidate, Condition]]:
    """What is simulated next.

    A rebuild takes as long as all else: that of the best, and of the others if it misses the limits.
    """
    known = {(line, state.condition): state.holds for line, states in found.items() for state in states}
    all_rebuild = any(known.get((best.design.line, "rebuilding")) is False for best in first[:1])
    return [
        (candidate, condition)
        for candidate in first
        for condition in CONDITIONS
        if _survives(candidate.design) and (candidate.design.line, condition) not in known
        if condition != "rebuilding" or all_rebuild or candidate is first[0]
    ]


def _rebuilt_under_load(candidate: Candidate, slow_down: bool, bench: Bench, limits: Limits) -> Candidate:
    """The candidate, refined, with the chance of losing data where drives are rebuilt under the load.

    It is slowed down, on request, until the limits hold.
    """
    if candidate.trial is not None and not candidate.trial.refined:
        (candidate,) = refine(candidate, bench, limits)
    design, trial, verdict = candidate.design, candidate.trial, candidate.verdict
    if trial is None or verdict is None:
        return candidate
    share = _share(design, bench) if slow_down else rebuild.SHARE
    if verdict.loss.rebuilt_under_load and verdict.loss.rebuild_share == share:
        return candidate
    loss = risk.simulated(design, trial, verdict.life, bench, share=share)
    return judged_again(candidate, trial, loss, bench, limits)


def _share(design: Design, bench: Bench) -> float:
    """What a rebuild takes of the sequential rate: the most with which the limits hold; where none is, the most."""

    def holds(share: float) -> bool:
        shorter = watching(design, bench, 1.0, share)
        return shorter.miss(shorter.run(in_condition(design, "rebuilding", share))) is None

    return next(filter(holds, rebuild.SHARES), rebuild.SHARE)


def _weighed(candidate: Candidate, states: Sequence[ArrayState], bench: Bench, limits: Limits) -> Candidate:
    """The candidate with what its states cost, and how fast it is while degraded."""
    trial, verdict = candidate.trial, candidate.verdict
    if trial is None or verdict is None:
        return candidate
    missed_h = sum(_hours(candidate, state.condition) for state in states if not state.holds)
    degraded = next(state for state in states if state.condition == "degraded")
    trial = replace(trial, missed_h=missed_h, degraded_p99_ns=rank.p99_ns(degraded) or None)
    return judged_again(candidate, trial, verdict.loss, bench, limits)


def _survives(design: Design) -> bool:
    return design.failures_tolerated > 0 and rebuild.is_whole(design.line)
