"""A design of one kind of drive, alone or in an array, with spares or without: what plans and reliability are about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, Self

from drivecast import _core
from drivecast.assess.mttdl import Redundancy, redundancy
from drivecast.catalog import Catalog, Drive
from drivecast.catalog.latency_error import LatencyErrors
from drivecast.document.design import Level, Shape
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.stage.simulate import controller_specs, drive_specs

PAIR = 2
"""Drives of a group of RAID 10, unless a line says more."""
SMALL_CHUNK_BYTES = 64 << 10
"""The chunk of a line that has none; the usual one of controllers."""


PARITY: tuple[Level, ...] = ("raid5", "raid6", "raid50", "raid60")
COPIES: tuple[Level, ...] = ("raid1", "raid10")


@dataclass(frozen=True)
class Moved:
    """What the drives of a kind had to move in a run: no fewer bytes at any multiple of its load."""

    design: "Design"
    read_bytes: int
    written_bytes: int


class Played(Protocol):
    """What a load is played on: a design of one kind of drive, or a cache before one."""

    @property
    def line(self) -> str:
        """The design as one line."""

    @property
    def serving(self) -> Self:
        """The design as it serves while nothing has failed."""

    @property
    def usable_bytes(self) -> int:
        """Capacity that holds data."""

    @property
    def is_flash(self) -> bool:
        """Whether all data are on flash."""

    @property
    def wears_out(self) -> bool:
        """Whether writes wear a part of it."""

    @property
    def latency_errors(self) -> LatencyErrors | None:
        """How far its latency may be off; none where that is not known."""

    def moved(self, outcome: Outcome) -> list[Moved]:
        """What each kind of its drives had to move in a run on it."""


@dataclass(frozen=True)
class Design:
    """`count` drives of one kind at one level, and those that wait for a failure."""

    drive: Drive
    level: Level
    count: int
    """Drives in use."""
    partition: float = 1.0
    groups: int | None = None
    """As `redundancy` takes them: RAID 10 in fewer groups than pairs is mirrors of more copies."""
    spares: int = 0
    written: str | None = None
    """The line that a person wrote, with whatever options it has."""
    chunk_kib: int | None = None
    """Of a stripe, on each drive; none: 64."""

    @cached_property
    def line(self) -> str:
        """The design as one line, as it is written on the command line."""
        if self.written is not None:
            return self.written
        part = "" if self.partition == 1.0 else f"[partition={self.partition:g}]"
        drive, group = f"{self.drive.name}{part}", self.redundancy
        if self.level == "single":
            return drive
        chunk = f", chunk={self.chunk}" if self.chunk_kib and self.level != "raid1" else ""
        if self.is_of_copies:
            return f"raid0({group.groups} * raid1({group.drives} * {drive}){chunk})"
        groups = f", groups={group.groups}" if self.level in ("raid50", "raid60") else ""
        spares = f", spares={self.spares}" if self.spares else ""
        return f"{self.level}({self.bays} * {drive}{groups}{chunk}{spares})"

    @property
    def serving(self) -> "Design":
        """The design as it serves while nothing has failed: without spares, which do nothing then."""
        return replace(self, written=None, spares=0) if self.spares and self.is_plain else self

    @property
    def is_plain(self) -> bool:
        """Whether the line has no options but those of a search."""
        return "".join(self.line.split()) == "".join(replace(self, written=None).line.split())

    @property
    def title(self) -> str:
        """The design in words."""
        part = "" if self.partition == 1.0 else f", {self.partition:.0%} partitioned"
        return f"{self.bays} × {self.drive.title} ({self.drive.medium}){self._level}{part}"

    @property
    def _level(self) -> str:
        if self.level == "single":
            return ""
        group = self.redundancy
        parts = f" of {group.drives} copies" if self.is_of_copies else f" in {group.groups} groups"
        spares = f", {self.spares} hot spare{'' if self.spares == 1 else 's'}" if self.spares else ""
        return f", RAID {self.level.removeprefix('raid')}{parts if self.is_grouped else ''}{spares}"

    @property
    def is_grouped(self) -> bool:
        """Whether there are several groups, other than pairs."""
        return self.level in ("raid50", "raid60") or self.is_of_copies

    @property
    def is_of_copies(self) -> bool:
        """Whether it is RAID 10 of more than pairs: RAID 0 over RAID 1, whose spares could not be shared."""
        return self.level == "raid10" and self.redundancy.drives > PAIR

    @property
    def chunk_bytes(self) -> int:
        """Of a stripe, on each drive."""
        return self.chunk_kib << 10 if self.chunk_kib else SMALL_CHUNK_BYTES

    @property
    def chunk(self) -> str:
        """The same, as it is written."""
        kib = self.chunk_bytes >> 10
        return f"{kib // 1024}MiB" if kib % 1024 == 0 else f"{kib}KiB"

    @property
    def bays(self) -> int:
        """Drives that are bought, spares among them."""
        return self.count + self.spares

    @cached_property
    def redundancy(self) -> Redundancy:
        """The groups that fail on their own."""
        return redundancy(self.level, self.count, self.groups)

    @property
    def data_drives(self) -> int:
        """Drives' worth of data, mirrors and parity taken off."""
        group = self.redundancy
        return group.groups * (group.drives - group.failures)

    @property
    def failures_tolerated(self) -> int:
        """Drives that may fail, whichever they are, without loss of data."""
        return self.redundancy.failures

    @property
    def is_flash(self) -> bool:
        """Whether its drives are of flash."""
        return self.drive.is_flash

    @property
    def wears_out(self) -> bool:
        """Whether writes wear its drives."""
        return self.drive.is_flash

    @property
    def latency_errors(self) -> LatencyErrors | None:
        """How far the latency of its drives may be off; none for disks."""
        return self.drive.latency_errors

    def moved(self, outcome: Outcome) -> list[Moved]:
        """What its drives had to move in a run on it."""
        return [Moved(self, outcome.device_read_bytes or 0, outcome.device_written_bytes or 0)]

    @property
    def usable_bytes(self) -> int:
        """Capacity that holds data."""
        return int(self.data_drives * self.drive.user_bytes * self.partition)


