"""What a forecast rests on or lacks, in words: the one place where a `ForecastReason` is worded."""

from collections.abc import Callable
from datetime import date

from drivecast.document.drive_health import (
    LIFETIME_DAYS_MIN,
    SAMPLES_MIN,
    SPAN_DAYS_MIN,
    ForecastReason,
    ReasonKind,
)
from drivecast.quantity.number import YEARS_MAX

TEXTS: dict[ReasonKind, Callable[[ForecastReason], str]] = {
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


def text(reason: ForecastReason) -> str:
    """Return a reason with its figures."""
    return TEXTS[reason.kind](reason)


def _tenths(value: float | None) -> str:
    return str(round(10 * (value or 0.0)) / 10)


def _terabytes(value: float | None) -> str:
    return _tenths((value or 0.0) / 1e12)


def _span(reason: ForecastReason) -> str:
    return f"{_day(reason.end)} ({_day(reason.end_low)} to {_day(reason.end_high)})"


def _day(day: date | None) -> str:
    return "later" if day is None else day.isoformat()
