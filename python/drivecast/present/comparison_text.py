"""A comparison as text: the verdict on each point and on all in sentences; for the terminal, a table a point with it.

A sentence names what is judged and off, in which direction, and where it begins: `reads: p50 to p95 within
1.1×, p99 to p99.9 1.8 to 2.4× too fast`.
"""

import math
from collections.abc import Sequence
from itertools import groupby

from drivecast.document.comparison import Comparison, Figure, Point
from drivecast.document.outcome import QUANTILES
from drivecast.present import grid
from drivecast.quantity import number

NAMES = {
    "iops": "IOPS",
    "throughput_bytes_per_s": "throughput",
    "mean": "mean",
    "max": "maximum",
    **{name: number.quantile(name) for name in QUANTILES},
}
FACTOR_MIN = 1.5
"""From here on a rate is given by its factor; below, by its difference."""
INDENT = "  "
JUDGED = {"within": "within", "beyond": "off", "untold": "undecided", "shown": ""}


def worded(made: Comparison) -> Comparison:
    """The comparison with its verdicts in words."""
    points = [
        point.model_copy(update={"verdict": _verdict(point, predicted=made.predicted)})
        for point in made.points
    ]
    return made.model_copy(update={"points": points, "verdict": _overall(made)})


def _verdict(point: Point, *, predicted: bool) -> list[str]:
    """The sentences on one point, the judgement first."""
    lines = [_headline(point, predicted=predicted)]
    lines += [sentence for op in ("read", "write", "transaction") if (sentence := _latencies(point, op))]
    lines += [sentence for op in ("read", "write") if (sentence := _shape(point, op, predicted=predicted))]
    off = [figure for figure in point.figures if figure.outcome == "beyond"]
    if inside := [figure for figure in off if predicted and figure.covered]:
        lines.append(f"within the prediction's own interval, by flash times: {_listed(inside)}")
    if noisy := [figure for figure in off if figure.beyond_noise is False]:
        lines.append(f"no more than the noise of the runs: {_listed(noisy)}")
    if off and point.repeats == 1:
        lines.append("measured once: what differs from run to run is in none of these intervals")
    if undecided := [figure for figure in point.figures if figure.outcome == "untold"]:
        lines.append(f"too noisy or too few requests to judge: {_listed(undecided)}")
    return lines


def _overall(made: Comparison) -> str:
    """All points in one sentence."""
    what = "the prediction" if made.predicted else "the other result"
    figures = (figure for point in made.points for figure in point.figures)
    judged = (figure for figure in figures if figure.outcome in ("within", "beyond"))
    worst = max(judged, key=lambda figure: figure.factor, default=None)
    if worst is None:
        return f"{what} cannot be judged: the runs are too short or too noisy"
    tolerance = _share(made.tolerance)
    total = len(made.points)
    of = f"{total} point{'' if total == 1 else 's'}"
    off = sum(point.outcome == "beyond" for point in made.points)
    undecided = sum(point.outcome == "untold" for point in made.points)
    most = f"the largest difference is {name(worst)}, {_off(worst)}"
    if off:
        return f"{what} is off by more than {tolerance} in {off} of {of}; {most}"
    if undecided:
        return f"noise hides the result in {undecided} of {of}; where {what} can be judged, {most}"
    return f"{what} is within {tolerance} in {'the one point' if total == 1 else f'all {of}'}; {most}"


def _headline(point: Point, *, predicted: bool) -> str:
    judgement = {
        "within": f"within {_share(point.tolerance)}",
        "beyond": f"off by more than {_share(point.tolerance)}",
        "untold": "hidden by noise",
    }[point.outcome]
    rates = (figure for figure in point.figures if figure.op in ("all", "transaction") and figure.is_rate)
    text = ", ".join([judgement, *(" ".join(_rate(figure)) for figure in rates)])
    if point.saturated:
        what = "prediction" if predicted else "other result"
        side = "measurement" if point.saturated == "measured" else what
        text += f"; only the {side} saturates, so its latencies mean nothing"
    return text


def _rate(figure: Figure) -> tuple[str, str]:
    """The name of a rate, and how far it is off."""
    title = NAMES[figure.figure] if figure.op == "all" else "transactions a second"
    change = figure.ratio - 1
    if round(abs(change) * 100) == 0:
        return title, "the same"
    by = _factor(figure.factor) if figure.factor >= FACTOR_MIN else _share(abs(change))
    return title, f"{by} too {'high' if change > 0 else 'low'}"


