"""The order of the designs that fit, where prices, lives and latencies are known between bounds only.

Model. What is not known is drawn `DRAWS` times, for all designs at once: what they share is one draw for all. Of the
variance of a drive's price half is the market's, a quarter its class's, a quarter its own (assumed: what flash and
disks cost moves all drives on sale); growth, hours, energy and the decline of prices are common; failure rates, write
amplification and rated cycles are each drive's own. An input moves cost, and life, as `assess.sensitivity` found: by so
much at either end of its bounds, which are taken for the 10th and 90th percentile, in proportion between and beyond;
moves add up. A limit on latency holds with the chance that its interval leaves, for all designs of a drive at once.
Data loss lies between its bounds in logarithms, by one draw for all: its main assumption is one.

A design is the cheapest with the share of the draws in which it fits and none that fits costs less. Designs that cost
no more than the cheapest in a fifth of the draws (`TIED`) are tied with it. Within a tie lower data loss decides,
then headroom, then p99, in steps of three, three and 1.25 times from the best of them, since smaller differences are
within their intervals. Then those that are left are ranked likewise.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivecast.assess.sensitivity import Move
from drivecast.document.plan import Better, Neighbour
from drivecast.plan.candidate import Candidate
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Trial
from drivecast.plan.verdict import Verdict
from drivecast.quantity.interval import Interval

DRAWS = 2000
STREAM = 0x72616E6B
"""Of the random numbers; the seed of the plan comes beside it."""
P90 = 1.2816
"""Where the upper bound of an interval lies on a standard normal distribution."""
TIED = 0.2
LOSS_FACTOR, HEADROOM_FACTOR, P99_FACTOR = 3.0, 3.0, 1.25
LITTLE_MORE = 0.1
"""Of the first design's cost: what nobody would have refused to pay for much more of something."""
MUCH: dict[Better, float] = {"headroom": 3.0, "data-loss": 10.0, "p99": 2.0}
MARKET, CLASS, OWN = math.sqrt(0.5), math.sqrt(0.25), math.sqrt(0.25)
"""Shares of a price's standard deviation."""
COMMON = {"decline of prices", "electricity", "PUE", "residual value", "slot", "enclosure", "controller"} | {
    "hours a day",
    "growth",
}
"""Inputs that all designs share; the others are the drive's own."""

Draws = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """Where a design comes out."""

    candidate: Candidate
    tier: int
    """From 1: designs of one tier are tied on cost."""
    chance_cheapest: float


@dataclass(frozen=True)
class _Judged:
    """A candidate that was tried."""

    candidate: Candidate
    trial: Trial
    verdict: Verdict


