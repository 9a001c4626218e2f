"""Writes the figures of `docs/explanation/ssd-timing.md`: `ssd-timing-{latency,durable,states}.svg` in `docs/images`.

Runs a small drive, given by its parameters, over queue depths and from different states.
"""

from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from drivecast import _core
from drivecast.catalog import load
from drivecast.document.outcome import Outcome
from drivecast.present import style
from drivecast.stage.simulate import Options, State, simulate

IMAGES = Path(__file__).parents[2] / "docs" / "images"
FLASH = (
    "page=16KiB, pages_per_block=64, channels=8, dies_per_channel=2, planes=2, read=50us, program=500us,"
    " erase=3.5ms, suspend=20us, channel_throughput=800MB/s, spare_factor=0.2, buffer=4MiB"
)
DRIVE = f"ssd(logical=4GiB, {FLASH})"
VOLATILE = f"ssd(logical=4GiB, {FLASH}, buffer_volatile=yes)"
RESTING = f"ssd(logical=4GiB, {FLASH}, background_gc=0.6)"
CACHED = f"ssd(logical=4GiB, {FLASH}, slc_cache=1GiB, slc_program=120us, slc_read=25us)"
LOADS = {"reads": 1.0, "70 % reads": 0.7, "writes": 0.0}
QUANTILES = {"median": "q0.5", "99 %": "q0.99", "99.9 %": "q0.999"}
SECONDS = 45
PANEL = 240


def played(design: str, line: str, **options: Any) -> Outcome:
    """The outcome of a workload line on a design."""
    return simulate(design, _core.Workload.line(line), load([]), Options(**options))


def latencies() -> pl.DataFrame:
    """Quantiles of the latency over the queue depth; of the reads, if there are any."""
    rows = []
    for name, reads in LOADS.items():
        for depth in [1, 2, 4, 8, 16, 32, 64, 128]:
            line = f"random(4KiB, read={reads}, iodepth={depth})"
            outcome = played(DRIVE, line, requests=100_000)
            op = "read" if reads else "write"
            rows += [
                {
                    "load": name,
                    "depth": depth,
                    "quantile": shown,
                    "us": outcome.latency_of(op, key) / 1e3,
                }
                for shown, key in QUANTILES.items()
            ]
    return pl.DataFrame(rows)


def latency_chart() -> alt.HConcatChart:
    """One panel a workload, both axes logarithmic."""
    table = latencies()
    domain = style.log_domain(table["us"].to_list())
    panels = []
    for name, reads in LOADS.items():
        source = alt.InlineData(values=table.filter(pl.col("load") == name).to_dicts())
        x = alt.X(
            "depth:Q",
            title="queue depth",
            scale=alt.Scale(type="log", base=2),
            axis=alt.Axis(values=[1, 4, 16, 64], format="~g"),
        )
        axis = alt.Axis(values=style.log_values(*domain), format="~s")
        y = alt.Y("us:Q", title=None, scale=alt.Scale(type="log", domain=domain, nice=False), axis=axis)
        keys = list(QUANTILES)
        color = alt.Color(
            "quantile:N", title=None, sort=keys, scale=alt.Scale(domain=keys, range=style.LINES[:3])
        )
        title = f"latency of {'the reads of ' if 0 < reads < 1 else ''}{name}, µs"
        panel = alt.Chart(source, width=PANEL, height=220, title=title).mark_line(point=True)
        panels.append(panel.encode(x=x, y=y, color=color))
    return alt.hconcat(*panels)


def durable_chart() -> alt.LayerChart:
    """Durable writes a second over the queue depth, by the drive's buffer."""
    kinds = {
        "durable, protected buffer; or not durable": DRIVE,
        "durable, volatile buffer": VOLATILE,
    }
    rows = []
    for name, design in kinds.items():
        for depth in [1, 2, 4, 8, 16, 32, 64, 128]:
            line = f"random(4KiB, read=0, fua=1, iodepth={depth})"
            outcome = played(design, line, requests=20_000, state="fresh")
            rows.append({"drive": name, "depth": depth, "iops": outcome.iops})
    domain = style.log_domain([row["iops"] for row in rows])
    axis = alt.Axis(values=style.log_values(*domain), format="~s")
    depths = alt.Axis(values=[1, 4, 16, 64], format="~g")
    chart = alt.Chart(alt.InlineData(values=rows)).mark_line(point=True)
    chart = chart.encode(
        x=alt.X("depth:Q", title="queue depth", scale=alt.Scale(type="log", base=2), axis=depths),
        y=alt.Y(
            "iops:Q",
            title="writes a second",
            scale=alt.Scale(type="log", domain=domain, nice=False),
            axis=axis,
        ),
        color=alt.Color(
            "drive:N",
            title=None,
            sort=list(kinds),
            scale=alt.Scale(domain=list(kinds), range=style.LINES[:2]),
        ),
    )
    return style.layered([chart], height=240)


def seconds(name: str, design: str, state: State) -> list[dict[str, Any]]:
    """Writes a second, second by second."""
    outcome = played(design, "random(4KiB, read=0, iodepth=32)", duration_s=SECONDS, state=state)
    return [
        {"start": name, "second": row["second"], "writes": row["writes"] / 1e3}
        for row in outcome.seconds.rows[:SECONDS]
    ]


def states_chart() -> alt.LayerChart:
    """Throughput over time from each state."""
    rows = [
        *seconds("fresh", RESTING, "fresh"),
        *seconds("steady", RESTING, "steady"),
        *seconds("after rest", RESTING, "idle"),
        *seconds("with a pSLC cache of 1 GiB, after rest", CACHED, "idle"),
    ]
    names = list(dict.fromkeys(row["start"] for row in rows))
    chart = alt.Chart(alt.InlineData(values=rows)).mark_line(interpolate="step-after", strokeWidth=1.6)
    chart = chart.encode(
        x=alt.X("second:Q", title="seconds of random 4 KiB writes at depth 32"),
        y=alt.Y("writes:Q", title="thousand writes a second"),
        color=alt.Color(
            "start:N", title=None, sort=names, scale=alt.Scale(domain=names, range=style.LINES[:4])
        ),
    )
    return style.layered([chart], height=260)


def main() -> None:
    """Writes the figures."""
    charts: dict[str, alt.TopLevelMixin] = {
        "latency": latency_chart(),
        "durable": durable_chart(),
        "states": states_chart(),
    }
    for name, chart in charts.items():
        path = IMAGES / f"ssd-timing-{name}.svg"
        style.save_svg(chart, path)


if __name__ == "__main__":
    main()
