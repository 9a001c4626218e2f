"""How much one workload wears one drive: two readings and their difference.

    wear      = E2 / 1024 percent since the timer was reset (E4 minutes ago), or the difference of two readings
    life      = minutes / wear                  of a new drive under this workload alone
    years left = (1 - wear so far) / (wear / minutes)
    WA        = NAND bytes / host bytes; where the drive counts no NAND bytes,
                wear × rated cycles × flash / host bytes, if the catalog knows cycles and flash

Every counter moves in steps, so a difference d of a counter with step s lies in (d − s, d + s); after a reset it
starts at nothing and lies in [d, d + s). What is derived carries both bounds. Where the step is more than half of the
difference the measurement is too short, and only the bound that holds is given. Source of the method: AnandTech
5518, Intel's product specifications of the DC S3500 and S3700.

Left out: wear that the drive defers (a pseudo-SLC cache not yet folded), so a workload should run longer than it takes
to fill such a cache.
"""

from dataclasses import dataclass
from typing import Literal

from drivecast.document.meter import Measurement
from drivecast.document.record import Record, Unread
from drivecast.errors import HintedError, InputError
from drivecast.health import warranty
from drivecast.health.interpret import TimerReading, timer_minutes, timer_reading
from drivecast.health.read.normalise import Origin, normalise
from drivecast.health.rules import Rules, Timer
from drivecast.health.smart_data import SmartData
from drivecast.quantity.interval import Span
from drivecast.quantity.year import HOURS_PER_YEAR

TIME = "%Y-%m-%d %H:%M:%S"
MINUTES_PER_YEAR = HOURS_PER_YEAR * 60
STEPS_LEAST = 2
"""Steps of its counter that a difference must be worth."""
LAG_MINUTES = 2
"""The drive's minutes and the clock's need not begin together."""


@dataclass(frozen=True)
class Reading:
    """A drive at one time, with its workload timer."""

    record: Record
    timer: Timer | None = None
    since_reset: TimerReading | None = None
    minutes: float | None = None
    """Of the timer; also before it reports anything."""


@dataclass(frozen=True)
class Wear:
    """By how much the wear rose, and in what time."""

    minutes: float
    span: Span | None
    attribute: str = ""
    method: Literal["timer", "differences"] = "differences"
    minutes_step: float = 0.0
    """The drive's timer counts whole minutes."""
    read_ratio: float | None = None

    def years(self, amount: float | None) -> Span | None:
        """The time in which it would rise by an amount."""
        return _years(amount, self.span, self.minutes, self.minutes_step)


def reading(document: SmartData, origin: Origin, rules: Rules) -> Reading:
    """Return the reading in a document; raises `InputError` where it holds no drive."""
    record = normalise(document, origin, rules)
    if isinstance(record, Unread):
        raise record.error
    timer = rules.of(record.bus, record.model).timer
    if timer is None:
        return Reading(record)
    return Reading(record, timer, timer_reading(document, timer), timer_minutes(document, timer))


def measure(before: Reading, after: Reading) -> Measurement:
    """Return what lies between two readings; raises `InputError` where they are not of one drive in order."""
    first, record, notes = before.record, after.record, list[str]()
    minutes = _minutes_between(first, record)
    host = _difference("host_written_bytes", first, record, notes)
    if host is not None and (host.value or 0) < 0:
        raise HintedError(
            f"host writes went back by {-(host.value or 0):,.0f} bytes",
            "the readings are of one drive, the earlier one first",
        )
    nand = _grown(_difference("nand_written_bytes", first, record, notes))
    wear = _wear(before, after, minutes, notes)
    rated = warranty.rated(record.model, record.capacity_bytes)
    ratio, by = _amplification(host, nand, wear, rated, minutes, notes)
    enough = wear.span is not None and _enough(wear.span)
    if wear.span is not None and not enough:
        notes.append(_too_short(wear.span, wear.minutes))
    cycles = [first.value("power_cycles"), record.value("power_cycles")]
    if None not in cycles and cycles[0] != cycles[1]:
        notes.append("the drive was powered off in between: the time is that of the clock, not of its work")
    worn, written = record.value("wear_ratio"), record.value("host_written_bytes")
    rated_bytes = rated.rated_bytes if rated else None
    rated_left = max(0.0, rated_bytes - written) if rated_bytes is not None and written is not None else None
    counted = host if host is not None and host.value else None
    return Measurement(
        schema_version=1,
        device=record.device,
        model=record.model,
        serial=record.serial,
        minutes=minutes,
        method=wear.method,
        enough=enough,
        wear_ratio=wear.span,
        wear_attribute=wear.attribute,
        wear_minutes=wear.minutes,
        read_ratio=wear.read_ratio,
        host_written_bytes=host,
        nand_written_bytes=nand,
        write_amplification=ratio,
        write_amplification_by=by,
        life_years_media=wear.years(1.0),
        left_years_media=wear.years(None if worn is None else max(0.0, 1 - worn)),
        life_years_warranty=_years(rated_bytes or None, counted, minutes),
        left_years_warranty=_years(rated_left if rated_bytes else None, counted, minutes),
        written_bytes=written,
        rated_bytes=rated_bytes,
        rated_provenance=rated.provenance if rated else None,
        rated_source=rated.source if rated else None,
        notes=notes,
    )


