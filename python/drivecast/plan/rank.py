"""The order of the designs that fit, where prices, lives and latencies are known between bounds only.

The model and its arithmetic are in `crates/assess/src/rank.rs`, which the page of a report calls, too:
designs are ranked by what is drawn of them (`draw`). Here are candidates and documents as it takes them, and the
neighbour that a buyer would ask about.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from drivecast import _core
from drivecast.document.array_state import ArrayState
from drivecast.document.plan import Better, Design, Neighbour
from drivecast.plan import draw
from drivecast.plan.candidate import Candidate
from drivecast.plan.draw import Judged
from drivecast.plan.requirement import Requirements
from drivecast.quantity.interval import Interval

RENTED = 2
"""Drives that what is rented counts as among ties: it is as simple as a mirror."""
LITTLE_MORE = 0.1
"""Of the first design's cost: what nobody would have refused to pay for much more of something."""
MUCH: dict[Better, float] = {"headroom": 3.0, "data-loss": 10.0, "p99": 2.0}


@dataclass(frozen=True)
class Entry:
    """A design that fits, with what it is ranked by."""

    line: str
    drawn: _core.Drawn = field(compare=False)
    """Its cost, and in which draws it fits."""
    drives: int
    """That are bought; what is rented counts as a mirror."""
    complexity: int
    """How much there is to administrate."""
    measured: bool
    """Whether the latency of its drive was measured."""
    loss: float
    """The chance that it loses data; infinite where none is known."""
    headroom: float | None
    p99_ns: float
    """Of reads and of writes, one after the other."""
    degraded_p99_ns: float | None = None
    """The same with a drive lost; none where that was not simulated."""
    misses_degraded: bool = False
    """Whether it is known to miss the limits while a drive is missing or rebuilt, or is lost with its instance."""

    @property
    def total_usd(self) -> float:
        """Over the years, at the likely values."""
        return self.drawn.total_usd


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
    draws = _core.Draw(seed)
    fits = Judged.those_of([candidate for candidate in candidates if candidate.fits])
    entries = {each.candidate.design.line: _entry(each, requirements, draws) for each in fits}
    of = {each.candidate.design.line: each.candidate for each in fits}
    return [
        Place(of[found.line], entries[found.line], found.tier, found.chance_cheapest)
        for found in standings([*entries.values()])
    ]


def _entry(judged: Judged, requirements: Requirements, draws: _core.Draw) -> Entry:
    spans = (judged.trial.latency_ns["read", "p99"], judged.trial.latency_ns["write", "p99"])
    return Entry(
        judged.candidate.design.line,
        draw.bought(draws, [judged], requirements.data_loss),
        judged.candidate.design.bays,
        _core.complexity(judged.candidate.design.level),
        judged.candidate.design.drive.latency_measured,
        judged.verdict.loss.probability.value,
        judged.trial.headroom,
        sum(span.value for span in spans if span is not None) or 1.0,
        judged.trial.degraded_p99_ns,
        judged.trial.missed_h > 0,
    )


def of_volumes(design: Design, parts: Sequence[Candidate], data_loss: float, seed: int) -> Entry:
    """The entry of a design of several volumes, each judged by what it must meet; `data_loss` of all."""
    drawn = draw.bought(_core.Draw(seed), Judged.those_of(parts), data_loss)
    level = None if design.cached else design.level or "raid1"
    return _of_document(design, drawn, sum(part.design.bays for part in parts), level)


def of_rent(
    design: Design, provider: str, cost_usd: Interval | None, seed: int, *, is_lost_with_host: bool
) -> Entry:
    """The entry of a rented design; one without a price is never the cheapest.

    Where a failure is to be survived, an array inside of an instance does not: it is gone with its host.
    """
    drawn = draw.rented(_core.Draw(seed), provider, cost_usd)
    return replace(_of_document(design, drawn, RENTED, "raid1"), misses_degraded=is_lost_with_host)


def _of_document(design: Design, drawn: _core.Drawn, drives: int, level: str | None) -> Entry:
    """The entry of a design as its document has it, as simple as that level; none: a cache."""
    complexity = _core.complexity(level)
    measured = design.latency_known == "measured"
    return Entry(
        design.line,
        drawn,
        drives,
        complexity,
        measured,
        _loss(design),
        design.headroom,
        p99_ns(design) or 1.0,
    )


def _loss(design: Design) -> float:
    loss = design.data_loss
    return math.inf if loss is None or loss.value is None else loss.value


def p99_ns(of: Design | ArrayState) -> float:
    """Of reads and of writes, one after the other; 0 where neither is known."""
    spans = (of.read_p99_ns, of.write_p99_ns)
    return sum(span.value or 0.0 for span in spans if span is not None)


def standings(entries: Sequence[Entry]) -> list[Standing]:
    """Return where each comes out, best first."""
    found = _core.standings(
        [
            (
                entry.line,
                entry.drawn,
                entry.drives,
                entry.complexity,
                entry.measured,
                entry.loss,
                entry.headroom,
                entry.p99_ns,
                entry.degraded_p99_ns,
                entry.misses_degraded,
            )
            for entry in entries
        ]
    )
    return [Standing(entries[at].line, tier, chance_cheapest) for at, tier, chance_cheapest in found]


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
