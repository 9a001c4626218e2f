"""Live experiments as text: setups, what was measured on each, published ratios next to ours, what scaling changed."""

from collections.abc import Iterator, Mapping

from rich.text import Text

from drivecast.document.live_reproduction import (
    LiveDescribed,
    LivePoint,
    LiveReproduction,
    LiveRow,
    Unjudged,
)
from drivecast.present import grid
from drivecast.present.reproduction import HEADS, figure, head, rounded, statement
from drivecast.quantity import number

POINT_HEADS = (
    "<setup", "<pool", "transactions\n/s", "reads\n/s", "writes\n/s", "flushes\n/s", "out-\nstanding", "read\np99",
    "late", "busy", "processors", "<",
)  # fmt: skip
UNJUDGED: Mapping[Unjudged, str] = {
    "late": "not served on time",
    "processors": "bound by processors",
    "fault": "the design failed",
}
CHANGE_WIDTH = 100


def verdict(found: LiveReproduction) -> str:
    """One line: how much was judged, and how much of it came out."""
    judged = [row.within for row in found.rows if row.judged]
    late = sum(point.unjudged is not None for point in found.points)
    parts = [
        f"{sum(judged)} of {len(judged)} judged ratios within {found.within_required:.0%}",
        f"{found.orderings_right} of {found.orderings_judged} judged orderings right",
        f"{late} of {len(found.points)} points not judged",
    ]
    return ", ".join(parts)


def text(found: LiveReproduction) -> Text:
    """Experiment by experiment; below a ratio that is off, why."""
    sections = [line for experiment in found.experiments for line in _section(found, experiment)]
    return grid.page([*sections, verdict(found)])


def _section(found: LiveReproduction, experiment: LiveDescribed) -> Iterator[str | Text]:
    yield from head(experiment)
    for change in experiment.changes:
        yield from grid.wrapped(f"scaled: {change.what}: {change.effect}", CHANGE_WIDTH, indent=2, hanging=2)
    points = [point for point in found.points if point.experiment == experiment.name]
    yield ""
    yield from _setups(points)
    yield "  rates per second of design time; late: share of the I/O wait"
    yield from grid.table(POINT_HEADS, map(_point, points), indent=2)
    if rows := [row for row in found.rows if row.experiment == experiment.name]:
        yield ""
        yield from grid.table(HEADS, map(_row, rows), indent=2)
    for ordering in found.orderings:
        if ordering.experiment == experiment.name:
            yield statement(ordering, judged=ordering.judged)
    yield ""


def _setups(points: list[LivePoint]) -> list[Text]:
    """A line a setup: what is under the data and the log, and how fast its time passes."""
    first = {point.setup: point for point in reversed(points)}
    ordered = [first[name] for name in dict.fromkeys(point.setup for point in points)]
    rows = [
        (
            point.setup,
            point.design + (f", log on {point.log}" if point.log else ""),
            f"at {point.speed:g} × real time",
        )
        for point in ordered
    ]
    return grid.table(("<", "<", "<"), rows, indent=2)


def _point(point: LivePoint) -> grid.Row:
    cells = (
        point.setup,
        f"{number.binary_size(point.buffer_bytes)}",
        rounded(point.per_s),
        number.iops(point.reads_per_s),
        number.iops(point.writes_per_s),
        number.iops(point.flushes_per_s),
        None if point.outstanding is None else f"{point.outstanding:.1f}",
        None if point.read_p99_ns is None else number.latency(point.read_p99_ns),
        None if point.late_share is None else f"{point.late_share:.1%}",
        None if point.busy is None else f"{point.busy:.0%}",
        None if point.processors is None else f"{point.processors:.0%}",
        "" if point.unjudged is None else UNJUDGED[point.unjudged],
    )
    return grid.Row(cells, style="" if point.unjudged is None else "red")


def _row(row: LiveRow) -> grid.Row:
    remarks = [*([] if row.within else ["off"]), *([] if row.judged else ["not judged"])]
    ours = rounded(row.ours)
    if row.low is not None and row.high is not None:
        ours += f" ({rounded(row.low)} to {rounded(row.high)})"
    return figure(row, ours, ", ".join(remarks))
