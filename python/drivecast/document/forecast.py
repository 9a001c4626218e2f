"""Forecasts of drives in service: when their flash is worn out and their warranty ends.

Dates are days, null where they are more than fifty years away; an interval has its early end in `_low`.
"""

from datetime import date, datetime
from typing import Annotated

from pydantic import BeforeValidator, Field

from drivecast.document.drive_health import DriveInService, SilentHost, Status
from drivecast.document.part import Document
from drivecast.document.table_row import Row
from drivecast.quantity.interval import finite


def _rounded(value: float | None) -> int | None:
    return None if value is None else round(value)


def _finite(value: float | None) -> float | None:
    return None if value is None else finite(value)


Bytes = Annotated[int | None, BeforeValidator(_rounded)]
Number = Annotated[float | None, BeforeValidator(_finite)]


class DriveForecast(DriveInService):
    """One drive: who it is, what is to be done about it, its rate of writes, and its ends."""

    drive: int
    why: str = ""
    """What is to be done about it, or what its forecast says, once `present` has put it into words."""
    wear_ratio: Number = None
    spare_ratio: Number = None
    written_bytes: Bytes = None
    rated_bytes: Bytes = None
    written_bytes_per_day: Number
    written_bytes_per_day_low: Number
    written_bytes_per_day_high: Number
    lifetime_bytes_per_day: Number
    write_amplification: Number
    write_amplification_lifetime: Number
    changed_at: datetime | None
    changed_by: Number
    last_seen: datetime | None


class DriveEnding(DriveForecast):
    """A drive that may reach an end by a day."""

    chance: float


class Quarter(Row):
    """Replacements expected in one quarter, such as `2027-Q1`."""

    quarter: str
    start: date
    end: date
    """The day after its last."""
    replacements: float
    replacements_low: int
    replacements_high: int
    cumulative: float
    """With the quarters before it."""


class Group(Row):
    """Drives of one array, and how many of them end close together."""

    group: str
    drives: int
    first_end: date | None
    last_end: date | None
    within_window: int
    at_risk: bool


class Dated(Document):
    """A forecast as of a day; `level` is the chance with which its intervals hold the truth."""

    schema_version: int = 2
    as_of: date
    level: float


class Forecast(Dated):
    """All drives, the most urgent first."""

    drives: list[DriveForecast]


class Endings(Dated):
    """Drives that may reach an end by a day, the most likely first."""

    drives: list[DriveEnding]


class Quarters(Dated):
    """Replacements by quarter."""

    quarters: list[Quarter]


class Fleet(Dated):
    """A fleet at a glance."""

    counts: dict[Status, int]
    quarters: list[Quarter]
    groups: list[Group]
    silent_hosts: list[SilentHost]
    first: list[DriveForecast]


class Change(Row):
    """A change of workload."""

    time: datetime
    factor: Number
    """Of the daily writes."""


class WriteLimit(Row):
    """Host bytes at which a drive reaches an end."""

    limit: str
    written_bytes: Bytes


class FanPoint(Row):
    """Host bytes, and the times by which they are written."""

    written_bytes: Bytes
    early: datetime
    middle: datetime
    late: datetime


class AmplificationWindow(Row):
    """Write amplification in a stretch of time; null where the drive was nearly idle."""

    start: datetime
    end: datetime
    host_bytes: Bytes
    nand_bytes: Bytes
    write_amplification: Number


class Written(Row):
    """Host bytes written by a time."""

    time: datetime
    written_bytes: float


class Trajectory(DriveForecast, Dated):
    """One drive in full: what it wrote, what it will have written, and where that meets its limits."""

    past: list[Written] = Field(exclude=True)
    changes: list[Change]
    limits: list[WriteLimit]
    fan: list[FanPoint]
    amplification: list[AmplificationWindow]
