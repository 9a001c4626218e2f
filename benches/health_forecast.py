"""How long forecasts of a large fleet take, and in how much memory: 100,000 drives with a year of daily samples.

Method: the fleet of `fleet.py` (its truth is known) is drawn in batches of 4,096 drives, outside the time that is
counted; `forecast` reads each batch once and gives the table, and `quarters` counts over it. Times are those passed and
those of all threads; memory is the peak of a process of its own, which holds one drawn batch too. Changes are
compared with those of the truth.
`FORECAST_DRIVES` makes it shorter.
"""

import os
import resource
import sys
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


class Drawn:
    """Batches of the fleet, and the time that drawing them took."""

    def __init__(self) -> None:
        self.passed_s = 0.0
        self.used_s = 0.0
        self.truth = fleet.truth(DRIVES)

    def __iter__(self) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        for first in range(0, DRIVES, BATCH):
            start, used = time.perf_counter(), time.process_time()
            some = self.truth.slice(first, BATCH)
            told = fleet.samples(some, DAYS)
            keys = some.select("serial", drive=pl.col("number").cast(pl.Int64))
            samples = told.join(keys, on="serial", maintain_order="left").select("drive", "time", *FIGURES)
            steps = pl.col("step_bytes").cast(pl.String)
            sources = pl.concat_str(
                pl.lit('{"host_written_bytes": {"step": '),
                steps,
                pl.lit('}, "nand_written_bytes": {"step": 33554432}, "wear_ratio": {"step": 0.01}}'),
            )
            drives = some.select(
                "serial", "model", "capacity_bytes", sources=sources, drive=pl.col("number").cast(pl.Int64)
            )
            del told
            self.passed_s += time.perf_counter() - start
            self.used_s += time.process_time() - used
            yield drives, samples


def main() -> None:
    """Draw, forecast, print."""
    drawn = Drawn()
    rated = drawn.truth.select(
        drive=pl.col("number").cast(pl.Int64), rated_bytes="rated_bytes", warranty_years=pl.lit(5.0)
    )

    def ratings(drives: pl.DataFrame) -> pl.DataFrame:
        return drives.select("drive").join(rated, on="drive")

    start, used = time.perf_counter(), time.process_time()
    table = forecast_batches(drawn, ratings, now=NOW)
    counted = quarters(table, now=NOW, level=0.8)
    passed_s = time.perf_counter() - start - drawn.passed_s
    used_s = time.process_time() - used - drawn.used_s
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    samples = DRIVES * DAYS / 1e6
    print(
        f"health_forecast: {passed_s:.1f} s ({DRIVES:,} drives × {DAYS} days, {samples:.1f} M samples, one run, "
        f"{used_s:.1f} s of processor time; drawing the fleet took {drawn.passed_s:.1f} s more)"
    )
    print(f"health_forecast_memory: {peak_mb:.0f} MB (peak resident, the whole process)")
    changed = (
        drawn.truth.select(drive="number", true_by="changed_by").join(table, on="drive").drop_nulls("true_by")
    )
    found = changed.filter((pl.col("changed_by") / pl.col("true_by")).log().abs() < 0.3).height / max(
        changed.height, 1
    )
    print(
        f"health_forecast_changes: {found:.3f} (share of the drives whose load changed for which factor is found)"
    )
    print(
        f"health_forecast_replacements: {counted['cumulative'][-1]:.0f} drives (expected within five years)"
    )


if __name__ == "__main__":
    main()
