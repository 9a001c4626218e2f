"""Drives in service and what is to be done about each: what checks, reports and metrics agree on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from drivecast.document.part import Document, Part
from drivecast.document.record import Time
from drivecast.document.table_row import Row

Status = Literal["replace", "watch", "silent", "no date", "warranty", "ok"]
"""What is to be done about a drive, the most urgent first: every list, count, check and metric is made of these.

To be replaced; to be watched; no recent sample; the end of its flash cannot be dated; its warranty ends and it is well
otherwise; nothing.
"""
Limit = Literal["writes", "term"]
State = Literal["OK", "WARNING", "CRITICAL", "UNKNOWN"]
Kind = Literal[
    "failing",
    "spare low",
    "errors grow",
    "spare ends",
    "worn",
    "flash ended",
    "flash ends",
    "new errors",
    "pending sectors",
    "nearly worn",
    "beyond rated writes",
    "no sample",
    "stale",
    "too young",
    "no date",
    "warranty ends",
    "rated writes exhausted",
]


ReasonKind = Literal[
    "worn",
    "failing",
    "flash ended",
    "writes used up",
    "platters",
    "nothing reported",
    "whole percents",
    "too young",
    "writes nothing",
    "flash ends",
    "writes end",
    "no limit known",
    "no step yet",
    "far away",
]
SAMPLES_MIN = 3
SPAN_DAYS_MIN = 14.0
"""A shorter history shows no rate, unless the drive was powered on for `LIFETIME_DAYS_MIN` before it."""
LIFETIME_DAYS_MIN = 90.0
"""A drive powered on for less has no lifetime rate: its first weeks were its installation."""


class ForecastReason(Part):
    """What a forecast of the flash rests on or lacks, with the figures that go into the wording."""

    kind: ReasonKind
    wear_ratio: float | None = None
    written_bytes: float | None = None
    rated_bytes: float | None = None
    samples: int | None = None
    span_days: float | None = None
    end: date | None = None
    end_low: date | None = None
    end_high: date | None = None


def _moment(value: object) -> object:
    """A date as its midnight, a time with its zone: UTC where it has none."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return datetime.combine(value, time(), UTC) if isinstance(value, date) else value


Moment = Annotated[datetime, BeforeValidator(_moment)]


@dataclass(frozen=True)
class Horizons:
    """What counts as soon, as later, as too old to judge by, and as gone."""

    now: datetime
    act: timedelta = timedelta(days=92)
    """A quarter: time to notice, order and exchange a drive."""
    watch: timedelta = timedelta(days=184)
    """The quarter after that too."""
    stale: timedelta | None = None
    """Age of the last sample from which a drive is silent; none: by the rhythm of its host's readings."""
    forget: timedelta | None = None
    """Age from which it is left out, having been taken away; none: `FORGET`, or twice the age at which it is silent."""
    level: float = 0.8
    """Chance with which an interval holds the truth."""


class Concern(Part):
    """One thing to report about a drive; the drive has its figures."""

    status: Status
    kind: Kind


class DriveInService(Row):
    """One drive of a history: where it is, what is to be done about it, its newest figures and its ends."""

    serial: str
    model: str | None = None
    host: str | None = None
    device: str | None = None
    group: str | None = None
    status: Status = "ok"
    concerns: list[Concern] = Field(default_factory=list)
    """Everything to report about it, the most urgent first; nothing where it is well."""
    by: date | None = None
    """The day by which to replace it, of one that is to be replaced; that of the judgement where it cannot wait."""
    time: Moment | None = None
    """Of its last sample."""
    gap_s: float | None = None
    """Usual time between readings of its host."""
    passed: bool | None = None
    wear_ratio: float | None = None
    spare_ratio: float | None = None
    spare_threshold_ratio: float | None = None
    spare_end: date | None = None
    spare_end_low: date | None = None
    spare_end_high: date | None = None
    errors_recent: float | None = None
    """Media errors, reallocated and pending sectors that came within `error_window_days`."""
    error_days: int | None = None
    """Days on which any came."""
    error_window_days: float | None = None
    error_days_before: int | None = None
    days_before: float | None = None
    """Days before the window that are known of: its history, and its life where that was without errors."""
    pending_sectors: float | None = None
    rated_bytes: float | None = None
    written_bytes: float | None = None
    media_end: date | None = None
    media_end_low: date | None = None
    media_end_high: date | None = None
    warranty_end: date | None = None
    warranty_end_low: date | None = None
    warranty_end_high: date | None = None
    warranty_end_limit: Limit | None = None
    forecast_reason: ForecastReason | None = Field(default=None, exclude=True)

    @property
    def place(self) -> str:
        """Host and device, as far as they are known."""
        return " ".join(part for part in (self.host, self.device) if part)


@dataclass(frozen=True)
class Checked:
    """The outcome of a check."""

    state: State
    states: Sequence[State]
    """One for each of `drives`."""
    drives: Sequence[DriveInService]
    worst: Sequence[DriveInService]
    """Those in the state that decides, in the order of a list."""
    young: int
    """Drives without enough data for a forecast, where those do not decide."""
    horizons: Horizons


class CheckedDrive(Part):
    """The state of one drive, and why."""

    serial: str
    state: State
    status: Status
    host: str | None
    device: str | None
    why: str


class Check(Document):
    """What `health check` prints."""

    schema_version: int = 2
    state: State
    text: str
    perfdata: str
    counts: dict[Status, int]
    drives: list[CheckedDrive]


class ReportedDrive(Row):
    """A drive that needs attention: where to find it, what is to be done by when, and why."""

    status: Status
    host: str | None
    device: str | None
    serial: str
    model: str | None
    group: str | None
    by: date | None
    why: str


class SilentHost(Row):
    """A machine of which no drive has a recent sample."""

    host: str
    drives: int
    time: Moment
    """Of its last sample."""
    gap_s: float | None


class Report(Document):
    """What `health report` prints: each list with what fails now first, then by date of end, host and serial number."""

    schema_version: int = 2
    at: Time
    act_by: date
    watch_by: date
    subject: str
    drives_checked: int
    counts: dict[Status, int]
    silent_hosts: list[SilentHost]
    drives: list[ReportedDrive]
