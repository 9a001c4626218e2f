"""How often the drives of a host are read, and from what age on its last sample makes a drive silent.

    gap of a drive    median of its last `GAPS` gaps between samples
    gap of a host     median over its drives; the drive's own where no host is known, the fleet's where it has none
    silent after      `FACTOR` × gap of the host, at least `FLOOR`

Three readings in a row that are missing are no accident of one (assumed). The floor is assumed too: a host read every
hour may be imported once a night, and then its newest sample is up to a day old without anything being wrong.
"""

from datetime import timedelta

import polars as pl

GAPS = 30
FACTOR = 3
FLOOR = timedelta(days=2)
SCHEMA = {"drive": pl.Int64, "gap_s": pl.Float64}


def gaps(samples: pl.DataFrame) -> pl.DataFrame:
    """Return `drive` and `gap_s`, the usual time between its samples; no row for a drive with one sample.

    `samples` are sorted by drive and time.
    """
    last = pl.col("time").tail(GAPS + 1).diff().median().dt.total_seconds()
    return samples.group_by("drive").agg(gap_s=last.cast(pl.Float64)).drop_nulls()


def silent_after(drives: pl.DataFrame, stated: timedelta | None = None) -> pl.DataFrame:
    """Return the drives with `gap_s` of their hosts and `silent_after_s`; `stated` is that of every drive, if given.

    `drives` has `host` and `gap_s`, null where a drive has one sample.
    """
    host, own = pl.col("host"), pl.col("gap_s")
    of_host = pl.when(host.is_not_null()).then(own.median().over("host"))
    usual = pl.coalesce(of_host, own, own.median())
    floor_s = FLOOR.total_seconds()
    after = pl.max_horizontal(FACTOR * pl.col("gap_s"), floor_s).fill_null(floor_s)
    if stated is not None:
        after = pl.lit(stated.total_seconds())
    return drives.with_columns(gap_s=usual).with_columns(silent_after_s=after.cast(pl.Float64))
