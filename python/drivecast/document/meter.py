"""What one workload did to one drive between two readings: wear, writes and amplification, and the life they imply."""

from typing import Literal

from drivecast.document.part import Document
from drivecast.quantity.interval import Span


class Measurement(Document):
    """What `health meter` prints; an interval without a value is one of which only the bounds are known."""

    device: str | None
    model: str
    serial: str
    minutes: float
    method: Literal["timer", "differences"]
    enough: bool
    """Whether the wear rose by enough counter steps to be measured."""
    wear_ratio: Span | None
    wear_attribute: str
    wear_minutes: float
    read_ratio: float | None
    host_written_bytes: Span | None
    nand_written_bytes: Span | None
    write_amplification: Span | None
    write_amplification_by: str | None
    life_years_media: Span | None
    left_years_media: Span | None
    life_years_warranty: Span | None
    left_years_warranty: Span | None
    written_bytes: float | None
    """Over the drive's life."""
    rated_bytes: float | None
    rated_provenance: str | None
    rated_source: str | None
    notes: list[str]
