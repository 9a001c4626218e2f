"""A comparison as text for the terminal: a table a point, then its verdict; the verdict on all last."""

from drivecast.document.comparison import Comparison, Figure
from drivecast.present import grid
from drivecast.present.comparison_wording import name
from drivecast.quantity import number

INDENT = "  "
JUDGED = {"within": "within", "beyond": "off", "untold": "undecided", "shown": ""}


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
        _interval(figure, figure.measured, figure.measured_low, figure.measured_high),
        _interval(figure, figure.predicted, figure.predicted_low, figure.predicted_high),
        _ratio(figure),
        JUDGED[figure.outcome],
    )


def _interval(figure: Figure, value: float, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return _value(figure, value)
    text, ends = _value(figure, value), [_value(figure, end) for end in (low, high)]
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
