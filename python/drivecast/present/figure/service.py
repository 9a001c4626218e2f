"""Drives in service: what they wrote and will have written, their write amplification, when they will be replaced."""

from collections.abc import Sequence
from datetime import datetime

import altair as alt
import polars as pl

from drivecast.document.forecast import Quarter, Trajectory
from drivecast.document.table_row import frame
from drivecast.present import style
from drivecast.present.figure import channel


def replacements(quarters: Sequence[Quarter]) -> alt.LayerChart:
    """Draw the drives that reach an end in each quarter: the expected count as a bar, its interval as a line."""
    names = [quarter.quarter for quarter in quarters]
    x = channel.classes("quarter:N", None, names, labelAngle=-45 if len(names) > 12 else 0)
    y = alt.Y("replacements:Q", title="drives that reach an end", axis=alt.Axis(format="~g", tickMinStep=1))
    low, high = "replacements_low:Q", "replacements_high:Q"
    base = alt.Chart(frame(quarters)).encode(x)
    end = base.mark_tick(color=style.INK, width=8, thickness=1.6)
    layers = [
        base.mark_bar(color="#8fb3d1").encode(y),
        base.mark_rule(color=style.INK, strokeWidth=1.6).encode(alt.Y(low), alt.Y2(high)),
        end.encode(alt.Y(low)),
        end.encode(alt.Y(high)),
    ]
    return style.layered(layers, 220)


def write_amplification(drive: Trajectory) -> alt.LayerChart:
    """Draw the write amplification of a drive: a step a window, gaps where it was nearly idle, and over its life."""
    busy = frame(drive.amplification).drop_nulls("write_amplification")
    steps = alt.Chart(busy).mark_rule(color=style.WRITE, strokeWidth=3)
    steps = steps.encode(
        alt.X("start:T", title=None, axis=alt.Axis(labelOverlap=True, tickCount=8)),
        alt.X2("end:T"),
        alt.Y("write_amplification:Q", title="write amplification", scale=alt.Scale(domainMin=0)),
    )
    lifetime = drive.write_amplification_lifetime
    level = channel.level("write_amplification", lifetime, "lifetime: {:.2f}")
    return style.layered([steps, *level], 150)


def written(drive: Trajectory) -> alt.LayerChart:
    """Draw what a drive wrote, the fan of what it will have written, its limits and its changes of workload.

    The fan is the interval in time.
    """
    past, fan = frame(drive.past), frame(drive.fan)
    limits, changes = frame(drive.limits), frame(drive.changes)
    largest = max(
        (channel.largest(part["written_bytes"]) for part in (past, fan) if part.height), default=0.0
    )
    scale, unit = (1e12, "TB") if largest >= 2e12 else (1e9, "GB")
    amount = (pl.col("written_bytes") / scale).alias("written")
    domain = _days(past, fan)

    def x(column: str) -> alt.X:
        look = alt.Axis(labelOverlap=True, tickCount=8)
        return alt.X(f"{column}:T", title=None, scale=alt.Scale(domain=domain), axis=look)

    title = f"host bytes written ({unit})"
    y = alt.Y("written:Q", title=title, scale=alt.Scale(domainMin=0, nice=True))
    layers = []
    if fan.height:
        base = alt.Chart(fan.with_columns(amount)).encode(y)
        band = base.mark_area(color="#b9cfe0", orient="horizontal", clip=True)
        line = base.mark_line(color=style.READ, strokeDash=[5, 3], clip=True)
        layers += [
            band.encode(x("early"), alt.X2("late:T")),
            line.encode(x("middle"), alt.Order("written:Q")),
        ]
    whole = alt.Chart(past.with_columns(amount)).mark_line(color=style.READ, strokeWidth=2)
    layers.append(whole.encode(x("time"), y))
    if changes.height:
        # Names of neighbours stand on lines of their own.
        rows = changes.with_columns(
            name=pl.format("×{}", pl.col("factor").round(2)), line=pl.int_range(pl.len()) % 3 * 14 + 2
        )
        layers.append(alt.Chart(rows).mark_rule(color=style.GREY, strokeDash=[2, 2]).encode(x("time")))
        for line, some in rows.group_by("line", maintain_order=True):
            text = alt.Chart(some).mark_text(color=style.MUTED, align="left", dx=3, baseline="top")
            layers.append(text.encode(x("time"), alt.Text("name:N"), y=alt.value(line[0])))
    if limits.height:
        base = alt.Chart(limits.with_columns(amount)).encode(y)
        text = base.mark_text(color=style.LIMIT, align="left", baseline="bottom", dx=4, dy=-2)
        layers += [base.mark_rule(color=style.LIMIT), text.encode(alt.Text("limit:N"), x=alt.value(0))]
    return style.layered(layers, 300)


def _days(past: pl.DataFrame, fan: pl.DataFrame) -> list[alt.DateTime]:
    """Return the first and the last day to draw."""
    times: list[datetime] = [*past["time"].to_list()[:1], *past["time"].to_list()[-1:]]
    if fan.height:
        # The late edge of a far limit would press all else to the left.
        latest, middle = fan["late"].to_list()[-1], fan["middle"].to_list()[-1]
        times.append(min(latest, middle + (middle - times[0])))
    return [alt.DateTime(year=day.year, month=day.month, date=day.day) for day in (min(times), max(times))]
