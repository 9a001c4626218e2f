"""Quantiles of the latency of a design, each with what is known of it.

Model. Intervals of a quantile span (a) the run repeated with flash times at the slow and fast ends of their published
range and (b) the sampling error of a quantile q from n requests, q ± 1.96 √(q(1−q)/n), and are at least as wide as (c)
predictions of real drives are off, for a drive whose latency was measured or for one known from its sheet
(`catalog.latency_error`). From (c) follows the chance that a limit holds, where the interval goes beyond it; that of
reads and that of writes are taken as independent. Left out: what is not modelled at all (temperature); `drivecast
compare` is to measure that.
"""

import math
from collections.abc import Iterable, Sequence

from drivecast.assess import latency_interval
from drivecast.catalog.latency_error import OPS, QUANTILES, LatencyErrors, Op, QuantileName
from drivecast.document.outcome import Outcome
from drivecast.document.windows import Estimate
from drivecast.quantity.interval import Interval

Latencies = dict[tuple[Op, QuantileName], Interval | None]


def latencies(outcomes: Sequence[Outcome], errors: LatencyErrors | None) -> Latencies:
    """The quantiles of the first outcome; their bounds are those of all, sampling and model error included."""
    return {(op, name): _quantile(op, name, outcomes, errors) for op in OPS for name in QUANTILES}


def chance(
    found: Latencies, errors: LatencyErrors | None, limits: Iterable[tuple[Op, float | None]]
) -> float | None:
    """The chance that limits on p99 hold, where an interval goes beyond; none where they lie within, or are missed."""
    beyond = [
        (op, limit, span.value)
        for op, limit in limits
        if limit is not None and (span := found[op, "p99"]) is not None and span.high > limit
    ]
    if errors is None or not beyond or any(value > limit for _, limit, value in beyond):
        return None
    return math.prod(
        latency_interval.chance(errors.of(op, "p99"), value, limit) for op, limit, value in beyond
    )


def widened(found: Latencies, estimates: Sequence[Estimate]) -> Latencies:
    """The same quantiles, with the factors of these estimates in their intervals."""
    wider = dict(found)
    for each in estimates:
        for name, key in QUANTILES.items():
            span = found[each.op, name]
            if span is not None and key == f"q{each.quantile:g}":
                wider[each.op, name] = Interval(span.low * each.low, span.value, span.high * each.high)
    return wider


def _quantile(
    op: Op, name: QuantileName, outcomes: Sequence[Outcome], errors: LatencyErrors | None
) -> Interval | None:
    key = QUANTILES[name]
    value = outcomes[0].latency(op, key)
    if value is None:
        return None
    lows, highs = zip(*(sampling_span(outcome, op, float(key[1:])) for outcome in outcomes), strict=True)
    by_model = latency_interval.bounds(errors.of(op, name), value) if errors is not None else (value, value)
    return Interval(min(by_model[0], *lows), value, max(by_model[1], *highs))


def sampling_span(outcome: Outcome, op: str, q: float) -> tuple[float, float]:
    """The 95 % confidence limits of quantile `q`, read off the latency table at q ± 1.96 √(q(1−q)/n)."""
    count = outcome.stream(op).requests
    error = 1.96 * math.sqrt(q * (1 - q) / count)
    low, high = (outcome.latencies.quantile(share, op) for share in (q - error, min(q + error, 1.0)))
    if low is None or high is None:
        raise ValueError(f"the run of `{outcome.design}` has no latencies of a {op}")
    return low, high
