"""Quantities as text, the same in the report and in the terminal.

Every function takes a number in the unit of its argument's name, or `None`, and returns text with its
unit. Rounding is to two or three significant digits (four for money), since no prediction here is better
than that; it keeps order: of two quantities of one kind, the larger never reads as the smaller. `None`
and NaN read as `–`. 1 GB is 10⁹ bytes, 1 GiB is 2³⁰.
"""

import math
from collections.abc import Callable
from decimal import Decimal

from drivecast.quantity.interval import Interval

Text = Callable[[float | None], str]
"""A function that formats a quantity."""

ABSENT = "–"
"""Text for a figure that is unknown or does not apply."""

YEARS_MAX = 50.0
"""Longer lives make no difference to a buyer, and no model is valid for flash that long."""

MONTHS_MAX = 120.0
"""Parts are qualified for a retention of ten years, and nobody has measured longer."""

MONTHS_MIN = 0.1
"""Three days: no plan relies on less."""

CODE_LETTERS = 3
"""Of a currency: USD."""

HEADROOM_MAX = 64.0
"""The planner searches no further for headroom; what reaches it is shown as more."""

_DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def significant(value: float | None, digits: int = 3, *, zeros: bool = False) -> str:
    """Round to significant digits and write without exponent, with commas between thousands.

    `zeros` keeps the zeros at the end of decimals.
    """
    if value is None or math.isnan(value):
        return ABSENT
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    text = f"{Decimal(f'{value:.{digits - 1}e}'):,f}"
    return text.rstrip("0").rstrip(".") if "." in text and not zeros else text


def count(value: float | None) -> str:
    """Return an exact count, all digits: `180,625`."""
    return ABSENT if value is None else f"{round(value):,}"


def _scaled(value: float | None, step: int, units: tuple[str, ...], digits: int = 3) -> str:
    if value is None or not math.isfinite(value):
        return significant(value)
    index = 0
    while abs(value) >= step and index < len(units) - 1:
        value /= step
        index += 1
    if float(f"{value:.{digits - 1}e}") >= step and index < len(units) - 1:
        value, index = value / step, index + 1
    return f"{significant(value, digits)} {units[index]}"


def size(value_bytes: float | None) -> str:
    """Bytes in powers of 1000: `480 GB`."""
    return _scaled(value_bytes, 1000, _DECIMAL)


def binary_size(value_bytes: float | None) -> str:
    """Bytes in powers of 1024: `16 KiB`."""
    return _scaled(value_bytes, 1024, _BINARY)


def throughput(bytes_per_s: float | None) -> str:
    """Bytes per second in powers of 1000: `68 MB/s`."""
    text = _scaled(bytes_per_s, 1000, _DECIMAL, 2)
    return text if text == ABSENT else f"{text}/s"


def milliseconds(latency_ns: float | None) -> str:
    """Return a latency as bare milliseconds, for columns whose heading has the unit: `0.31`."""
    value = None if latency_ns is None else latency_ns / 1e6
    return significant(value, 2 if value is None or value < 100 else 3, zeros=value is not None and value < 1)


def latency(latency_ns: float | None) -> str:
    """Return a latency, in milliseconds at every size that is sane: `0.31 ms`, `48 ms`, `12 s`."""
    if latency_ns is None or not math.isfinite(latency_ns):
        return significant(latency_ns)
    return f"{significant(latency_ns / 1e9, 3)} s" if latency_ns >= 1e10 else f"{milliseconds(latency_ns)} ms"


def iops(value: float | None) -> str:
    """Return requests per second, without the unit: `3,900`."""
    return significant(value, 3)


def multiple(value: float | None) -> str:
    """Return a ratio: `11×`."""
    text = significant(value, 2)
    return text if text == ABSENT else f"{text}×"


def headroom(times: float | None, at_least: float | None = None) -> str:
    """Return headroom, `11×`, `> 64×` for all that is more, and `≥ 6×` where it is known to be `at_least` that."""
    if times is None and at_least is not None:
        return f"≥ {multiple(at_least)}"
    return f"> {HEADROOM_MAX:.0f}×" if times is not None and times >= HEADROOM_MAX else multiple(times)


def percent(fraction: float | None) -> str:
    """Return a fraction in [0, 1]: `73 %`."""
    if fraction is None or not math.isfinite(fraction):
        return significant(fraction)
    return f"{significant(fraction * 100, 2)} %"


