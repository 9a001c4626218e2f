"""Ratios of predicted to measured, and whether they are within the tolerance.

A ratio above 1 is a prediction that is too slow (latency) or too high (IOPS, throughput). Its 95 % interval is the
noise of both sides by `resample`, as independent. The ratio itself decides: within where it lies between 1 / (1 + t)
and 1 + t of the tolerance t. It decides nothing (`untold`) where the interval is wider than that band and reaches into
it, where fewer than ten requests are slower than the quantile on either side, or not one that is independent of the
others. Quantiles beyond `up_to`, and `max`, which is the fate of one request, are shown and not judged.

A run is within where all that is judged is; beyond where one is; untold where its rate or a median cannot be told.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from drivecast.compare import resample
from drivecast.compare.modes import Modes, modes
from drivecast.compare.resample import LEVELS, Noise
from drivecast.compare.side import Run

Outcome = Literal["within", "beyond", "untold"]

TOLERANCE = 0.2
"""What a prediction may be off by; `assumed`: the error below which a choice of drives rarely changes."""
UP_TO = "q0.99"
"""The highest quantile that decides: requirements are put on it."""
BEYOND_MIN = 10
"""Fewer requests behind a quantile do not tell it: its relative error is a third of its distance to the next."""
ENDS = (0.025, 0.975)
SEED_STREAM = 0x636F6D70
"""Keeps the draws apart from those of a simulation with the same seed."""
OPS = ("all", "read", "write")
RATES = ("iops", "throughput_bytes_per_s")
TAILS = (*LEVELS, "max")
Q_OF = {f"p{100 * level:.6g}": name for name, level in LEVELS.items()}
"""Quantiles by the names that people give them."""


@dataclass(frozen=True)
class Span:
    """A figure with the ends of its interval; null where its noise cannot be told."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Figure:
    """One figure of one kind of request on both sides."""

    op: str
    name: str
    measured: Span
    predicted: Span
    """Its interval spans the corners, and the noise of each."""
    ratio: Span
    """Predicted over measured; its interval is noise alone."""
    outcome: Outcome | Literal["shown"]
    resampled: str

    @property
    def factor(self) -> float:
        """How far off, whichever way; at least 1."""
        value = self.ratio.value
        return max(value, 1 / value) if value > 0 else math.inf

    @property
    def beyond_noise(self) -> bool | None:
        """Whether the difference is more than noise; null where that cannot be told."""
        low, high = self.ratio.low, self.ratio.high
        return None if low is None or high is None else not low <= 1 <= high

    @property
    def covered(self) -> bool | None:
        """Whether what was measured lies within the prediction's own interval."""
        low, high = self.predicted.low, self.predicted.high
        return None if low is None or high is None else low <= self.measured.value <= high

    @property
    def is_rate(self) -> bool:
        """Whether more of it is better."""
        return self.name in RATES


@dataclass(frozen=True)
class Pair:
    """A run beside its prediction."""

    measured: Run
    predicted: Run
    figures: Sequence[Figure]
    modes: dict[str, tuple[Modes, Modes]]
    """Of latencies by kind of request: measured, predicted."""
    tolerance: float

    @property
    def outcome(self) -> Outcome:
        """The verdict on the run."""
        if self.saturated_apart or any(one.outcome == "beyond" for one in self.figures):
            return "beyond"
        core = [one for one in self.figures if one.name == "q0.5" or (one.op == "all" and one.name == "iops")]
        told = [one for one in self.figures if one.outcome == "within"]
        return "untold" if not told or any(one.outcome == "untold" for one in core) else "within"

    @property
    def saturated_apart(self) -> bool:
        """Whether one side cannot keep up with the load and the other can."""
        ends = [
            any(outcome.get("saturated") for outcome in run.outcomes)
            for run in (self.measured, self.predicted)
        ]
        return ends[0] != ends[1]


