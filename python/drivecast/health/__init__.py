"""Drives in service: what they report of themselves, kept, forecast and served.

One direction: smartctl, nvme or a server of metrics ──► read ──► record ──► history ──► forecast ──► fleet, metrics,
report.

Public, as `drivecast.health`: `open` and `forecasts`.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from drivecast.health.history import History

__all__ = ["forecasts", "open"]


def open(url: str | None = None, *, create: bool = True) -> "History":  # noqa: A001 (as `drivecast.health.open`)
    """The history of drives at `url`: a path, or `postgresql://…`; by default the user's own file.

    A context manager: `add_table` takes samples, `drives` and `samples` give frames.

    Raises `InputError` where it cannot be opened, or is of a newer schema.
    """
    from drivecast.health.history import History  # noqa: PLC0415 (databases are slow to import)

    return History.open(url, create=create)


def forecasts(history: "History", *, as_of: datetime | None = None, level: float = 0.8) -> "pl.DataFrame":
    """When each drive's flash is worn out and its warranty ends: a row a drive, the most urgent first.

    Columns are those of `drivecast health forecast --output-format csv`; dates have the bounds that hold the truth with
    the chance `level`, in [0.01, 0.99]. `as_of` is the day it is asked for, by default now.
    """
    from drivecast.health import warranty  # noqa: PLC0415
    from drivecast.health.forecast import forecast_batches  # noqa: PLC0415

    moment = datetime.now(UTC) if as_of is None else as_of
    return forecast_batches(history.batches(), warranty.ratings, now=moment, level=level)
