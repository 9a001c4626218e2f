"""What is to be done about drives, in words: lists, places, and the reason of each concern.

What a forecast rests on or lacks is worded here alone (`reason_text`).
"""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TypeVar

from drivecast.document.drive_health import (
    LIFETIME_DAYS_MIN,
    SAMPLES_MIN,
    SPAN_DAYS_MIN,
    DriveInService,
    ForecastReason,
    Kind,
    ReasonKind,
    Report,
    ReportedDrive,
    SilentHost,
    Status,
)
from drivecast.document.forecast import DriveForecast
from drivecast.quantity.number import YEARS_MAX
from drivecast.quantity.year import DAY_S

D = TypeVar("D", bound=DriveForecast)
LIMITS = {"writes": " by its writes", "term": " by its term", None: ""}
TITLES: dict[Status, str] = {
    "replace": "Replace",
    "watch": "Watch",
    "silent": "Silent",
    "no date": "No date",
    "warranty": "Warranty",
}
"""Of the lists."""
SUBJECT: dict[Status, str] = {
    "replace": "to replace",
    "watch": "to watch",
    "silent": "silent",
    "warranty": "with a warranty that ends or is used up",
}
"""Of a number of drives; those without a date need no attention."""


def _interval(low: date | None, middle: date | None) -> str:
    first = low or middle
    return f"{first}" + (f", expected {middle}" if middle and middle != first else "")


def _flash(drive: DriveInService) -> str:
    return _interval(drive.media_end_low, drive.media_end)


def _percent(ratio: float | None) -> str:
    return f"{100 * (ratio or 0):.0f} %"


def _threshold(drive: DriveInService) -> str:
    known = drive.spare_threshold_ratio
    return "threshold 10 %, assumed" if known is None else f"threshold {_percent(known)}"


def _spare(drive: DriveInService) -> str:
    """What is left, its threshold, and when it is reached."""
    left = f"spare {_percent(drive.spare_ratio)} ({_threshold(drive)})"
    return f"{left}: may be reached {_interval(drive.spare_end_low, drive.spare_end)}"


def _errors(drive: DriveInService) -> str:
    count, days = f"{drive.errors_recent or 0:,.0f}", drive.error_days or 0
    window = f"{drive.error_window_days or 0:.0f}"
    return f"{count} new error{'s' * (count != '1')} on {days} of the last {window} days"


def _grown(drive: DriveInService) -> str:
    before, days = drive.error_days_before or 0, drive.days_before or 0
    past = f", on {before or 'none'} of the {days:,.0f} days before" if days >= 1 else ""
    return f"errors grow: {_errors(drive)}{past}"


def _forecast(drive: DriveInService) -> str:
    return reason_text(drive.forecast_reason) if drive.forecast_reason else "not enough data"


def _written(drive: DriveInService) -> str:
    return f"{_percent((drive.written_bytes or 0) / (drive.rated_bytes or 1))} of its rated writes"


WORDING: dict[Kind, Callable[[DriveInService], str]] = {
    "failing": lambda _: "reports that it is failing",
    "spare low": lambda drive: (
        f"{_percent(drive.spare_ratio)} of its spare blocks left ({_threshold(drive)})"
    ),
    "errors grow": _grown,
    "spare ends": _spare,
    "worn": lambda drive: f"worn to {_percent(drive.wear_ratio)} of its rating",
    "flash ended": lambda drive: f"flash may have ended {_flash(drive)}",
    "flash ends": lambda drive: f"flash may end {_flash(drive)}",
    "new errors": _errors,
    "pending sectors": lambda drive: f"{drive.pending_sectors or 0:,.0f} sectors wait to be replaced",
    "nearly worn": lambda drive: f"worn to {_percent(drive.wear_ratio)} of its rating, without a date",
    "beyond rated writes": lambda drive: f"has written {_written(drive)} and reports no wear",
    "no sample": lambda _: "no sample",
    "stale": lambda drive: f"no sample since {drive.time:%Y-%m-%d}{every(drive.gap_s)}",
    "too young": _forecast,
    "no date": _forecast,
    "warranty ends": lambda drive: (
        f"warranty ends {_interval(drive.warranty_end_low, drive.warranty_end)}{LIMITS[drive.warranty_end_limit]}"
    ),
    "rated writes exhausted": lambda drive: (
        f"has written {_written(drive)}"
        + (f"; its flash is worn to {_percent(drive.wear_ratio)}" if drive.status == "warranty" else "")
    ),
}
"""What each concern about a drive reads as."""


def every(gap_s: float | None) -> str:
    """Return the usual rhythm of readings, behind a comma; nothing where it is not known."""
    if not gap_s:
        return ""
    days, hours = gap_s / DAY_S, gap_s / 3600
    text = f"{days:.0f} d" if days >= 0.95 else f"{hours:.0f} h" if hours >= 0.95 else f"{gap_s / 60:.0f} min"
    return f", read every {text} until then"