def judge(
    measured: Run,
    predicted: Run,
    corners: Sequence[dict[str, Any]] = (),
    *,
    tolerance: float = TOLERANCE,
    up_to: str = UP_TO,
    seed: int = 0,
) -> Pair:
    """Hold a prediction against a run."""
    rng = np.random.default_rng([SEED_STREAM, seed])
    figures: list[Figure] = []
    found_modes: dict[str, tuple[Modes, Modes]] = {}
    for op in ("transaction",) if measured.is_database else OPS:
        ours = resample.noise(measured.outcomes, op, rng)
        theirs = resample.noise(predicted.outcomes, op, rng)
        ends = [resample.noise([outcome], op, rng) for outcome in corners]
        for name in _names(op, ours, theirs):
            figures.append(_figure(op, name, ours, theirs, ends, Limits(tolerance, up_to)))
        if op in ("read", "write"):
            found_modes[op] = (modes(measured.outcomes, op), modes(predicted.outcomes, op))
    return Pair(measured, predicted, figures, found_modes, tolerance)


@dataclass(frozen=True)
class Limits:
    """What decides."""

    tolerance: float
    up_to: str

    def judges(self, name: str) -> bool:
        """Whether a figure of this name decides."""
        return name in RATES or (name in LEVELS and LEVELS[name] <= LEVELS[self.up_to])


def _names(op: str, ours: Noise, theirs: Noise) -> list[str]:
    names = RATES if op in ("all", "transaction") else ("mean", *TAILS)
    if op == "transaction":
        names = ("iops", "mean", *TAILS)

    def known(name: str) -> bool:
        # A quantile that not one request is slower than is the longest by another name.
        sides = (ours, theirs)
        return all(one.values.get(name, 0) > 0 and one.beyond.get(name, 1.0) >= 1 for one in sides)

    return [name for name in names if known(name)]


def _figure(op: str, name: str, ours: Noise, theirs: Noise, ends: Sequence[Noise], limits: Limits) -> Figure:
    ratio = _ratio(name, ours, theirs)
    outcome: Outcome | Literal["shown"] = "shown"
    if limits.judges(name):
        few = min(ours.beyond.get(name, math.inf), theirs.beyond.get(name, math.inf)) < BEYOND_MIN
        outcome = "untold" if few or name in ours.clustered else _told(ratio, 1 + limits.tolerance)
    spans = [_span(name, one) for one in (theirs, *(end for end in ends if name in end.values))]
    lows = [span.value if span.low is None else span.low for span in spans]
    highs = [span.value if span.high is None else span.high for span in spans]
    known = len(spans) > 1 or spans[0].low is not None
    return Figure(
        op,
        name,
        _span(name, ours),
        Span(spans[0].value, min(lows) if known else None, max(highs) if known else None),
        ratio,
        outcome,
        ours.methods.get(name, "none"),
    )


def _told(ratio: Span, limit: float) -> Outcome:
    low, high = ratio.low, ratio.high
    if low is not None and high is not None and high / low > limit**2 and low <= limit and high >= 1 / limit:
        return "untold"
    return "within" if 1 / limit <= ratio.value <= limit else "beyond"


def _span(name: str, of: Noise) -> Span:
    value = of.values[name]
    if name not in of.deviations:
        return Span(value)
    low, high = (float(end) for end in np.exp(np.quantile(of.deviations[name], ENDS)))
    return Span(value, value * low, value * high)


def _ratio(name: str, ours: Noise, theirs: Noise) -> Span:
    value = theirs.values[name] / ours.values[name]
    if name not in ours.deviations:
        return Span(value)
    drawn = -ours.deviations[name]
    if name in theirs.deviations and len(theirs.deviations[name]) == len(drawn):
        drawn = drawn + theirs.deviations[name]
    low, high = (float(end) for end in np.exp(np.quantile(drawn, ENDS)))
    return Span(value, value * low, value * high)
