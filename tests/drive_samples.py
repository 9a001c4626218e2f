"""Small histories for tests: drives by name, with counters that do as told."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import polars as pl

from drivecast.document.record import NAMES, Figure, Record
from drivecast.health.history import History

START = datetime(2026, 1, 20, tzinfo=UTC)
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def record(
    serial: str,
    day: float,
    written: float | None,
    hours: float | None,
    *,
    model: str = "M1",
    capacity: int | None = 480 * 10**9,
    doubtful: Sequence[str] = (),
    host: str | None = "db1",
) -> Record:
    """One drive on one day after the start."""
    values = {"host_written_bytes": written, "power_on_hours": hours, "temperature_c": 30.0}
    figures = {
        name: Figure(value, name, "doubtful" if name in doubtful else "documented", 1.0)
        for name, value in values.items()
        if value is not None
    }
    return Record(
        serial=serial,
        model=model,
        firmware="F1",
        bus="ata",
        capacity_bytes=capacity,
        rotating=False,
        vendor="intel",
        host=host,
        device="/dev/sda",
        time=START + timedelta(days=day),
        passed=True,
        figures=figures,
    )


def steady(serial: str, days: Sequence[int], **options: str) -> list[Record]:
    """A drive that writes 10 GB a day and is always on."""
    return [record(serial, day, 1e12 + 1e10 * day, 1000.0 + 24 * day, **options) for day in days]


def opened(url: str, wait_s: float = 30.0) -> History:
    """A history for which it is always the same day."""
    return History.open(url, wait_s=wait_s, now=lambda: NOW)


def content(history: History) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """All that a history holds, without the keys that the order of arrival decides."""
    drives = history.drives()
    named = ["serial", "model", "capacity_bytes", "first_seen"]
    samples = history.samples().join(drives.select("drive", *named), on="drive", nulls_equal=True)
    order = [*named, "time", *NAMES, "passed", "doubtful"]
    known = drives.drop("drive", "origin", "sources").sort(named)
    return known.rows(), samples.select(order).sort(*named, "time").with_columns(pl.col("doubtful")).rows()
