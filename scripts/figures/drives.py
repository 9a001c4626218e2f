"""Writes the drives against their sheets: `docs/images/drives-sheet.svg` and `docs/reference/drives.md`.

Runs all tests of all drives, or reads what `drivecast catalog check --simulate --output-format json` has printed into a
file, given as an argument.
"""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import altair as alt

from drivecast.catalog import load
from drivecast.present import style

DOCS = Path(__file__).parents[2] / "docs"
PROGRAM = Path(sys.executable).parent / "drivecast"
KINDS = ["sequential", "random read", "random write, mixed", "latency, access time"]
HELD, EXCUSED = "held to the sheet", "out of the model's reach"
DOMAIN = (0.7, 3.2)
"""Ratios beyond are drawn at the edge of the axis."""
HEAD = """# The drives against their data sheets

Written by `scripts/figures/drives.py` from `drivecast catalog check --simulate --output-format json`; what is run, and
what is fitted, is described in `docs/explanation/drives.md`. Deviations are simulated over stated, less 1.
"""
OFF = """
## Tests beyond 10 %, or out of the model's reach

`drivecast catalog check --simulate` prints every test.
"""


def found() -> dict[str, Any]:
    """The document of a run."""
    if len(sys.argv) > 1:
        return dict(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    command = [str(PROGRAM), "catalog", "check", "--simulate", "--output-format", "json"]
    return dict(json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout))


def kind(row: dict[str, Any]) -> str:
    """The family that a test is drawn with."""
    if row["unit"] == "MB/s":
        return KINDS[0]
    if row["unit"] == "IOPS":
        return KINDS[1] if row["key"].endswith("read_iops") else KINDS[2]
    return KINDS[3]


def chart(rows: list[dict[str, Any]]) -> alt.LayerChart:
    """Ratio by what is stated, both logarithmic, with the band of 10 %."""
    source = [
        {
            "stated": row["stated"],
            "ratio": min(max(row["ratio"], DOMAIN[0]), DOMAIN[1]),
            "kind": kind(row),
            "verdict": EXCUSED if row["verdict"] == "excused" else HELD,
        }
        for row in rows
    ]
    y_scale = alt.Scale(type="log", domain=DOMAIN, nice=False)
    y_axis = alt.Axis(values=[0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3], format="~g")
    band = alt.Chart(alt.InlineData(values=[{"low": 0.9, "high": 1.1}])).mark_rect(color=style.PEAK)
    band = band.encode(y=alt.Y("low:Q", scale=y_scale), y2="high:Q")
    line = alt.Chart(alt.InlineData(values=[{"at": 1.0}])).mark_rule(color=style.GREY)
    line = line.encode(y=alt.Y("at:Q", scale=y_scale))
    points = alt.Chart(alt.InlineData(values=source)).mark_point(size=34, strokeWidth=1.3)
    points = points.encode(
        x=alt.X(
            "stated:Q",
            title="stated: MB/s, requests a second, µs (access times of disks: ms); beyond the axis: at its edge",
            scale=alt.Scale(type="log", nice=False, domain=style.log_domain([row["stated"] for row in rows])),
            axis=alt.Axis(format="~s", values=[10**i for i in range(7)]),
        ),
        y=alt.Y(
            "ratio:Q",
            title="simulated over stated",
            scale=y_scale,
            axis=y_axis,
        ),
        color=alt.Color(
            "kind:N", title=None, sort=KINDS, scale=alt.Scale(domain=KINDS, range=style.LINES[:4])
        ),
        shape=alt.Shape(
            "verdict:N", title=None, scale=alt.Scale(domain=[HELD, EXCUSED], range=["circle", "cross"])
        ),
    )
    return style.layered([band, line, points], height=340)


def by_class(rows: list[dict[str, Any]]) -> list[str]:
    """A row a class and family: tests, median and largest deviation, how many are out of reach."""
    classes = {name: drive.drive_class for name, drive in load().drives.items()}
    lines = ["| class | figures | tests | median | largest | out of reach |", "|---|---|---|---|---|---|"]
    for name in dict.fromkeys(classes[row["drive"]] for row in rows):
        for family in KINDS:
            here = [row for row in rows if classes[row["drive"]] == name and kind(row) == family]
            held = [row["ratio"] - 1 for row in here if row["verdict"] != "excused"]
            if here:
                middle = f"{median(held):+.1%}" if held else "-"
                largest = f"{max(held, key=abs):+.1%}" if held else "-"
                lines.append(
                    f"| {name} | {family} | {len(here)} | {middle} | {largest} | {len(here) - len(held)} |"
                )
    return lines


def off(rows: list[dict[str, Any]]) -> list[str]:
    """A row a test that is not within the tolerance."""
    lines = ["| drive | test | stated | known by | simulated | ratio |", "|---|---|---|---|---|---|"]
    for row in (row for row in rows if row["verdict"] != "within"):
        ratio = f"{row['ratio']:.2f} ({row['verdict']})"
        stated = f"{row['stated']:,g} {row['unit']}"
        lines.append(
            f"| {row['drive']} | {row['test']} | {stated} | {row['provenance']} | {row['simulated']:,.6g} | {ratio} |"
        )
    return lines


def main() -> None:
    """Write the figure and the tables."""
    rows = found()["tests"]
    images = DOCS / "images"
    images.mkdir(parents=True, exist_ok=True)
    style.save_svg(chart(rows), images / "drives-sheet.svg")
    text = [HEAD, "## By class\n", *by_class(rows), OFF, *off(rows)]
    (DOCS / "reference" / "drives.md").write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
