"""A reproduction as text: experiment by experiment, published next to ours."""

from collections.abc import Iterator

from rich.text import Text

from drivecast.document.reproduction import Described, Ordering, Reproduction, Row
from drivecast.present import grid

HEADS = ("<", "published", "ours", "<", "ratio", "<")


def verdict(found: Reproduction) -> str:
    """One line: how many figures and orderings came out."""
    parts = []
    for kind in ("simulated", "computed"):
        within = [row.within for row in found.rows if row.kind == kind]
        if within:
            parts.append(f"{sum(within)} of {len(within)} {kind} figures within {found.within_required:.0%}")
    if found.orderings:
        parts.append(f"{found.orderings_right} of {len(found.orderings)} orderings right")
    return ", ".join(parts)


def text(found: Reproduction) -> Text:
    """Tables by experiment: published, ours, ratio; below a ratio that is off, why."""
    sections = [line for experiment in found.experiments for line in _section(found, experiment)]
    return grid.page([*sections, verdict(found)])


def _section(found: Reproduction, experiment: Described) -> Iterator[str | Text]:
    yield from head(experiment)
    if rows := [row for row in found.rows if row.experiment == experiment.name]:
        yield from grid.table(HEADS, map(_row, rows), indent=2)
    yield from (statement(each) for each in found.orderings if each.experiment == experiment.name)
    yield ""


def _row(row: Row) -> grid.Row:
    remarks = [*([] if row.within else ["off"]), *(["given: not counted"] if row.kind == "given" else [])]
    return figure(row, rounded(row.ours), "; ".join(remarks))


def head(experiment: Described) -> Iterator[Text]:
    """The title, and what was assumed."""
    yield Text(experiment.title, style="bold")
    for condition in experiment.conditions:
        yield Text(f"  assumed: {condition}", style="dim")


def figure(row: Row, ours: str, remarks: str) -> grid.Row:
    """A published figure next to ours; below one that is off, why."""
    style = "" if row.within else "red"
    cells = (
        row.quantity,
        rounded(row.published),
        ours,
        row.unit,
        Text(f"{row.ratio:.2f}", style=style),
        Text(remarks, style=style),
    )
    return grid.Row(cells, notes=[Text(f"      {row.why}", style="dim")] if row.why else [])


def statement(ordering: Ordering, *, judged: bool = True) -> Text:
    """Whether ours agrees, and the figures it was judged by."""
    mark, style = ("right", "green") if ordering.right else ("WRONG", "red")
    if not judged:
        mark, style = "open ", "dim"
    return Text(f"  {mark} ", style=style).append(f"{ordering.statement}: {ordering.ours}", style="default")


def rounded(value: float) -> str:
    """Three digits, or whole from a hundred up."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
