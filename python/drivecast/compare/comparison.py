"""A whole comparison: every run of a measurement next to its partner, judged.

Ratios of predicted to measured, and whether they are within the tolerance.

A ratio above 1 is a prediction that is too slow (latency) or too high (IOPS, throughput). Its 95 % interval is the
noise of both sides by `resample`, as independent. The ratio itself decides: within where it lies between 1 / (1 + t)
and 1 + t of the tolerance t. It decides nothing (`untold`) where the interval is wider than that band and reaches into
it, where fewer than ten requests are slower than the quantile on either side, or not one that is independent of the
others. Quantiles beyond `up_to`, and `max`, which is one request, are shown and not judged.

A run is within where all that is judged is; beyond where one is; untold where its rate or a median cannot be judged.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from drivecast import __version__
from drivecast.compare import matching, predict, resample, workload_kind
from drivecast.compare.matching import Unlike
from drivecast.compare.modes import modes
from drivecast.compare.predict import Conditions, Progress
from drivecast.compare.resample import Noise
from drivecast.document.comparison import (
    RATES,
    BothModes,
    Comparison,
    Figure,
    Op,
    Outcome,
    Point,
    Run,
    Side,
)
from drivecast.document.outcome import QUANTILES
from drivecast.errors import HintedError
from drivecast.quantity import number
from drivecast.stage.trace import AS_IT_IS, Reading

TOLERANCE = 0.2
"""What a prediction may be off by; `assumed`: the error below which a choice of drives rarely changes."""
UP_TO = "q0.99"
"""The highest quantile that decides: requirements are put on it."""
BEYOND_MIN = 10
"""Fewer requests beyond a quantile do not show it: its relative error is a third of its distance to the next."""
ENDS = (0.025, 0.975)
SEED_STREAM = 0x636F6D70
"""Keeps the draws apart from those of a simulation with the same seed."""
OPS: tuple[Op, ...] = ("all", "read", "write")
TAILS = (*QUANTILES, "max")
Q_OF = {number.quantile(name): name for name in QUANTILES}
"""Quantiles by the names that people give them."""


class Span(NamedTuple):
    """A figure with the ends of its interval; none where its noise is not known."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Rule:
    """How a comparison is judged."""

    tolerance: float = TOLERANCE
    up_to: str = UP_TO
    seed: int = 0
    """Of the bootstrap."""
    accepted: Collection[Unlike] = ()
    """What may differ although it makes the runs unlike."""

    def judges(self, name: str) -> bool:
        """Whether a figure of this name decides."""
        return name in RATES or (name in QUANTILES and QUANTILES[name] <= QUANTILES[self.up_to])


def with_design(measured: Side, design: str, given: Conditions, rule: Rule, update: Progress) -> Comparison:
    """Every run next to its own simulation on `design`.

    Raises `InputError` where nothing can be simulated, or the measurement is partial and that is not accepted.
    """
    notes = matching.whole(measured, rule.accepted)
    predicted = predict.predict(measured, design, given, update)
    skipped = predicted.count(None)
    if skipped == len(predicted):
        raise HintedError(
            f"`{measured.name}` holds transactions, of a database or a log with flushes, which are not simulated",
            "compare it with another result",
        )
    if skipped:
        notes.append(
            f"{skipped} points are transactions, of a database or of a log with its flushes: left out"
        )
    points = []
    for run, prediction in zip(measured.runs, predicted, strict=True):
        if prediction is not None:
            # What was simulated is of the same file and span, so only mix and sizes can show that it is another's.
            notes += matching.pair(run, replace(prediction.run, workload=run.workload), rule.accepted)
            points.append(_judged(run, prediction, rule, given.reading))
    return _comparison(measured, design, points, [*notes, *_warnings(measured)], rule, predicted=True)


def with_side(measured: Side, other: Side, rule: Rule, reading: Reading = AS_IT_IS) -> Comparison:
    """Every run next to that of another file.

    Raises `InputError` where the files are unlike.
    """
    pairs, notes = matching.pairs(measured, other, rule.accepted)
    points = [_judged(run, predict.Predicted(partner, ()), rule, reading) for run, partner in pairs]
    notes += [*_warnings(measured), *_warnings(other)]
    return _comparison(measured, other.name, points, notes, rule, predicted=not other.measured)


def _comparison(
    side: Side, prediction: str, points: list[Point], notes: list[str], rule: Rule, *, predicted: bool
) -> Comparison:
    """All points; within only where every one is."""
    found = {point.outcome for point in points}
    return Comparison(
        schema_version=1,
        side=side,
        version=__version__,
        seed=rule.seed,
        measured=side.name,
        prediction=prediction,
        against="prediction" if predicted else "measurement",
        tolerance=rule.tolerance,
        up_to=rule.up_to,
        outcome="beyond" if "beyond" in found else "untold" if "untold" in found else "within",
        notes=notes,
        points=points,
    )


