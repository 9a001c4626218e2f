"""Steady state as SNIA's specification defines it: a rule on the last five rounds of what is tracked.

For each tracked variable y over the measurement window, rounds x − 4 to x:

    max y − min y ≤ 0.20 · mean y          the range
    4 · |slope| ≤ 0.10 · mean y            the best linear fit, from the window's first round to its last

with the slope by least squares, Σ (i − 2) y_i / 10 for i = 0 … 4. Steady state is reached in the first round x of at
least 5 for which both hold for all variables at once; where that is not by round 25, it was not reached. Both limits
are decided in rational arithmetic: a value at the limit is within it. A mean of zero is not steady: nothing was done.

Source: SNIA SSS PTS 2.0.2, definitions of measurement window and steady state.

Where writes fall off the cliff: the steepest fall from one five steps to the next that all of these stay below.

    before_k = median(y_{k−5} … y_{k−1})    after_k = mean(y_k … y_{k+4})
    cliff    = the k of least after_k / before_k among those with max(y_k … y_{k+4}) < 0.8 · before_k
               and median(y_k … y_n) < 0.8 · before_k

Five steps are a measurement window, so that a single slow minute is no cliff, and most of what follows stays low; near
the beginning there are fewer before it, since a small cache is full within minutes. A fifth of the level is the range
that steady state allows. A drive that slows over hours has no cliff, but a settled level all the same: the mean of the
last five steps.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, median

WINDOW = 5
"""Rounds of the measurement window."""
RANGE_MAX = 0.20
"""Of the mean: how far apart the window's largest and smallest value may be."""
SLOPE_MAX = 0.10
"""Of the mean: how far the fitted line may move over the window."""
ROUNDS_MAX = 25
"""Rounds after which a test may stop without steady state."""


@dataclass(frozen=True)
class Window:
    """One variable over one measurement window."""

    first: int
    """The window's first round; rounds count from 1."""
    last: int
    mean: float
    range: float
    """Largest less smallest value, over the mean."""
    slope: float
    """Of the fitted line, in the variable's unit a round."""
    excursion: float
    """How far the fitted line moves over the window, over the mean; never negative."""
    fit_first: float
    """The fitted line in the window's first round."""
    fit_last: float
    range_holds: bool
    slope_holds: bool
    steady: bool
    """Whether both limits hold."""


@dataclass(frozen=True)
class Steadiness:
    """The rule applied to all variables together."""

    reached: bool
    rounds: int
    """Rounds that were judged: up to x where it was reached, else all."""
    windows: dict[str, Window]
    """By variable: the measurement window where it was reached, else the last five rounds; empty before round 5."""


def judge(values: Sequence[float], first: int = 1) -> Window:
    """Judge the five values of one variable; `first` is the round of the first of them.

    Raises `ValueError` for another number of values, or one that is negative or not finite.
    """
    if len(values) != WINDOW:
        raise ValueError(f"a measurement window has {WINDOW} rounds, found {len(values)}")
    if not all(math.isfinite(value) and value >= 0 for value in values):
        raise ValueError("a tracked value is negative or not finite")
    exact = [Fraction(value) for value in values]
    total = sum(exact, Fraction())
    spread = max(exact) - min(exact)
    # Σ (i − 2)² = 10: the slope is a tenth of this sum, and the line moves by four slopes.
    lean = sum(((i - 2) * value for i, value in enumerate(exact)), Fraction())
    range_holds = total > 0 and spread * 25 <= total
    slope_holds = total > 0 and abs(lean) * 20 <= total
    return Window(
        first=first,
        last=first + WINDOW - 1,
        mean=float(total / WINDOW),
        range=float(spread / total * WINDOW) if total else 0.0,
        slope=float(lean / 10),
        excursion=float(abs(lean) * 4 / 10 / total * WINDOW) if total else 0.0,
        fit_first=float(total / WINDOW - lean / 5),
        fit_last=float(total / WINDOW + lean / 5),
        range_holds=range_holds,
        slope_holds=slope_holds,
        steady=range_holds and slope_holds,
    )


def sought(variables: Mapping[str, Sequence[float]]) -> Steadiness:
    """Find the first round in which every variable is steady; all have a value for each round.

    Raises `ValueError` where they differ in length, or for values that `judge` refuses.
    """
    lengths = {len(values) for values in variables.values()}
    if len(lengths) != 1:
        raise ValueError("every variable has one value a round")
    rounds = lengths.pop()
    windows: dict[str, Window] = {}
    for last in range(WINDOW, rounds + 1):
        first = last - WINDOW
        windows = {name: judge(values[first:last], first + 1) for name, values in variables.items()}
        if all(window.steady for window in windows.values()):
            return Steadiness(reached=True, rounds=last, windows=windows)
    return Steadiness(reached=False, rounds=rounds, windows=windows)


@dataclass(frozen=True)
class Cliff:
    """A steep fall of write performance that lasts."""

    step: int
    """The first step below; steps count from 1."""
    before: float
    """Median of up to five steps before, in the series' unit: the step in which it falls is among them."""
    settled: float
    """Mean of the last five steps of all."""


def cliff(values: Sequence[float]) -> Cliff | None:
    """Find the cliff in a series of equal steps; none where there is none."""
    found: tuple[float, int] | None = None
    for at in range(1, len(values) - WINDOW + 1):
        before, ahead = _before(values, at), values[at : at + WINDOW]
        low = (1 - RANGE_MAX) * before
        if max(ahead) >= low or fmean(ahead) / before >= (found or (1.0, 0))[0]:
            continue
        if median(values[at:]) < low:
            found = (fmean(ahead) / before, at)
    if found is None:
        return None
    return Cliff(found[1] + 1, _before(values, found[1]), fmean(values[-WINDOW:]))


def _before(values: Sequence[float], at: int) -> float:
    return median(values[max(0, at - WINDOW) : at])
