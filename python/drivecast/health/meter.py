"""How much one workload wears one drive: two readings, and what lies between them.

    wear      = E2 / 1024 percent since the timer was reset (E4 minutes ago), or the difference of two readings
    life      = minutes / wear                  of a new drive under this workload alone
    years left = (1 - wear so far) / (wear / minutes)
    WA        = NAND bytes / host bytes; where the drive counts no NAND bytes,
                wear × rated cycles × flash / host bytes, if the catalog knows cycles and flash

Every counter moves in steps, so a difference d of a counter with step s lies in (d − s, d + s); after a reset it
starts at nothing and lies in [d, d + s). What is derived carries both ends. Where the step is more than half of the
difference the measurement is too short to tell, and only the end that holds is given. Source of the method: AnandTech
5518, Intel's product specifications of the DC S3500 and S3700.

Left out: wear that the drive defers (a pseudo-SLC cache not yet folded), so a workload should run longer than it takes
to fill such a cache.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from drivecast.errors import InputError
from drivecast.health import warranty
from drivecast.health.interpret import TimerReading, timer_minutes, timer_reading
from drivecast.health.read.normalise import Origin, Unread, normalise
from drivecast.health.record import Figure, Record
from drivecast.health.rules import Rules, Timer
from drivecast.health.smart_data import SmartData

MINUTES_PER_YEAR = 365.25 * 24 * 60
_TELLS = 2
"""Steps that a difference must be worth."""
_LAG_MINUTES = 2
"""The drive's minutes and the clock's need not begin together."""


@dataclass(frozen=True)
class Bounded:
    """A value and what the steps of the counters allow; `value` is missing where only a bound is known."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Reading:
    """A drive at one time, with its workload timer."""

    record: Record
    timer: Timer | None
    since_reset: TimerReading | None
    minutes: float | None
    """Of the timer; also before it tells anything."""


@dataclass
class Measurement:
    """What the workload did to the drive."""

    record: Record
    minutes: float
    method: Literal["timer", "differences"]
    wear: Bounded | None = None
    wear_attribute: str = ""
    wear_minutes: float = 0.0
    wear_minutes_step: float = 0.0
    """The drive's timer counts whole minutes."""
    read_ratio: float | None = None
    host_written: Bounded | None = None
    nand_written: Bounded | None = None
    write_amplification: Bounded | None = None
    write_amplification_by: str = ""
    life_years: Bounded | None = None
    left_years: Bounded | None = None
    warranty_years: Bounded | None = None
    warranty_left_years: Bounded | None = None
    rated: warranty.Rated | None = None
    enough: bool = True
    notes: list[str] = field(default_factory=list)


def reading(document: SmartData, origin: Origin, rules: Rules) -> Reading:
    """Return what a document tells.

    Raises `InputError` where it tells nothing of a drive.
    """
    record = normalise(document, origin, rules)
    if isinstance(record, Unread):
        raise InputError(f"{record}" + (f"\nhint: {record.hint}" if record.hint else ""))
    rule = rules.of(record.identity.bus, record.identity.model)
    if rule.timer is None:
        return Reading(record, None, None, None)
    return Reading(
        record, rule.timer, timer_reading(document, rule.timer), timer_minutes(document, rule.timer)
    )


def measure(before: Reading, after: Reading) -> Measurement:
    """Return what lies between two readings of one drive.

    Raises `InputError` where they are not two readings of one drive in order.
    """
    minutes = _minutes_between(before.record, after.record)
    found = Measurement(after.record, minutes, "differences", wear_minutes=minutes)
    found.host_written = _difference("host_written_bytes", before.record, after.record, found.notes)
    if found.host_written is not None and (found.host_written.value or 0) < 0:
        raise InputError(
            f"host writes went back by {-(found.host_written.value or 0):,.0f} bytes\n"
            "hint: the readings are of one drive, the earlier one first"
        )
    found.nand_written = _grown(_difference("nand_written_bytes", before.record, after.record, found.notes))
    _wear(found, before, after)
    found.rated = warranty.rated_writes_bytes(after.record.identity)
    _amplification(found)
    _life(found)
    _warranty(found)
    cycles = [one.record.value("power_cycles") for one in (before, after)]
    if None not in cycles and cycles[0] != cycles[1]:
        found.notes.append(
            "the drive was switched off in between: the time is that of the clock, not of its work"
        )
    return found


def _minutes_between(before: Record, after: Record) -> float:
    if before.identity.serial != after.identity.serial:
        raise InputError(
            f"two drives: `{before.identity.model}` {before.identity.serial} before, "
            f"`{after.identity.model}` {after.identity.serial} after"
        )
    minutes = (after.time - before.time).total_seconds() / 60
    if minutes <= 0:
        raise InputError(
            f"the second reading ({_at(after.time)}) is not after the first ({_at(before.time)})\n"
            "hint: give the earlier one as `--before`"
        )
    return minutes


def _at(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}"


def _difference(name: str, before: Record, after: Record, notes: list[str]) -> Bounded | None:
    first, last = _sure(before, name), _sure(after, name)
    if first is None or last is None or first.attribute != last.attribute:
        return None
    if last.value < first.value:
        notes.append(f"{last.attribute} went back from {first.value:g} to {last.value:g}")
    return _bounded(last.value - first.value, max(first.step, last.step))


def _grown(difference: Bounded | None) -> Bounded | None:
    return None if difference is None or (difference.value or 0) < 0 else difference