def _latencies(point: Point, op: str) -> str | None:
    """Quantiles in runs of the same direction: within, too fast, too slow."""
    found = [
        figure
        for figure in point.figures
        if figure.op == op and figure.figure.startswith("q") and figure.outcome != "untold"
    ]
    if point.saturated or not found:
        return None
    limit = 1 + point.tolerance

    def side(figure: Figure) -> str:
        if figure.factor <= limit:
            return "within"
        if figure.outcome == "shown" and figure.beyond_noise is not True:
            return "unknown"
        return "too fast" if figure.ratio < 1 else "too slow"

    parts = []
    for direction, group in groupby(found, key=side):
        members = list(group)
        first, last = (NAMES[members[at].figure] for at in (0, -1))
        span = first if len(members) == 1 else f"{first} to {last}"
        factors = [figure.factor for figure in members]
        if direction == "within":
            parts.append(f"{span} within {_factor(max(factors))}")
        elif direction != "unknown":
            low, high = _factor(min(factors)), _factor(max(factors))
            parts.append(f"{span} {low if low == high else f'{low[:-1]} to {high}'} {direction}")
    return f"{op}s: {', '.join(parts)}" if parts else None


def _shape(point: Point, op: str, *, predicted: bool) -> str | None:
    """Whether one side has two modes and the other one."""
    if op not in point.modes:
        return None
    ours, theirs = point.modes[op].measured, point.modes[op].predicted
    if not len(ours) or not len(theirs) or len(ours) == len(theirs):
        return None
    many, few = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
    who = "measured" if many is ours else ("predicted" if predicted else "other")
    peaks = zip(many.latency_ns, many.shares, strict=True)
    places = _joined([f"{number.latency(at)} ({_share(share)})" for at, share in peaks])
    return f"{who} {op} latencies have {len(many)} modes, at {places}; the other side has {len(few)}"


def _share(fraction: float) -> str:
    return f"{fraction * 100:.0f} %"


def _factor(factor: float) -> str:
    return "∞×" if math.isinf(factor) else f"{number.significant(math.floor(factor * 100 + 0.5) / 100)}×"


def _off(figure: Figure) -> str:
    if round((figure.factor - 1) * 100) == 0:
        return "the same on both sides"
    if figure.is_rate:
        return _rate(figure)[1]
    return f"{_factor(figure.factor)} too {'fast' if figure.ratio < 1 else 'slow'}"


def name(figure: Figure) -> str:
    """The figure as a person names it: `read p99`."""
    return NAMES[figure.figure] if figure.op == "all" else f"{figure.op} {NAMES[figure.figure]}"


def _listed(figures: Sequence[Figure]) -> str:
    return _joined([name(figure) for figure in figures])


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def lines(of: Comparison) -> list[grid.Line]:
    """The tables and the verdicts; the overall verdict is last, where a terminal ends."""
    found: list[grid.Line] = []
    for point in of.points:
        repeats = f", {point.repeats} repeats" if point.repeats > 1 else ""
        heads = ("<", "measured", "predicted" if of.predicted else "other", "ratio", "<")
        table = grid.table(heads, [cells(figure) for figure in point.figures], indent=len(INDENT))
        verdict = [f"{INDENT}{line}" for line in point.verdict]
        title = grid.clean(f"{point.run.title} on {point.target}{repeats}")
        found += [title, "", *table, "", *verdict, ""]
    return [*found, of.verdict]


def cells(figure: Figure) -> tuple[str, str, str, str, str]:
    """Name, both sides with their intervals, the ratio with its own, and the judgement; latencies in ms."""
    return (
        name(figure) if figure.is_rate else f"{name(figure)} ms",
        _interval(figure, "measured"),
        _interval(figure, "predicted"),
        _ratio(figure),
        JUDGED[figure.outcome],
    )


def _interval(figure: Figure, side: str) -> str:
    text = _value(figure, getattr(figure, side))
    bounds = getattr(figure, f"{side}_low"), getattr(figure, f"{side}_high")
    if None in bounds:
        return text
    ends = [_value(figure, end) for end in bounds]
    if ends[0] == ends[1]:
        return text
    unit = text.partition(" ")[2]
    if all(end.partition(" ")[2] == unit for end in ends):
        ends = [end.partition(" ")[0] for end in ends]
    return f"{text} ({'–'.join(ends)})"


def _value(figure: Figure, value: float) -> str:
    if not figure.is_rate:
        return number.significant(value / 1e6, 3)
    return number.iops(value) if figure.figure == "iops" else number.throughput(value)


def _ratio(figure: Figure) -> str:
    text = number.significant(figure.ratio, 3)
    if figure.ratio_low is None or figure.ratio_high is None:
        return text
    return f"{text} ({number.significant(figure.ratio_low, 3)}–{number.significant(figure.ratio_high, 3)})"
