"""Burst credits: a rate that holds for a while, and then a lower one that holds without end.

Model. A token bucket that starts full lets `burst` a second through until its credits are spent, then what it earns. In
the seconds of one run that is one step down: it is looked for by least squares of the logarithms (two levels, the best
place between them), and taken where the step is at least `STEP_LEAST`, and many times what the seconds scatter. Credits
= (burst − earned) × time to the step. Over several runs the median is taken, and the interval is the spread of the
seconds about their level, for the rates; for the credits, that of the rates and a second of the place.

What a bucket held when a run began is not known unless it was full, so runs in which it ran dry, and those that went
faster than it earns, are not fitted to: the others play against a bucket without credits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from drivecast.compare.fit.observation import IOPS, Observation
from drivecast.compare.fit.variant import Estimate, Parameter

STEP_LEAST = 1.25
"""Rate before over rate after."""
SCATTERS = 5.0
"""Standard deviations of the seconds that the step must exceed."""
LEVEL_S = 5
"""Seconds that each level must hold."""
ABOVE = 1.1
"""Rates this much above what is earned were burst."""
DETERMINED_BY = "a run at full speed on a rested volume, until its rate falls"


@dataclass(frozen=True)
class Step:
    """A fall from one level to another."""

    before: float
    after: float
    at_s: int
    scatter: float
    """Standard deviation of the logarithm of a second's rate about its level."""


def step(rates: Sequence[float]) -> Step | None:
    """The one fall in a series of seconds, if there is one."""
    if len(rates) < 2 * LEVEL_S or min(rates) <= 0:
        return None
    logs = np.log(np.asarray(rates, dtype=np.float64))
    places = range(LEVEL_S, len(logs) - LEVEL_S + 1)
    squares = [float(logs[:at].var() * at + logs[at:].var() * (len(logs) - at)) for at in places]
    at = places[int(np.argmin(squares))]
    scatter = math.sqrt(min(squares) / len(logs))
    fall = float(logs[:at].mean() - logs[at:].mean())
    if fall < math.log(STEP_LEAST) or fall < SCATTERS * scatter:
        return None
    return Step(math.exp(logs[:at].mean()), math.exp(logs[at:].mean()), at, scatter)


@dataclass(frozen=True)
class Burst:
    """A bucket with credits, and the runs that it does not spoil."""

    estimates: tuple[Estimate, ...]
    rest: list[Observation]


def _rates(run: Observation, kind: str) -> list[float]:
    """What each whole second carried: requests or bytes. The last second is seldom whole."""
    names = ("reads", "writes") if kind == "iops" else ("read_bytes", "written_bytes")
    return [sum(float(row.get(name) or 0.0) for name in names) for row in run.seconds][:-1]


def _kind(found: Sequence[tuple[Observation, Step]]) -> str:
    """Whether requests or bytes are counted: of which of the two all runs earn the same, else requests."""
    if len({round(run.block_bytes) for run, _ in found}) < 2:
        return "iops"
    rates = np.log([fall.after for _, fall in found])
    sizes = np.log([run.block_bytes for run, _ in found])
    return "iops" if float(np.std(rates)) <= float(np.std(rates + sizes)) else "bytes"


def burst(observations: Sequence[Observation]) -> Burst | None:
    """The bucket that the runs show, if one ran dry in any of them."""
    found = [(run, fall) for run in observations if (fall := step(_rates(run, "iops"))) is not None]
    if not found:
        return None
    kind = _kind(found)
    falls = [fall for run, _ in found if (fall := step(_rates(run, kind))) is not None]
    earned = float(np.median([fall.after for fall in falls]))
    fast = float(np.median([fall.before for fall in falls]))
    saved = float(np.median([(fall.before - fall.after) * fall.at_s for fall in falls]))
    scatter = max(float(np.median([fall.scatter for fall in falls])), 1e-3)
    place = 1 / min(fall.at_s for fall in falls)
    unit = "1/s" if kind == "iops" else "B/s"
    rows = (
        ("per_s", earned, unit, "earned a second, without end", scatter),
        ("burst_per_s", fast, unit, "used a second while there are credits", scatter),
        (
            "credits",
            saved,
            "requests" if kind == "iops" else "B",
            "credits of a rested volume",
            scatter + place,
        ),
    )
    estimates = tuple(
        Estimate(
            Parameter(f"caps.{kind}.{name}", value, value / 3, value * 3, of, meaning, DETERMINED_BY),  # type: ignore[arg-type]
            value,
            value * math.exp(-2 * spread),
            value * math.exp(2 * spread),
        )
        for name, value, of, meaning, spread in rows
    )
    spoilt = {id(run) for run, _ in found}
    figure = IOPS if kind == "iops" else "bytes_per_s"
    rest = [run for run in observations if id(run) not in spoilt and run.figures[figure] <= earned * ABOVE]
    return Burst(estimates, rest)
