"""A fleet of drives whose truth is known: a rate of writing, a write amplification and a change of load for each.

Represented: host writes a day, lognormal about the drive's own rate; a factor on that rate from one day on, for a
part of the drives; flash writes by a constant write amplification; wear as a whole percent of the rated flash writes;
hours, power cycles and a temperature with the seasons. Left out: failures, and everything that no history can show.
Draws come from Python's own generator, so the same seed gives the same fleet with any version of any library.
"""

import argparse
import math
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl

START = datetime(2025, 1, 1, 6, tzinfo=UTC)
NOISE = 1 << 14
"""Draws in the table of daily noise; a drive starts at a place of its own in it."""

MODELS = (
    # model, capacity in GB, rated writes a day in drive-fills over five years, bytes a count
    ("FLEET-R 960G", 960, 1.0, 512_000),
    ("FLEET-R 3T8", 3840, 1.0, 512_000),
    ("FLEET-M 1T6", 1600, 3.0, 512_000),
    ("FLEET-S 480G", 480, 0.6, 32 << 20),
)


def truth(drives: int, seed: int = 0) -> pl.DataFrame:
    """One row a drive: who it is, and what its history rests on.

    `changed_day` is the first day with the rate times `changed_by`, null for a drive whose load stays.
    """
    draw = random.Random(seed)
    rows = []
    for number in range(drives):
        model, capacity_gb, per_day, step = MODELS[number % len(MODELS)]
        capacity = capacity_gb * 10**9
        rate = capacity * per_day * draw.lognormvariate(math.log(0.2), 0.8)
        changes = draw.random() < 0.25
        rows.append(
            {
                "number": number,
                "serial": f"FLT{seed:02d}{number:07d}",
                "model": model,
                "capacity_bytes": capacity,
                "step_bytes": step,
                "rated_bytes": capacity * per_day * 365.25 * 5,
                "written_bytes_per_day": rate,
                "noise": draw.choice((0.05, 0.2, 0.5)),
                "write_amplification": 1.0 + draw.lognormvariate(math.log(0.6), 0.6),
                "changed_day": draw.randrange(60, 300) if changes else None,
                "changed_by": draw.choice((0.25, 0.5, 2.0, 4.0)) if changes else None,
                "age_days": draw.randrange(1200),
                "noise_at": draw.randrange(NOISE),
                "temperature_c": draw.gauss(36, 4),
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def samples(drives: pl.DataFrame, days: int, seed: int = 0) -> pl.DataFrame:
    """The histories of `drives`, rows of `truth`: a sample a day, sorted by drive and time."""
    draw = random.Random(seed ^ 0x5EED)
    noise = pl.Series([draw.gauss(0.0, 1.0) for _ in range(NOISE)])
    table = drives.join(pl.DataFrame({"day": range(days)}), how="cross", maintain_order="left_right")
    at = (pl.col("noise_at") + pl.col("day") * 7) % NOISE
    table = table.with_columns(z=noise.gather(table.select(at).to_series()))
    factor = pl.when(pl.col("day") >= pl.col("changed_day")).then(pl.col("changed_by")).otherwise(1.0)
    spread = (pl.col("noise") * pl.col("z") - pl.col("noise") ** 2 / 2).exp()
    daily = pl.col("written_bytes_per_day") * factor * spread
    before = pl.col("written_bytes_per_day") * pl.col("age_days")
    written = before + daily.cum_sum().over("number")
    flash = written * pl.col("write_amplification")
    worn = flash / (pl.col("rated_bytes") * 2.5)
    season = 4 * (pl.col("day") * (2 * math.pi / 365.25)).sin()
    start = pl.lit(START.replace(tzinfo=None)).dt.replace_time_zone("UTC")
    return table.select(
        "serial",
        "model",
        "capacity_bytes",
        firmware=pl.lit("F1"),
        bus=pl.when(pl.col("step_bytes") == 512_000).then(pl.lit("nvme")).otherwise(pl.lit("ata")),
        time=start + pl.duration(days=pl.col("day"), seconds=pl.col("number") % 600),
        host_written_bytes=(written / pl.col("step_bytes")).floor() * pl.col("step_bytes"),
        host_read_bytes=(written * 1.7 / pl.col("step_bytes")).floor() * pl.col("step_bytes"),
        nand_written_bytes=(flash / 2**25).floor() * 2**25,
        wear_ratio=(worn * 100).floor() / 100,
        spare_ratio=pl.lit(1.0),
        media_errors=pl.lit(0.0),
        reallocated_sectors=pl.lit(0.0),
        power_on_hours=((pl.col("age_days") + pl.col("day")) * 24.0),
        power_cycles=(10 + pl.col("age_days") // 90 + pl.col("day") // 120).cast(pl.Float64),
        temperature_c=(pl.col("temperature_c") + season + pl.col("z")).round(0),
    )


def by_drives(drives: int, days: int, at_once: int, seed: int = 0) -> Iterator[pl.DataFrame]:
    """The fleet's samples, `at_once` drives with all their days a table."""
    known = truth(drives, seed)
    for first in range(0, drives, at_once):
        yield samples(known.slice(first, at_once), days, seed)


def write(folder: Path, drives: int, days: int, *, by_day: bool, seed: int = 0) -> list[Path]:
    """The fleet in Parquet files: of some drives each, or of thirty days each as a collector leaves them."""
    paths: list[Path] = []
    if not by_day:
        for number, table in enumerate(by_drives(drives, days, 10_000, seed)):
            paths.append(folder / f"drives-{number:03d}.parquet")
            table.write_parquet(paths[-1], compression="lz4")
        return paths
    whole = folder / "whole"
    whole.mkdir()
    write(whole, drives, days, by_day=False, seed=seed)
    for first in range(0, days, 30):
        low = START + timedelta(days=first, hours=-6)
        paths.append(folder / f"days-{first:03d}.parquet")
        within = pl.col("time").is_between(low, low + timedelta(days=30), closed="left")
        month = pl.scan_parquet(whole / "*.parquet").filter(within)
        month.collect().sort("time", "serial").write_parquet(paths[-1], compression="lz4")
    for path in whole.iterdir():
        path.unlink()
    whole.rmdir()
    return paths


def main() -> None:
    """Write a fleet: `python benches/fleet.py FOLDER --drives 100000 --days 365`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--drives", type=int, default=100_000)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--by-day", action="store_true", help="a file holds thirty days of all drives")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for path in write(given.folder, given.drives, given.days, by_day=given.by_day, seed=given.seed):
        print(path)
    truth(given.drives, given.seed).write_parquet(given.folder / "truth.parquet")


if __name__ == "__main__":
    main()
