"""What the catalog hands over: drives listed, one drive with all that is known of it, and what is implausible."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from drivecast.document.part import Document, Part


class Provenance(StrEnum):
    """How a figure of the catalog is known."""

    MEASURED = "measured"
    PUBLISHED = "published"
    FITTED = "fitted"
    ASSUMED = "assumed"
    GIVEN = "given"


class ListedDrive(Part):
    """A drive or volume in the list; a volume is rented, so it has neither a rating nor a price."""

    name: str
    title: str
    drive_class: str = Field(serialization_alias="class")
    available_today: bool
    user_bytes: int
    dwpd: float | None = None
    tbw_bytes: float | None = None
    price_usd: float | None = None
    assumed_share: float | None = None
    """Of the figures that makers state: the share that no document was read for; none for a volume."""


class ListedController(Part):
    """A controller in the list."""

    name: str
    title: str


class Inventory(Document):
    """All drives, volumes and controllers."""

    drives: list[ListedDrive]
    volumes: list[ListedDrive]
    controllers: list[ListedController]


class Parameter(Part):
    """One parameter of a simulated device, how it is known, and from where."""

    name: str
    value: Any
    provenance: Provenance
    source: str


class Shown(Document):
    """A drive, volume or controller with every parameter."""

    name: str
    title: str
    drive_class: str = Field(exclude=True)
    parameters: list[Parameter]


class Finding(Part):
    """One doubt about one figure."""

    severity: Literal["error", "warning"]
    file: str
    key: str
    what: str
    limit: str
    """What it was compared with."""

    def __str__(self) -> str:
        return f"{self.severity}: {self.file}: `{self.key}`: {self.what} ({self.limit})"


class Findings(Document):
    """What is impossible or doubtful in a catalog."""

    drives: int
    volumes: int
    findings: list[Finding]


class Imported(Document):
    """A catalog file that was written from a description, and what the description had."""

    path: str
    zones: int
    controller: bool


class QuoteRow(Part):
    """A row of a file of quotes, to be filled in."""

    drive: str
    price: str = ""
    currency: str = "USD"
    date: str = ""
    supplier: str = ""


class QuoteTemplate(Document):
    """A file of quotes without prices."""

    rows: list[QuoteRow]
