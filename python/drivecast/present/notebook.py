"""How documents look in a notebook: a small table, and one figure drawn as SVG.

A figure is a chart of the pages. What a notebook stores grows with each cell, so a figure that would be larger than
`SVG_MAX` is left to `document.plot`, and tables have `ROWS_MAX` rows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import altair as alt
from rich.text import Text

from drivecast.document.comparison import Comparison
from drivecast.document.outcome import QUANTILES, Depths, Outcome
from drivecast.document.part import Document
from drivecast.document.plan import Plan
from drivecast.document.profile import Profile
from drivecast.document.versus import Versus
from drivecast.document.wear import Wear
from drivecast.present import answer, drawing, key_figures, simulated, style, table
from drivecast.present.drawing import Figure
from drivecast.present.figure import design_comparison
from drivecast.quantity import number

ROWS_MAX = 10
SVG_MAX = 48_000
"""Characters of a figure that is stored in a notebook."""
SHOWN = ("q0.5", "q0.9", "q0.99", "q0.999", "max")
"""Quantiles of a run's table."""


@dataclass(frozen=True)
class Figures:
    """Figures by name, as methods: `run.plot.latency()`."""

    drawn: tuple[Figure, ...]

    def __getattr__(self, name: str) -> Callable[[], alt.TopLevelMixin]:
        found = {figure.name.replace("-", "_"): figure.chart for figure in self.drawn}
        if name not in found:
            raise AttributeError(f"no figure `{name}`: there are {', '.join(sorted(found)) or 'none'}")
        return lambda: found[name]

    def __dir__(self) -> list[str]:
        return sorted(figure.name.replace("-", "_") for figure in self.drawn)

    def _repr_html_(self) -> str:
        return f"<p>{', '.join(f'<code>.{name}()</code>' for name in dir(self))}</p>"


class OfOutcome:
    """A run: rate, latencies, and the shares of requests that take longer."""

    def html(self, document: Outcome) -> str:
        """A row a kind of request."""
        rows = [
            (op, number.iops(stream.iops), *(number.latency(document.latency(op, name)) for name in SHOWN))
            for op in ("read", "write", "flush")
            if (stream := document.stream(op)).requests
        ]
        names = ["", "IOPS", *(f"p{100 * QUANTILES[name]:g}" for name in SHOWN[:-1]), "max"]
        note = simulated.SATURATED if document.saturated else ""
        return page(document.design, (names, rows), note, self._figures(document))

    def plot(self, document: Outcome) -> Figures:
        """`latency`, and `latency_over_time` where seconds were kept."""
        return Figures(tuple(self._figures(document)))

    def _figures(self, document: Outcome) -> list[Figure]:
        curves = {
            op: table.of(
                ((table_label(document.design), *point) for point in table.curve(document, op)),
                label=str,
                latency_ms=float,
                share=float,
            )
            for op in ("read", "write")
        }
        found = []
        if any(curve.height for curve in curves.values()):
            found.append(Figure("latency", design_comparison.latency(curves, {"read": None, "write": None})))
        if document.seconds and (seconds := table.seconds(document.seconds)).height > 1:
            found.append(Figure("latency-over-time", design_comparison.latency_over_time(seconds)))
        return found


class OfProfile:
    """A profile: its key figures, and the load over time."""

    def html(self, document: Profile) -> str:
        """A row a key figure."""
        rows = [(row.name, row.figure) for row in key_figures.rows(document)][:ROWS_MAX]
        return page(key_figures.peak(document), (["", ""], rows), "", drawing.of_workload(document)[:1])

    def plot(self, document: Profile) -> Figures:
        """Those of the page of a profile."""
        return Figures((*drawing.of_workload(document), *drawing.of_detail(document)))


class OfPlan:
    """A plan: the answer in a sentence, the best designs, cost against latency."""

    def html(self, document: Plan) -> str:
        """A row a design."""
        designs = (document.ranked() or document.near())[:ROWS_MAX]
        rows = [
            (
                number.ABSENT if design.rank is None else f"{design.rank}",
                design.title,
                number.money(design.cost.total, design.cost.currency) if design.cost else number.ABSENT,
                number.latency(design.read_p99_ns.value if design.read_p99_ns else None),
                number.latency(design.write_p99_ns.value if design.write_p99_ns else None),
                number.headroom(design.headroom, design.carries),
            )
            for design in designs
        ]
        names = ["rank", "design", "cost", "p99 read", "p99 write", "headroom"]
        figure = drawing.cost_against_latency(document)
        return page(answer.sentence(document), (names, rows), "", [figure] if figure else [])

    def plot(self, document: Plan) -> Figures:
        """Those of the report."""
        figure = drawing.cost_against_latency(document)
        return Figures((*([figure] if figure else ()), *drawing.of_designs(document)))


class OfRows:
    """Whatever is a table: its first rows and columns."""

    def __init__(self, *columns: str) -> None:
        self.columns = columns

    def html(self, document: Document) -> str:
        """A row a row."""
        rows = document.to_rows()
        columns = [name for name in self.columns if rows and name in rows[0]]
        shown = [tuple(_text(row.get(name)) for name in columns) for row in rows[:ROWS_MAX]]
        more = len(rows) - len(shown)
        note = f"{more} more: `.to_polars()` has all" if more > 0 else ""
        return page(type(document).__name__, (columns, shown), note, [])

    def plot(self, document: Document) -> Figures:
        """None."""
        raise AttributeError(f"a {type(document).__name__} has no figures: `.to_polars()` gives its table")


def table_label(design: str) -> str:
    """What a curve is called."""
    return design if len(design) <= table.LABEL_MAX else f"{design[: table.LABEL_MAX - 1]}…"


def page(
    title: str | Text, rows: tuple[Sequence[str], Sequence[Sequence[str]]], note: str, drawn: Sequence[Figure]
) -> str:
    """A title, a table and the first figure that is small enough, as HTML."""
    names, cells = rows
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in cells)
    svgs = (style.to_svg(figure.chart) for figure in drawn)
    figure = next((svg for svg in svgs if len(svg) <= SVG_MAX), "")
    said = f"<p><em>{escape(note)}</em></p>" if note else ""
    return (
        f"<div><p>{escape(str(title))}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"{said}{figure}</div>"
    )


def _text(value: Any) -> str:
    if value is None:
        return number.ABSENT
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def register() -> None:
    """Have documents look like this."""
    run = ("iodepth", "outcome.iops", "outcome.read.latency_ns.q0.99", "outcome.write.latency_ns.q0.99")
    Document.views.update(
        {
            Outcome: OfOutcome(),
            Profile: OfProfile(),
            Plan: OfPlan(),
            Depths: OfRows(*run),
            Versus: OfRows("design", "condition", "at", "iops", "read_p99_ns.value", "write_p99_ns.value"),
            Wear: OfRows("design", "write_amplification", "life_years_media", "life_years_warranty"),
            Comparison: OfRows("point", "workload", "name", "predicted", "measured", "ratio"),
        }
    )
