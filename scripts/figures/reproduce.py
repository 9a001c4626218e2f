"""Writes the figure and the table of `drivecast reproduce`: `docs/images/reproduce.svg`, `docs/reference/reproduce.md`.

Runs every experiment, or reads what a run has written with `-o FILE`, given as an argument.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from drivecast.present import style

DOCS = Path(__file__).parents[2] / "docs"
PROGRAM = Path(sys.executable).parent / "drivecast"
EDGE = 4.0
"""Ratios further off are drawn at the edge of the axis."""
ROW_PX = 15
HEAD = """# Published experiments next to ours

Written by `scripts/figures/reproduce.py` from `drivecast reproduce --output-format json`; what is run, and how it
is judged, is described in `docs/explanation/reproduce.md`.
"""


def found() -> dict[str, Any]:
    """The document of a run."""
    if len(sys.argv) > 1:
        return dict(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    run = subprocess.run(
        [str(PROGRAM), "reproduce", "--output-format", "json"], capture_output=True, text=True, check=False
    )
    return dict(json.loads(run.stdout))


def chart(rows: list[dict[str, Any]]) -> alt.LayerChart:
    """Ratio by quantity on a logarithmic axis, with the band of 25 %."""
    source = pl.DataFrame(
        {
            "label": [f"{row['experiment']}: {row['quantity']}" for row in rows],
            "ratio": [min(max(row["ratio"], 1 / EDGE), EDGE) for row in rows],
            "judged": [
                "arithmetic" if row["kind"] == "computed" else "within 25 %" if row["within"] else "off"
                for row in rows
            ],
        }
    )
    domain = (1 / EDGE / 1.05, EDGE * 1.05)
    scale = alt.Scale(type="log", domain=domain, nice=False)
    x = alt.X(
        "ratio:Q",
        title="ours over published (beyond the axis: at its edge)",
        scale=scale,
        axis=alt.Axis(values=[0.25, 0.5, 0.75, 1, 1.25, 2, 4], format="~g"),
    )
    y = alt.Y(
        "label:N",
        title=None,
        sort=None,
        axis=alt.Axis(labelLimit=460, labelFontSize=10, minExtent=0, ticks=False),
    )
    band = alt.Chart(pl.DataFrame({"low": [0.75], "high": [1.25]})).mark_rect(color=style.PEAK)
    parity = alt.Chart(pl.DataFrame({"at": [1.0]})).mark_rule(color=style.GREY).encode(alt.X("at:Q"))
    names = ["within 25 %", "off", "arithmetic"]
    judged = alt.Color(
        "judged:N", title=None, scale=alt.Scale(domain=names, range=[style.READ, style.LIMIT, style.GREY])
    )
    shape = alt.Shape(
        "judged:N", title=None, scale=alt.Scale(domain=names, range=["circle", "diamond", "square"])
    )
    points = alt.Chart(source).mark_point(filled=True, size=42, opacity=1).encode(x, y, judged, shape)
    layers = [band.encode(alt.X("low:Q", scale=scale), alt.X2("high")), parity, points]
    return style.layered(layers, ROW_PX * len(rows) + 90)


def number(value: float) -> str:
    """Three digits, or whole from a hundred up."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def page(document: dict[str, Any]) -> str:
    """Figures and orderings, experiment by experiment, as Markdown."""
    simulated = [row for row in document["rows"] if row["kind"] == "simulated"]
    right = document["orderings_right"]
    parts = [
        HEAD,
        f"{sum(row['within'] for row in simulated)} of {len(simulated)} simulated figures within 25 %; "
        f"{right} of {len(document['orderings'])} orderings right.\n",
    ]
    for experiment in document["experiments"]:
        rows = [row for row in document["rows"] if row["experiment"] == experiment["name"]]
        orderings = [
            ordering for ordering in document["orderings"] if ordering["experiment"] == experiment["name"]
        ]
        parts += [
            f"## {experiment['title']} (`{experiment['name']}`)\n",
            f"Read in: {'; '.join(experiment['documents'])}.\n",
        ]
        parts.append("Assumed: " + "; ".join(experiment["conditions"]) + ".\n")
        parts += ["| quantity | published | ours | | ratio | why |", "|---|---:|---:|---|---:|---|"]
        for row in rows:
            ratio = f"{row['ratio']:.2f}" if row["within"] else f"**{row['ratio']:.2f}**"
            cells = (
                row["quantity"],
                number(row["published"]),
                number(row["ours"]),
                row["unit"],
                ratio,
                row["why"],
            )
            parts.append(f"| {' | '.join(cells)} |")
        parts.append("")
        parts += [
            f"- {'right' if ordering['right'] else '**wrong**'}: {ordering['statement']} ({ordering['ours']})"
            for ordering in orderings
        ]
        parts += [""] if orderings else []
    return "\n".join(parts).rstrip() + "\n"


def main() -> None:
    """Write both."""
    document = found()
    drawn = chart(document["rows"])
    style.save_svg(drawn, DOCS / "images/reproduce.svg")
    (DOCS / "reference/reproduce.md").write_text(page(document), encoding="utf-8")


if __name__ == "__main__":
    main()
