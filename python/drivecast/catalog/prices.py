"""What things cost, and when that was true: `prices.toml`, a file meant to be edited by whoever buys.

Later price files override earlier ones drive by drive and key by key.
"""

from datetime import date
from typing import Annotated

from pydantic import Field

from drivecast.catalog.figure import Figure, NonNegative, Positive, Strict


class Price(Figure[Annotated[float, Field(gt=0)]]):
    """Price of one drive; `on` where it is not of the file's date."""

    on: date | None = None


class Electricity(Strict):
    """Energy and what it takes to bring it to the drive and the heat away."""

    usd_per_kwh: Positive
    pue: Figure[Annotated[float, Field(ge=1)]]
    """Power usage effectiveness: energy of the site over energy of its computers."""


class Host(Strict):
    """What an array needs beside its drives."""

    slot_usd: NonNegative
    """A drive's share of backplane and enclosure."""
    controller_usd: NonNegative
    """Controller of an array."""
    controller_w: NonNegative


class Prices(Strict):
    """`prices.toml`."""

    date: date
    currency: str
    sources: dict[str, str]
    electricity: Electricity
    host: Host
    drives: dict[str, Price]
