"""The look of every figure: palette, theme, axes, and the way from a chart to SVG or PNG.

Reads are dark blue and writes light orange everywhere: apart for colour-blind readers (after Okabe and
Ito) and, by lightness, in grey print. A chart carries no theme of its own; `spec` puts it on, so that a
page, a test and a notebook see the same.
"""

import contextlib
import itertools
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from drivecast.errors import HintedError
from drivecast.files import write_whole
from drivecast.present import typeface

INK = "#1d2733"
MUTED = "#5c6773"
FAINT = "#d9dee3"
READ = "#1b4f83"
WRITE = "#e39a1f"
LIMIT = "#a3262a"
PEAK = "#efe9da"
GREY = "#9aa4ae"

ADDRESSES_BYTES = 80_000_000_000
"""Of the engine of JavaScript in `vl_convert` 1; most of it is never used."""
WIDTH = 860
"""Width of a figure across the page, in px at 96 to the inch."""

LINES = ["#1b4f83", "#e39a1f", "#4a9bc9", "#7a2f55", "#5f7f3a", "#6b7480"]
DASHES = [[1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [4, 2], [12, 4]]
"""One colour and one dash a design, so that lines stay apart in grey."""

OPS = alt.Scale(domain=["read", "write"], range=[READ, WRITE])

TEXT = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
CONFIG: dict[str, Any] = {
    "font": typeface.FAMILY,
    "background": "white",
    "view": {"stroke": None},
    "aria": False,
    "axis": {
        "labelColor": MUTED,
        "titleColor": INK,
        "gridColor": "#eceff2",
        "domainColor": GREY,
        "tickColor": GREY,
        **TEXT,
        "tickSize": 4,
        "labelPadding": 4,
        "titlePadding": 8,
    },
    "axisX": {"grid": False},
    "axisY": {
        "domain": False,
        "ticks": False,
        "minExtent": 44,
        "titleAnchor": "end",
        "titleAlign": "left",
        "titleAngle": 0,
        "titleX": -44,
        "titleY": -10,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": MUTED,
        **TEXT,
        "orient": "top",
        "layout": {"top": {"anchor": "end"}},
        "direction": "horizontal",
        "symbolType": "square",
        "symbolStrokeWidth": 2,
        "labelLimit": 420,
    },
    "text": {"fontSize": 12, "color": INK},
    "rule": {"color": MUTED},
}


def log_values(low: float, high: float) -> list[float]:
    """Ticks for a logarithmic axis: 1, 2, 5 in each decade over up to three decades, else the decades."""
    steps = (1, 2, 5) if high / low <= 1000 else (1,)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [float(f"{step}e{decade}") for decade, step in itertools.product(decades, steps)]
    return [value for value in values if low * 0.999 <= value <= high * 1.001]


def log_domain(values: list[float], room: float = 1.3) -> tuple[float, float]:
    """Return a logarithmic domain around values, `room` times wider at each end."""
    positive = [value for value in values if value > 0]
    return (min(positive) / room, max(positive) * room) if positive else (0.1, 10.0)


def layered(layers: Sequence[alt.Chart], height: int, width: int = WIDTH) -> alt.LayerChart:
    """Lay charts over each other at an outer size, labels included, so that figures line up on the page."""
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    return alt.LayerChart(layer=list(layers)).properties(width=width, height=height, autosize=fit, padding=2)


def spec(chart: alt.TopLevelMixin) -> dict[str, Any]:
    """Return the Vega-Lite document of a chart, with the theme."""
    with (
        alt.data_transformers.disable_max_rows()
    ):  # the limit guards notebooks; a page embeds the drawing, not the rows
        document: dict[str, Any] = chart.to_dict(validate=False)  # what draws it does that, too
    document["config"] = CONFIG
    return document


def _vega_lite() -> str:
    return ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def _too_few_addresses() -> str | None:
    """Why the engine that draws would end the process, with its stack for a message; none where it would not."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 (Windows has none)

        most, may = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY and may == resource.RLIM_INFINITY:
            resource.setrlimit(resource.RLIMIT_AS, (may, may))
        elif most != resource.RLIM_INFINITY and most < ADDRESSES_BYTES:
            return (
                f"figures cannot be drawn: this process may have {most / 1e9:,.1f} GB of addresses (`ulimit -v`), and "
                f"what draws reserves up to {ADDRESSES_BYTES / 1e9:.0f} GB of them, though it uses few"
            )
    return None


def to_svg(chart: alt.TopLevelMixin) -> str:
    """Draw a chart as an SVG element that fills the width it is given, up to its own; where it cannot, why."""
    if (reason := _too_few_addresses()) is not None:
        why, _, more = reason.partition(": ")
        lines = f'<text x="8" y="20">{why}:</text><text x="8" y="40">{more}</text>'
        return f'<svg viewBox="0 0 {2 * WIDTH} 48" style="max-width:{2 * WIDTH}px">{lines}</svg>'
    svg: str = vl_convert.vegalite_to_svg(spec(chart), vl_version=_vega_lite())
    sized = r'(<svg[^>]*?) width="([\d.]+)" height="[\d.]+"'
    return re.sub(sized, r'\1 style="max-width:\2px"', svg, count=1)


def save_svg(chart: alt.TopLevelMixin, path: Path) -> None:
    """Draw a chart to an SVG file that carries its typeface."""
    write_whole(path, typeface.embedded(to_svg(chart)) + "\n")


def to_png(chart: alt.TopLevelMixin, path: Path, scale: float = 2.0) -> None:
    """Draw a chart to a PNG file, `scale` times 96 px to the inch."""
    if (reason := _too_few_addresses()) is not None:
        raise HintedError(reason, "`ulimit -v unlimited`; to limit memory itself, use a control group")
    write_whole(path, vl_convert.vegalite_to_png(spec(chart), vl_version=_vega_lite(), scale=scale))
