"""Draws the figures of docs/explanation/volume.md: credits that run out, and latency against depth."""

import os
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from drivecast.catalog import Catalog, load
from drivecast.present import style
from drivecast.stage.simulate import Options, simulate, workload

IMAGES = Path(__file__).parents[2] / "docs/images"
CLOUD = {
    "aws-gp2-100gb": "gp2, 93 GiB",
    "azure-p20-512gb": "P20, 512 GiB",
    "aws-gp3-1tb": "gp3, 3,000 IOPS",
}
MINUTES = 40
DEPTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
VOLUME = "volume(capacity=100GB, flush=1ms, read=70us, sigma=0.2"
STATIONS = {
    "8 servers": f"{VOLUME}, parallelism=8)",
    "batches": "volume(capacity=100GB, flush=1ms, read=6us, sigma=0, wake=62us, batch_max=256, read_command=9us, "
    "front_sigma=0.2)",
    "cap, token by token": f"{VOLUME}, iops=20kiops)",
    "cap, by the period": f"{VOLUME}, iops=20kiops, period=10ms)",
}
QUANTILES = {"q0.5": "median", "q0.99": "p99"}
COLOURS = alt.Scale(range=style.LINES)
DASHES = alt.Scale(range=style.DASHES)


def _write(name: str, chart: alt.TopLevelMixin) -> None:
    style.save_svg(chart, IMAGES / f"volume-{name}.svg")
    if folder := os.environ.get("FIGURE_PNG"):
        style.to_png(chart, Path(folder) / f"volume-{name}.png")


def credit(catalog: Catalog) -> None:
    """IOPS of three cloud disks under full load, minute by minute."""
    rows = []
    for name, title in CLOUD.items():
        options = Options(duration_s=MINUTES * 60.0)
        outcome = simulate(name, workload("random(4KiB, read=0.7, iodepth=32)"), catalog, options)
        seconds = outcome.seconds.rows
        for start in range(0, MINUTES * 60, 20):
            part = seconds[start : start + 20]
            iops = sum(row["reads"] + row["writes"] for row in part) / len(part)
            rows.append({"minute": start / 60, "iops": iops, "volume": title})
    names = list(CLOUD.values())
    chart = alt.Chart(pl.DataFrame(rows)).mark_line(strokeWidth=2, interpolate="step-after")
    x = alt.X("minute:Q", title="minutes of full demand, 4 KiB", scale=alt.Scale(domain=[0, MINUTES]))
    y = alt.Y("iops:Q", title="IOPS", scale=alt.Scale(domainMin=0))
    colour = alt.Color("volume:N", title=None, scale=COLOURS, sort=names)
    dash = alt.StrokeDash("volume:N", legend=None, sort=names, scale=DASHES)
    _write("credits", style.layered([chart.encode(x, y, colour, dash)], 240, 520))
    for title in names:
        print(title, [round(row["iops"]) for row in rows if row["volume"] == title][::15])


def _latencies(catalog: Catalog) -> list[dict[str, Any]]:
    rows = []
    for station, line in STATIONS.items():
        for depth in DEPTHS:
            load_of = workload(f"random(4KiB, read=1, iodepth={depth})")
            outcome = simulate(line, load_of, catalog, Options(requests=40_000))
            for key, name in QUANTILES.items():
                rows.append(
                    {
                        "depth": depth,
                        "us": outcome.latency_of("read", key) / 1e3,
                        "station": station,
                        "of": name,
                    }
                )
    return rows


def _panel(rows: pl.DataFrame, name: str) -> alt.Chart:
    names = list(STATIONS)
    return (
        alt.Chart(
            rows.filter(pl.col("of") == name), title=alt.TitleParams(name, fontSize=12, fontWeight="normal")
        )
        .mark_line(point=True, strokeWidth=2)
        .encode(
            alt.X(
                "depth:Q",
                title="reads outstanding",
                scale=alt.Scale(type="log", base=2),
                axis=alt.Axis(values=DEPTHS),
            ),
            alt.Y("us:Q", title="latency, µs", scale=alt.Scale(type="log", domain=[50, 20_000])),
            alt.Color("station:N", title=None, scale=COLOURS, sort=names),
            alt.StrokeDash("station:N", legend=None, sort=names, scale=DASHES),
        )
        .properties(width=320, height=260)
    )


def depth(catalog: Catalog) -> None:
    """Latency over depth, by what limits the volume."""
    rows = pl.DataFrame(_latencies(catalog))
    _write("depth", alt.hconcat(*[_panel(rows, name) for name in QUANTILES.values()], spacing=24))
    print(rows.pivot("depth", index=["station", "of"], values="us"))


def main() -> None:
    """Draw both."""
    IMAGES.mkdir(exist_ok=True)
    catalog = load()
    credit(catalog)
    depth(catalog)


if __name__ == "__main__":
    main()
