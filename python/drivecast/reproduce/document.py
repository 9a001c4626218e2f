"""A report as JSON and as text."""

from dataclasses import asdict
from typing import Any

from rich.text import Text

from drivecast import __version__
from drivecast.reproduce.experiment import published
from drivecast.reproduce.result import SHARE_REQUIRED, WITHIN, Ordering, Row, passed, share_within, table
from drivecast.reproduce.run import Report

WIDTH = 58
"""Of the column of quantities, in characters."""


def json(report: Report) -> dict[str, Any]:
    """The document that `--output-format json` prints."""
    documents = published()["documents"]
    return {
        "schema_version": 1,
        "version": __version__,
        "seed": report.seed,
        "experiments": [
            {
                "name": one.name,
                "title": one.title,
                "documents": [documents[name] for name in one.documents],
                "conditions": list(one.conditions),
            }
            for one in report.experiments
        ],
        "rows": table(report.rows).to_dicts(),
        "orderings": [asdict(ordering) for ordering in report.orderings],
        "within_required": WITHIN,
        "share_required": SHARE_REQUIRED,
        "share_within_simulated": share_within(report.rows, "simulated"),
        "share_within_computed": share_within(report.rows, "computed"),
        "orderings_right": sum(ordering.right for ordering in report.orderings),
        "passed": passed(report.rows, report.orderings),
    }


def verdict(report: Report) -> str:
    """One line: how many figures and orderings came out."""
    parts = []
    for kind in ("simulated", "computed"):
        rows = [row for row in report.rows if row.kind == kind]
        if rows:
            good = sum(row.within for row in rows)
            parts.append(f"{good} of {len(rows)} {kind} figures within {WITHIN:.0%}")
    if report.orderings:
        right = sum(ordering.right for ordering in report.orderings)
        parts.append(f"{right} of {len(report.orderings)} orderings right")
    return ", ".join(parts)


def text(report: Report) -> Text:
    """Tables by experiment: published, ours, ratio; beneath a ratio that is off, why."""
    page = Text()
    for one in report.experiments:
        page.append(f"{one.title}\n", style="bold")
        for condition in one.conditions:
            page.append(f"  assumed: {condition}\n", style="dim")
        rows = [row for row in report.rows if row.experiment == one.name]
        if rows:
            page.append(f"  {'':<{WIDTH}} {'published':>10} {'ours':>10}        {'ratio':>5}\n", style="dim")
        for row in rows:
            _row(page, row)
        for ordering in (ordering for ordering in report.orderings if ordering.experiment == one.name):
            _ordering(page, ordering)
        page.append("\n")
    page.append(verdict(report))
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
