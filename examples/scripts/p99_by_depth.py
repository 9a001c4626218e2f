"""How p99 grows with the queue depth on two designs: a table, and a figure as SVG.

python examples/scripts/p99_by_depth.py p99.svg
"""

import sys

import altair as alt
import polars as pl

import drivecast as dc

DESIGNS = ["samsung-pm893-480gb", "raid1(2 * samsung-pm893-480gb)"]


def main(path: str) -> None:
    """Sweep, print, draw."""
    load = dc.workload("random(8KiB, read=0.7)")
    runs = dc.sweep(DESIGNS, [load], iodepth=[1, 8, 32], requests=5_000)
    p99 = runs.select("design", "iodepth", "iops", read_p99_ms=pl.col("read_p99_ns") / 1e6)
    print(p99)
    alt.Chart(p99).mark_line(point=True).encode(x="iodepth:O", y="read_p99_ms:Q", color="design:N").save(path)

    run = dc.simulate(DESIGNS[1], load, iodepth=8, requests=5_000)
    run.plot.latency().save(path.replace(".svg", "-latency.svg"))


if __name__ == "__main__":
    main(sys.argv[1])
