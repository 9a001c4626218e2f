"""How long forecasts of a large fleet take, and in how much memory: 100,000 drives with a year of daily samples.

Method: a process of its own draws the fleet of `fleet.py` (its truth is known) into Parquet files of 4,096 drives; then
reading them, `forecast_batches`, which reads each batch once and gives the table, and `quarters`, which counts over it,
are timed. Memory is the peak of the whole process. Changes are compared with those of the truth. `FORECAST_DRIVES`
makes it shorter.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from drivecast.health.forecast import forecast_batches
from drivecast.health.forecast.fleet import quarters

sys.path.insert(0, str(Path(__file__).parent))
import fleet

DRIVES = int(os.environ.get("FORECAST_DRIVES", "100_000"))
DAYS = 365
BATCH = 4096
NOW = datetime(2026, 1, 1, tzinfo=UTC)
FIGURES = ("host_written_bytes", "nand_written_bytes", "wear_ratio", "power_on_hours")


def draw(folder: Path) -> None:
    """Write the fleet, the drives and the samples of a batch in a file each."""
    truth = fleet.truth(DRIVES)
    for number, first in enumerate(range(0, DRIVES, BATCH)):
        some = truth.slice(first, BATCH)
        keys = some.select("serial", drive=pl.col("number").cast(pl.Int64))
        samples = fleet.samples(some, DAYS).join(keys, on="serial", maintain_order="left")
        samples.select("drive", "time", *FIGURES).write_parquet(folder / f"samples-{number:03d}.parquet")
        sources = pl.concat_str(
            pl.lit('{"host_written_bytes": {"step": '),
            pl.col("step_bytes").cast(pl.String),
            pl.lit('}, "nand_written_bytes": {"step": 33554432}, "wear_ratio": {"step": 0.01}}'),
        )
        drives = some.select("serial", "model", "capacity_bytes", sources=sources)
        drives.join(keys, on="serial", maintain_order="left").write_parquet(
            folder / f"drives-{number:03d}.parquet"
        )
    truth.write_parquet(folder / "truth.parquet")


def batches(folder: Path) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """Read what was drawn."""
    for path in sorted(folder.glob("samples-*.parquet")):
        yield pl.read_parquet(path.with_name(path.name.replace("samples", "drives"))), pl.read_parquet(path)


def measure(folder: Path) -> None:
    """Forecast, count, print."""
    truth = pl.read_parquet(folder / "truth.parquet").with_columns(drive=pl.col("number").cast(pl.Int64))
    rated = truth.select("drive", "rated_bytes", warranty_years=pl.lit(5.0))

    def ratings(drives: pl.DataFrame) -> pl.DataFrame:
        return drives.select("drive").join(rated, on="drive")

    start, used = time.perf_counter(), time.process_time()
    table = forecast_batches(batches(folder), ratings, now=NOW)
    counted = quarters(table, now=NOW, level=0.8)
    passed_s, used_s = time.perf_counter() - start, time.process_time() - used
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(
        f"health_forecast: {passed_s:.1f} s ({DRIVES:,} drives × {DAYS} days, {DRIVES * DAYS / 1e6:.1f} M samples from "
        f"Parquet, one run, {used_s:.1f} s of processor time)"
    )
    print(f"health_forecast_memory: {peak_mb:.0f} MB (peak resident, the whole process)")
    changed = truth.select("drive", true_by="changed_by").drop_nulls().join(table, on="drive")
    right = changed.filter((pl.col("changed_by") / pl.col("true_by")).log().abs() < 0.3)
    false = truth.filter(pl.col("changed_by").is_null()).join(
        table.filter(pl.col("changed_by").is_not_null()), on="drive", how="semi"
    )
    print(
        f"health_forecast_changes: {right.height / changed.height:.4f} ({changed.height:,} changed loads: "
        f"share whose factor is found; {false.height:,} of {DRIVES - changed.height:,} steady ones told as changed)"
    )
    print(f"health_forecast_replacements: {counted[-1].cumulative:.0f} drives (expected within five years)")


def main() -> None:
    """Draw in a process of its own, measure in another: a child's peak memory begins with that of its parent."""
    if len(sys.argv) == 3:
        {"draw": draw, "measure": measure}[sys.argv[1]](Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        for step in ("draw", "measure"):
            subprocess.run([sys.executable, __file__, step, folder], check=True)


if __name__ == "__main__":
    main()