class _Chances:
    """Standard normal draws by name: the same name gives the same draws, in whatever order they are asked for."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.known: dict[str, Draws] = {}

    def normal(self, name: str) -> Draws:
        if name not in self.known:
            words = np.frombuffer(name.encode().ljust(-(-len(name.encode()) // 4) * 4), dtype=np.uint32)
            rng = np.random.default_rng([STREAM, self.seed, *map(int, words)])
            self.known[name] = rng.standard_normal(DRAWS)
        return self.known[name]


def ranked(candidates: Sequence[Candidate], requirements: Requirements, seed: int) -> list[Place]:
    """Return the candidates that fit, best first."""
    fits = [
        _Judged(candidate, candidate.trial, candidate.verdict)
        for candidate in candidates
        if candidate.fits and candidate.trial is not None and candidate.verdict is not None
    ]
    if not fits:
        return []
    chances = _Chances(seed)
    costs = np.array([_cost(judged, chances) for judged in fits])
    holds = np.array([_holds(judged, requirements, chances) for judged in fits])
    cheapest = np.bincount(
        np.where(holds, costs, np.inf).argmin(axis=0)[holds.any(axis=0)], minlength=len(fits)
    )
    by_cost = sorted(range(len(fits)), key=lambda at: (_total(fits[at]), fits[at].candidate.design.line))
    places: list[Place] = []
    tier = 0
    while by_cost:
        tier += 1
        reference = costs[by_cost[0]]
        tied = [at for at in by_cost if float(np.mean(costs[at] <= reference)) >= TIED]
        by_cost = [at for at in by_cost if at not in tied]
        for at in (tied[place] for place in _best_first([fits[at] for at in tied])):
            places.append(Place(fits[at].candidate, tier, float(cheapest[at]) / DRAWS))
    return places


def _total(judged: _Judged) -> float:
    return judged.verdict.cost.total_usd


def _cost(judged: _Judged, chances: _Chances) -> Draws:
    costing = judged.verdict.costing
    return _moved(_total(judged), costing.moves, _drawn(judged, chances))


def _drawn(judged: _Judged, chances: _Chances) -> Callable[[str], Draws]:
    """Return the draws of an input of a design."""
    drive = judged.candidate.design.drive

    def of(name: str) -> Draws:
        if name == "drive price":
            shared = MARKET * chances.normal("market") + CLASS * chances.normal(f"class {drive.drive_class}")
            return shared + OWN * chances.normal(f"price {drive.name}")
        return chances.normal(name if name in COMMON else f"{name} {drive.name}")

    return of


def _moved(value: float, moves: Sequence[Move], drawn: Callable[[str], Draws]) -> Draws:
    """A figure moved by all its inputs."""
    found = np.full(DRAWS, value)
    for move in moves:
        if not (math.isfinite(move.low) and math.isfinite(move.high)):
            continue
        z = drawn(move.input.name) / P90
        found += np.where(z < 0, -z * (move.low - value), z * (move.high - value))
    return found


def _holds(judged: _Judged, requirements: Requirements, chances: _Chances) -> NDArray[np.bool_]:
    """In which draws the design meets the limits on latency, life and data loss."""
    drive, holds = judged.candidate.design.drive, np.full(DRAWS, fill_value=True)
    if judged.trial.chance is not None:
        limit = np.quantile(chances.normal(f"latency {drive.name}"), judged.trial.chance)
        holds &= chances.normal(f"latency {drive.name}") <= limit
    if (life := judged.verdict.life) is not None and math.isfinite(life.life_years.value):
        years = _moved(
            life.life_years.value, [*judged.verdict.costing.life_moves.values()], _drawn(judged, chances)
        )
        holds &= years >= requirements.endures_years
    loss = _in_logarithms(judged.verdict.loss.probability, chances.normal("data loss"))
    holds &= loss <= requirements.data_loss
    return holds


def _in_logarithms(span: Interval, z: Draws) -> Draws:
    """Return draws of a chance between its bounds."""
    if not span.value > 0:
        return np.zeros(DRAWS)
    value, high = math.log(span.value), math.log(span.high)
    low = math.log(span.low) if span.low > 0 else value - (high - value)
    scaled = z / P90
    return np.exp(value + np.where(scaled < 0, scaled * (value - low), scaled * (high - value)))


def _best_first(tied: Sequence[_Judged]) -> list[int]:
    """Places of designs that are tied on cost, by data loss, headroom and p99, each in steps from the best."""
    losses = [judged.verdict.loss.probability.value for judged in tied]
    headrooms = [judged.trial.headroom or 1.0 for judged in tied]
    p99s = [_p99(judged.trial) for judged in tied]
    keys = [
        (
            _steps(loss, min(losses), LOSS_FACTOR),
            _steps(max(headrooms), headroom, HEADROOM_FACTOR),
            _steps(p99, min(p99s), P99_FACTOR),
            judged.verdict.cost.total_usd,
            judged.candidate.design.line,
        )
        for judged, loss, headroom, p99 in zip(tied, losses, headrooms, p99s, strict=True)
    ]
    return sorted(range(len(tied)), key=lambda at: keys[at])


def _steps(more: float, less: float, factor: float) -> float:
    """How many times one figure is larger than another by a factor, in whole steps."""
    if more <= less:
        return 0
    return math.floor(math.log(more / less, factor)) if less > 0 else math.inf


def beside(places: Sequence[Place]) -> Neighbour | None:
    """Return the design that gives most for a little more money than the first: what a buyer would ask about."""
    found = [_gain(places[0].candidate, place.candidate) for place in places[1:]]
    return max(
        (gain for gain in found if gain is not None),
        key=lambda gain: (gain.factor / MUCH[gain.better], gain.line),
        default=None,
    )


def _gain(first: Candidate, other: Candidate) -> Neighbour | None:
    """In what `other` is much better, where it costs little more; both lose no more data than is required."""
    if first.trial is None or first.verdict is None or other.trial is None or other.verdict is None:
        return None
    cost_more = other.verdict.cost.total_usd / first.verdict.cost.total_usd - 1
    loss = first.verdict.loss.probability.value, other.verdict.loss.probability.value
    if cost_more > LITTLE_MORE:
        return None
    headroom = first.trial.headroom, other.trial.headroom
    gains: dict[Better, float] = {"data-loss": loss[0] / loss[1] if loss[1] > 0 else 1.0}
    if headroom[0] is not None and headroom[1] is not None:
        gains["headroom"] = headroom[1] / headroom[0]
    gains["p99"] = _p99(first.trial) / _p99(other.trial)
    better = max(gains, key=lambda name: gains[name] / MUCH[name])
    if gains[better] < MUCH[better]:
        return None
    return Neighbour(line=other.design.line, better=better, factor=gains[better], cost_more=cost_more)


def _p99(trial: Trial) -> float:
    """Of reads and of writes, one after the other, in ns."""
    spans = (trial.latency_ns["read", "p99"], trial.latency_ns["write", "p99"])
    return sum(span.value for span in spans if span is not None) or 1.0
