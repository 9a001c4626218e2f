"""Writes `docs/images/endurance-retention.svg`: how long flash keeps data, by cycles, under both rules of JESD218.

Drives are run at 40 C; curves are the law of `docs/explanation/endurance.md` with the figures of the catalog.
"""

from pathlib import Path

import altair as alt
import polars as pl

from drivecast.assess.rating import retention
from drivecast.catalog import load
from drivecast.present import style

PLACE = Path(__file__).parents[2] / "docs/images/endurance-retention.svg"
RULES = {"client (25 nm MLC)": "intel-320-300gb", "enterprise (three-bit)": "samsung-pm893-480gb"}
STORED_C = (25, 30, 40)
OPERATING_C = 40.0
SHARES = [10 ** (step / 20 - 1.5) for step in range(37)]


def rows() -> pl.DataFrame:
    """One row a point: `rule`, `stored`, `share` of the rated cycles in percent, `months`."""
    catalog = load()
    found = []
    for rule, drive in RULES.items():
        law = retention(catalog.get(drive))
        if law is None:
            raise TypeError(f"nothing is known of the flash of `{drive}`")
        rated = law.rated_cycles.value
        for stored in STORED_C:
            for share in SHARES:
                months = law.months(
                    share * rated, rated=rated, slope=law.slope.value, off_c=stored, on_c=OPERATING_C
                )
                at = {"rule": rule, "stored": f"stored at {stored} C"}
                found.append({**at, "share": 100 * share, "months": months})
    return pl.DataFrame(found)


def chart(source: pl.DataFrame) -> alt.LayerChart:
    """Months against cycles, both logarithmic, with the three and the twelve months of the rules."""
    top = 120.0
    inside = source.filter(pl.col("months").is_between(0.5, top))
    x = alt.X(
        "share:Q",
        title="cycles spent (% of those rated)",
        scale=alt.Scale(type="log", domain=[3, 200], nice=False),
        axis=alt.Axis(values=[3, 5, 10, 20, 50, 100, 200], format="~g"),
    )
    y = alt.Y(
        "months:Q",
        title="months kept without power",
        scale=alt.Scale(type="log", domain=[0.5, top], nice=False),
        axis=alt.Axis(values=[0.5, 1, 3, 6, 12, 24, 60, 120], format="~g"),
    )
    stored = [f"stored at {celsius} C" for celsius in STORED_C]
    lines = (
        alt.Chart(inside)
        .mark_line(strokeWidth=2)
        .encode(
            x,
            y,
            alt.Color(
                "rule:N", title=None, scale=alt.Scale(domain=list(RULES), range=[style.READ, style.WRITE])
            ),
            alt.StrokeDash(
                "stored:N", title=None, scale=alt.Scale(domain=stored, range=[[1, 0], [7, 3], [2, 2]])
            ),
        )
    )
    marks = pl.DataFrame(
        {"months": [3.0, 12.0], "share": [3.1, 3.1], "name": ["three months", "twelve months"]}
    )
    rules = alt.Chart(marks).mark_rule(color=style.LIMIT, strokeDash=[5, 3]).encode(y)
    names = (
        alt.Chart(marks)
        .mark_text(align="left", baseline="bottom", color=style.LIMIT, dy=-3)
        .encode(x, y, alt.Text("name:N"))
    )
    return style.layered([rules, lines, names], 360)


if __name__ == "__main__":
    style.save_svg(chart(rows()), PLACE)
