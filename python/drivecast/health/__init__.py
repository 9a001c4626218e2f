"""Drives in service: what they report of themselves, kept, forecast and served.

One direction: smartctl, nvme or a server of metrics ──► read ──► record ──► history ──► forecast, signs ──► concern ──►
report, check, fleet, metrics.

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
    """What is to be done about each drive, and when its flash, spare and warranty end: the most urgent first.

    Columns are those of `drivecast health forecast --output-format csv` but for the sentence: `status`, `concerns` are
    values. Drives not seen for long are left out, as there. Dates have the bounds that hold the truth with the chance
    `level`, in [0.01, 0.99]. `as_of` is the day it is asked for, by default now.
    """
    from drivecast.document.drive_health import Horizons  # noqa: PLC0415
    from drivecast.document.forecast import DriveForecast  # noqa: PLC0415
    from drivecast.health.in_service import drives_in_service  # noqa: PLC0415

    table = drives_in_service(history, Horizons(as_of or datetime.now(UTC), level=level))
    wanted = (name for name, field in DriveForecast.model_fields.items() if not field.exclude)
    return table.select(name for name in wanted if name in table.columns)
