"""Life of each design against the years needed.

A band is the interval of the prediction; the two marks are the ends (flash worn out, rated writes used up).
"""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.quantity.number import YEARS_MAX

ENDS = ["flash worn out", "rated writes (warranty) used up"]


def chart(designs: pl.DataFrame, years: float | None = None) -> alt.LayerChart:
    """Draw the designs that wear, in the order of the table."""
    source = designs.filter(pl.col("life").is_not_null())
    names = source["label"].to_list()
    y = alt.Y(
        "label:N", title=None, sort=names, axis=alt.Axis(labelLimit=330, labelColor=style.INK, minExtent=0)
    )
    lives = [
        life
        for column in ("life_low", "life", "life_media", "life_warranty")
        for life in source[column]
        if life
    ]
    domain = (min([*lives, years or YEARS_MAX, 5.0]) / 1.2, YEARS_MAX * 1.05)
    axis = alt.Axis(values=style.log_values(*domain), format="~g", grid=True)
    scale = alt.Scale(type="log", domain=domain, nice=False)
    x = alt.X("life:Q", title="years until worn out (50 and more drawn at 50)", scale=scale, axis=axis)
    ends = (
        source.select("label", pl.col("life_media").alias(ENDS[0]), pl.col("life_warranty").alias(ENDS[1]))
        .unpivot(index="label", variable_name="end", value_name="life")
        .drop_nulls()
    )
    shape = alt.Shape("end:N", title=None, scale=alt.Scale(domain=ENDS, range=["circle", "diamond"]))
    base = alt.Chart(source).encode(y)
    layers = [
        base.mark_rule(strokeWidth=9, color="#b9cfe0").encode(alt.X("life_low:Q"), alt.X2("life_high:Q")),
        base.mark_tick(thickness=3, size=16, color=style.INK).encode(x),
        alt.Chart(ends)
        .mark_point(size=75, filled=True, opacity=1, stroke="white", strokeWidth=0.6)
        .encode(
            y,
            x,
            shape,
            alt.Color("end:N", title=None, scale=alt.Scale(domain=ENDS, range=[style.READ, style.WRITE])),
        ),
        *_needed(years),
    ]
    return style.layered([*layers], 90 + 24 * len(names))


def _needed(years: float | None) -> list[alt.Chart]:
    if years is None:
        return []
    base = alt.Chart(pl.DataFrame([{"life": years, "name": f"needed: {years:g} y"}])).encode(alt.X("life:Q"))
    rule = base.mark_rule(color=style.LIMIT, strokeDash=[5, 3])
    name = base.mark_text(align="center", baseline="bottom", color=style.LIMIT, fontSize=11.5)
    return [rule, name.encode(alt.Text("name:N"), y=alt.value(-3))]
