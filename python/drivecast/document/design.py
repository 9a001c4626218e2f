"""What a design line resolves to, as the core reports it (`crates/python/src/simulate.rs`)."""

from typing import Literal

from drivecast.document.part import Part

LatencyKnown = Literal["measured", "platform", "sheet-only"]
"""How the latency of an SSD under load is known: of this drive, of another of its platform, from its sheet alone."""
Level = Literal["single", "raid0", "raid1", "raid5", "raid6", "raid10", "raid50", "raid60"]


class Shape(Part):
    """The drives of a design and how they are combined."""

    usable_bytes: int
    level: Level | None
    """Null unless the design is one drive, or an array of equal drives that has one of these words."""
    groups: int
    """That data are spread over, each with redundancy of its own: pairs in RAID 10."""
    spares: int
    """Drives that wait for a failure, of all groups together."""
    drives: dict[str, int]
    """How many there are of each drive of the catalog."""
    partition: float
    """Share of each drive that is used."""
