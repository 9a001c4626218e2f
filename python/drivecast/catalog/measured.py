"""The table `[measured]` of a disk's file: what was measured of the disk beyond its data sheet.

Represented: zones with skews, spares and the order of surfaces; the seek curve as a table; the controller's times by
command and by the command before; the division of the buffer; the rate of the link it was measured on. Each part is
optional and replaces what would follow from the sheet. Left out: single bad sectors.
"""

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from drivecast.catalog.figure import Positive, Sourced, Strict

Natural = Annotated[int, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]
Microseconds = Annotated[float, Field(ge=0, le=1e6)]


class Zone(Strict):
    """A run of cylinders with the same number of 512-byte sectors a track."""

    cylinders: AtLeastOne
    sectors_per_track: AtLeastOne
    track_skew: Natural
    """Sectors by which a track starts behind its predecessor on the same cylinder."""
    cylinder_skew: Natural
    """Sectors by which a cylinder starts behind the last track of its predecessor."""
    range_cylinders: Natural = 0
    """Cylinders that share spare sectors; 0 where the whole zone does."""
    spare_sectors: Natural = 0
    """Sectors without data at the end of each range."""
    empty_cylinders: Natural = 0
    """Cylinders without data behind the zone."""

    def sectors(self, surfaces: int) -> int:
        """Sectors with data."""
        ranges = self.cylinders // (self.range_cylinders or self.cylinders)
        return self.cylinders * surfaces * self.sectors_per_track - ranges * self.spare_sectors


class Layout(Sourced):
    """Where addresses lie."""

    surface_order: Literal["forward", "serpentine"] = "forward"
    zones: Annotated[list[Zone], Field(min_length=1)]
    """Outermost first."""


class SeekTable(Sourced):
    """Time to move the arm, by distance; straight lines join the points."""

    distances_cylinders: Annotated[list[AtLeastOne], Field(min_length=2)]
    times_ms: Annotated[list[Annotated[float, Field(gt=0, le=1000)]], Field(min_length=2)]

    @model_validator(mode="after")
    def _is_a_table(self) -> Self:
        near = self.distances_cylinders
        if len(near) != len(self.times_ms):
            raise PydanticCustomError("range", "needs as many `times_ms` as `distances_cylinders`")
        if near[0] != 1 or any(a >= b for a, b in pairwise(near)):
            raise PydanticCustomError("range", "`distances_cylinders` must rise from 1")
        return self


class Overhead(Strict):
    """Controller time of a command, by what the command before was."""

    after_read_us: Microseconds
    after_write_us: Microseconds


class Overheads(Sourced):
    """Controller time before anything else, by command."""

    read_hit: Overhead
    read_miss: Overhead
    write_hit: Overhead
    write_miss: Overhead


class Buffer(Sourced):
    """A buffer of equal segments."""

    segments: AtLeastOne
    write_segments: Natural
    """Segments that written data may fill."""
    segment_sectors: AtLeastOne
    read_ahead: Literal["off", "track", "segment", "next-track"]
    keeps_passing: bool
    """Whether sectors that pass under the head unrequested are cached."""
    keeps_delivered: bool
    """Whether sectors stay cached once the host has them."""
    reads_on_arrival: bool
    """Zero-latency reading."""


class MeasuredDisk(Strict):
    """The whole table."""

    layout: Layout | None = None
    seek: SeekTable | None = None
    overheads: Overheads | None = None
    buffer: Buffer | None = None
    link_mb_s: Positive | None = None
