"""Draws the figures of docs/explanation/disk.md.

`disk-curve.svg` and `disk-depth.svg` come from a closed form and from runs of a disk of the catalog. `disk-traces.svg`
needs the folder of public traces (DRIVECAST_CORPUS) and holds nothing of it but the curves of two distributions.
"""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import altair as alt
import polars as pl

from drivecast import _core
from drivecast.calibration.demerit import Demerit, demerit
from drivecast.catalog import device_spec, load
from drivecast.catalog.disk_file import catalog_file
from drivecast.catalog.disksim import describe
from drivecast.present import style
from drivecast.stage.simulate import Options

IMAGES = Path(__file__).parents[2] / "docs/images"
DISK = "seagate-cheetah-15k5-300gb"
DISKS = {
    "atlas10k": "Quantum Atlas 10K",
    "barracuda": "Seagate Barracuda",
    "cheetah4LP": "Seagate Cheetah 4LP",
}
DEPTHS = (1, 2, 4, 8, 16, 32, 64)
POLICIES = {"sptf": "SPTF", "look": "LOOK (SCAN)", "fifo": "FIFO"}
MS_MAX = 25
COLOURS = alt.Scale(range=style.LINES)


def _write(name: str, chart: alt.TopLevelMixin) -> None:
    style.save_svg(chart, IMAGES / f"disk-{name}.svg")
    if folder := os.environ.get("FIGURE_PNG"):
        style.to_png(chart, Path(folder) / f"disk-{name}.png")


def _distribution(times: list[float]) -> list[dict[str, float]]:
    ordered = sorted(times)
    count = len(ordered)
    return [{"ms": ordered[i * (count - 1) // 200], "share": i / 200} for i in range(201)]


def traces(corpus: Path) -> None:
    """Measured and simulated distributions of three real disks."""
    panels = []
    with TemporaryDirectory() as folder:
        for name, title in DISKS.items():
            files = [corpus / "disks" / f"{name}.{ending}" for ending in ("model", "seek", "diskspecs")]
            file = Path(folder) / f"{name.lower()}.toml"
            file.write_text(catalog_file(describe(files), vendor="", model=name, interface="SAS 3G"))
            found = demerit(device_spec(load([file]).get(name.lower())), corpus / "disks" / f"{name}.trace")
            panels.append(_panel(title, found))
    _write("traces", alt.hconcat(*panels, spacing=24))


def _panel(title: str, found: Demerit) -> alt.Chart:
    kinds = {"measured": found.measured_ms, "simulated": found.simulated_ms}
    rows = [{"kind": kind, **point} for kind, times in kinds.items() for point in _distribution(times)]
    head = alt.TitleParams(
        f"{title}: {found.overall.demerit_ms:.3f} ms", fontSize=12, anchor="start", fontWeight="normal"
    )
    return (
        alt.Chart(pl.DataFrame(rows), title=head)
        .mark_line(strokeWidth=1.8, interpolate="linear", clip=True)
        .encode(
            alt.X("ms:Q", title="response time, ms", scale=alt.Scale(domain=[0, MS_MAX])),
            alt.Y("share:Q", title="share of requests", axis=alt.Axis(format="%")),
            alt.Color("kind:N", title=None, scale=COLOURS, sort=["measured", "simulated"]),
            alt.StrokeDash(
                "kind:N", legend=None, sort=["measured", "simulated"], scale=alt.Scale(range=style.DASHES)
            ),
            order="share:Q",
        )
        .properties(width=225, height=200)
    )


def curve() -> None:
    """The seek curve of a data sheet: two pieces through its three figures."""
    spec = device_spec(load().get(DISK))
    track, mean, full = (spec["seek"][f"{part}_ns"] / 1e6 for part in ("track", "mean", "full"))
    joint = _joint((mean - track) / (full - track))
    rows = [{"share": x / 200, "ms": track + (full - track) * _unit(x / 200, joint)} for x in range(201)]
    line = alt.Chart(pl.DataFrame(rows)).mark_line(color=style.READ, strokeWidth=2)
    mark = alt.Chart(pl.DataFrame({"share": [1 / 3], "ms": [mean], "text": ["the sheet's mean"]}))
    x = alt.X("share:Q", title="distance as a share of all cylinders", axis=alt.Axis(format="%"))
    y = alt.Y("ms:Q", title="seek time, ms", scale=alt.Scale(domain=[0, 8]))
    layers = [
        line.encode(x, y),
        mark.mark_point(color=style.LIMIT, filled=True, size=50).encode(x, y),
        mark.mark_text(color=style.INK, align="left", dx=8, dy=12, fontSize=12).encode(x, y, text="text:N"),
    ]
    _write("curve", style.layered(layers, 240, 520))


def _unit(x: float, joint: float) -> float:
    """The smooth curve from 0 to 1: a square root up to the joint, its tangent beyond."""
    slope, lift = 0.5 / joint**0.5, 0.5 * joint**0.5
    return (x**0.5 if x <= joint else lift + slope * x) / (lift + slope)


def _joint(rise: float) -> float:
    """Where the curve's mean over random cylinders is `rise`: a distance x has the density 2 (1 - x)."""
    steps = [(i + 0.5) / 2000 for i in range(2000)]
    low, high = 1e-6, 1.0
    for _ in range(40):
        joint = (low + high) / 2
        mean = sum(2 * (1 - x) * _unit(x, joint) for x in steps) / len(steps)
        low, high = (joint, high) if mean < rise else (low, joint)
    return joint


def _iops(spec: dict[str, Any], depth: int) -> float:
    workload = _core.Workload.line(f"random(4KiB, read=1, iodepth={depth})")
    options = Options(seed=1, requests=30_000, state="fresh")
    outcome = _core.simulate("disk", {"disk": json.dumps(spec)}, workload, options)
    return float(outcome["read"]["iops"])


def depth() -> None:
    """Random reads over queue depth for each scheduler."""
    spec = {**device_spec(load().get(DISK)), "queue_depth": 64}
    rows = [
        {"depth": depth, "iops": _iops({**spec, "scheduler": policy}, depth), "scheduler": name}
        for policy, name in POLICIES.items()
        for depth in DEPTHS
    ]
    names = list(POLICIES.values())
    chart = alt.Chart(pl.DataFrame(rows)).mark_line(point=True, strokeWidth=2)
    x = alt.X(
        "depth:Q",
        title="requests outstanding",
        scale=alt.Scale(type="log", base=2),
        axis=alt.Axis(values=DEPTHS),
    )
    y = alt.Y("iops:Q", title="IOPS, random reads of 4 KiB", scale=alt.Scale(domainMin=0))
    colour = alt.Color("scheduler:N", title=None, scale=COLOURS, sort=names)
    dash = alt.StrokeDash("scheduler:N", legend=None, sort=names, scale=alt.Scale(range=style.DASHES))
    _write("depth", style.layered([chart.encode(x, y, colour, dash)], 280, 520))
    for row in rows:
        print(row)


def main() -> None:
    """Draw them all."""
    IMAGES.mkdir(exist_ok=True)
    curve()
    depth()
    if corpus := os.environ.get("DRIVECAST_CORPUS"):
        traces(Path(corpus))
    else:
        print("skipped disk-traces.svg: set DRIVECAST_CORPUS to the folder of public traces")


if __name__ == "__main__":
    main()
