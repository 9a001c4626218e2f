"""What a drive's latency under load says of it: how reads wait for programs, and writes for cleaning.

Model. At w writes a second of at most W a die programs for the share ρ = w/W of the time, since the dies are what
limits the drive. (With ρ = κ w/W and κ fitted, too, two drives gave κ = 0.99 and 1.09, and the others could not tell.)
A read takes t, or t ± d by the type of its flash page, a third each; with chance ρ it finds its die programming and
waits for the next point at which the program can be stopped, exponential with mean s. So

    P(read > x) = 1/3 Σ over t - d, t, t + d of ρ exp(-(x - t)/s), and 1 below t.

t, d and s are fitted by least squares of the logarithms of p50, p90, p99 and p99.9 at all loads below W at which
cleaning holds no writes up.

A write that waits for nothing takes b plus an exponential time of mean v: its quantile of order p is b - v ln(1 - p), a
line through the quantiles of the run with the fewest writes.

A drive that cleans in batches holds writes up for T each N pages and takes B pages meanwhile. At λ writes a second
(λ(T - x) - B) of N wait longer than x, so that a quantile x of order p gives λT - B - (1 - p)N = λx, which is linear in
T, B and N.

At saturation the median of reads says what goes first: within three waits s of a lone read the reads do; above half the
median of writes the order of arrival; between the two the program at hand.

Left out: waiting for other reads, and for channels: at 5,000 reads a second neither is seen. The equations are ours;
that a program can be stopped between its pulses only is in Wu and He (FAST 2012, from memory).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from drivecast.calibration.load_table import BELOW_SATURATION, QUANTILES, Load
from drivecast.errors import NoAnswer

FITTED = ("p50", "p90", "p99", "p999")
"""Quantiles that are fitted; further out a drive may do things that no load repeats."""
STALLED = 20
"""Times the median of writes from which on a quantile is one of waiting for a batch."""
NO_WAIT = 20
"""Mean waits behind which nothing is sought."""
Full = Literal["reads-first", "programs-first", "in-order"]


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Reads:
    """How reads wait, in microseconds: t, d and s."""

    lone_us: Estimate
    type_spread_us: Estimate
    suspend_wait_us: Estimate

    def quantiles(self, load: float) -> dict[str, float]:
        """Return the quantiles in microseconds at a load w/W."""
        at = (self.lone_us.value, self.type_spread_us.value, self.suspend_wait_us.value)
        return dict(zip(FITTED, _quantiles(at, load), strict=True))


@dataclass(frozen=True)
class Writes:
    """How long writes take that wait for nothing, in microseconds: b and v."""

    fixed_us: float
    jitter_us: float


@dataclass(frozen=True)
class Batches:
    """How cleaning holds writes up: N and B in pages, T in microseconds."""

    every_pages: float
    slack_pages: float
    time_us: float


def reads(rows: Sequence[Load], steady_per_s: float) -> Reads:
    """Fit how reads wait to the runs below saturation, of a drive that writes `steady_per_s` at most.

    Raises `NoAnswer` where there is no such run.
    """
    usable = [row for row in unsaturated(rows) if not _stalls(row, "p90")]
    if not usable:
        raise NoAnswer("expected a load below saturation at which cleaning holds no writes up, found none")
    found = np.array([[row.read_us[name] for name in FITTED] for row in usable])

    def errors(at: NDArray[np.float64]) -> NDArray[np.float64]:
        ours = np.array([_quantiles(at, row.writes_per_s / steady_per_s) for row in usable])
        return np.asarray(np.log(ours / found).ravel())

    lone = float(found[:, 0].min())
    starts = [np.array([lone, lone / 5, wait]) for wait in (40.0, 80.0, 160.0)]
    bounds = (np.array([lone / 4, 0.0, 1.0]), np.array([2 * lone, lone, 5000.0]))
    fits = [
        scipy.optimize.least_squares(errors, start, bounds=bounds, diff_step=np.full(3, 0.01))
        for start in starts
    ]
    best = min(fits, key=lambda fit: fit.cost)
    return Reads(*_estimates(best.x, np.asarray(best.jac), best.fun, bounds[0]))


def _estimates(
    at: NDArray[np.float64], jac: NDArray[np.float64], errors: NDArray[np.float64], least: NDArray[np.float64]
) -> list[Estimate]:
    """Return the parameters with intervals from the curvature at the best fit."""
    free = max(len(errors) - len(at), 1)
    spread = np.linalg.pinv(jac.T @ jac) * float(errors @ errors) / free
    half = scipy.special.stdtrit(free, 0.975) * np.sqrt(np.maximum(np.diag(spread), 0))
    return [
        Estimate(float(v), float(max(v - h, floor)), float(v + h))
        for v, h, floor in zip(at, half, least, strict=True)
    ]


def _quantiles(at: Sequence[float] | NDArray[np.float64], load: float) -> list[float]:
    """Solve P(read > x) = 1 - p for each quantile by bisection."""
    lone, spread, wait = (float(value) for value in at)
    busy = min(load, 0.98)
    types = (lone - spread, lone, lone + spread)

    def above(x: float) -> float:
        return sum(1.0 if x < t else busy * math.exp(-(x - t) / wait) for t in types) / len(types)

    result = []
    for name in FITTED:
        low, high = max(lone - spread, 0.0), lone + spread + NO_WAIT * wait
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if above(middle) > 1 - QUANTILES[name] else (low, middle)
        result.append(high)
    return result


def writes(rows: Sequence[Load]) -> Writes:
    """Fit how writes vary at the fewest writes a second, quantiles that waited for cleaning aside.

    Raises `NoAnswer` where fewer than two are left.
    """
    row = min(rows, key=lambda row: row.writes_per_s)
    free = [name for name in FITTED if not _stalls(row, name)]
    if len(free) < 2:
        raise NoAnswer("expected writes that wait for nothing at the fewest writes a second, found none")
    away = [-math.log(1 - QUANTILES[name]) for name in free]
    jitter, fixed = np.polyfit(away, [row.write_us[name] for name in free], 1)
    return Writes(float(fixed), max(float(jitter), 0.0))


def saturated(rows: Sequence[Load]) -> list[Load]:
    """Return the runs in which less came through than was offered."""
    return [row for row in rows if row.writes_per_s < BELOW_SATURATION * row.offered_per_s]


def unsaturated(rows: Sequence[Load]) -> list[Load]:
    """Return the runs in which what was offered came through, and writes as a rule did not wait."""
    return [
        row
        for row in rows
        if row.writes_per_s >= BELOW_SATURATION * row.offered_per_s
        and row.write_us["p50"] < STALLED * min(other.write_us["p50"] for other in rows)
    ]


def _stalls(row: Load, quantile: str) -> bool:
    """Whether so many writes waited for cleaning."""
    return row.write_us[quantile] > STALLED * row.write_us["p50"]


def batches(rows: Sequence[Load]) -> Batches | None:
    """Fit batches of cleaning to the quantiles of writes that waited below saturation; none where too few did."""
    left, right = [], []
    for row in unsaturated(rows):
        rate = row.writes_per_s / 1e6
        for name in ("p90", "p99", "p999"):
            x = row.write_us[name]
            if _stalls(row, name):
                left.append([rate, -1.0, QUANTILES[name] - 1])
                right.append(rate * x)
    if len(left) < 3:
        return None
    lines, waits = np.array(left), np.array(right)
    solved, _, rank, _ = np.linalg.lstsq(lines / waits[:, None], waits / waits, rcond=None)
    time, slack, every = (float(value) for value in solved)
    if rank < 3 or min(time, every) <= 0:
        return None
    return Batches(every, max(slack, 0.0), time)


def when_full(rows: Sequence[Load], found: Reads) -> Full:
    """Return what reads wait for beyond the steady rate, by the run with the most offered.

    Raises `NoAnswer` where no run is saturated.
    """
    full = saturated(rows)
    if not full:
        raise NoAnswer("no run is saturated, so what reads wait for when the buffer is full is unknown")
    row = max(full, key=lambda row: row.offered_per_s)
    median = row.read_us["p50"]
    if median < found.lone_us.value + 3 * found.suspend_wait_us.value:
        return "reads-first"
    return "in-order" if median > row.write_us["p50"] / 2 else "programs-first"
