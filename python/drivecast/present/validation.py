"""A validation as a table and as figures: one a comparison, the trace dark blue and its model light orange."""

import re
from pathlib import Path

import altair as alt

from drivecast.document.validation import Comparison, Validation
from drivecast.present import grid, style, table
from drivecast.present.figure import channel
from drivecast.quantity import number

OF = ["trace", "model"]
LIMIT = 0.15
OTHER_HALF = "other half"


def lines(found: Validation) -> list[grid.Line]:
    """The comparisons as a table, and the verdict."""
    rows = [
        (
            "-" if not part.judged else "ok" if part.passes else "FAR",
            part.name,
            None if part.distance is None else f"{part.distance:.3f}",
            f"{part.limit:.2f}",
            "" if part.trace is None else number.significant(part.trace, 4),
            "" if part.model is None else number.significant(part.model, 4),
        )
        for part in found.parts
    ]
    halves = [part.distance for part in found.parts if part.group == OTHER_HALF and part.distance is not None]
    promised = [f"of another day, by the other half: p50 and p99 within {max(halves):.0%}"] if halves else []
    changed = [f"changed: {text}" for text in found.changes]
    verdict = f"score {found.score:.2f} of 1: the model is {'valid' if found.valid else 'not valid'}"
    return [
        *grid.table(("<", "<", "distance", "limit", "trace", "model"), rows),
        *promised,
        *changed,
        verdict,
    ]


def charts(found: Validation) -> list[tuple[str, alt.LayerChart]]:
    """File name and chart of each part that has one; all figures of outcomes share one."""
    drawn = [
        (re.sub(r"[^a-z0-9]+", "-", part.name.lower()), _curve(part)) for part in found.parts if part.curve
    ]
    ratios = [part for part in found.parts if part.trace is not None]
    return [*drawn, ("outcomes", _ratios(ratios))] if ratios else drawn


def write(found: Validation, folder: Path) -> list[Path]:
    """The figures as SVG in a folder."""
    paths = []
    for name, chart in charts(found):
        path = folder / f"{name}.svg"
        style.save_svg(chart, path)
        paths.append(path)
    return paths


def _curve(part: Comparison) -> alt.LayerChart:
    over_time = part.group == "over time"
    rows = []
    for of, values in part.curve.items():
        last = max(1, len(values) - 1)
        rows += [
            (of, place, value) if over_time else (of, place / last, max(value, 1.0))
            for place, value in enumerate(values)
        ]
    if over_time:
        x = alt.X("at:Q", title="sixtieth of the time")
        y = alt.Y("value:Q", title=part.name, axis=alt.Axis(format="~s", tickCount=4))
    else:
        scale, look = alt.Scale(type="log"), alt.Axis(format="~s", tickCount=8)
        x = alt.X("value:Q", title=f"{part.name} ({part.unit})", scale=scale, axis=look)
        y = alt.Y("at:Q", title="share no larger", axis=alt.Axis(format="%", tickCount=4))
    chart = alt.Chart(table.of(rows, of=str, at=float, value=float)).mark_line(
        strokeWidth=2, interpolate="step-after" if over_time else "linear"
    )
    sides = channel.colours("of", OF, [style.READ, style.WRITE]), channel.dashes("of", OF, [[1, 0], [6, 3]])
    return style.layered([chart.encode(x, y, *sides)], 240)


def _ratios(parts: list[Comparison]) -> alt.LayerChart:
    known = [(part.name, part.model or 0.0, part.trace) for part in parts if part.trace]
    rows = [(name, min(max(model / trace, 0.02), 50.0)) for name, model, trace in known]
    names = [name for name, _ratio in rows]
    scale = alt.Scale(type="log")
    band = alt.Chart(table.of([(1 - LIMIT, 1 + LIMIT)], low=float, high=float)).mark_rect(color=style.PEAK)
    x = alt.X("low:Q", scale=scale, title="model / trace; the band is ± 15 %")
    points = alt.Chart(table.of(rows, name=str, ratio=float)).mark_point(
        filled=True, size=70, opacity=1, color=style.READ
    )
    drawn = points.encode(
        alt.X("ratio:Q", scale=scale, axis=alt.Axis(format="~g", grid=True)),
        alt.Y("name:N", title=None, sort=names, axis=alt.Axis(labelLimit=260, minExtent=0)),
    )
    return style.layered([band.encode(x, alt.X2("high:Q")), drawn], 60 + 20 * len(names))
