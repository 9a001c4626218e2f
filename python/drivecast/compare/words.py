"""A comparison in sentences: the verdict on each run, and on all.

A sentence names what is judged and off, in which direction, and where it begins: `reads: p50 to p95 within
1.1×, p99 to p99.9 1.8 to 2.4× too fast`.
"""

import math
from collections.abc import Sequence
from itertools import groupby

from drivecast.compare.judge import Figure, Pair
from drivecast.quantity import number

NAMES = {
    "iops": "IOPS",
    "throughput_bytes_per_s": "throughput",
    "mean": "mean",
    "q0.5": "p50",
    "q0.9": "p90",
    "q0.95": "p95",
    "q0.99": "p99",
    "q0.999": "p99.9",
    "q0.9999": "p99.99",
    "q0.99999": "p99.999",
    "max": "longest",
}
FACTOR_MIN = 1.5
"""From here on a rate is told by its factor; below, by its difference."""
OPS = {"all": "", "read": "read", "write": "write", "transaction": "transaction"}


def verdict(pair: Pair, *, predicted: bool) -> list[str]:
    """What is to be said of one run, the judgement first."""
    lines = [_headline(pair, predicted=predicted)]
    lines += [sentence for op in ("read", "write", "transaction") if (sentence := _latencies(pair, op))]
    lines += [sentence for op in ("read", "write") if (sentence := _shape(pair, op, predicted=predicted))]
    off = [one for one in pair.figures if one.outcome == "beyond"]
    inside = [one for one in off if one.covered]
    if predicted and inside:
        names = _listed([_name(one) for one in inside])
        lines.append(f"within the prediction's own interval, by flash times: {names}")
    noisy = [one for one in off if one.beyond_noise is False]
    if noisy:
        lines.append(f"no more than the noise of the runs: {_listed([_name(one) for one in noisy])}")
    if off and len(pair.measured.outcomes) == 1:
        lines.append("measured once: what differs from run to run is in none of these intervals")
    untold = [one for one in pair.figures if one.outcome == "untold"]
    if untold:
        lines.append(f"too noisy or too few requests to tell: {_listed([_name(one) for one in untold])}")
    return lines


def overall(pairs: Sequence[Pair], *, predicted: bool) -> str:
    """All runs in one sentence."""
    what = "the prediction" if predicted else "the other result"
    worst = max((one for pair in pairs for one in _judged(pair)), key=lambda one: one.factor, default=None)
    if worst is None:
        return f"nothing can be told of {what}: the runs are too short or too noisy"
    tolerance = _share(pairs[0].tolerance)
    of = f"{len(pairs)} point{'' if len(pairs) == 1 else 's'}"
    counts = {kind: sum(pair.outcome == kind for pair in pairs) for kind in ("within", "beyond", "untold")}
    most = f"the most is {_name(worst)}, {_off(worst)}"
    if counts["beyond"]:
        return f"{what} is off by more than {tolerance} in {counts['beyond']} of {of}; {most}"
    if counts["untold"]:
        return f"{counts['untold']} of {of} cannot be told from noise; where {what} can be judged, {most}"
    return f"{what} is within {tolerance} in {'the one point' if len(pairs) == 1 else f'all {of}'}; {most}"


def _judged(pair: Pair) -> list[Figure]:
    return [one for one in pair.figures if one.outcome in ("within", "beyond")]


def _headline(pair: Pair, *, predicted: bool) -> str:
    what = "prediction" if predicted else "other result"
    parts = {
        "within": f"within {_share(pair.tolerance)}",
        "beyond": f"off by more than {_share(pair.tolerance)}",
        "untold": "cannot be told from noise",
    }
    rates = [_rate(one) for one in pair.figures if one.op in ("all", "transaction") and one.is_rate]
    text = ", ".join([parts[pair.outcome], *rates])
    if pair.saturated_apart:
        theirs = any(outcome.get("saturated") for outcome in pair.predicted.outcomes)
        text += f"; only the {what if theirs else 'measurement'} saturates, so its latencies mean nothing"
    return text


def _rate(figure: Figure) -> str:
    change = figure.ratio.value - 1
    name = NAMES[figure.name] if figure.op == "all" else "transactions a second"
    if round(abs(change) * 100) == 0:
        return f"{name} the same"
    by = _factor(figure.factor) if figure.factor >= FACTOR_MIN else _share(abs(change))
    return f"{name} {by} too {'high' if change > 0 else 'low'}"


def _latencies(pair: Pair, op: str) -> str | None:
    """Quantiles in runs of the same direction: within, too fast, too slow."""
    found = [
        one for one in pair.figures if one.op == op and one.name.startswith("q") and one.outcome != "untold"
    ]
    if pair.saturated_apart or not found:
        return None
    limit = 1 + pair.tolerance

    def side(one: Figure) -> str:
        if one.factor <= limit:
            return "within"
        if one.outcome == "shown" and one.beyond_noise is not True:
            return "unknown"
        return "too fast" if one.ratio.value < 1 else "too slow"

    parts = []
    for direction, group in groupby(found, key=side):
        members = list(group)
        span = NAMES[members[0].name] + (f" to {NAMES[members[-1].name]}" if len(members) > 1 else "")
        if direction == "within":
            parts.append(f"{span} within {_factor(max(one.factor for one in members))}")
        elif direction != "unknown":
            low, high = min(one.factor for one in members), max(one.factor for one in members)
            by = _factor(low) if _factor(low) == _factor(high) else f"{_factor(low)[:-1]} to {_factor(high)}"
            parts.append(f"{span} {by} {direction}")
    return f"{op}s: {', '.join(parts)}" if parts else None


def _shape(pair: Pair, op: str, *, predicted: bool) -> str | None:
    """Whether one side has two humps and the other one."""
    if op not in pair.modes:
        return None
    ours, theirs = pair.modes[op]
    if not len(ours) or not len(theirs) or len(ours) == len(theirs):
        return None
    many, few = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
    who = "measured" if many is ours else ("predicted" if predicted else "other")
    places = _listed(
        [
            f"{number.latency(at)} ({_share(share)})"
            for at, share in zip(many.latency_ns, many.shares, strict=True)
        ]
    )
    return f"{who} {op} latencies have {len(many)} modes, at {places}; the other side has {len(few)}"


def _share(fraction: float) -> str:
    return f"{fraction * 100:.0f} %"


def _factor(factor: float) -> str:
    return "∞×" if math.isinf(factor) else f"{number.significant(math.floor(factor * 100 + 0.5) / 100)}×"


def _off(figure: Figure) -> str:
    if round((figure.factor - 1) * 100) == 0:
        return "the same on both sides"
    if figure.is_rate:
        return _rate(figure).removeprefix(NAMES[figure.name]).removeprefix("transactions a second").strip()
    return f"{_factor(figure.factor)} too {'fast' if figure.ratio.value < 1 else 'slow'}"


def _name(figure: Figure) -> str:
    return f"{OPS[figure.op]} {NAMES[figure.name]}".strip()


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
