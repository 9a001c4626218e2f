"""Figures of `docs/explanation/raid.md`: what members and a controller make of IOPS, a failure of latency.

Run as `.venv/bin/python scripts/figures/raid.py`; writes `docs/images/raid-*.svg`.
"""

from pathlib import Path

import altair as alt
import polars as pl

from drivecast import _core
from drivecast.catalog import load
from drivecast.document.outcome import Outcome
from drivecast.present import style
from drivecast.stage.simulate import Options, simulate

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
DRIVE = "intel-dc-s3500-480gb"
CONTROLLERS = {"none": "members alone", "megaraid-9265-8i": "MegaRAID 9265-8i"}
CATALOG = load()
LEVELS = {"raid0": "RAID 0", "raid10": "RAID 10", "raid5": "RAID 5"}
MEMBERS = (4, 6, 8, 12, 16)
STROKES = alt.Legend(symbolType="stroke")
HEALTH = {
    "healthy": f"raid5(8 * {DRIVE}, controller=megaraid-9265-8i)",
    "one failed": f"raid5(8 * {DRIVE}, degraded=1, controller=megaraid-9265-8i)",
    "rebuilding at 100 MB/s": f"raid5(9 * {DRIVE}, spares=1, degraded=1, rebuild=100MB/s, "
    "controller=megaraid-9265-8i)",
}


def run(design: str, workload: str, options: Options) -> Outcome:
    """Run one design."""
    return simulate(design, _core.Workload.line(workload), CATALOG, options)


def scaling() -> alt.LayerChart:
    """Draw IOPS over members, of fresh drives."""
    rows = [
        {
            "members": members,
            "IOPS, thousands": run(
                f"{level}({members} * {DRIVE}, controller={controller})",
                f"random(4KiB, read=0.7, iodepth={32 * members})",
                Options(requests=50_000 * members, seed=1, state="fresh"),
            ).iops
            / 1e3,
            "level": name,
            "run by": title,
        }
        for level, name in LEVELS.items()
        for controller, title in CONTROLLERS.items()
        for members in MEMBERS
    ]
    base = alt.Chart(pl.DataFrame(rows)).encode(
        x=alt.X("members:Q", scale=alt.Scale(domain=[3, 17]), axis=alt.Axis(values=list(MEMBERS))),
        y=alt.Y("IOPS, thousands:Q"),
        color=alt.Color("level:N", sort=list(LEVELS.values()), scale=alt.Scale(range=style.LINES)),
    )
    # Only the lines are dashed: beside filled points, which have no stroke, the legend's strokes would vanish.
    lines = base.mark_line().encode(
        strokeDash=alt.StrokeDash(
            "run by:N",
            sort=list(CONTROLLERS.values()),
            legend=alt.Legend(symbolType="stroke", symbolStrokeColor=style.INK, symbolStrokeWidth=2),
        ),
    )
    return style.layered([lines, base.mark_point(filled=True, size=40)], height=340)


def failure() -> alt.LayerChart:
    """Draw the distribution of read latency of an array whole, degraded and rebuilding."""
    rows = []
    for state, design in HEALTH.items():
        found = run(design, "random(4KiB, read=0.7, rate=30000iops)", Options(requests=300_000, seed=1))
        rows += [
            {"beyond": 1 - row["quantile"], "read latency, ms": row["latency_ns"] / 1e6, "array": state}
            for row in found.latencies
            if row["op"] == "read" and 1e-5 < 1 - row["quantile"] < 1
        ]
    lines = (
        alt.Chart(pl.DataFrame(rows))
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X(
                "beyond:Q",
                title="share of reads that take longer",
                scale=alt.Scale(type="log", domain=[1, 1e-5], clamp=True),
                axis=alt.Axis(values=[1, 0.1, 0.01, 0.001, 1e-4, 1e-5], format="~g"),
            ),
            y=alt.Y("read latency, ms:Q", scale=alt.Scale(type="log", domain=[0.02, 3])),
            color=alt.Color("array:N", sort=list(HEALTH), scale=alt.Scale(range=style.LINES), legend=STROKES),
            strokeDash=alt.StrokeDash("array:N", sort=list(HEALTH), legend=None),
        )
    )
    return style.layered([lines], height=340)


def main() -> None:
    """Draw all figures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, figure in (("scaling", scaling()), ("failure", failure())):
        style.save_svg(figure, IMAGES / f"raid-{name}.svg")


if __name__ == "__main__":
    main()