def unheard(host: SilentHost) -> str:
    """Return since when nothing is heard of a machine."""
    drives = "its drive" if host.drives == 1 else f"its {counted(host.drives)}"
    return f"no sample of {drives} since {host.time:%Y-%m-%d}{every(host.gap_s)}"


def why(drive: DriveInService) -> str:
    """Return everything to report about a drive."""
    return "; ".join(WORDING[concern.kind](drive) for concern in drive.concerns)


def worded(drive: D) -> D:
    """Return a forecast with what is to be done about it, or what it rests on, in words."""
    known = reason_text(drive.forecast_reason) if drive.forecast_reason else ""
    return drive.model_copy(update={"why": why(drive) or known})


def place(host: str | None, device: str | None) -> str:
    """Return where a drive is, as far as it is known: a device name alone names no drive."""
    if host:
        return f"{host} {device}" if device else host
    return f"machine not known, {device}" if device else "place not known"


def when(row: ReportedDrive, report: Report) -> str:
    """Return by when to pull a drive."""
    if row.by is None:
        return ""
    return "now" if row.by <= report.at.date() else f"by {row.by}"


def counted(count: int) -> str:
    """Return a number of drives."""
    return "1 drive" if count == 1 else f"{count:,} drives"


def headline(report: Report) -> str:
    """Return what is to be done, in a line."""
    if not report.drives_checked:
        return "No drive is in the history: `drivecast health import` adds some."
    total = report.counts["replace"]
    if not total:
        return f"No drive needs replacement by {report.act_by} ({counted(report.drives_checked)} checked)."
    urgent = sum(row.by is not None and row.by <= report.at.date() for row in report.drives)
    now = f", {urgent:,} of them now" if 0 < urgent < total else ", now" if urgent else ""
    return f"Replace {counted(total)} by {report.act_by}{now}; {report.drives_checked:,} checked."


def subject(report: Report) -> str:
    """Return one line from which to see whether to open a mail."""
    if not report.drives_checked:
        return "Drives: none in the history"
    found = [f"{report.counts[status]:,} {what}" for status, what in SUBJECT.items() if report.counts[status]]
    return f"Drives: {', '.join(found) or f'all {report.drives_checked:,} well'}"


def listed(report: Report, status: Status) -> Sequence[ReportedDrive]:
    """Return the drives of one list, in their order."""
    return [row for row in report.drives if row.status == status]


REASON_TEXTS: dict[ReasonKind, Callable[[ForecastReason], str]] = {
    "worn": lambda reason: (
        f"worn past its rating: {_tenths(100 * (reason.wear_ratio or 0)).removesuffix('.0')} % used"
    ),
    "failing": lambda _: "the drive judges itself failing",
    "flash ended": lambda reason: f"by its rate the flash was worn out on {_span(reason)}",
    "writes used up": lambda reason: (
        f"rated writes are used up: {_terabytes(reason.written_bytes)} of {_terabytes(reason.rated_bytes)} TB"
    ),
    "platters": lambda _: "a disk with platters: writes do not wear it out",
    "nothing reported": lambda _: "reports neither bytes written nor wear",
    "whole percents": lambda _: "reports wear in whole percents only: a date needs bytes written too",
    "too young": lambda reason: (
        f"samples: {reason.samples} over {_tenths(reason.span_days)} days; a rate needs {SAMPLES_MIN} over "
        f"{SPAN_DAYS_MIN:.0f} days, or {LIFETIME_DAYS_MIN:.0f} days powered on before them"
    ),
    "writes nothing": lambda _: "writes nothing, so nothing wears out",
    "flash ends": lambda reason: f"flash worn out on {_span(reason)}",
    "writes end": lambda reason: f"rated writes used up on {_span(reason)}",
    "no limit known": lambda _: "reports no wear, and its rated writes are not known",
    "no step yet": lambda _: "its wear gauge has not moved yet, and its rated writes are not known",
    "far away": lambda _: f"more than {YEARS_MAX:.0f} years away at this rate",
}


def reason_text(reason: ForecastReason) -> str:
    """Return a reason with its figures."""
    return REASON_TEXTS[reason.kind](reason)


def _tenths(value: float | None) -> str:
    return str(round(10 * (value or 0.0)) / 10)


def _terabytes(value: float | None) -> str:
    return _tenths((value or 0.0) / 1e12)


def _span(reason: ForecastReason) -> str:
    return f"{_day(reason.end)} ({_day(reason.end_low)} to {_day(reason.end_high)})"


def _day(day: date | None) -> str:
    return "later" if day is None else day.isoformat()
