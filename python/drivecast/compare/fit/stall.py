"""Stalls of a whole volume, from the far tails of all runs at once: at times of their own, or from single requests.

Model. A stall makes all of the N requests that are outstanding later by its length; so of the requests that took x
longer than the median every N are one stall. The stalls of a run whose length lies between two edges are a Poisson
number with the mean

    E (Q(x₁) − Q(x₂)),  Q(x) = 1 − Φ((ln x − ln m) / σ),

their lengths being lognormal. They follow time, E = Λ T in a run of T seconds (the processor is taken away), or
requests, E = p n_read + q n_write (one that the volume has to wait for itself holds up all others), or both, each with
its lengths. Rates, m and σ maximise the likelihood of all runs' counts, whatever their depth; of the laws the one with
the greatest is taken, less its number of parameters (Akaike). Of a run only latencies beyond `FAR` medians are taken
for stalled; shorter stalls are taken for the spread of the ordinary, so m is not below the shortest that any run can
show. Intervals: the sandwich (Huber), clustered by run, since stalls come in flocks; Student's t.

Left out: slow single requests that hold up nothing, which would be counted as an Nth of a stall. Whether there are
stalls at all the fit decides, which tries without them too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from drivecast.compare.fit.observation import Observation
from drivecast.compare.fit.refine import LEVEL
from drivecast.compare.fit.variant import Estimate, Parameter, Unit
from drivecast.document.outcome import OPS

FAR = 4.0
"""Medians beyond which a request met a stall."""
EDGES_NS = 1e4 * 2.0 ** (np.arange(41) / 2)
"""Two a doubling, from 10 µs to 10 s."""
EVENTS_MIN = 20.0
"""Fewer stalls determine no three parameters."""
SIGMA = (0.05, 2.0)
"""Narrower is one length, wider is meaningless."""
RARE = 1e-12
"""A rate of nothing."""
WIDE = 10.0
"""Of a logarithm: a wider interval means no less."""
DETERMINED_BY = "a run of minutes at depth 32 or more"

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Seen:
    """The stalls of one run."""

    exposure: dict[str, float]
    """To what they may follow: seconds, reads, writes."""
    first: int
    """The shortest edge that it can show."""
    counts: Array
    """Stalls between an edge and the next, the last one open, from `first` on."""


@dataclass(frozen=True)
class Law:
    """What stalls follow, and how its parameters are called."""

    rates: tuple[tuple[str, str, Unit, str], ...]
    """What a rate is of, its name, unit and meaning."""
    length: tuple[str, Unit, str]
    sigma: tuple[str, Unit, str]

    def of(self, exposures: frozenset[str]) -> "Law":
        """The law without rates of what no run had."""
        return Law(tuple(rate for rate in self.rates if rate[0] in exposures), self.length, self.sigma)

    @property
    def size(self) -> int:
        """Its parameters: the logarithms of its rates, of the median length and of σ."""
        return len(self.rates) + 2

    def expected(self, logs: Array, run: Seen) -> Array:
        """Stalls between each edge and the next in a run."""
        beyond = scipy.special.ndtr((logs[-2] - np.log(EDGES_NS[run.first :])) / math.exp(logs[-1]))
        share = beyond - np.append(beyond[1:], 0.0)
        rates = zip(self.rates, logs[:-2], strict=True)
        events = sum(math.exp(log) * run.exposure[of] for (of, *_), log in rates)
        return np.asarray(events * share, dtype=np.float64)


TIME = Law(
    (("time_s", "stalls.every_ns", "ns", "mean time between stalls of the volume"),),
    ("stalls.stall_ns", "ns", "median length of a stall"),
    ("stalls.sigma", "", "spread of a stall's length"),
)
REQUESTS = Law(
    tuple((op, f"front.{op}_tail_probability", "", f"share of {op}s that hold up all") for op in OPS),
    ("front.tail_ns", "ns", "median time for which these hold it up"),
    ("front.tail_sigma", "", "spread of that time"),
)
Laws = tuple[Law, ...]


def seen(observations: Sequence[Observation]) -> list[Seen]:
    """The stalls of closed loops, by their length."""
    found = []
    for observation in observations:
        medians = {op: observation.figures[f"{op}.q0.5"] for op in OPS if f"{op}.q0.5" in observation.figures}
        if observation.depth is None or not observation.bins or not medians:
            continue
        first = int(np.searchsorted(EDGES_NS, (FAR - 1) * max(medians.values())))
        counts = np.zeros(len(EDGES_NS))
        for op, median in medians.items():
            latencies, requests = np.array(observation.bins.get(op, ()), dtype=np.float64).reshape(-1, 2).T
            places = np.searchsorted(EDGES_NS, latencies - median, side="right") - 1
            late = places >= first
            np.add.at(counts, places[late], requests[late] / observation.depth)
        time_s = observation.duration_s * observation.runs
        exposure = {op: observation.figures.get(f"{op}.iops", 0.0) * time_s for op in OPS} | {
            "time_s": time_s
        }
        if first < len(EDGES_NS):
            found.append(Seen(exposure, first, counts[first:]))
    return found


def _loss(logs: Array, laws: Laws, run: Seen) -> float:
    """Minus the logarithm of the likelihood, but for what does not change."""
    expected, at = np.full(len(run.counts), RARE), 0
    for law in laws:
        expected += law.expected(logs[at : at + law.size], run)
        at += law.size
    return float(np.sum(expected - run.counts * np.log(expected)))


def stalls(observations: Sequence[Observation]) -> tuple[Estimate, ...]:
    """What stalls follow, their length and spread; nothing where fewer than half of the runs show any."""
    runs = seen(observations)
    events = sum(float(run.counts.sum()) for run in runs)
    if events < EVENTS_MIN or sum(run.counts.sum() >= 1 for run in runs) * 2 < len(runs):
        return ()
    had = frozenset(name for run in runs for name, share in run.exposure.items() if share > 0)
    time, requests = TIME.of(had), REQUESTS.of(had)
    tried = ((time,), (requests,), (time, requests), (requests, time))
    found = [(laws, *_most_likely(laws, runs)) for laws in tried]
    laws, logs, _cost = min(found, key=lambda trial: trial[2])
    reach = float(scipy.special.stdtrit(max(len(runs) - len(logs), 1), (1 + LEVEL) / 2))
    offs = np.minimum(reach * _deviations(logs, laws, runs), WIDE)
    names = [name for law in laws for name in (*(rate[1:] for rate in law.rates), law.length, law.sigma)]
    return tuple(_estimate(*name, log, off) for name, log, off in zip(names, logs, offs, strict=True))


def _most_likely(laws: Laws, runs: Sequence[Seen]) -> tuple[Array, float]:
    """The most likely parameters and their loss, each costing one; searched from shorter stalls by the first law."""
    events = sum(float(run.counts.sum()) for run in runs)
    shortest = math.log(EDGES_NS[min(run.first for run in runs)])
    narrow, wide = map(math.log, SIGMA)
    start: list[float] = []
    bounds: list[tuple[float, float]] = []
    for i, law in enumerate(laws):
        for of, *_ in law.rates:
            usual = math.log(events / sum(run.exposure[of] for run in runs))
            start.append(usual)
            bounds.append((usual - 6, usual + 5))
        start += [shortest + 0.5 + 1.5 * i, -0.5]
        bounds += [(shortest, math.log(EDGES_NS[-1])), (narrow, wide)]

    def loss(logs: Array) -> float:
        return sum(_loss(logs, laws, run) for run in runs)

    best = scipy.optimize.minimize(loss, np.array(start), method="L-BFGS-B", bounds=bounds)
    return np.asarray(best.x, dtype=np.float64), float(best.fun) + len(start)


def _deviations(logs: Array, laws: Laws, runs: Sequence[Seen]) -> Array:
    """Standard deviations of the logarithms."""
    step = 1e-4

    def slope(at: Array) -> Array:
        rows = [scipy.optimize.approx_fprime(at, _loss, step, laws, run) for run in runs]
        return np.asarray(rows, dtype=np.float64)

    steps = step * np.eye(len(logs))
    bends = np.array(
        [(slope(logs + shift) - slope(logs - shift)).sum(axis=0) / (2 * step) for shift in steps]
    )
    bread = np.linalg.pinv((bends + bends.T) / 2)
    scores = slope(logs)
    freedom = max(len(runs) - len(logs), 1)
    variances = np.diag(bread @ (scores.T @ scores) @ bread) * len(runs) / freedom
    return np.asarray(np.sqrt(np.maximum(variances, 0.0)), dtype=np.float64)


def _estimate(name: str, unit: Unit, meaning: str, log: float, off: float) -> Estimate:
    """A parameter by its logarithm; the interval of stalls is the inverse of their rate, in nanoseconds."""
    value = math.exp(math.log(1e9) - log) if name.endswith("every_ns") else math.exp(log)
    most = 1.0 if name.endswith("probability") else math.inf
    parameter = Parameter(name, value, value / 10, min(value * 10, most), unit, meaning, DETERMINED_BY)
    return Estimate(parameter, value, value * math.exp(-off), min(value * math.exp(off), most))
