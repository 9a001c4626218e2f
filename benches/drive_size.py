"""Simulated requests a second over the size of the simulated drive.

Method: a drive of each size, 4 KiB random writes over all of it at depth 32 in steady state, and random reads; each
timed at two lengths of run, the difference counts, medians are printed. Above 16 GiB a drive is simulated scaled down
(docs/explanation/ssd.md tells why that is allowed and what it costs), so size costs nothing there. Setting up, that is
filling and ageing to steady state, is printed beside it. `--figure PATH` also draws the chart, as SVG.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import altair as alt
import peer
import polars as pl

from drivecast.present import style
from drivecast.stage import simulate

ROUNDS = 3
LENGTHS = (100_000, 1_100_000)
SIZES_GIB = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536)
PEER_BLOCKS = {4: 16, 16: 64, 64: 256, 256: 1024}
"""Blocks a plane that make MQSim's drive this many GiB. Sizes at which it crashes are left out of the chart."""


def seconds(size_gib: int, read: int, requests: int) -> float:
    """One run of ours, in wall-clock seconds."""
    design = (
        f"ssd(logical={size_gib}GiB, over_provisioning=0.28, page=16KiB, planes=2, pages_per_block=64, channels=8, "
        "dies_per_channel=4, program=500us, channel_throughput=1.2GB/s)"
    )
    options = simulate.Options(seed=1, requests=requests)
    start = time.perf_counter()
    simulate.simulate(
        design, simulate.workload(f"random(4KiB, read={read}, iodepth=32)"), peer.CATALOG, options
    )
    return time.perf_counter() - start


def ours(size_gib: int, read: int) -> tuple[float, float]:
    """Requests a second, and seconds before the first."""
    rates, setups = [], []
    for _ in range(ROUNDS):
        short, long = (seconds(size_gib, read, n) for n in LENGTHS)
        rates.append(peer.rate(LENGTHS, (short, long)))
        setups.append(short - LENGTHS[0] / rates[-1])
    return statistics.median(rates), statistics.median(setups)


def theirs(program: Path, blocks: int, read: int) -> float:
    """Requests a second of MQSim with this many blocks a plane."""
    peer.DEVICE["Block_No_Per_Plane"] = str(blocks)
    with tempfile.TemporaryDirectory() as folder:
        short, long = (peer.peer_seconds(program, Path(folder), n, 100 * read) for n in peer.PEER_REQUESTS)
    return peer.rate(peer.PEER_REQUESTS, (short, long))


def chart(rows: pl.DataFrame) -> alt.LayerChart:
    """Lines of requests a second, sizes on a logarithmic axis."""
    low, high = style.log_domain(rows["rate"].to_list())
    x = alt.X(
        "size_gib:Q",
        title="simulated drive",
        scale=alt.Scale(type="log", domain=style.log_domain(rows["size_gib"].to_list())),
        axis=alt.Axis(
            values=list(SIZES_GIB),
            labelExpr="datum.value < 1024 ? datum.value + ' GiB' : datum.value / 1024 + ' TiB'",
        ),
    )
    y = alt.Y(
        "rate:Q",
        title="simulated requests a second, one core",
        scale=alt.Scale(type="log", domain=(low, high)),
        axis=alt.Axis(values=style.log_values(low, high), format="~s"),
    )
    names = rows["what"].unique(maintain_order=True).to_list()
    color = alt.Color("what:N", title=None, scale=alt.Scale(domain=names, range=style.LINES))
    base = alt.Chart(rows).encode(x=x, y=y, color=color)
    return style.layered([base.mark_line(strokeWidth=2), base.mark_point(filled=True, size=50)], height=320)


def main() -> None:
    """Measure, print, draw."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--figure", type=Path)
    figure = asked.parse_args().figure
    rows: list[tuple[str, int, float]] = []
    for read, what in ((1, "random reads"), (0, "random writes")):
        for size in SIZES_GIB:
            rate, setup = ours(size, read)
            rows.append((what, size, rate))
            print(
                f"drive of {size} GiB, 4 KiB {what} depth 32: {rate / 1e6:.2f} M requests/s "
                f"(set up in {setup:.1f} s; medians of {ROUNDS})"
            )
    program = os.environ.get("MQSIM")
    for size, blocks in PEER_BLOCKS.items() if program else ():
        for read, what in ((1, "MQSim, random reads"), (0, "MQSim, random writes")):
            try:
                rate = theirs(Path(str(program)), blocks, read)
            except subprocess.CalledProcessError as error:
                print(f"drive of {size} GiB, {what}: no figure, it ended with {error.returncode}")
                continue
            if rate <= 0:
                print(f"drive of {size} GiB, {what}: no figure, setting it up takes all the time")
                continue
            rows.append((what, size, rate))
            print(f"drive of {size} GiB, {what}: {rate / 1e6:.3f} M requests/s")
    if figure is not None:
        table = pl.DataFrame(rows, schema=["what", "size_gib", "rate"], orient="row").sort("size_gib")
        style.save_svg(chart(table), figure)


if __name__ == "__main__":
    main()
