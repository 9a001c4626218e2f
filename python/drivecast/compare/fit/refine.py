"""Parameters refined until what is simulated agrees with what was measured, and how well they are known.

Model. Residuals are log(simulated / measured) of the figures of all observations, each over its tolerance: the
difference from run to run (from repeats, where there are any) and what a model of so few parameters cannot show, in
quadrature. Their soft-L1 sum is minimised over the logarithms of the parameters by a trust region within bounds
(Levenberg and Marquardt's step, scipy's `least_squares`), the Jacobian by forward differences of the simulator with
common random numbers. A disturbed run pulls linearly, not by its square.

Intervals. Residuals of one observation belong together, so the covariance is the sandwich A⁻¹ B A⁻¹ with A = JᵀWJ and
B the sum over observations of the outer products of their scores, times n / (n − p) (Liang and Zeger 1986), and bounds
are Student's with n − p degrees of freedom, n observations and p parameters. What the data do not determine has a
standard deviation of the logarithm above `DETERMINED`: such a parameter is set to its assumed value, the worst first,
and the others are fitted again.

Checked: `scripts/fit_coverage.py` fits simulated runs of known devices and counts how often intervals contain the
truth.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy

from drivecast.compare.fit.forward import Simulator
from drivecast.compare.fit.observation import IOPS, Observation
from drivecast.compare.fit.variant import Estimate, Parameter

TOLERANCE = {IOPS: 0.04, "q0.5": 0.04, "q0.9": 0.06, "q0.99": 0.10, "q0.999": 0.30}
"""Relative difference of a figure that does not matter."""
LEVEL = 0.95
"""Share of intervals that contain the truth."""
DETERMINED = 0.5
"""Standard deviation of a logarithm above which a parameter is not determined: its interval spans a factor of seven."""
WIDENED = 2.0
"""What intervals are widened by: a search among noisy simulations ends somewhat off the optimum, along valleys where
one parameter makes up for another. Without it three of four intervals contained the truth
(`scripts/fit_coverage.py`)."""
STEP = 0.15
"""Of a logarithm, for the differences of the Jacobian."""
ROUNDS_MAX = 10
"""Evaluations of one descent, at most."""
RESTARTS = 1
GAIN = 0.02
"""Share of the cost that a descent must gain for another to be worth it."""
TRIED_ROUNDS = 5
"""The same of the short fit that chooses between variants."""
BENT = 1.5
"""Tolerances beyond which a residual counts linearly."""

Array = np.ndarray[Any, np.dtype[np.float64]]
Progress = Callable[[float, str], None]


@dataclass
class Refined:
    """The result of a fit."""

    estimates: list[Estimate]
    simulated: list[dict[str, float]]
    """Figures of the observations fitted to, under the estimates."""
    together: list[tuple[str, str, float]] = field(default_factory=list)
    """Pairs of parameters whose errors go together, with the correlation: the data determine only a combination of
    them."""
    cost: float = 0.0
    """Root mean square of the residuals, in tolerances."""


def _quantity(name: str) -> str:
    return name.partition(".")[2] if "." in name else name


def weighed(observation: Observation) -> dict[str, float]:
    """The figures that count and the tolerance of each."""
    found = {}
    for name in observation.figures:
        tolerance = TOLERANCE.get(_quantity(name))
        if tolerance is not None and not name.endswith(".iops"):
            noise = observation.noise.get(name, 0.0) / math.sqrt(observation.runs)
            found[name] = math.hypot(tolerance, noise)
    return found


class _Problem:
    """Residuals and their Jacobian as functions of the logarithms of the free parameters."""

    def __init__(
        self, simulator: Simulator, parameters: Sequence[Parameter], fixed: Mapping[str, float]
    ) -> None:
        self.simulator = simulator
        self.free = list(parameters)
        self.fixed = dict(fixed)
        self.rows = [
            (at, name, math.log(wanted.observation.figures[name]), tolerance)
            for at, wanted in enumerate(simulator.plays)
            for name, tolerance in weighed(wanted.observation).items()
        ]
        self.clusters = np.array([at for at, *_ in self.rows])

    def values(self, logs: Array) -> dict[str, float]:
        """All parameters by name."""
        free = {parameter.name: math.exp(x) for parameter, x in zip(self.free, logs, strict=True)}
        return {**self.fixed, **free}

    def _residuals(self, figures: Sequence[Mapping[str, float]]) -> Array:
        missing = 3.0  # tolerances: nothing to compare with, whatever the parameters are
        return np.array(
            [
                (math.log(figures[at][name]) - measured) / tolerance if figures[at].get(name) else missing
                for at, name, measured, tolerance in self.rows
            ]
        )

    def residuals(self, logs: Array) -> Array:
        """Residuals in tolerances."""
        return self._residuals(self.simulator.all([self.values(logs)])[0])

    def jacobian(self, logs: Array) -> Array:
        """Differences, forward or, at the upper bound, backward; all simulated together."""
        steps = []
        for i, parameter in enumerate(self.free):
            sign = 1.0 if logs[i] + STEP <= math.log(parameter.high) else -1.0
            step = np.zeros(len(logs))
            step[i] = sign * STEP
            steps.append(step)
        sets = [self.values(logs)] + [self.values(logs + step) for step in steps]
        first, *others = [self._residuals(figures) for figures in self.simulator.all(sets)]
        columns = [(other - first) / step.sum() for other, step in zip(others, steps, strict=True)]
        return np.stack(columns, axis=1)


def _minimised(problem: _Problem, start: Array, rounds: int, update: Callable[[float], None]) -> Array:
    """The best point from `start`; begun again where it ended, for noise makes trust regions collapse too early."""
    best, cost = _descended(problem, start, rounds, update)
    for _ in range(RESTARTS):
        point, less = _descended(problem, best, rounds, update)
        if less < cost:
            best = point
        if less > cost * (1 - GAIN):
            break
        cost = less
    return best


def _descended(
    problem: _Problem, start: Array, rounds: int, update: Callable[[float], None]
) -> tuple[Array, float]:
    low = np.array([math.log(parameter.low) for parameter in problem.free])
    high = np.array([math.log(parameter.high) for parameter in problem.free])
    done = 0

    def jacobian(logs: Array) -> Array:
        nonlocal done
        done += 1
        update(min(done / rounds, 1.0))
        return problem.jacobian(logs)

    found = scipy.optimize.least_squares(
        problem.residuals,
        np.clip(start, low + 1e-6, high - 1e-6),
        jac=jacobian,
        bounds=(low, high),
        loss="soft_l1",
        f_scale=BENT,
        xtol=1e-3,
        ftol=1e-3,
        gtol=1e-4,
        max_nfev=rounds,
    )
    return np.asarray(found.x, dtype=np.float64), float(found.cost)


def _covariance(problem: _Problem, logs: Array) -> tuple[Array, float]:
    """The sandwich, clustered by observation, and the root mean square of the residuals."""
    residuals, jacobian = problem.residuals(logs), problem.jacobian(logs)
    weights = 1 / np.sqrt(1 + (residuals / BENT) ** 2)  # slope of soft-L1
    p = len(logs)
    # A ridge so small that it matters only where nothing is determined: the inverse then is merely large.
    bread = np.linalg.inv((jacobian * weights[:, None]).T @ jacobian + 1e-6 * np.eye(p))
    bread = (bread + bread.T) / 2
    scores = jacobian * (weights * residuals)[:, None]
    ids = np.unique(problem.clusters)
    sums = np.stack([scores[problem.clusters == at].sum(axis=0) for at in ids])
    n = len(ids)
    meat = sums.T @ sums * n / max(n - p, 1)
    plain = bread * max(float(np.mean(residuals**2)), 0.0)
    sandwich = bread @ meat @ bread
    # Where a few observations alone determine a parameter, their scores vanish together with their error.
    deviations = np.sqrt(np.maximum(np.diag(plain), np.diag(sandwich)))
    shape = np.sqrt(np.diag(bread))
    covariance = bread / np.outer(shape, shape) * np.outer(deviations, deviations)
    return covariance, float(np.sqrt(np.mean(residuals**2)))


def _estimates(problem: _Problem, logs: Array, deviations: Array, assumed: list[Estimate]) -> list[Estimate]:
    freedom = max(len(np.unique(problem.clusters)) - len(logs), 1)
    reach = WIDENED * float(scipy.special.stdtrit(freedom, (1 + LEVEL) / 2))
    found = []
    for parameter, x, deviation in zip(problem.free, logs, deviations, strict=True):
        value = math.exp(x)
        low, high = value * math.exp(-reach * deviation), value * math.exp(reach * deviation)
        found.append(Estimate(parameter, value, max(low, parameter.low), min(high, parameter.high)))
    return [*found, *assumed]


def _worst(deviations: Array) -> int | None:
    """The parameter that the data determine least, if they do not determine it."""
    worst = int(np.argmax(deviations))
    return worst if deviations[worst] > DETERMINED else None


def tried(simulator: Simulator, parameters: Sequence[Parameter]) -> tuple[dict[str, float], float]:
    """A short fit of all parameters, to choose between variants: values, and the root mean square residual."""
    problem = _Problem(simulator, parameters, {})
    logs = np.array([math.log(parameter.start) for parameter in parameters])
    found = _minimised(problem, logs, TRIED_ROUNDS, lambda _share: None)
    bent = BENT**2 * (np.sqrt(1 + (problem.residuals(found) / BENT) ** 2) - 1)
    return problem.values(found), float(np.sqrt(np.mean(bent)))


def refine(simulator: Simulator, parameters: Sequence[Parameter], update: Progress) -> Refined:
    """Fit the parameters to the simulator's observations, and leave out those that they do not determine."""
    free, assumed = list(parameters), list[Estimate]()
    fixed: dict[str, float] = {}
    logs = np.array([math.log(parameter.start) for parameter in free])
    rounds = ROUNDS_MAX
    while True:
        problem = _Problem(simulator, free, fixed)
        done = len(assumed) / (len(parameters) + 1)

        def report(share: float, done: float = done, free: list[Parameter] = free) -> None:
            update(done + share / (len(parameters) + 1), f"{len(free)} parameters")

        logs = _minimised(problem, logs, rounds, report)
        covariance, rms = _covariance(problem, logs)
        deviations = np.sqrt(np.diag(covariance))
        worst = _worst(deviations)
        if worst is None or len(free) == 1:
            break
        dropped = free.pop(worst)
        logs = np.delete(logs, worst)
        fixed[dropped.name] = dropped.otherwise
        why = f"the data do not determine it; {dropped.determined_by} would"
        assumed.append(Estimate(dropped, dropped.otherwise, None, None, why))
        rounds = 4
    correlation = covariance / np.outer(deviations, deviations)
    together = [
        (free[i].name, free[j].name, float(correlation[i, j]))
        for i in range(len(free))
        for j in range(i)
        if abs(correlation[i, j]) > 0.95
    ]
    simulated = simulator.all([problem.values(logs)])[0]
    order = {parameter.name: i for i, parameter in enumerate(parameters)}
    estimates = _estimates(problem, logs, deviations, assumed)
    estimates.sort(key=lambda estimate: order[estimate.parameter.name])
    return Refined(estimates, simulated, together, rms)
