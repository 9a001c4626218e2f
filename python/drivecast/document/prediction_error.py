"""How far predictions have been off so far, as a plan states it."""

from typing import Any

from pydantic import Field

from drivecast.document.error_log import Standing
from drivecast.document.part import Part


class DesignError(Standing):
    """How far predictions for the drive of a design have been off so far."""

    design: str
    drive: str
    kind: str
    held_out: dict[str, Any] | None = None
    """The error on runs held out that the file of a fitted drive states."""
    statement: str = ""
    """In a sentence."""


class PredictionError(Part):
    """How far predictions have been off so far."""

    comparisons: int
    statement: str = ""
    """Of the winner, or of the nearest miss where nothing fits."""
    designs: list[DesignError] = Field(default_factory=list)
