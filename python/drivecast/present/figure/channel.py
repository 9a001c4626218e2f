"""What figures have alike: axes, colours of lines, bars and rules with their names, time with its peak."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.quantity.number import significant

Axis = TypeVar("Axis", alt.X, alt.Y)
Look = dict[str, Any]
Peak = tuple[float, float] | None
"""Start and length of the peak window in seconds."""

OP = alt.Color("op:N", title=None, scale=style.OPS)
STROKE: Look = {"symbolType": "stroke", "symbolSize": 300}
"""The legend of lines."""
PERCENT = "format(datum.value * 100, '~g')"
"""Labels of shares, below a title that has the sign."""
SHADES = ["#dbe6ef", "#aecbe0", "#7aa9cc", "#4783b0", "#1b5688", "#082b4f"]


def ordered(rows: pl.DataFrame, column: str, by: str | None = None) -> list[str]:
    """Return each text of a column once, in the order of the rows or of another column."""
    return (rows.sort(by) if by else rows)[column].unique(maintain_order=True).to_list()


def largest(column: pl.Series) -> float:
    """Return the largest of a column, 1 where there is none."""
    return float(column.max() or 1.0)  # type: ignore[arg-type]


def worded(rows: pl.DataFrame, column: str, wording: Callable[[Any], str]) -> pl.DataFrame:
    """Return rows with the `text` of a column."""
    texts = [wording(value) for value in rows[column]]
    return rows.with_columns(pl.Series("text", texts, dtype=pl.String))


def log(axis: type[Axis], field: str, title: str | None, domain: tuple[float, float], **look: Any) -> Axis:
    """Return a logarithmic axis with ticks at round values."""
    ticks: Look = {"values": style.log_values(*domain), "format": "~g", "labelOverlap": True} | look
    scale = alt.Scale(type="log", domain=domain, nice=False)
    return axis(f"{field}:Q", title=title, scale=scale, axis=alt.Axis(**ticks))


def times(field: str, title: str, domain: tuple[float, float], **look: Any) -> alt.X:
    """Return a logarithmic axis of multiples."""
    return log(alt.X, field, title, domain, labelExpr="datum.label + '×'", labelOverlap="greedy", **look)


def unity(field: str) -> alt.Chart:
    """Return the rule at 1×."""
    row = pl.DataFrame({field: [1.0]})
    made: alt.Chart = alt.Chart(row).mark_rule(color=style.INK).encode(alt.X(f"{field}:Q"))
    return made


def rate(
    axis: type[Axis], field: str, title: str, top: float | None = None, ticks: int = 4, **more: Any
) -> Axis:
    """Return an axis of counts or rates, from 0 to `top` where it is given."""
    scale = alt.Undefined if top is None else alt.Scale(domain=[0, top], nice=False)
    look = alt.Axis(format=",.10~g", tickCount=ticks)
    return axis(f"{field}:Q", title=title, scale=scale, axis=look, **more)


def share(title: str, domain: Sequence[float] | None = None, field: str = "share", **look: Any) -> alt.Y:
    """Return an axis of shares in percent."""
    scale = alt.Undefined if domain is None else alt.Scale(domain=list(domain))
    return alt.Y(f"{field}:Q", title=title, scale=scale, axis=alt.Axis(labelExpr=PERCENT, **look))


def classes(field: str, title: str | None, order: Sequence[Any] | None = None, **look: Any) -> alt.X:
    """Return an axis of classes, in an order of their own."""
    sort = alt.Undefined if order is None else list(order)
    return alt.X(field, title=title, sort=sort, axis=alt.Axis(**{"labelAngle": 0, **look}))


def named(field: str, order: Sequence[str]) -> alt.Y:
    """Return an axis with a long name a row, such as a design's."""
    look = alt.Axis(labelLimit=330, labelColor=style.INK, minExtent=0)
    return alt.Y(f"{field}:N", title=None, sort=list(order), axis=look)


def colours(
    field: str, names: Sequence[str], shades: Sequence[str] = style.LINES, least: int = 2, **legend: Any
) -> alt.Color:
    """Return a colour a name, with a legend from `least` names on."""
    scale = alt.Scale(domain=list(names), range=list(shades))
    known = alt.Legend(**legend) if len(names) >= least else None
    return alt.Color(f"{field}:N", title=None, scale=scale, legend=known)


def dashes(
    field: str,
    names: Sequence[str],
    strokes: Sequence[Sequence[int]] = style.DASHES,
    least: int = 2,
    **legend: Any,
) -> alt.StrokeDash:
    """Return a dash a name, so that lines stay apart in grey; it has the legend of the colours, or none."""
    scale = alt.Scale(domain=list(names), range=list(strokes))
    known = alt.Legend(**legend) if legend and len(names) >= least else None
    return alt.StrokeDash(f"{field}:N", title=None, scale=scale, legend=known)


