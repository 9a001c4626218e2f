"""What is not known of designs, drawn `DRAWS` times for all of them at once: what they share is one draw for all.

Model. Of the variance of a drive's price half is the market's, a quarter its class's, a quarter its own (assumed: what
flash and disks cost moves all drives on sale); growth, hours, energy and the decline of prices are common; failure
rates, write amplification and rated cycles are each drive's own. An input moves cost, and life, as `assess.sensitivity`
found: by so much at either end of its bounds, which are taken for the 10th and 90th percentile, in proportion between
and beyond; moves add up. Rents of a provider rise and fall together, since they differ by region. A limit on latency
holds with the chance that its interval leaves, for all designs of a drive at once. Data loss lies between its bounds in
logarithms, by one draw for all: its main assumption is one.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from drivecast.assess.sensitivity import Move
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
MARKET, CLASS, OWN = math.sqrt(0.5), math.sqrt(0.25), math.sqrt(0.25)
"""Shares of a price's standard deviation."""
COMMON = {"decline of prices", "electricity", "PUE", "residual value", "slot", "enclosure", "controller"} | {
    "hours a day",
    "growth",
}
"""Inputs that all designs share; the others are the drive's own."""

Draws = NDArray[np.float64]
Holds = NDArray[np.bool_]


@dataclass(frozen=True)
class Judged:
    """A candidate that was tried."""

    candidate: Candidate
    trial: Trial
    verdict: Verdict

    @classmethod
    def those_of(cls, candidates: Sequence[Candidate]) -> list["Judged"]:
        """Those of the candidates that were."""
        return [
            cls(each, each.trial, each.verdict)
            for each in candidates
            if each.trial is not None and each.verdict is not None
        ]

    @property
    def total_usd(self) -> float:
        """Over the years."""
        return self.verdict.cost.total_usd


@dataclass(frozen=True)
class Draw:
    """Standard normal draws by name: the same name gives the same draws, in whatever order they are asked for."""

    seed: int
    known: dict[str, Draws] = field(default_factory=dict)

    def normal(self, name: str) -> Draws:
        """Those of a name."""
        if name not in self.known:
            words = np.frombuffer(name.encode().ljust(-(-len(name.encode()) // 4) * 4), dtype=np.uint32)
            rng = np.random.default_rng([STREAM, self.seed, *map(int, words)])
            self.known[name] = rng.standard_normal(DRAWS)
        return self.known[name]

    def costs(self, judged: Judged) -> Draws:
        """What a design costs over the years, in dollars."""
        return _moved(judged.total_usd, judged.verdict.costing.moves, self._inputs(judged))

    def rents(self, provider: str, cost_usd: Interval) -> Draws:
        """What a rented design costs over the years, in dollars."""
        low, value, high = cost_usd.low, cost_usd.value, cost_usd.high
        return value + _off(low, value, high, self.normal(f"rent {provider}"))

    def holds(self, judged: Judged, requirements: Requirements) -> Holds:
        """In which draws a design meets the limits on latency and life."""
        drive, holds = judged.candidate.design.drive, np.full(DRAWS, fill_value=True)
        if judged.trial.chance is not None:
            drawn = self.normal(f"latency {drive.name}")
            holds &= drawn <= np.quantile(drawn, judged.trial.chance)
        life = judged.verdict.life
        if life is not None and math.isfinite(life.life_years.value):
            moves = [*judged.verdict.costing.life_moves.values()]
            years = _moved(life.life_years.value, moves, self._inputs(judged))
            holds &= years >= requirements.endures_years
        return holds

    def losses(self, judged: Judged) -> Draws:
        """The chance that a design loses data."""
        span = judged.verdict.loss.probability
        if not span.value > 0:
            return np.zeros(DRAWS)
        value, high = math.log(span.value), math.log(span.high)
        low = math.log(span.low) if span.low > 0 else value - (high - value)
        return np.exp(value + _off(low, value, high, self.normal("data loss")))

    def _inputs(self, judged: Judged) -> Callable[[str], Draws]:
        """The draws of the inputs of a design."""
        drive = judged.candidate.design.drive

        def of(name: str) -> Draws:
            if name == "drive price":
                shared = MARKET * self.normal("market") + CLASS * self.normal(f"class {drive.drive_class}")
                return shared + OWN * self.normal(f"price {drive.name}")
            return self.normal(name if name in COMMON else f"{name} {drive.name}")

        return of


def _moved(value: float, moves: Sequence[Move], drawn: Callable[[str], Draws]) -> Draws:
    """A figure moved by all its inputs."""
    found = np.full(DRAWS, value)
    for move in moves:
        if not (math.isfinite(move.low) and math.isfinite(move.high)):
            continue
        found += _off(move.low, value, move.high, drawn(move.input.name))
    return found


def _off(low: float, value: float, high: float, normal: Draws) -> Draws:
    """How far draws are off a value that is `low` and `high` at the ends of its bounds."""
    z = normal / P90
    return np.where(z < 0, z * (value - low), z * (high - value))
