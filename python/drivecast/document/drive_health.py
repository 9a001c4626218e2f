"""Drives in service and what is to be done about each: what checks, reports and metrics agree on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal

from pydantic import BeforeValidator

from drivecast.document.part import Document, Part
from drivecast.document.record import Time
from drivecast.document.table_row import Row

Status = Literal["alarm", "soon", "ok", "not enough data"]
Limit = Literal["writes", "term"]
Urgency = Literal["act", "watch", "unknown"]
State = Literal["OK", "WARNING", "CRITICAL", "UNKNOWN"]
Kind = Literal[
    "failing",
    "worn",
    "spare low",
    "alarm",
    "flash ends",
    "flash ended",
    "new errors",
    "rated writes exhausted",
    "warranty ends",
    "soon",
    "no sample",
    "stale",
    "too young",
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


class StatusReason(Part):
    """Why a forecast gives a drive its status, with the figures that go into the wording."""

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
    """What counts as soon, as later, and as too old to judge by."""

    now: datetime
    act: timedelta = timedelta(days=90)
    watch: timedelta = timedelta(days=180)
    stale: timedelta = timedelta(days=2)


class DriveInService(Row):
    """One drive of a history: where it is, its newest figures, its ratings and its forecast."""

    serial: str
    model: str | None = None
    host: str | None = None
    device: str | None = None
    group: str | None = None
    time: Moment | None = None
    """Of its last sample."""
    passed: bool | None = None
    wear_ratio: float | None = None
    spare_ratio: float | None = None
    errors_recent: float | None = None
    host_written_bytes: float | None = None
    rated_bytes: float | None = None
    status: Status | None = None
    status_reason: StatusReason | None = None
    media_end: Moment | None = None
    media_end_low: Moment | None = None
    warranty_end: Moment | None = None
    warranty_end_low: Moment | None = None
    warranty_end_limit: Limit | None = None

    @property
    def earliest_end(self) -> datetime | None:
        """The early end of the media end's interval; the date itself where there is no interval."""
        return self.media_end_low or self.media_end

    @property
    def place(self) -> str:
        """Host and device, as far as they are known."""
        return " ".join(part for part in (self.host, self.device) if part)


class Concern(Part):
    """One thing to report about a drive; the drive has its figures."""

    urgency: Urgency
    kind: Kind


@dataclass(frozen=True)
class Judged:
    """A drive and everything to report about it, the most urgent first; nothing where it is well."""

    drive: DriveInService
    concerns: Sequence[Concern]


@dataclass(frozen=True)
class Checked:
    """The outcome of a check."""

    state: State
    states: Sequence[State]
    """One for each of `drives`."""
    drives: Sequence[Judged]
    worst: Sequence[Judged]
    """Those in the state that decides, in the order of a list."""
    young: int
    """Drives without enough data for a forecast, where those do not decide."""
    horizons: Horizons


class CheckedDrive(Part):
    """The state of one drive, and why."""

    serial: str
    state: State
    why: str


class Check(Document):
    """What `health check` prints."""

    state: State
    text: str
    perfdata: str
    drives: list[CheckedDrive]


class Counts(Part):
    """Drives by list."""

    drives: int
    replace: int
    watch: int
    unknown: int
    well: int


List = Literal["replace", "watch", "unknown"]


class ReportedDrive(Part):
    """A drive that needs attention."""

    list: List
    serial: str
    model: str | None
    host: str | None
    device: str | None
    group: str | None
    earliest_end: date | None
    why: str


class Report(Document):
    """What `health report` prints: each list with what fails now first, then by date of end, host and serial number."""

    at: Time
    subject: str
    counts: Counts
    drives: list[ReportedDrive]
