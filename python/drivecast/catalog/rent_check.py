"""What is doubtful of kinds that are rented and their prices.

Limits and prices of clouds change within a year, so each has its date. Prices without any kind are those of another
catalog and are passed over.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from drivecast.catalog.cloud import CloudFile
from drivecast.catalog.prices import Prices

PRICE_LIFE = timedelta(days=365)


def rent_doubts(cloud: CloudFile, prices: Prices) -> Iterator[tuple[str, str, str, bool]]:
    """List kinds without prices and prices without kinds: name, what, limit, whether it is an error."""
    priced = _priced(cloud)
    for name in priced:
        if name not in prices.cloud:
            yield name, "has no price", "what is rented needs one", True
    for name in prices.cloud if priced else ():
        if name not in priced:
            yield name, "is the price of no kind", "not in cloud.toml", False


def old(cloud: CloudFile, prices: Prices, today: date) -> Iterator[tuple[str, date]]:
    """List the limits and prices that are older than a year, with their dates."""
    rents = {name: prices.cloud[name] for name in _priced(cloud) if name in prices.cloud}
    fitting = {pattern for name in cloud.instances if (pattern := prices.commitment(name)) is not None}
    committed = {pattern: prices.commitments[pattern] for pattern in sorted(fitting)}
    for table, entries in (
        ("kinds", cloud.kinds),
        ("instances", cloud.instances),
        ("cloud", rents),
        ("commitments", committed),
    ):
        for name, known in entries.items():
            if today - known.on > PRICE_LIFE:
                yield f"{table}.{name}", known.on


def _priced(cloud: CloudFile) -> list[str]:
    """What needs a price: kinds, and instances with drives inside."""
    return [*cloud.kinds, *(name for name, known in cloud.instances.items() if known.local is not None)]
