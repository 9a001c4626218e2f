"""The order of the designs that fit, where prices, lives and latencies are known between bounds only.

Model. What is not known is drawn for all designs at once (`draw`). A design is the cheapest with the share of the draws
in which it fits and none that fits costs less. Designs that cost no more than the cheapest in a fifth of the draws
(`TIED`) are tied with it. Within a tie lower data loss decides, then headroom, then p99, in steps of three, three and
1.25 times from the best of them, since smaller differences are within their intervals. Then those that are left are
ranked likewise. Of a design of several volumes costs add up in each draw, it fits where each volume does, and data are
lost where any loses some, 1 − Π (1 − p). What is rented has no life and no chance of its limit on latency.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from drivecast.document.plan import Better, Design, Neighbour
from drivecast.plan.candidate import Candidate
from drivecast.plan.draw import DRAWS, Draw, Draws, Holds, Judged
from drivecast.plan.requirement import Requirements
from drivecast.quantity.interval import Interval

TIED = 0.2
LOSS_FACTOR, HEADROOM_FACTOR, P99_FACTOR = 3.0, 3.0, 1.25
LITTLE_MORE = 0.1
"""Of the first design's cost: what nobody would have refused to pay for much more of something."""
MUCH: dict[Better, float] = {"headroom": 3.0, "data-loss": 10.0, "p99": 2.0}


@dataclass(frozen=True)
class Entry:
    """A design that fits, with what it is ranked by."""

    line: str
    total_usd: float
    costs_usd: Draws = field(compare=False)
    holds: Holds = field(compare=False)
    """In which draws it fits."""
    loss: float
    """The chance that it loses data; infinite where none is known."""
    headroom: float | None
    p99_ns: float
    """Of reads and of writes, one after the other."""


@dataclass(frozen=True)
class Standing:
    """Where an entry comes out."""

    line: str
    tier: int
    """From 1: designs of one tier are tied on cost."""
    chance_cheapest: float


@dataclass(frozen=True)
class Place:
    """Where a design of the search comes out."""

    candidate: Candidate
    entry: Entry
    tier: int
    chance_cheapest: float


def ranked(candidates: Sequence[Candidate], requirements: Requirements, seed: int) -> list[Place]:
    """Return the candidates that fit, best first."""
    draw = Draw(seed)
    fits = Judged.those_of([candidate for candidate in candidates if candidate.fits])
    entries = {each.candidate.design.line: _entry(each, requirements, draw) for each in fits}
    of = {each.candidate.design.line: each.candidate for each in fits}
    return [
        Place(of[found.line], entries[found.line], found.tier, found.chance_cheapest)
        for found in standings([*entries.values()])
    ]


def _entry(judged: Judged, requirements: Requirements, draw: Draw) -> Entry:
    spans = (judged.trial.latency_ns["read", "p99"], judged.trial.latency_ns["write", "p99"])
    return Entry(
        judged.candidate.design.line,
        judged.total_usd,
        draw.costs(judged),
        draw.holds(judged, requirements) & (draw.losses(judged) <= requirements.data_loss),
        judged.verdict.loss.probability.value,
        judged.trial.headroom,
        sum(span.value for span in spans if span is not None) or 1.0,
    )


def of_volumes(
    design: Design,
    parts: Sequence[tuple[Candidate, Requirements]],
    data_loss: float,
    seed: int,
) -> Entry:
    """The entry of a design of several volumes; each part with what its volume must meet, `data_loss` of all."""
    draw = Draw(seed)
    judged = Judged.those_of([candidate for candidate, _ in parts])
    kept = np.prod([1 - np.minimum(draw.losses(each), 1.0) for each in judged], axis=0)
    each_holds = [draw.holds(each, needs) for each, (_, needs) in zip(judged, parts, strict=True)]
    return Entry(
        design.line,
        sum(each.total_usd for each in judged),
        np.sum([draw.costs(each) for each in judged], axis=0),
        np.logical_and.reduce([*each_holds, 1 - kept <= data_loss]),
        _loss(design),
        design.headroom,
        _p99_ns(design),
    )