def _minutes_between(before: Record, after: Record) -> float:
    if before.serial != after.serial:
        raise InputError(
            f"two drives: `{before.model}` {before.serial} before, `{after.model}` {after.serial} after"
        )
    minutes = (after.time - before.time).total_seconds() / 60
    if minutes <= 0:
        raise HintedError(
            f"the second reading ({after.time:{TIME}}) is not after the first ({before.time:{TIME}})",
            "give the earlier one as `--before`",
        )
    return minutes


def _difference(name: str, before: Record, after: Record, notes: list[str]) -> Span | None:
    first, last = before.sure(name), after.sure(name)
    if first is None or last is None or first.attribute != last.attribute:
        return None
    if last.value < first.value:
        notes.append(f"{last.attribute} went back from {first.value:g} to {last.value:g}")
    return _bounded(last.value - first.value, max(first.step, last.step))


def _grown(difference: Span | None) -> Span | None:
    return None if difference is None or (difference.value or 0) < 0 else difference


def _bounded(difference: float, step: float) -> Span:
    return Span(value=difference, low=max(min(0.0, difference), difference - step), high=difference + step)


def _wear(before: Reading, after: Reading, minutes: float, notes: list[str]) -> Wear:
    timer, first = after.since_reset, before.since_reset
    number = after.timer.wear if after.timer else ""
    if timer is not None and timer.minutes <= minutes + LAG_MINUTES:
        worn = timer.wear_ratio
        span = Span(value=worn, low=worn, high=worn + timer.wear_step)
        return Wear(timer.minutes, span, f"{number} / 1024 since the reset", "timer", 1.0, timer.read_ratio)
    if timer is not None and first is not None:
        lag = timer.minutes - first.minutes - minutes
        if abs(lag) <= LAG_MINUTES and timer.wear_ratio >= first.wear_ratio:
            span = _bounded(timer.wear_ratio - first.wear_ratio, timer.wear_step)
            return Wear(minutes, span, f"{number} / 1024, difference")
    difference = _grown(_difference("wear_ratio", before.record, after.record, notes))
    if difference is None:
        notes.append("the drive does not report its wear alike in both readings")
        return Wear(minutes, None)
    return Wear(minutes, difference, f"{after.record.figures['wear_ratio'].attribute}, difference")


def _amplification(
    host: Span | None,
    nand: Span | None,
    wear: Wear,
    rated: warranty.Rated | None,
    minutes: float,
    notes: list[str],
) -> tuple[Span | None, str | None]:
    """Return the write amplification, and from what it was taken."""
    if host is None or not host.value:
        notes.append("its counters show no writes" if host else "the drive does not count host writes")
        return None, None
    if nand is not None:
        return _quotient(nand, host), "NAND bytes over host bytes"
    span = wear.span
    if span is None or span.value is None or rated is None or rated.pe_cycles is None or not rated.raw_bytes:
        return None, None
    low, high = rated.pe_bounds or (rated.pe_cycles, rated.pe_cycles)
    # The timer may have run for a part of the time in which the host's writes were counted.
    whole = rated.raw_bytes * minutes / wear.minutes
    worn = Span(
        value=span.value * rated.pe_cycles * whole,
        low=(span.low or 0) * low * whole,
        high=span.high * high * whole if span.high is not None else None,
    )
    if abs(minutes - wear.minutes) > LAG_MINUTES:
        notes.append(
            f"the timer ran for {wear.minutes:.0f} of the {minutes:.0f} min: WA assumes its rate for all"
        )
    size = f"{rated.pe_cycles:,.0f} ({low:,.0f} to {high:,.0f}) cycles × {rated.raw_bytes / 2**30:.0f} GiB of flash"
    return _quotient(worn, host, enough=_enough(span)), f"wear × {size} over host bytes ({rated.source})"


def _quotient(above: Span, below: Span, *, enough: bool | None = None) -> Span:
    value = above.value / below.value if above.value is not None and below.value else None
    low = above.low / below.high if above.low is not None and below.high else None
    high = above.high / below.low if above.high is not None and below.low else None
    known = _enough(above) if enough is None else enough
    return Span(value=value if known and _enough(below) else None, low=low, high=high)


def _enough(counted: Span) -> bool:
    """Whether a difference is worth enough steps of its counter."""
    if counted.value is None or counted.low is None or counted.high is None:
        return False
    step = max(counted.value - counted.low, counted.high - counted.value)
    return counted.value > 0 and counted.value >= STEPS_LEAST * step - 1e-15


def _years(amount: float | None, per_stretch: Span | None, minutes: float, step: float = 0.0) -> Span | None:
    """Return the years until an amount is used up, where both are known; the fastest rate gives the lower bound."""
    if amount is None or per_stretch is None:
        return None

    def until(rate: float | None, in_minutes: float) -> float | None:
        return amount * in_minutes / rate / MINUTES_PER_YEAR if rate else None

    return Span(
        value=until(per_stretch.value, minutes) if _enough(per_stretch) else None,
        low=until(per_stretch.high, minutes),
        high=until(per_stretch.low, minutes + step),
    )


def _too_short(wear: Span, minutes: float) -> str:
    value = wear.value or 0
    step = (wear.high or 0) - value
    need = f"; {minutes * 10 * step / value / 60:.0f} h would give a precision of a tenth" if value else ""
    return (
        f"measurement too short for the wear: its counter moves in steps of {100 * step:.2g} % and rose by "
        f"{100 * value:.2g} %{need}"
    )