def bars(
    rows: pl.DataFrame, axes: Sequence[Any], colour: Any, least: float = 0.0, size: float = 10
) -> list[alt.Chart]:
    """Return bars with their `text` above; shares below `least` have none."""
    base = alt.Chart(rows).encode(*axes)
    known = base.transform_filter(f"datum.share >= {least}").encode(alt.Text("text:N"))
    return [
        base.mark_bar().encode(color=colour),
        known.mark_text(dy=-6, fontSize=size, color=style.MUTED),
    ]


def cells(
    rows: pl.DataFrame,
    axes: Sequence[Any],
    measure: str,
    domain: tuple[float, float],
    size: float,
    legend: alt.Legend | None,
    **edge: Any,
) -> list[alt.Chart]:
    """Return cells in shades of equal ratio, the figure in each."""
    base = alt.Chart(worded(rows, measure, lambda value: significant(value, 2))).encode(*axes)
    scale = alt.Scale(type="log", domain=domain, range=SHADES)
    # The middle of the shades, by ratio: text is light on dark cells.
    dark = f"datum.{measure} > {(domain[0] * domain[1]) ** 0.5}"
    ink = alt.condition(dark, alt.value("white"), alt.value(style.INK))
    return [
        base.mark_rect(**edge).encode(alt.Color(f"{measure}:Q", scale=scale, legend=legend)),
        base.mark_text(fontSize=size).encode(alt.Text("text:N"), color=ink),
    ]


def rule(
    axis: type[alt.X] | type[alt.Y],
    field: str,
    value: float | None,
    name: str,
    *,
    color: str = style.LIMIT,
    dash: Sequence[int] = (5, 3),
    y: int = -3,
    **text: Any,
) -> list[alt.Chart]:
    """Return a rule across the figure at a value, with its name at the end; nothing without a value.

    `name` has a place for the value, such as `needed: {:g} y`.
    """
    if value is None:
        return []
    row = pl.DataFrame([{field: value, "name": name.format(value)}])
    base = alt.Chart(row).encode(axis(f"{field}:Q"))
    place = {"y": alt.value(y)} if axis is alt.X else {"x": alt.value("width")}
    return [
        base.mark_rule(color=color, strokeDash=list(dash)),
        base.mark_text(color=color, **text).encode(alt.Text("name:N"), **place),
    ]


def limit(field: str, limit_ms: float | None, name: str) -> list[alt.Chart]:
    """Return the line of a limit on latency, where latency is drawn upright."""
    look: Look = {"align": "right", "baseline": "bottom", "dy": -2, "fontSize": 11.5}
    return rule(alt.Y, field, limit_ms, f"{name} {{:g}} ms", **look)


def needed(field: str, value: float | None, name: str) -> list[alt.Chart]:
    """Return the line of what is required, upright."""
    return rule(alt.X, field, value, name, align="center", baseline="bottom", fontSize=11.5)


def level(field: str, value: float | None, name: str) -> list[alt.Chart]:
    """Return the line of a value to compare with, where the others are drawn upright."""
    look: Look = {"color": style.MUTED, "dash": (4, 3), "align": "right", "dx": -4, "dy": -6}
    return rule(alt.Y, field, value, name, **look)


def sized(chart: alt.Chart, width: int, height: int) -> alt.Chart:
    """Return a chart of an inner size, to which axes and titles are added."""
    made: alt.Chart = chart.properties(width=width, height=height)
    return made


def stacked(layers: Sequence[alt.Chart], width: int, height: int) -> alt.LayerChart:
    """Lay charts over each other at an inner size, to which axes and titles are added."""
    made: alt.LayerChart = alt.LayerChart(layer=list(layers)).properties(width=width, height=height)
    return made


@dataclass(frozen=True)
class Timeline:
    """Time from the start to an end, in the unit that suits its length."""

    end_s: float

    @property
    def unit(self) -> tuple[str, float]:
        """The unit and its seconds."""
        if self.end_s <= 900:
            return "s", 1.0
        return ("min", 60.0) if self.end_s <= 3 * 3600 else ("h", 3600.0)

    def axis(self, title: str = "time") -> alt.X:
        """Return the axis of a field `start`."""
        name, unit_s = self.unit
        scale = alt.Scale(domain=[0, self.end_s / unit_s], nice=False)
        return alt.X("start:Q", title=f"{title} ({name})", scale=scale)

    def of(self, column: str, name: str = "start") -> pl.Expr:
        """Return a column of seconds in the unit."""
        return (pl.col(column) / self.unit[1]).alias(name)

    def over_peak(self, chart: alt.Chart, peak: Peak, height: int) -> alt.LayerChart:
        """Lay a chart over the shaded peak window, and the window's name over both."""
        if peak is None:
            return style.layered([chart], height)
        start, length = peak
        unit_s = self.unit[1]
        row = {"start": start / unit_s, "end": (start + length) / unit_s, "name": f"peak {length:g} s"}
        base = alt.Chart(pl.DataFrame([row])).encode(alt.X("start:Q"))
        band = base.mark_rect(color=style.PEAK).encode(alt.X2("end:Q"))
        name = base.mark_text(align="left", baseline="top", dx=5, color=style.MUTED)
        return style.layered([band, chart, name.encode(alt.Text("name:N"), y=alt.value(2))], height)
