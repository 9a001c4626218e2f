"""Where one serial number stops being one drive: its counters go back, or its hours outrun the clock.

    written(t) < 0.99 · written(before) − 1 GiB      the counter was reset, or another drive answers
    hours(t) < hours(before) − 12 h                  the same
    hours(t) − hours(before) > 1.1 · elapsed + 48 h  another, older drive answers

A drive may forget the last hours and gigabytes when its power fails, and clocks differ; beyond that a new identity
begins, so that no rate is ever taken across the step. Where an earlier one's counters continue by the same rules, it is
that one again: two drives that swap back, two that answer in turn, one reading that was all zeros. The margins are
assumed. What comes out depends on the samples alone and not on the order in which they came. Left out: a swap between
drives whose counters follow on each other.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from drivecast.document.record import NAMES
from drivecast.health.history.sample import TIME

WRITTEN_KEPT = 0.99
WRITTEN_SLACK_BYTES = 2.0**30
HOURS_SLACK = 12.0
AHEAD_FACTOR = 1.1
AHEAD_SLACK_HOURS = 48.0
MOST = 16
"""Identities of one serial number: beyond that the counter is at fault, not the drive, and stays in the last."""
MOST_PIECES = 1024
"""Times that one serial number changes between them; beyond that it stays with the last."""
TRACK = ("origin", "time", "power_on_hours", "host_written_bytes")


def broken(track: pl.DataFrame) -> pl.Series:
    """The drives, by `origin`, whose counters do not follow on. `track` is sorted by drive and time."""
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
    grown = pl.col("power_on_hours") - pl.col("hours")
    went_back = pl.col("host_written_bytes") < WRITTEN_KEPT * pl.col("written") - WRITTEN_SLACK_BYTES
    ahead = grown > AHEAD_FACTOR * elapsed + AHEAD_SLACK_HOURS
    return table.filter(went_back | (grown < -HOURS_SLACK) | ahead)["origin"].unique().sort()


@dataclass
class Counters:
    """The latest reading of one identity."""

    hours: float | None = None
    at: datetime | None = None
    """When it reported its hours."""
    written: float | None = None

    def against(self, time: datetime, hours: float | None, written: float | None) -> str | None:
        """Why a later reading is not the same drive's; nothing where it may be."""
        least = WRITTEN_KEPT * (self.written or 0.0) - WRITTEN_SLACK_BYTES
        if written is not None and written < least:
            return f"host writes went back from {self.written:.0f} to {written:.0f} bytes"
        if self.hours is None or self.at is None or hours is None:
            return None
        grown, elapsed = hours - self.hours, (time - self.at).total_seconds() / 3600
        if grown < -HOURS_SLACK:
            return f"power-on hours went back from {self.hours:.0f} to {hours:.0f}"
        if grown > AHEAD_FACTOR * elapsed + AHEAD_SLACK_HOURS:
            return f"power-on hours grew by {grown:.0f} within {elapsed:.1f} hours"
        return None

    def resumes(self, time: datetime, hours: float | None, written: float | None) -> bool:
        """Whether a later reading is this one's again; without hours nobody can tell."""
        known = self.hours is not None and hours is not None
        return known and self.against(time, hours, written) is None

    def take(self, time: datetime, hours: float | None, written: float | None) -> None:
        """Remember a reading."""
        if hours is not None:
            self.hours, self.at = hours, time
        if written is not None:
            self.written = written


@dataclass(frozen=True)
class Piece:
    """Samples of one identity, from some time until the next piece begins."""

    begins_s: int
    reason: str | None
    continues: int | None
    """Place of the piece with which its identity began; nothing for a new one."""


def pieces(readings: Iterable[tuple[datetime, float | None, float | None]]) -> list[Piece]:
    """One serial number's readings (time, hours, written) in their order, as pieces of identities."""
    found = [Piece(0, None, None)]
    known = {0: Counters()}  # by the place of their first piece
    current = 0
    for time, hours, written in readings:
        reason = known[current].against(time, hours, written)
        if reason is not None and len(found) < MOST_PIECES:
            others = [place for place in reversed(known) if place != current]
            again = next((place for place in others if known[place].resumes(time, hours, written)), None)
            if again is not None or len(known) < MOST:
                current = len(found) if again is None else again
                found.append(Piece(int(time.timestamp()), reason, again))
                known.setdefault(current, Counters())
        known[current].take(time, hours, written)
    return found


def assign(samples: pl.DataFrame, lives: pl.DataFrame) -> pl.DataFrame:
    """The samples with the `drive` that each belongs to, and its `piece`.

    `lives` has `drive`, `origin`, `begins` in milliseconds and `continues`.
    """
    further = lives.filter(pl.col("drive") != pl.col("origin"))
    if not further.height:
        return samples.with_columns(drive=pl.col("origin"), piece=pl.col("origin"))
    split = pl.col("origin").is_in(further["origin"].unique().implode())
    single = samples.filter(~split).with_columns(drive=pl.col("origin"), piece=pl.col("origin"))
    several = samples.filter(split).sort("time")
    begins = lives.select(
        "origin",
        time=pl.col("begins").cast(TIME),
        drive=pl.coalesce("continues", "drive"),
        piece=pl.col("drive"),
    ).sort("time")
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
