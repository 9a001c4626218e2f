"""Quantities as people write them on the command line; the grammar is that of the designs (`_core`)."""

from collections.abc import Callable
from datetime import date
from typing import TypeVar

from drivecast import _core
from drivecast.errors import InputError

T = TypeVar("T")
SECONDS_MAX = 1e10
"""Three centuries."""


def size_bytes(text: str) -> int:
    """A size: `320GB`, `64KiB`, `4096`."""
    return _core.parse_bytes(text)


def time_ns(text: str) -> int:
    """A time: `75us`, `5ms`, `3y`."""
    return _core.parse_nanos(text)


def time_s(text: str) -> float:
    """A time in seconds: `25ms`, `2s`."""
    return time_ns(text) / 1e9


def seconds(text: str) -> float:
    """A length of time in seconds, above 0: `300`, `5min`, `12d`."""
    try:
        found = float(text)
    except ValueError:
        found = time_s(text)
    if not 0 < found < SECONDS_MAX:
        raise InputError(f"expected a time above 0 such as 300, 5min or 12d, found `{text}`")
    return found


def bytes_per_s(text: str) -> int:
    """A throughput above 0: `40MB/s`, `400KiB/s`."""
    found = size_bytes(text.removesuffix("/s"))
    if not found:
        raise InputError(f"expected a rate above 0 such as 40MB/s, found `{text}`")
    return found


def years(text: str) -> float:
    """A number of years: `5`, `3y`, `30d`."""
    try:
        return float(text)
    except ValueError:
        return _core.parse_nanos(text) / _core.parse_nanos("1y")


def days(text: str) -> float:
    """A number of days: `7`, `7d`, `12h`."""
    try:
        return float(text)
    except ValueError:
        return _core.parse_nanos(text) / _core.parse_nanos("1d")


def growth_per_year(text: str) -> float:
    """A growth: `20%/y`, `20%`, `0.2`."""
    return fraction_or_more(text.removesuffix("/y").removesuffix("/year"))


def fraction_or_more(text: str) -> float:
    """A non-negative ratio: `20%`, `0.2`, `1.5`."""
    number, scale = (text[:-1], 0.01) if text.endswith("%") else (text, 1.0)
    try:
        return float(number) * scale
    except ValueError:
        raise InputError(f"expected a share such as 20% or 0.2, found `{text}`") from None


def money_usd(text: str) -> float:
    """An amount in US dollars: `5000`, `$5000`, `5k`."""
    number, scale = text.strip().removeprefix("$").replace(",", ""), 1.0
    if number.lower().endswith("k"):
        number, scale = number[:-1], 1e3
    try:
        return float(number) * scale
    except ValueError:
        raise InputError(f"expected an amount in USD such as 5000 or 5k, found `{text}`") from None


def day(text: str) -> date:
    """A day: `2025-10-01`."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise InputError(f"expected a day such as 2025-10-01, found `{text}`") from None


def option(name: str, parse: Callable[[str], T], text: str | None) -> T | None:
    """The value of option `name`, or `None` where it was not given; errors name the option."""
    if text is None:
        return None
    try:
        return parse(text)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def several(name: str, parse: Callable[[str], T], text: str) -> tuple[T, ...]:
    """Return the values of a list such as `1,8,32`, each once, in order; errors name the option."""
    try:
        return tuple(dict.fromkeys(parse(word.strip()) for word in text.split(",")))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def count(text: str, most: int) -> int:
    """Return a whole number from 1 to `most`."""
    if text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= most:
        return int(text)
    raise InputError(f"expected whole numbers from 1 to {most} such as `1,8,32`, found `{text}`")