def parse(line: str, catalog: Catalog) -> Design:
    """The design that `line` describes, if it is drives of one kind in groups of one redundancy.

    Raises `InputError` for anything else, and for drives the catalog does not have.
    """
    found = shape(line, catalog)
    if found.level is None or len(found.drives) != 1:
        cached = items(line, "cache") is not None
        raise HintedError(
            f"`{line}`: one kind of catalog drive is judged, alone or in one array",
            "`drivecast plan --design` and `versus` judge a cache before disks"
            if cached
            else "of arrays of arrays RAID 0 over equal arrays of RAID 1, 5 or 6",
        )
    ((name, count),) = found.drives.items()
    in_use = count - found.spares
    chunk = re.search(r"chunk\s*=\s*(\d+)\s*([KM])iB", line)
    chunk_kib = int(chunk[1]) * {"K": 1, "M": 1024}[chunk[2]] if chunk else None
    return Design(
        catalog.get(name), found.level, in_use, found.partition, found.groups, found.spares, line, chunk_kib
    )


def shape(line: str, catalog: Catalog) -> Shape:
    """Return what `line` resolves to.

    Raises `InputError` for a design that does not parse, and for drives the catalog does not have.
    """
    found = _core.design_shape(line, drive_specs(line, catalog), controller_specs(line, catalog))
    return Shape.model_validate(found)


def items(line: str, name: str) -> list[str] | None:
    """What is between the commas of `name(…)`; none for a design that is no such term."""
    found = re.match(rf"^\s*{name}\s*\((.*)\)\s*$", line, re.DOTALL)
    return None if found is None else list(_at_commas(found[1]))


def _at_commas(text: str) -> Iterator[str]:
    """The pieces between commas that are in no parentheses or brackets."""
    depth = start = 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]
