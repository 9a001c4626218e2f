"""How far a run's figures would move if it were made again: the noise of a measurement, by the bootstrap.

What is resampled, the first of these that the run allows:

- **repeats**, three or more: a figure is the geometric mean of the repeats', and its logarithm scatters by Student's t
  of their own logarithms. (Resampling three repeats would make intervals a fifth too short, and has ten outcomes.)
- **seconds**, where the outcome has a histogram of latencies for each (`latencies_by_second`), or for figures of each
  second (requests, bytes, means): a circular block bootstrap (Künsch 1989; Politis and Romano 1992). Latencies within a
  second are correlated, and so are neighbouring seconds, by garbage collection, caches and neighbours: blocks of
  seconds stay whole. The length of a block is chosen from the series' own correlogram (Politis and White 2004, as
  corrected by Patton, Politis and White 2009).
- **requests**, where there is one histogram for the whole run: a quantile is drawn as the order statistic of n / d
  independent requests, whose level is Beta(q n/d, (1 − q) n/d) (Efron 1979, in closed form). d measures how far
  requests are correlated: the larger of (a) what the variance of the run's mean, by blocks of seconds, is over σ²/n
  (Kish's design effect), and (b) the mean size of the clusters in which latencies exceed the quantile, 1/θ, where θ =
  ln(1 − m/S) / (n/S · ln(1 − k/n)) is the extremal index by blocks (Smith and Weissman 1994): m of S seconds hold the k
  exceedances.

Runs shorter than eight seconds do not show d: requests are taken for independent then, and the interval is too short.
Two repeats are drawn with replacement, and each is resampled as one run is. Left out: what differs from day to day.

BLOCKS of l neighbouring rows, begun anywhere and wrapping around the end, are drawn until they are as many rows as the
series has (Politis and Romano 1992). l = (2 G² / D)^⅓ n^⅓ with G = Σ λ(k/M) |k| R(k), g = Σ λ(k/M) R(k), D = ⁴⁄₃ g²,
a flat-top window λ, and M twice the lag behind which correlations stay below 2 √(log₁₀ n / n) (Politis and White 2004).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from drivecast.document.comparison import Method
from drivecast.document.outcome import QUANTILES, LatenciesOfSecond, Outcome

Array = NDArray[np.float64]
DRAWS = 1000
SECONDS_MIN = 8
"""Fewer show nothing of the correlation of seconds."""
REPEATS_MIN = 3
COLUMNS = {
    "read": ("reads", "read_bytes"),
    "write": ("writes", "written_bytes"),
    "transaction": ("transactions", ""),
}


def circular(rows: Array, draws: int, rng: np.random.Generator) -> Array:
    """The sums of the columns of `rows` over each of `draws` resampled series.

    Blocks are as long as the first column, or where there are many the rows' sums over their total, needs.
    """
    count = len(rows)
    series = rows[:, 0] if rows.shape[1] < 3 else _scores(rows)
    length = block_length(series)
    if rows.shape[1] == 2:
        length = max(length, block_length(rows[:, 0] / np.maximum(rows[:, 1], 1e-300)))
    blocks = -(-count // length)
    starts = rng.integers(0, count, (draws, blocks))
    places = (starts[:, :, None] + np.arange(length)).reshape(draws, -1)[:, :count] % count
    flat = (places + count * np.arange(draws)[:, None]).ravel()
    times = np.bincount(flat, minlength=draws * count).reshape(draws, count)
    summed: Array = times.astype(np.float64) @ rows
    return summed


def _scores(counts: Array) -> Array:
    """A second's mean rank among all requests: what is correlated in its quantiles is so in this."""
    total = counts.sum(axis=0)
    ranks = (np.cumsum(total) - total / 2) / max(total.sum(), 1.0)
    each = counts.sum(axis=1)
    scores: Array = np.where(each > 0, counts @ ranks / np.maximum(each, 1.0), 0.5)
    return scores


def block_length(series: Array) -> int:
    """How many neighbours must stay together."""
    count = len(series)
    centred = series - series.mean()
    variance = float(centred @ centred) / count
    if count < 4 or variance <= 1e-18 * float(np.abs(series).max()) ** 2:
        return 1
    lags = min(count - 1, math.ceil(math.sqrt(count)) + 5)
    found = np.array([float(centred[: count - lag] @ centred[lag:]) / count for lag in range(lags + 1)])
    small = np.abs(found[1:] / variance) < 2 * math.sqrt(math.log10(count) / count)
    run = max(5, math.ceil(math.sqrt(math.log10(count))))
    quiet = next((at for at in range(len(small)) if small[at : at + run].all()), len(small))
    reach = min(2 * max(quiet, 1), lags)
    at = np.arange(1, reach + 1)
    window = np.clip(2 * (1 - at / reach), 0.0, 1.0)
    slope = 2 * float((window * at) @ found[1 : reach + 1])
    level = variance + 2 * float(window @ found[1 : reach + 1])
    longest = math.ceil(min(3 * math.sqrt(count), count / 3))
    if level <= 0:
        return longest if slope > 0 else 1
    length = (1.5 * slope**2 / level**2) ** (1 / 3) * count ** (1 / 3)
    return int(np.clip(round(length), 1, longest))


