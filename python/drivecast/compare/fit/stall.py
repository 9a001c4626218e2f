"""Stalls of a whole volume, from the far tails of all runs at once.

Model. A stall hits all of the N requests that are outstanding, and makes each later by its length; so of the requests
that took x longer than the median every N are one stall. In a run of T seconds the stalls whose length lies between
two edges are a Poisson number with the mean

    T Λ (Q(x₁) − Q(x₂)),  Q(x) = 1 − Φ((ln x − ln m) / σ):

they come Λ a second, their lengths are lognormal. Λ, m and σ maximise the likelihood of all runs' counts, whatever
their depth. Of a run only latencies beyond `FAR` medians are taken for stalled; shorter stalls are taken for the spread
of the ordinary, so m is not below the shortest that any run can show. Intervals: the sandwich (Huber), what one run
tells taken together, for stalls come in flocks; Student's t.

Left out: slow single requests, which would be counted as an Nth of a stall. Whether there are stalls at all the fit
decides, which tries without them too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import approx_fprime, minimize
from scipy.stats import norm
from scipy.stats import t as student

from drivecast.compare.fit.observation import OPS, Observation
from drivecast.compare.fit.parameter import Estimate, Parameter, Unit

FAR = 4.0
"""Medians beyond which a request met a stall."""
EDGES_NS = 1e4 * 2.0 ** (np.arange(41) / 2)
"""Two a doubling, from 10 µs to 10 s."""
EVENTS_MIN = 20.0
"""Fewer stalls tell no three parameters."""
SIGMA = (0.05, 2.0)
"""Narrower is one length, wider says nothing."""
LEVEL = 0.95
WIDE = 10.0
"""Of a logarithm: an interval that is wider says no less."""
TOLD_BY = "a run of minutes at depth 32 or more"

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Seen:
    """The stalls of one run."""

    time_s: float
    first: int
    """The shortest edge that it can show."""
    counts: Array
    """Stalls between an edge and the next, the last one open, from `first` on."""


def seen(observations: Sequence[Observation]) -> list[Seen]:
    """The stalls of closed loops, by their length."""
    found = []
    for one in observations:
        medians = {op: one.figures[f"{op}.q0.5"] for op in OPS if f"{op}.q0.5" in one.figures}
        if one.depth is None or not one.bins or not medians:
            continue
        first = int(np.searchsorted(EDGES_NS, (FAR - 1) * max(medians.values())))
        counts = np.zeros(len(EDGES_NS))
        for op, median in medians.items():
            for latency, requests in one.bins.get(op, ()):
                place = int(np.searchsorted(EDGES_NS, latency - median, side="right")) - 1
                if place >= first:
                    counts[place] += requests / one.depth
        if first < len(EDGES_NS):
            found.append(Seen(one.duration_s * one.runs, first, counts[first:]))
    return found


def _expected(logs: Array, run: Seen) -> Array:
    """Stalls between each edge and the next in a run, of (ln Λ, ln m, ln σ)."""
    beyond = norm.sf((np.log(EDGES_NS[run.first :]) - logs[1]) / math.exp(logs[2]))
    share = beyond - np.append(beyond[1:], 0.0)
    return np.asarray(run.time_s * math.exp(logs[0]) * share + 1e-12, dtype=np.float64)


def _loss(logs: Array, run: Seen) -> float:
    """Minus the logarithm of the likelihood, but for what does not change."""
    expected = _expected(logs, run)
    return float(np.sum(expected - run.counts * np.log(expected)))


def stalls(observations: Sequence[Observation]) -> tuple[Estimate, ...]:
    """Interval, length and spread of the stalls; nothing where fewer than half of the runs show any."""
    runs = seen(observations)
    events = sum(float(run.counts.sum()) for run in runs)
    if events < EVENTS_MIN or sum(run.counts.sum() >= 1 for run in runs) * 2 < len(runs):
        return ()
    shortest = math.log(EDGES_NS[min(run.first for run in runs)])
    rate = math.log(events / sum(run.time_s for run in runs))
    narrow, wide = map(math.log, SIGMA)
    bounds = [(rate - 1, rate + 5), (shortest, math.log(EDGES_NS[-1])), (narrow, wide)]

    def loss(logs: Array) -> float:
        return sum(_loss(logs, run) for run in runs)

    start = np.array([rate + 0.5, shortest + 1, 0.0])
    best = minimize(loss, start, method="L-BFGS-B", bounds=bounds)
    logs = np.asarray(best.x, dtype=np.float64)
    reach = float(student.ppf((1 + LEVEL) / 2, max(len(runs) - len(logs), 1)))
    offs = np.minimum(reach * _deviations(logs, runs), WIDE)
    rows: tuple[tuple[str, Unit, str, float], ...] = (
        ("every_ns", "ns", "mean time between stalls of the volume", math.log(1e9) - logs[0]),
        ("stall_ns", "ns", "median length of a stall", logs[1]),
        ("sigma", "", "spread of a stall's length", logs[2]),
    )
    return tuple(
        _estimate(name, unit, meaning, log, off)
        for (name, unit, meaning, log), off in zip(rows, offs, strict=True)
    )


def _deviations(logs: Array, runs: Sequence[Seen]) -> Array:
    """Standard deviations of the three logarithms."""
    step = 1e-4

    def slope(at: Array) -> Array:
        rows = [approx_fprime(at, _loss, step, run) for run in runs]
        return np.asarray(rows, dtype=np.float64)

    bends = [(slope(logs + one) - slope(logs - one)).sum(axis=0) / (2 * step) for one in step * np.eye(3)]
    bread = np.linalg.pinv((np.array(bends) + np.array(bends).T) / 2)
    scores = slope(logs)
    variances = np.diag(bread @ (scores.T @ scores) @ bread) * len(runs) / max(len(runs) - 3, 1)
    return np.asarray(np.sqrt(np.maximum(variances, 0.0)), dtype=np.float64)


def _estimate(name: str, unit: Unit, meaning: str, log: float, off: float) -> Estimate:
    value = math.exp(log)
    told = Parameter(f"stalls.{name}", value, value / 10, value * 10, unit, meaning, TOLD_BY)
    return Estimate(told, value, value * math.exp(-off), value * math.exp(off))
