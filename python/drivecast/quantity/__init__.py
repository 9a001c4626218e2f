"""Quantities: `parse` reads what people write, `number` writes what they read, `interval` holds bounds."""

from drivecast.quantity.parse import (
    fraction_or_more,
    growth_per_year,
    money_usd,
    option,
    size_bytes,
    time_ns,
    time_s,
    years,
)

__all__ = [
    "fraction_or_more",
    "growth_per_year",
    "money_usd",
    "option",
    "size_bytes",
    "time_ns",
    "time_s",
    "years",
]
