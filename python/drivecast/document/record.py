"""What one drive reports of itself at one time, in the same terms whoever made it.

Represented: figures for wear, writes, errors and age, each in base units with the attribute it came from, how far that
is to be trusted, and how fine it counts. Left out: attributes that no question of ours needs, and self-test logs.

    wear = 1 at the end of what the maker rates the flash for; it rises beyond that
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import PlainSerializer, computed_field

from drivecast.document.part import Document, Part
from drivecast.errors import HintedError

Bus = Literal["ata", "nvme", "scsi"]

Trust = Literal["documented", "observed", "derived", "doubtful"]
"""Where the meaning of an attribute comes from.

A standard or the maker's document; agreement of real drives with another of their figures; our own arithmetic over
other attributes; a sanity rule that contradicts it. A doubtful figure is shown and never computed with.
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
    "spare_threshold_ratio",
    "pending_sectors",
)
"""Figures a record may hold; counts only grow over a drive's life, but for spare, temperature and pending sectors.

A history has a bit and a column for each in this order: new ones go to the end.
"""


def whole(value: float) -> float | int:
    """The number, without `.0` where it is whole."""
    return int(value) if value == int(value) else value


Whole = Annotated[float, PlainSerializer(whole)]
Time = Annotated[datetime, PlainSerializer(datetime.isoformat)]
"""In UTC, to the second."""

UNIT_UNKNOWN = "its unit is not known"
"""In the reason of a doubtful figure that is no number of anything."""


@dataclass(frozen=True)
class Figure:
    """One value and its origin."""

    value: Whole
    """Whole numbers of bytes, sectors and hours stay exact to 2⁵³."""
    attribute: str
    """As the drive's own tools name it, such as `data_units_written` or `233 Media_Wearout_Indicator (value)`."""
    trust: Trust
    step: Whole
    """The least that the counter moves by: 0.01 for a whole percent, 512,000 for an NVMe data unit."""
    reason: str | None = None
    """Why it is doubtful."""


class Record(Part):
    """One drive at one time."""

    serial: str
    """As the drive reports it; the World Wide Name where it is missing."""
    model: str
    firmware: str | None = None
    bus: Bus
    capacity_bytes: int | None
    rotating: bool
    vendor: str
    """The rule that read it, a file name in the catalog's `smart`; `standard` where none is for this model."""
    catalog: str | None = None
    """Name of the drive in the catalog, which knows its rated writes."""
    host: str | None = None
    device: str | None = None
    """Where it was found, such as `/dev/sda`; not its identity, since it changes with a reboot."""
    time: Time
    passed: bool | None = None
    """The drive's own judgement of its health."""
    figures: dict[str, Figure]
    """By the names of `NAMES`; what the drive does not report is missing."""
    notes: tuple[str, ...] = ()
    """What the reader has to know: sentinels met, timers reset, attributes missing."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def write_amplification_lifetime(self) -> float | None:
        """NAND writes over host writes since the drive was made."""
        nand, host = self.value("nand_written_bytes"), self.value("host_written_bytes")
        return round(nand / host, 4) if nand is not None and host else None

    @property
    def doubtful(self) -> list[str]:
        """The names of figures that are not computed with."""
        return [name for name, figure in self.figures.items() if figure.trust == "doubtful"]

    def sure(self, name: str) -> Figure | None:
        """The figure where there is one to compute with."""
        figure = self.figures.get(name)
        return figure if figure and figure.trust != "doubtful" else None

    def value(self, name: str) -> float | None:
        """The value of such a figure."""
        figure = self.sure(name)
        return figure.value if figure else None


@dataclass(frozen=True)
class Unread:
    """A drive or file that gave no record."""

    place: str
    """Device, file with byte offset, or URL."""
    reason: str
    hint: str | None = None
    """What to do."""

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"

    @property
    def error(self) -> HintedError:
        """It as an error, where no other drive is read."""
        return HintedError(str(self), self.hint or "")


class Readings(Document):
    """The drives of `health read`, and those that could not be read."""

    drives: list[Record]
    unread: list[Unread]