@dataclass(frozen=True)
class Noise:
    """Figures of one kind of request, and how they scatter."""

    values: dict[str, float]
    """`iops`, `throughput_bytes_per_s`, `mean`, `q0.5` … `max`, as far as they are known."""
    deviations: dict[str, Array]
    """Of the logarithm of each figure; one number a draw. A figure without one has unknown noise."""
    methods: dict[str, Method]
    """What was resampled for it."""
    requests: float
    beyond: dict[str, float] = field(default_factory=dict)
    """Requests slower than each quantile."""
    clustered: frozenset[str] = frozenset()
    """Quantiles that not one independent request is slower than: their value is chance."""


def noise(outcomes: Sequence[Outcome], op: str, rng: np.random.Generator) -> Noise:
    """The figures of `op` (`read`, `write`, `transaction`; `all` for the whole load) over the repeats of a run."""
    each = [_of_one(outcome, op, rng) for outcome in outcomes]
    common = [name for name in each[0].values if all(name in repeat.values for repeat in each)]
    values = {name: _centre([repeat.values[name] for repeat in each]) for name in common}
    requests = sum(repeat.requests for repeat in each)
    beyond = {name: sum(repeat.beyond.get(name, 0.0) for repeat in each) for name in each[0].beyond}
    if len(each) == 1:
        return each[0]
    deviations: dict[str, Array] = {}
    methods: dict[str, Method] = {}
    for name in common:
        logs = np.log([max(repeat.values[name], 1e-300) for repeat in each])
        if len(each) >= REPEATS_MIN:
            scale = logs.std(ddof=1) / math.sqrt(len(each))
            deviations[name] = scale * rng.standard_t(len(each) - 1, DRAWS)
            methods[name] = "repeats"
        elif all(name in repeat.deviations for repeat in each):
            chosen = rng.integers(0, len(each), (len(each), DRAWS))
            inner = np.stack([repeat.deviations[name] for repeat in each])
            drawn = logs[chosen] - logs.mean() + np.take_along_axis(inner, chosen, axis=0)
            deviations[name] = drawn.mean(axis=0)
            methods[name] = each[0].methods[name]
    clustered = frozenset(name for repeat in each for name in repeat.clustered if name not in deviations)
    return Noise(values, deviations, methods, requests, beyond, clustered)


def _centre(values: Sequence[float]) -> float:
    """The geometric mean; 0 where one is."""
    return math.exp(sum(math.log(value) for value in values) / len(values)) if min(values) > 0 else 0.0


def _of_one(outcome: Outcome, op: str, rng: np.random.Generator) -> Noise:
    """The figures of one outcome."""
    requests: float = outcome.requests
    if op == "all":
        values = {"iops": outcome.iops, "throughput_bytes_per_s": outcome.throughput_bytes_per_s}
    else:
        stream = outcome.stream(op)
        requests = stream.requests
        values = {**(stream.latency_ns.figures() if stream.latency_ns else {}), "iops": stream.iops}
    deviations, methods = _rates(outcome, op, rng)
    histogram = Histogram.of(outcome, op)
    requests = requests or histogram.requests
    beyond = {
        name: requests * (1 - level) for name, level in QUANTILES.items() if name in values and requests
    }
    if histogram.requests:
        found, how = _latencies(outcome, op, histogram, rng)
        deviations.update(found)
        methods.update(dict.fromkeys(found, how))
    kept = {name: drawn for name, drawn in deviations.items() if name in values}
    known = histogram.requests > 0 and "mean" in kept
    clustered = frozenset(name for name in beyond if known and name not in kept)
    return Noise(values, kept, {name: methods[name] for name in kept}, requests, beyond, clustered)


def _rates(outcome: Outcome, op: str, rng: np.random.Generator) -> tuple[dict[str, Array], dict[str, Method]]:
    """Requests and bytes a second, by blocks of seconds."""
    ops = ("read", "write") if op == "all" else (op,)
    names = [("iops", [COLUMNS[kind][0] for kind in ops])]
    if op == "all":
        names.append(("throughput_bytes_per_s", [COLUMNS[kind][1] for kind in ops]))
    found: dict[str, Array] = {}
    for name, columns in names:
        series = sum(seconds(outcome, column) for column in columns)
        if isinstance(series, np.ndarray) and len(series) >= SECONDS_MIN and series.mean() > 0:
            drawn = circular(series[:, None], DRAWS, rng)[:, 0] / series.sum()
            found[name] = np.log(np.maximum(drawn, 1e-9))
    return found, dict.fromkeys(found, "seconds")


def seconds(outcome: Outcome, column: str) -> Array:
    """A column of the whole seconds of a run; the last one may be cut off, and is left out."""
    rows = outcome.seconds.whole(outcome.duration_s)
    return np.array([float(row.get(column) or 0.0) for row in rows])  # type: ignore[arg-type]