def within_percent(share: Interval) -> str:
    """Return a fraction in [0, 1] with its bounds: `85 % (60 to 100 %)`; one that is known without."""
    if share.low == share.high:
        return percent(share.value)
    return f"{percent(share.value)} ({between_percent(share)})"


def between_percent(share: Interval) -> str:
    """Return the bounds of a fraction in [0, 1]: `60 to 100 %`."""
    return f"{share.low * 100:.0f} to {share.high * 100:.0f} %"


def money(amount: float | None, currency: str = "USD") -> str:
    """Money, to the whole unit from 10 on: `$412`."""
    if amount is None or not math.isfinite(amount):
        return significant(amount)
    text = significant(amount, 2 if abs(amount) < 10 else 4)
    text = f"{Decimal(text.replace(',', '')):,.0f}" if abs(amount) >= 10 else text
    return f"${text}" if currency == "USD" else f"{currency} {text}"


def power(value_w: float | None) -> str:
    """Watts: `4.2 W`."""
    text = significant(value_w, 2)
    return text if text == ABSENT else f"{text} W"


def energy(value_kwh: float | None) -> str:
    """Kilowatt-hours: `184 kWh`."""
    text = significant(value_kwh, 3)
    return text if text == ABSENT else f"{text} kWh"


def years(value_years: float | None) -> str:
    """Return a life: `11 y`, and `> 50 y` for all that is longer."""
    if value_years is None or math.isnan(value_years):
        return ABSENT
    return f"> {YEARS_MAX:.0f} y" if value_years > YEARS_MAX else f"{significant(value_years, 2)} y"


def months(value_months: float | None) -> str:
    """Return an unpowered retention: `3.6 months`, and `> 120 months` beyond what parts are qualified for."""
    if value_months is None or math.isnan(value_months):
        return ABSENT
    if value_months >= MONTHS_MAX:
        return f"> {MONTHS_MAX:.0f} months"
    if value_months < MONTHS_MIN:
        return f"under {MONTHS_MIN:g} months"
    return f"{significant(value_months, 2)} months"


def quantity(value: float | None, unit: str) -> str:
    """Return an input of a plan in its unit: `$255`, `0.3 USD/kWh`, `40 %/y`, `8 h`."""
    if unit in ("1/y", "of the price"):
        return percent(value).replace(" %", " %/y") if unit == "1/y" else f"{percent(value)} {unit}"
    if len(unit) == CODE_LETTERS and unit.isupper():
        return money(value, unit)
    text = significant(value)
    return text if text == ABSENT or not unit else f"{text}{'' if unit == '×' else ' '}{unit}"


def duration(value_s: float | None) -> str:
    """Return a stretch of time in the largest unit that holds at least ten: `240 s`, `45 min`, `14 days`."""
    if value_s is None or not math.isfinite(value_s):
        return significant(value_s)
    for unit, unit_s in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if value_s >= 10 * unit_s:
            return f"{significant(value_s / unit_s, 3)} {unit}"
    return f"{significant(value_s, 3)} s"


def probability(fraction: float | None) -> str:
    """Return a chance, in percent down to 1 % and below that as `1 in 83,000`, which spares the zeros."""
    if fraction is None or not math.isfinite(fraction):
        return significant(fraction)
    if fraction <= 0:
        return "0"
    if fraction >= 0.01:
        return percent(fraction)
    return "under 1 in 1e12" if fraction < 1e-12 else f"1 in {significant(1 / fraction, 2)}"


def span(text: Text, low: float | None, high: float | None) -> str:
    """Two bounds in one unit: `0.29–0.35 ms`, `9–13 y`, `> 32 y`; one text when both read alike."""
    if low is None or high is None:
        return ABSENT
    first, last = text(low), text(high)
    if first == last:
        return first
    if last.startswith("> "):
        return f"> {first}"
    first_number, _, first_unit = first.partition(" ")
    last_number, _, last_unit = last.partition(" ")
    if first_unit == last_unit:
        return f"{first_number.removesuffix('×')}–{last_number}" + (f" {last_unit}" if last_unit else "")
    return f"{first} – {last}"


def quantile(name: str) -> str:
    """A quantile as people name it: `q0.999` is `p99.9`."""
    return f"p{100 * float(name[1:]):.6g}"
