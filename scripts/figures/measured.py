"""Writes the figure of `drivecast reproduce measured`: `docs/images/measured.svg`, predicted over measured.

Runs every table in the folder of measured drives (`DRIVECAST_CORPUS`), or reads what a run has written with
`-o FILE --output-format json`, given as an argument.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from drivecast.present import style

OUT = Path(__file__).parents[2] / "docs" / "images" / "measured.svg"
PROGRAM = Path(sys.executable).parent / "drivecast"
PANEL = 250
PANELS = {"µs": "latency, µs", "1/s": "requests a second"}
KNOWN = ["fitted", "judged", "from the sheet, left out"]
FACTOR = 2.0
"""The band around the line of equality."""


def found() -> dict[str, Any]:
    """The document of a run."""
    if len(sys.argv) > 1:
        return dict(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    if "DRIVECAST_CORPUS" not in os.environ:
        raise SystemExit("set DRIVECAST_CORPUS to the folder that holds `measured/`, or give a run's JSON")
    command = [str(PROGRAM), "reproduce", "measured", "--output-format", "json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return dict(json.loads(run.stdout))


def rows(document: dict[str, Any]) -> pl.DataFrame:
    """One row a figure: what was measured, ours, its panel, and how it is known."""
    return pl.DataFrame(
        [
            {
                "measured": figure["measured"],
                "predicted": figure["predicted"],
                "unit": unit,
                "known": _known(figure),
            }
            for figure in document["figures"]
            if (unit := _unit(figure["quantity"])) and min(figure["measured"], figure["predicted"]) > 0
        ]
    )


def _known(figure: dict[str, Any]) -> str:
    """How the figure relates to the fit."""
    if figure["fitted"]:
        return KNOWN[0]
    left_out = figure["source"].startswith("nvme-latency") and not figure["calibrated"]
    return KNOWN[2] if left_out else KNOWN[1]


def _unit(quantity: str) -> str | None:
    """The panel of a quantity; none for shares, and for rates at which the host was the limit."""
    if "host" in quantity:
        return None
    if "writes a second" in quantity or "IOPS" in quantity:
        return "1/s"
    return "µs" if quantity.startswith(("read p", "write p")) else None


def panel(table: pl.DataFrame, unit: str) -> alt.LayerChart:
    """One panel: both axes logarithmic and alike, a band of a factor of two."""
    mine = table.filter(pl.col("unit") == unit)
    low, high = style.log_domain([*mine["measured"].to_list(), *mine["predicted"].to_list()])
    scale = alt.Scale(type="log", domain=(low, high), nice=False)
    axis = alt.Axis(values=style.log_values(low, high), format="~s")
    band = alt.Chart(
        pl.DataFrame(
            {"at": [low, high], "low": [low / FACTOR, high / FACTOR], "high": [low * FACTOR, high * FACTOR]}
        )
    ).mark_area(color=style.PEAK, clip=True)
    line = alt.Chart(pl.DataFrame({"at": [low, high]})).mark_line(color=style.GREY, strokeWidth=1)
    known = alt.Scale(domain=KNOWN, range=[style.GREY, style.READ, style.WRITE])
    points = alt.Chart(mine).mark_point(filled=True, opacity=0.8, size=26, clip=True)
    x = alt.X("measured:Q", title=f"measured {PANELS[unit]}", scale=scale, axis=axis)
    y = alt.Y("predicted:Q", title=f"predicted {PANELS[unit]}", scale=scale, axis=axis)
    layers = [
        band.encode(alt.X("at:Q", scale=scale), alt.Y("low:Q", scale=scale), alt.Y2("high")),
        line.encode(alt.X("at:Q", scale=scale), alt.Y("at:Q", scale=scale)),
        points.encode(
            x,
            y,
            alt.Color("known:N", title=None, scale=known),
            alt.Shape(
                "known:N", title=None, scale=alt.Scale(domain=KNOWN, range=["square", "circle", "diamond"])
            ),
        ),
    ]
    return alt.LayerChart(layer=layers).properties(width=PANEL * 1.3, height=PANEL)


def main() -> None:
    """Write the figure."""
    table = rows(found())
    chart = alt.hconcat(*(panel(table, unit) for unit in PANELS))
    style.save_svg(chart, OUT)


if __name__ == "__main__":
    main()