def of_rent(design: Design, provider: str, cost_usd: Interval | None, seed: int) -> Entry:
    """The entry of a rented design; one without a price is never the cheapest."""
    return Entry(
        design.line,
        cost_usd.value if cost_usd else math.inf,
        Draw(seed).rents(provider, cost_usd) if cost_usd else np.full(DRAWS, math.inf),
        np.full(DRAWS, fill_value=cost_usd is not None),
        _loss(design),
        design.headroom,
        _p99_ns(design),
    )


def _loss(design: Design) -> float:
    loss = design.data_loss
    return math.inf if loss is None or loss.value is None else loss.value


def _p99_ns(design: Design) -> float:
    spans = (design.read_p99_ns, design.write_p99_ns)
    return sum(span.value or 0.0 for span in spans if span is not None) or 1.0


def standings(entries: Sequence[Entry]) -> list[Standing]:
    """Return where each comes out, best first."""
    if not entries:
        return []
    costs = np.array([entry.costs_usd for entry in entries])
    holds = np.array([entry.holds for entry in entries])
    first = np.where(holds, costs, np.inf).argmin(axis=0)[holds.any(axis=0)]
    cheapest = np.bincount(first, minlength=len(entries)) / DRAWS
    by_cost = sorted(range(len(entries)), key=lambda at: (entries[at].total_usd, entries[at].line))
    found: list[Standing] = []
    tier = 0
    while by_cost:
        tier += 1
        reference = costs[by_cost[0]]
        tied = [at for at in by_cost if float(np.mean(costs[at] <= reference)) >= TIED]
        by_cost = [at for at in by_cost if at not in tied]
        for at in (tied[place] for place in _best_first([entries[at] for at in tied])):
            found.append(Standing(entries[at].line, tier, float(cheapest[at])))
    return found


def _best_first(tied: Sequence[Entry]) -> list[int]:
    """Places of designs that are tied on cost, by data loss, headroom and p99, each in steps from the best."""
    least_loss = min(entry.loss for entry in tied)
    most_headroom = max(entry.headroom or 1.0 for entry in tied)
    least_p99 = min(entry.p99_ns for entry in tied)
    keys = [
        (
            _steps(entry.loss, least_loss, LOSS_FACTOR),
            _steps(most_headroom, entry.headroom or 1.0, HEADROOM_FACTOR),
            _steps(entry.p99_ns, least_p99, P99_FACTOR),
            entry.total_usd,
            entry.line,
        )
        for entry in tied
    ]
    return sorted(range(len(tied)), key=lambda at: keys[at])


def _steps(more: float, less: float, factor: float) -> float:
    """How many times one figure is larger than another by a factor, in whole steps."""
    if more <= less:
        return 0
    return math.floor(math.log(more / less, factor)) if less > 0 and math.isfinite(more) else math.inf


def beside(entries: Sequence[Entry]) -> Neighbour | None:
    """Return the design that gives most for a little more money than the first: what a buyer would ask about."""
    found = [_gain(entries[0], other) for other in entries[1:]]
    return max(
        (gain for gain in found if gain is not None),
        key=lambda gain: (gain.factor / MUCH[gain.better], gain.line),
        default=None,
    )


def _gain(first: Entry, other: Entry) -> Neighbour | None:
    """In what `other` is much better, where it costs little more; both lose no more data than is required."""
    cost_more = other.total_usd / first.total_usd - 1
    if cost_more > LITTLE_MORE:
        return None
    gains: dict[Better, float] = {"p99": first.p99_ns / other.p99_ns}
    if other.loss > 0 and math.isfinite(first.loss):
        gains["data-loss"] = first.loss / other.loss
    if first.headroom is not None and other.headroom is not None:
        gains["headroom"] = other.headroom / first.headroom
    better = max(gains, key=lambda name: gains[name] / MUCH[name])
    if gains[better] < MUCH[better]:
        return None
    return Neighbour(line=other.line, better=better, factor=gains[better], cost_more=cost_more)
