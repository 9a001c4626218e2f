"""What verbs over a history of drives did and found."""

from datetime import datetime

from pydantic import Field

from drivecast.document.part import Document, Part
from drivecast.document.record import Time
from drivecast.document.table_row import Row


class Added(Document):
    """Counts of one import, or the sum of several."""

    history: str = ""
    drives_new: int = 0
    samples_new: int = 0
    samples_repeated: int = 0
    """Already known; where two readings are of one drive and second, each figure keeps the larger value."""
    refused: list[str] = Field(default_factory=list)
    """What was not stored, and why: one line a drive and reason."""
    notes: list[str] = Field(default_factory=list)
    """What was stored under a new identity, and why."""

    def __add__(self, other: "Added") -> "Added":
        names = ("drives_new", "samples_new", "samples_repeated", "refused", "notes")
        return self.model_copy(update={name: getattr(self, name) + getattr(other, name) for name in names})


class VanishedDrive(Row):
    """A drive that was not seen for a while before the newest sample of all."""

    serial: str
    model: str
    host: str | None
    device: str | None
    last_seen: datetime
    silent_after_s: float
    """By the rhythm of its host, or as stated."""


class HistorySummary(Document):
    """What a history holds, at a glance."""

    schema_version: int = 2
    history: str
    version: str
    """Of its schema."""
    drives: int
    hosts: int
    """Machines that they are in."""
    without_host: int
    """Drives of which the machine is not known."""
    renewed: int
    """Drives under a new identity, since their counters went back."""
    samples: int
    first_seen: Time | None
    last_seen: Time | None
    size_bytes: int
    vanished: list[VanishedDrive]


class Pruned(Document):
    """What a prune removed."""

    samples_removed: int
    samples_left: int
    drives_forgotten: int
    space_returned: bool
    """False where another process kept the file busy; the space is used again all the same."""
    size_before_bytes: int
    size_bytes: int


class Exported(Document):
    """A table that was written."""

    path: str
    samples: int


class ShippedFile(Part):
    """A file of the package, such as a rule for Prometheus."""

    name: str
    what: str


class ShippedFiles(Document):
    """The files of `health files`, and where they were written."""

    written: str | None
    files: list[ShippedFile]
