"""What one drive said of itself at one time, in the same words whoever made it.

Represented: figures that tell wear, writes, errors and age, each in base units with the attribute it came from, how far
that is to be trusted, and how fine it counts. Left out: attributes that no question of ours needs, and self-test logs.

    wear = 1 at the end of what the maker rates the flash for; it goes on rising beyond it
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Bus = Literal["ata", "nvme", "scsi"]

Trust = Literal["documented", "observed", "derived", "doubtful"]
"""Where the meaning of an attribute comes from.

A standard or the maker's document; agreement of real drives with something else they say; our own arithmetic over
other attributes; a sanity rule that speaks against it. A doubtful figure is shown and never computed with.
"""

NAMES = (
    "host_written_bytes",
    "host_read_bytes",
    "nand_written_bytes",
    "wear_ratio",
    "spare_ratio",
    "media_errors",
    "reallocated_sectors",
    "power_on_hours",
    "power_cycles",
    "temperature_c",
)
"""Figures a record may hold; counts only grow over a drive's life, but for spare and temperature."""


@dataclass(frozen=True)
class Figure:
    """One value and what it rests on."""

    value: float
    """Whole numbers of bytes, sectors and hours stay exact to 2⁵³."""
    attribute: str
    """As the drive's own tools name it, such as `data_units_written` or `233 Media_Wearout_Indicator (value)`."""
    trust: Trust
    step: float
    """What the counter moves by at least: 0.01 for a whole percent, 512,000 for an NVMe data unit."""
    reason: str = ""
    """Why it is doubtful; empty otherwise."""


@dataclass(frozen=True)
class Identity:
    """Which drive."""

    serial: str
    """As the drive says it; a World Wide Name stands in where it is missing."""
    model: str
    firmware: str
    bus: Bus
    capacity_bytes: int | None
    rotating: bool
    vendor: str
    """The rule that read it, a file name in the catalog's `smart`; `standard` where none is for this model."""
    catalog: str | None = None
    """Name of the drive in the catalog, which knows its rated writes."""


@dataclass(frozen=True)
class Record:
    """One drive at one time."""

    identity: Identity
    time: datetime
    """In UTC, to the second."""
    figures: Mapping[str, Figure]
    """By the names of `NAMES`; what the drive does not tell is missing."""
    passed: bool | None = None
    """The drive's own judgement of its health."""
    host: str | None = None
    device: str | None = None
    """Where it was found, such as `/dev/sda`; not its identity, since it changes with a reboot."""
    notes: tuple[str, ...] = field(default=())
    """What a person has to know of the reading: sentinels met, timers reset, attributes missing."""

    def value(self, name: str) -> float | None:
        """The figure's value where there is one to compute with."""
        figure = self.figures.get(name)
        return figure.value if figure and figure.trust != "doubtful" else None
