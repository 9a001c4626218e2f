"""How long a profile of a long trace takes, and in how much memory: 100 M requests of Parquet, the whole program.

Method: the file is written once with polars: 70 % reads of 4 KiB to 64 KiB by 8 volumes, 80 % of them to 16 GiB and
the others to 256 GiB, at 20,000 a second with latencies around 0.5 ms. `drivecast profile` runs as a process of its
own; time passed, processor time and peak memory are the system's. `PROFILE_REQUESTS` makes it shorter.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

REQUESTS = int(os.environ.get("PROFILE_REQUESTS", "100_000_000"))
GIB_BLOCKS = 2**18


def write(path: Path) -> None:
    """Write the trace, in pieces: memory holds one."""
    index = pl.int_range(0, REQUESTS, dtype=pl.UInt64, eager=False).alias("index")
    drawn = [pl.col("index").hash(seed=seed).alias(name) for seed, name in enumerate("abcd")]
    share = (pl.col("b") % 100).cast(pl.UInt8)
    block = (
        pl.when(share < 80).then(pl.col("a") % (16 * GIB_BLOCKS)).otherwise(pl.col("a") % (256 * GIB_BLOCKS))
    )
    size = pl.lit(4096, dtype=pl.UInt32) * pl.lit(2, dtype=pl.UInt32).pow((pl.col("c") % 5).cast(pl.UInt32))
    rows = pl.LazyFrame().select(index).with_columns(drawn)
    rows.select(
        (pl.col("index") * 50_000 + pl.col("d") % 50_000).alias("time_ns"),
        (block * 4096).alias("offset_bytes"),
        size.cast(pl.UInt32).alias("size_bytes"),
        pl.when(pl.col("d") % 10 < 7).then(pl.lit("read")).otherwise(pl.lit("write")).alias("op"),
        ((pl.col("index") // 4) % 8).cast(pl.UInt32).alias("stream"),
        (pl.col("d") % 700_000 + 100_000).alias("latency_ns"),
    ).sink_parquet(path, compression="snappy", row_group_size=1_000_000)


def main() -> None:
    """Write, run, print."""
    program = Path(sys.executable).with_name("drivecast")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "trace.parquet"
        # In a process of its own: a child's peak memory begins with that of its parent.
        subprocess.run([sys.executable, __file__, path], check=True)
        start = time.perf_counter()
        with (Path(name) / "profile.json").open("wb") as document:
            command = [program, "profile", path, "--quiet", "--output-format", "json"]
            child = subprocess.Popen(command, stdout=document)
            _, status, used = os.wait4(child.pid, 0)
        passed_s = time.perf_counter() - start
        if status != 0:
            raise SystemExit("profile_parquet: the program failed")
        size_mb = path.stat().st_size / 1e6
    print(
        f"profile_parquet: {used.ru_utime + used.ru_stime:.1f} s ({REQUESTS / 1e6:g} M requests, {size_mb:.0f} MB of "
        f"Parquet, processor time of the whole program, {passed_s:.1f} s passed)"
    )
    print(f"profile_parquet_memory: {used.ru_maxrss * 1024 / 1e6:.0f} MB (peak resident, the whole program)")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write(Path(sys.argv[1]))
    else:
        main()
