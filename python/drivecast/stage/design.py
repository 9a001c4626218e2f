"""A design of one kind of drive, alone or in one array: what plans and reliability are about."""

from dataclasses import dataclass, replace

from drivecast import _core
from drivecast.catalog import Catalog, Drive
from drivecast.document.design import Level, Shape, failures_tolerated
from drivecast.errors import InputError
from drivecast.stage.simulate import controller_specs, drive_specs


@dataclass(frozen=True)
class Design:
    """`count` drives of one kind at one level."""

    drive: Drive
    level: Level
    count: int
    partition: float = 1.0
    written: str | None = None
    """The line that a person wrote, with whatever options it has."""

    @property
    def line(self) -> str:
        """The design as one line, as it is written on the command line."""
        if self.written is not None:
            return self.written
        part = "" if self.partition == 1.0 else f"[partition={self.partition:g}]"
        drive = f"{self.drive.name}{part}"
        return drive if self.level == "single" else f"{self.level}({self.count} * {drive})"

    @property
    def is_plain(self) -> bool:
        """Whether the line has no options but those of a search."""
        return "".join(self.line.split()) == "".join(replace(self, written=None).line.split())

    @property
    def title(self) -> str:
        """The design in words."""
        part = "" if self.partition == 1.0 else f", {self.partition:.0%} partitioned"
        level = "" if self.level == "single" else f", RAID {self.level.removeprefix('raid')}"
        return f"{self.count} × {self.drive.title}{level}{part}"

    @property
    def data_drives(self) -> int:
        """Drives' worth of data, mirrors and parity taken off."""
        taken = {"raid1": self.count - 1, "raid10": self.count // 2, "raid5": 1, "raid6": 2}
        return self.count - taken.get(self.level, 0)

    @property
    def failures_tolerated(self) -> int:
        """Drives that may fail, whichever they are, without loss of data."""
        return failures_tolerated(self.level, self.count)

    @property
    def usable_bytes(self) -> int:
        """Capacity that holds data."""
        return int(self.data_drives * self.drive.user_bytes * self.partition)


def parse(line: str, catalog: Catalog) -> Design:
    """The design that `line` describes, if it is drives of one kind at one level.

    Raises `InputError` for anything else, and for drives the catalog does not have.
    """
    found = shape(line, catalog)
    if found.level is None or len(found.drives) != 1:
        raise InputError(f"`{line}`: a plan judges one kind of catalog drive, alone or in one array")
    ((name, count),) = found.drives.items()
    return Design(catalog.get(name), found.level, count, found.partition, written=line)


def shape(line: str, catalog: Catalog) -> Shape:
    """Return what `line` resolves to.

    Raises `InputError` for a design that does not parse, and for drives the catalog does not have.
    """
    found = _core.design_shape(line, drive_specs(line, catalog), controller_specs(line, catalog))
    return Shape.model_validate(found)
