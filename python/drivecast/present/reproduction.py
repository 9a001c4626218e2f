"""A reproduction as text: experiment by experiment, published next to ours."""

from rich.text import Text

from drivecast.document.reproduction import Ordering, Reproduction, Row

WIDTH = 58
"""Of the column of quantities, in characters."""


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
    page = Text()
    for experiment in found.experiments:
        page.append(f"{experiment.title}\n", style="bold")
        for condition in experiment.conditions:
            page.append(f"  assumed: {condition}\n", style="dim")
        rows = [row for row in found.rows if row.experiment == experiment.name]
        if rows:
            page.append(f"  {'':<{WIDTH}} {'published':>10} {'ours':>10}        {'ratio':>5}\n", style="dim")
        for row in rows:
            _row(page, row)
        for ordering in found.orderings:
            if ordering.experiment == experiment.name:
                _ordering(page, ordering)
        page.append("\n")
    page.append(verdict(found))
    return page


def _row(page: Text, row: Row) -> None:
    page.append(
        f"  {row.quantity:<{WIDTH}} {_number(row.published):>10} {_number(row.ours):>10} {row.unit:<7}"
    )
    page.append(f"{row.ratio:>5.2f}", style="" if row.within else "red")
    page.append("" if row.within else "  off", style="red")
    page.append("  given: not counted\n" if row.kind == "given" else "\n", style="dim")
    if row.why:
        page.append(f"      {row.why}\n", style="dim")


def _ordering(page: Text, ordering: Ordering) -> None:
    mark, style = ("right", "green") if ordering.right else ("WRONG", "red")
    page.append(f"  {mark} ", style=style)
    page.append(f"{ordering.statement}: {ordering.ours}\n")


def _number(value: float) -> str:
    """Three digits, or whole from a hundred up."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
