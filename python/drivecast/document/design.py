"""What a design line resolves to, as the core reports it (`crates/python/src/simulate.rs`)."""

from typing import Literal

from drivecast.document.part import Part

Level = Literal["single", "raid0", "raid1", "raid5", "raid6", "raid10"]


class Shape(Part):
    """The drives of a design and how they are combined."""

    usable_bytes: int
    level: Level | None
    """Null unless the design is one drive, or one array of drives in one group."""
    drives: dict[str, int]
    """How many there are of each drive of the catalog."""
    partition: float
    """Share of each drive that is used."""


def failures_tolerated(level: Level | None, drives: int) -> int:
    """Drives that may fail, whichever they are, without loss of data: of an array at this level."""
    return {"raid1": drives - 1, "raid10": 1, "raid5": 1, "raid6": 2}.get(level or "single", 0)