def _warnings(side: Side) -> Sequence[str]:
    """What was noted of the runs when they were made."""
    found = dict.fromkeys(note for run in side.runs for note in run.notes)
    return [f"`{side.name}`: {note}" for note in found]


def _judged(run: Run, prediction: predict.Predicted, rule: Rule, reading: Reading) -> Point:
    """Compare a run with its prediction."""
    rng = np.random.default_rng([SEED_STREAM, rule.seed])
    partner = prediction.run
    figures: list[Figure] = []
    both: dict[str, BothModes] = {}
    for op in ("transaction",) if run.is_database else OPS:
        ours = resample.noise(run.outcomes, op, rng)
        theirs = resample.noise(partner.outcomes, op, rng)
        ends = [resample.noise([outcome], op, rng) for outcome in prediction.corners]
        figures += [_figure(op, name, ours, theirs, ends, rule) for name in _names(op, ours, theirs)]
        if op in ("read", "write"):
            found = BothModes(measured=modes(run.outcomes, op), predicted=modes(partner.outcomes, op))
            if len(found.measured) or len(found.predicted):
                both[op] = found
    saturated = _saturated(run, partner)
    return Point(
        run=run,
        prediction=partner,
        saturated=saturated,
        tolerance=rule.tolerance,
        workload=run.workload,
        workload_hash=run.workload_hash,
        kind=None if run.is_database else workload_kind.of(run, reading),
        target=run.target,
        against=partner.target,
        settings=dict(run.settings),
        repeats=len(run.outcomes),
        outcome="beyond" if saturated else _outcome(figures),
        figures=figures,
        modes=both,
    )


def _outcome(figures: Sequence[Figure]) -> Outcome:
    """The judgement of a run by its figures."""
    if any(figure.outcome == "beyond" for figure in figures):
        return "beyond"
    core = [
        figure
        for figure in figures
        if figure.figure == "q0.5" or (figure.op, figure.figure) == ("all", "iops")
    ]
    within = any(figure.outcome == "within" for figure in figures)
    return "within" if within and not any(figure.outcome == "untold" for figure in core) else "untold"


def _saturated(run: Run, prediction: Run) -> Literal["measured", "predicted"] | None:
    """The one side that does not keep up with the load, where the other does."""
    ours, theirs = (any(outcome.saturated for outcome in side.outcomes) for side in (run, prediction))
    return None if ours == theirs else "measured" if ours else "predicted"


def _names(op: str, ours: Noise, theirs: Noise) -> list[str]:
    names = RATES if op in ("all", "transaction") else ("mean", *TAILS)
    if op == "transaction":
        names = ("iops", "mean", *TAILS)

    def known(name: str) -> bool:
        # A quantile that not one request is slower than is the longest by another name.
        sides = (ours, theirs)
        return all(side.values.get(name, 0) > 0 and side.beyond.get(name, 1.0) >= 1 for side in sides)

    return [name for name in names if known(name)]


def _figure(op: Op, name: str, ours: Noise, theirs: Noise, ends: Sequence[Noise], rule: Rule) -> Figure:
    ratio = _ratio(name, ours, theirs)
    outcome: Outcome | Literal["shown"] = "shown"
    if rule.judges(name):
        few = min(ours.beyond.get(name, math.inf), theirs.beyond.get(name, math.inf)) < BEYOND_MIN
        outcome = "untold" if few or name in ours.clustered else _verdict(ratio, 1 + rule.tolerance)
    spans = [_span(name, noise) for noise in (theirs, *(end for end in ends if name in end.values))]
    lows = [span.value if span.low is None else span.low for span in spans]
    highs = [span.value if span.high is None else span.high for span in spans]
    known = len(spans) > 1 or spans[0].low is not None
    measured = _span(name, ours)
    return Figure(
        op=op,
        figure=name,
        measured=measured.value,
        measured_low=measured.low,
        measured_high=measured.high,
        predicted=spans[0].value,
        predicted_low=min(lows) if known else None,
        predicted_high=max(highs) if known else None,
        ratio=ratio.value,
        ratio_low=ratio.low,
        ratio_high=ratio.high,
        outcome=outcome,
        beyond_noise=None if ratio.low is None or ratio.high is None else not ratio.low <= 1 <= ratio.high,
        resampled=ours.methods.get(name, "none"),
    )


def _verdict(ratio: Span, limit: float) -> Outcome:
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
