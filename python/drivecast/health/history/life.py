"""Where one serial number stops being one drive: its counters go back, or its hours outrun the clock.

    written(t) < 0.99 · written(before) − 1 GiB      the counter was reset, or another drive answers
    hours(t) < hours(before) − 12 h                  the same
    hours(t) − hours(before) > 1.1 · elapsed + 48 h  another, older drive answers

A drive may forget the last hours and gigabytes when its power fails, and clocks differ; beyond that a new identity
begins, so that no rate is ever taken across the step. The margins are assumed. What comes out depends on the samples
alone and not on the order in which they came. Left out: a swap between drives whose counters follow on each other.
"""

from typing import Any

import polars as pl

from drivecast.health.history.sample import TIME
from drivecast.health.record import NAMES

WRITTEN_KEPT = 0.99
WRITTEN_SLACK_BYTES = 2.0**30
HOURS_SLACK = 12.0
AHEAD_FACTOR = 1.1
AHEAD_SLACK_HOURS = 48.0

MOST = 16
"""Identities of one serial number: beyond that the counter is at fault, not the drive, and stays in the last."""

TRACK = ("origin", "time", "power_on_hours", "host_written_bytes")


def breaks(track: pl.DataFrame) -> pl.DataFrame:
    """Where a new identity begins, and why: `origin`, `time`, `reason`. `track` is sorted by drive and time."""
    before = {
        "hours": pl.col("power_on_hours"),
        "written": pl.col("host_written_bytes"),
        "at": pl.when(pl.col("power_on_hours").is_not_null()).then(pl.col("time")),
    }
    # The newest value so far, and whose it is: much faster than a window for each of many drives.
    owner = {
        name: pl.when(column.is_not_null()).then(pl.col("origin")).forward_fill().shift(1)
        for name, column in before.items()
    }
    table = track.select(
        *TRACK,
        **{
            name: pl.when(owner[name] == pl.col("origin")).then(column.forward_fill().shift(1))
            for name, column in before.items()
        },
    )
    elapsed = (pl.col("time") - pl.col("at")).dt.total_seconds() / 3600
    hours, written = pl.col("power_on_hours"), pl.col("host_written_bytes")
    grown = hours - pl.col("hours")
    went_back = written < WRITTEN_KEPT * pl.col("written") - WRITTEN_SLACK_BYTES
    aged_back = grown < -HOURS_SLACK
    ahead = grown > AHEAD_FACTOR * elapsed + AHEAD_SLACK_HOURS
    steps = table.filter(went_back | aged_back | ahead)
    rows = steps.select(
        "origin",
        "time",
        hours,
        written,
        went_back=went_back,
        aged_back=aged_back,
        elapsed=elapsed,
        hours_before="hours",
        written_before="written",
    )
    found = [(row["origin"], row["time"], _reason(row)) for row in rows.iter_rows(named=True)]
    table = pl.DataFrame(found, schema={"origin": pl.Int64, "time": TIME, "reason": pl.String}, orient="row")
    return table.filter(pl.int_range(pl.len()).over("origin") < MOST - 1)


def _reason(row: dict[str, Any]) -> str:
    if row["went_back"]:
        return (
            f"host writes went back from {row['written_before']:.0f} to {row['host_written_bytes']:.0f} bytes"
        )
    if row["aged_back"]:
        return f"power-on hours went back from {row['hours_before']:.0f} to {row['power_on_hours']:.0f}"
    grown = row["power_on_hours"] - row["hours_before"]
    return f"power-on hours grew by {grown:.0f} within {row['elapsed']:.1f} hours"


def assign(samples: pl.DataFrame, lives: pl.DataFrame) -> pl.DataFrame:
    """The samples with the `drive` that each belongs to. `lives` has `drive`, `origin`, `begins`."""
    further = lives.filter(pl.col("drive") != pl.col("origin"))
    if not further.height:
        return samples.with_columns(drive=pl.col("origin"))
    split = pl.col("origin").is_in(further["origin"].unique().implode())
    single = samples.filter(~split).with_columns(drive=pl.col("origin"))
    several = samples.filter(split).sort("time")
    begins = lives.select("drive", "origin", time=pl.col("begins").cast(TIME)).sort("time")
    several = several.join_asof(begins, on="time", by="origin", strategy="backward", check_sortedness=False)
    return pl.concat([single, several])


def summary(samples: pl.DataFrame) -> pl.DataFrame:
    """One row a `drive` of `samples`, sorted by time: span, and the newest of each figure."""
    newest = {name: pl.col(name).drop_nulls().last() for name in (*NAMES, "passed")}
    seen = pl.col("time").filter(pl.col("power_on_hours").is_not_null()).last()
    return samples.group_by("drive", maintain_order=True).agg(
        first_seen_s=pl.col("time").first().dt.epoch("s"),
        last_seen_s=pl.col("time").last().dt.epoch("s"),
        hours_seen_s=seen.dt.epoch("s"),
        **newest,
    )