def _sure(record: Record, name: str) -> Figure | None:
    figure = record.figures.get(name)
    return figure if figure and figure.trust != "doubtful" else None


def _bounded(difference: float, step: float) -> Bounded:
    return Bounded(difference, max(0.0, difference - step), difference + step)


def _wear(found: Measurement, before: Reading, after: Reading) -> None:
    timer = after.since_reset
    if timer is not None and timer.minutes <= found.minutes + _LAG_MINUTES:
        found.method = "timer"
        found.wear = Bounded(timer.wear_ratio, timer.wear_ratio, timer.wear_ratio + timer.wear_step)
        found.wear_attribute = f"{after.timer.wear} / 1024 since the reset" if after.timer else ""
        found.wear_minutes, found.wear_minutes_step = timer.minutes, 1.0
        found.read_ratio = timer.read_ratio
        return
    first = before.since_reset
    if timer is not None and first is not None:
        ran = timer.minutes - first.minutes
        if abs(ran - found.minutes) <= _LAG_MINUTES and timer.wear_ratio >= first.wear_ratio:
            found.wear = _bounded(timer.wear_ratio - first.wear_ratio, timer.wear_step)
            found.wear_attribute = f"{after.timer.wear} / 1024, difference" if after.timer else ""
            return
    found.wear = _grown(_difference("wear_ratio", before.record, after.record, found.notes))
    if found.wear is not None:
        found.wear_attribute = f"{after.record.figures['wear_ratio'].attribute}, difference"
    else:
        found.notes.append("the drive does not tell its wear in both readings alike")


def _amplification(found: Measurement) -> None:
    host = found.host_written
    if host is None or not host.value:
        found.notes.append(
            "nothing was written, as far as its counters tell" if host else "it does not count host writes"
        )
        return
    if found.nand_written is not None:
        found.write_amplification = _quotient(found.nand_written, host)
        found.write_amplification_by = "NAND bytes over host bytes"
        return
    wear, known = found.wear, found.rated
    if wear is None or wear.value is None or known is None or known.pe_cycles is None or not known.raw_bytes:
        return
    low, high = known.pe_bounds or (known.pe_cycles, known.pe_cycles)
    # The timer may have run for a part of the time in which the host's writes were counted.
    whole = known.raw_bytes * found.minutes / found.wear_minutes
    worn = Bounded(
        wear.value * known.pe_cycles * whole,
        (wear.low or 0) * low * whole,
        wear.high * high * whole if wear.high is not None else None,
    )
    if abs(found.minutes - found.wear_minutes) > _LAG_MINUTES:
        found.notes.append(
            f"the timer ran for {found.wear_minutes:.0f} of the {found.minutes:.0f} min: WA takes its rate for all"
        )
    found.write_amplification = _quotient(worn, host, told=_tells(wear))
    size = f"{known.pe_cycles:,.0f} ({low:,.0f} to {high:,.0f}) cycles × {known.raw_bytes / 2**30:.0f} GiB of flash"
    found.write_amplification_by = f"wear × {size} over host bytes ({known.source})"


def _quotient(above: Bounded, below: Bounded, *, told: bool | None = None) -> Bounded:
    value = above.value / below.value if above.value is not None and below.value else None
    low = above.low / below.high if above.low is not None and below.high else None
    high = above.high / below.low if above.high is not None and below.low else None
    tells = _tells(above) if told is None else told
    return Bounded(value if tells and _tells(below) else None, low, high)


def _tells(counted: Bounded) -> bool:
    if counted.value is None or counted.low is None or counted.high is None:
        return False
    step = max(counted.value - counted.low, counted.high - counted.value)
    return counted.value > 0 and counted.value >= _TELLS * step - 1e-15


def _years(amount: float, per_stretch: Bounded, minutes: float, step: float = 0.0) -> Bounded:
    """Return how long an amount lasts; the fastest rate gives the lower end."""

    def lasts(rate: float | None, in_minutes: float) -> float | None:
        return amount * in_minutes / rate / MINUTES_PER_YEAR if rate else None

    return Bounded(
        lasts(per_stretch.value, minutes) if _tells(per_stretch) else None,
        lasts(per_stretch.high, minutes),
        lasts(per_stretch.low, minutes + step),
    )


def _life(found: Measurement) -> None:
    if found.wear is None:
        found.enough = False
        return
    found.enough = _tells(found.wear)
    found.life_years = _years(1.0, found.wear, found.wear_minutes, found.wear_minutes_step)
    worn = found.record.value("wear_ratio")
    if worn is not None:
        found.left_years = _years(max(0.0, 1 - worn), found.wear, found.wear_minutes, found.wear_minutes_step)
    if found.enough:
        return
    told = "too short to tell the wear: its counter moves in steps of "
    step = (found.wear.high or 0) - (found.wear.value or 0)
    need = (
        f"; {found.wear_minutes * 10 * step / found.wear.value / 60:.0f} h would give a tenth"
        if found.wear.value
        else ""
    )
    found.notes.append(f"{told}{100 * step:.2g} % and rose by {100 * (found.wear.value or 0):.2g} %{need}")


def _warranty(found: Measurement) -> None:
    known, host = found.rated, found.host_written
    if known is None or known.rated_bytes is None or host is None or not host.value:
        return
    found.warranty_years = _years(known.rated_bytes, host, found.minutes)
    written = found.record.value("host_written_bytes")
    if written is not None:
        found.warranty_left_years = _years(max(0.0, known.rated_bytes - written), host, found.minutes)
