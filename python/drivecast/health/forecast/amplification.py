"""Write amplification from what a drive counts: flash bytes over host bytes, by differences and over its lifetime.

A window's write amplification is the difference of flash bytes over the difference of host bytes. Windows in which
the host wrote less than `IDLE_SHARE` of the drive a day are left out: what the drive then does for itself (refresh,
wear levelling, its own tables) is a large share of almost nothing, and shows nothing about the workload. So are windows
shorter than `COUNTS_MIN` steps of either counter.
"""

import polars as pl

from drivecast.quantity.year import DAY_S

IDLE_SHARE = 1e-3
"""Of the capacity, a day."""
COUNTS_MIN = 50.0
WINDOW_DAYS = 28


def recent(rows: pl.DataFrame, state: pl.DataFrame) -> pl.DataFrame:
    """Return `drive`, `write_amplification` over the last `WINDOW_DAYS` or since the last change, whichever is shorter.

    `rows` are cleaned samples with `second`, `total` (host bytes) and `nand_written_bytes`; `state` has `drive`,
    `last_s`, `changed_s` (nullable), `capacity_bytes`, `host_step` and `nand_step`.
    """
    starts = state.select(
        "drive",
        "capacity_bytes",
        "host_step",
        "nand_step",
        pl.max_horizontal(pl.col("last_s") - WINDOW_DAYS * DAY_S - 3600, "changed_s").alias("start"),
    )
    first = starts["start"].min()
    rising = {"total": "host", "nand_written_bytes": "nand", "second": "length"}
    window = (
        rows.lazy()
        .select("drive", "second", "total", "nand_written_bytes")
        .filter((pl.col("second") >= pl.lit(first)) & pl.col("nand_written_bytes").is_not_null())
        .join(starts.lazy(), on="drive", maintain_order="left")
        .filter(pl.col("second") >= pl.col("start"))
        .group_by("drive")
        .agg(
            pl.col(*rising).last() - pl.col(*rising).first(),
            pl.col("capacity_bytes", "host_step", "nand_step").first(),
        )
        .rename(rising)
    )
    ratio = pl.col("nand") / pl.col("host")
    return window.filter(_busy()).select("drive", write_amplification=ratio).collect()


def over_time(samples: pl.DataFrame, capacity_bytes: int | None, window_days: int = 7) -> pl.DataFrame:
    """Return one drive's write amplification over time, a row a window with its `start` and `end`.

    `samples` has `time`, `host_written_bytes` and `nand_written_bytes`; idle windows have a null.
    """
    known = samples.select(start="time", host="host_written_bytes", nand="nand_written_bytes")
    known = known.drop_nulls(["host", "nand"]).sort("start").with_columns(time="start")
    windows = known.group_by_dynamic("time", every=f"{window_days}d", closed="left", start_by="datapoint")
    table = pl.concat([windows.agg(pl.col("start", "host", "nand").first()), known.tail(1)], how="diagonal")
    return (
        table.select("start", pl.col("start").shift(-1).alias("end"), pl.col("host", "nand").diff().shift(-1))
        .drop_nulls()
        .filter((pl.col("end") > pl.col("start")) & (pl.col("host") >= 0) & (pl.col("nand") >= 0))
        .with_columns(
            length=(pl.col("end") - pl.col("start")).dt.total_seconds(),
            capacity_bytes=pl.lit(capacity_bytes, pl.Float64),
            host_step=pl.lit(512_000.0),
            nand_step=pl.lit(512_000.0),
        )
        .select(
            "start",
            "end",
            pl.col("host").alias("host_bytes"),
            pl.col("nand").alias("nand_bytes"),
            pl.when(_busy()).then(pl.col("nand") / pl.col("host")).alias("write_amplification"),
        )
    )


def _busy() -> pl.Expr:
    """Whether `host` and `nand` of a window of `length` seconds tell a ratio."""
    idle = pl.col("capacity_bytes").fill_null(0) * (IDLE_SHARE / DAY_S) * pl.col("length")
    counted = [pl.col(name) >= COUNTS_MIN * pl.col(f"{name}_step") for name in ("host", "nand")]
    return (pl.col("host") > 0) & (pl.col("host") >= idle) & pl.all_horizontal(counted)