@dataclass(frozen=True)
class Histogram:
    """Latencies of one kind of request: upper ends of buckets, and how many requests lie in each."""

    edges: Array
    counts: Array

    @classmethod
    def of(cls, outcome: Outcome, op: str) -> "Histogram":
        """From the table `latencies`."""
        buckets = outcome.latencies.buckets(op)
        return cls(
            np.array([max(float(latency_ns), 1.0) for latency_ns, _ in buckets]),
            np.array([float(count) for _, count in buckets]),
        )

    @property
    def requests(self) -> float:
        """How many there are."""
        return float(self.counts.sum())

    @property
    def variance(self) -> float:
        """Of the latencies."""
        mean = float(self.counts @ self.edges) / self.requests
        return float(self.counts @ (self.edges - mean) ** 2) / self.requests

    def log_quantile(self, levels: Array) -> Array:
        """The logarithm of the latency at each level, between two buckets in proportion."""
        found: Array = self.log_quantiles(levels, self.counts[None, :])[0]
        return found

    def log_quantiles(self, levels: Array, counts: Array) -> Array:
        """The same of other counts in the same buckets, a row each."""
        shares, logs = np.cumsum(counts, axis=1), np.log(self.edges)
        found: list[Array] = [np.interp(levels * share[-1], share, logs) for share in shares]
        return np.stack(found)


def _latencies(
    outcome: Outcome, op: str, histogram: Histogram, rng: np.random.Generator
) -> tuple[dict[str, Array], Method]:
    """Deviations of mean and quantiles, and what was resampled for them."""
    rows = [row for row in outcome.latencies_by_second if row["op"] == op]
    if len({row["second"] for row in rows}) >= SECONDS_MIN:
        mean, _together = _mean(outcome, op, histogram, rng)
        return {**mean, **_of_seconds(*_by_second(rows), rng)}, "seconds"
    found, together = _mean(outcome, op, histogram, rng)
    requests = histogram.requests
    for name, level in QUANTILES.items():
        independent = requests / max(together or 1.0, cluster(outcome, op, histogram, level))
        if independent * (1 - level) >= 1:
            levels = rng.beta(independent * level, independent * (1 - level), DRAWS)
            found[name] = histogram.log_quantile(levels) - histogram.log_quantile(np.array([level]))
    return found, "requests" if together else "independent requests"


def _mean(
    outcome: Outcome, op: str, histogram: Histogram, rng: np.random.Generator
) -> tuple[dict[str, Array], float | None]:
    """Deviations of the mean by blocks of seconds, and Kish's design effect; none of a run of few seconds."""
    counts = seconds(outcome, COLUMNS[op][0]) if op in COLUMNS else np.array([])
    means = seconds(outcome, f"{op}_latency_ns_mean")
    if len(counts) < SECONDS_MIN or counts.sum() <= 0 or not means.any():
        return {}, None
    drawn = circular(np.stack([counts * means, counts], axis=1), DRAWS, rng)
    of_runs = drawn[:, 0] / np.maximum(drawn[:, 1], 1.0)
    mean = float(counts @ means / counts.sum())
    independent = histogram.variance / counts.sum()
    together = float(of_runs.var() / independent) if independent > 0 else 1.0
    return {"mean": np.log(np.maximum(of_runs, 1e-9) / mean)}, max(1.0, together)


def cluster(outcome: Outcome, op: str, histogram: Histogram, level: float) -> float:
    """How many requests exceed a quantile together, in the mean; 1 where every second holds some."""
    longest = seconds(outcome, f"{op}_latency_ns_max")
    if len(longest) < SECONDS_MIN:
        return 1.0
    threshold = math.exp(float(histogram.log_quantile(np.array([level]))[0]))
    held = float((longest > threshold).mean())
    beyond = float(histogram.counts[histogram.edges > threshold].sum()) / histogram.requests
    if not 0 < held < 1 or not 0 < beyond < 1:
        return 1.0
    each = histogram.requests / len(longest)
    return max(1.0, each * math.log1p(-beyond) / math.log1p(-held))


def _by_second(rows: Sequence[LatenciesOfSecond]) -> tuple[Histogram, Array]:
    """The histogram of all seconds, and one row a second, one column a bucket."""
    edges = np.unique(np.concatenate([np.asarray(row["latency_ns"], dtype=np.float64) for row in rows]))
    counts = np.zeros((1 + max(int(row["second"]) for row in rows), len(edges)))
    for row in rows:
        np.add.at(counts[int(row["second"])], np.searchsorted(edges, row["latency_ns"]), row["count"])
    return Histogram(np.maximum(edges, 1.0), counts.sum(axis=0)), counts


def _of_seconds(histogram: Histogram, counts: Array, rng: np.random.Generator) -> dict[str, Array]:
    """Deviations of quantiles where each second has its own histogram."""
    drawn = circular(counts, DRAWS, rng)
    # A draw without a request would be one of seconds that all rest.
    drawn = np.where(drawn.sum(axis=1, keepdims=True) > 0, drawn, histogram.counts)
    levels = np.array(list(QUANTILES.values()))
    logs = histogram.log_quantiles(levels, drawn)
    whole = histogram.log_quantile(levels)
    return {
        name: logs[:, at] - whole[at]
        for at, (name, level) in enumerate(QUANTILES.items())
        if histogram.requests * (1 - level) >= 1
    }
