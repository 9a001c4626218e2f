"""Quantities: `parse` reads what people write, `number` writes what they read, `interval` holds bounds."""

from drivecast.quantity.parse import (
    count,
    fraction_or_more,
    growth_per_year,
    money_usd,
    option,
    several,
    size_bytes,
    time_ns,
    time_s,
    years,
)

__all__ = [
    "count",
    "fraction_or_more",
    "growth_per_year",
    "money_usd",
    "option",
    "several",
    "size_bytes",
    "time_ns",
    "time_s",
    "years",
]
