"""Bytes that one drive wrote and will have written, with the interval in time, against the limits it will meet."""

from datetime import datetime

import altair as alt
import polars as pl

from drivecast.document.forecast import Trajectory
from drivecast.document.table_row import frame
from drivecast.present import style

HEIGHT = 300


def chart(drive: Trajectory) -> alt.LayerChart:
    """Draw what a drive wrote, the fan of what it will have written, its limits and its changes of workload."""
    past, fan, limits, changes = (
        frame(part) for part in (drive.past, drive.fan, drive.limits, drive.changes)
    )
    scale, unit = (1e12, "TB") if _largest(past, fan) >= 2e12 else (1e9, "GB")
    amount = (pl.col("written_bytes") / scale).alias("written")
    x, y = _axes(past, fan, unit)
    layers = []
    if fan.height:
        drawn = fan.with_columns(amount)
        band = alt.Chart(drawn).mark_area(color="#b9cfe0", orient="horizontal", clip=True)
        layers.append(band.encode(y, x.copy(), alt.X2("late:T")))
        middle = drawn.select("written", time="middle")
        line = alt.Chart(middle).mark_line(color=style.READ, strokeDash=[5, 3], clip=True)
        layers.append(line.encode(x_of("time", x), y, alt.Order("written:Q")))
    layers.append(
        alt.Chart(past.with_columns(amount))
        .mark_line(color=style.READ, strokeWidth=2)
        .encode(x_of("time", x), y)
    )
    if changes.height:
        # Names of neighbours stand on lines of their own.
        rows = changes.with_columns(
            name=pl.format("×{}", pl.col("factor").round(2)), line=pl.int_range(pl.len()) % 3 * 14 + 2
        )
        base = alt.Chart(rows).encode(x_of("time", x))
        layers.append(base.mark_rule(color=style.GREY, strokeDash=[2, 2]))
        for line, some in rows.group_by("line", maintain_order=True):
            text = alt.Chart(some).mark_text(color=style.MUTED, align="left", dx=3, baseline="top")
            layers.append(text.encode(x_of("time", x), alt.Text("name:N"), y=alt.value(line[0])))
    if limits.height:
        base = alt.Chart(limits.with_columns(amount)).encode(y)
        layers.append(base.mark_rule(color=style.LIMIT))
        layers.append(
            base.mark_text(color=style.LIMIT, align="left", baseline="bottom", dx=4, dy=-2).encode(
                alt.Text("limit:N"), x=alt.value(0)
            )
        )
    return style.layered(layers, HEIGHT)


def _axes(past: pl.DataFrame, fan: pl.DataFrame, unit: str) -> tuple[alt.X, alt.Y]:
    times: list[datetime] = [*past["time"].to_list()[:1], *past["time"].to_list()[-1:]]
    if fan.height:
        # The late edge of a far limit would press all else to the left.
        latest, middle = fan["late"].to_list()[-1], fan["middle"].to_list()[-1]
        times.append(min(latest, middle + (middle - times[0])))
    domain = [alt.DateTime(year=day.year, month=day.month, date=day.day) for day in (min(times), max(times))]
    x = alt.X(
        "early:T",
        title=None,
        scale=alt.Scale(domain=domain),
        axis=alt.Axis(labelOverlap=True, tickCount=8),
    )
    return x, alt.Y(
        "written:Q", title=f"host bytes written ({unit})", scale=alt.Scale(domainMin=0, nice=True)
    )


def x_of(name: str, like: alt.X) -> alt.X:
    """The same axis for another column."""
    other = like.copy()
    other.shorthand = f"{name}:T"
    return other


def _largest(past: pl.DataFrame, fan: pl.DataFrame) -> float:
    tops = [part["written_bytes"].max() for part in (past, fan) if part.height]
    return max((float(top) for top in tops if isinstance(top, int | float)), default=0.0)
