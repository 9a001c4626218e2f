"""A validation as a table and as figures: one a comparison, the trace dark blue and its model light orange."""

import re
from pathlib import Path

import altair as alt
import polars as pl

from drivecast.document.validation import Comparison, Validation
from drivecast.files import write_whole
from drivecast.present import grid, style
from drivecast.quantity import number

OF = alt.Scale(domain=["trace", "model"], range=[style.READ, style.WRITE])
DASH = alt.Scale(domain=["trace", "model"], range=[[1, 0], [6, 3]])
HEIGHT = 240
LIMIT = 0.15


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
    verdict = f"score {found.score:.2f} of 1: the model is {'valid' if found.valid else 'not valid'}"
    return [*grid.table(("<", "<", "distance", "limit", "trace", "model"), rows), verdict]


def charts(found: Validation) -> list[tuple[str, alt.LayerChart]]:
    """File name and chart of each part that has one; all figures of outcomes share one."""
    drawn = [(_slug(part.name), _curve(part)) for part in found.parts if part.curve]
    ratios = [part for part in found.parts if part.trace is not None]
    return [*drawn, ("outcomes", _ratios(ratios))] if ratios else drawn


def write(found: Validation, folder: Path) -> list[Path]:
    """The figures as SVG in a folder."""
    paths = []
    for name, chart in charts(found):
        path = folder / f"{name}.svg"
        write_whole(path, style.to_svg(chart) + "\n")
        paths.append(path)
    return paths


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def _curve(part: Comparison) -> alt.LayerChart:
    over_time = part.group == "over time"
    rows = []
    for of, values in part.curve.items():
        last = max(1, len(values) - 1)
        rows += [
            {"of": of, "at": place, "value": value}
            if over_time
            else {"of": of, "at": place / last, "value": max(value, 1.0)}
            for place, value in enumerate(values)
        ]
    table = pl.DataFrame(rows)
    colour = alt.Color("of:N", title=None, scale=OF)
    dash = alt.StrokeDash("of:N", title=None, scale=DASH)
    chart = alt.Chart(table).mark_line(strokeWidth=2, interpolate="step-after" if over_time else "linear")
    if over_time:
        drawn = chart.encode(
            alt.X("at:Q", title="sixtieth of the time"),
            alt.Y("value:Q", title=part.name, axis=alt.Axis(format="~s", tickCount=4)),
            colour,
            dash,
        )
    else:
        drawn = chart.encode(
            alt.X("value:Q", title=f"{part.name} ({part.unit})", scale=alt.Scale(type="log"), axis=_LOG),
            alt.Y("at:Q", title="share no larger", axis=alt.Axis(format="%", tickCount=4)),
            colour,
            dash,
        )
    return style.layered([drawn], HEIGHT)


_LOG = alt.Axis(format="~s", tickCount=8)


def _ratios(parts: list[Comparison]) -> alt.LayerChart:
    rows = [
        {
            "name": part.name,
            "ratio": min(max((part.model or 0.0) / part.trace, 0.02), 50.0),
            "judged": part.judged,
        }
        for part in parts
        if part.trace
    ]
    names = [part.name for part in parts if part.trace]
    band = pl.DataFrame({"from": [1 - LIMIT], "to": [1 + LIMIT]})
    scale = alt.Scale(type="log")
    within = (
        alt.Chart(band)
        .mark_rect(color=style.PEAK)
        .encode(alt.X("from:Q", scale=scale, title="model / trace; the band is ± 15 %"), alt.X2("to:Q"))
    )
    points = (
        alt.Chart(pl.DataFrame(rows))
        .mark_point(filled=True, size=70, opacity=1, color=style.READ)
        .encode(
            alt.X("ratio:Q", scale=scale, axis=alt.Axis(format="~g", grid=True)),
            alt.Y("name:N", title=None, sort=names, axis=alt.Axis(labelLimit=260, minExtent=0)),
        )
    )
    return style.layered([within, points], 60 + 20 * len(names))
