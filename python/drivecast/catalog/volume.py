"""A volume of the catalog: a cloud disk, a virtual disk or a LUN, known from outside only.

Model. The tables are those of the simulator's specification (`crates/sim/src/spec/volume.rs`), key by key and in its
units, because nothing has to be derived: what a provider publishes, or a fit to runs finds, is what the simulated
volume does. A table or key that is missing means that the volume has no such limit, or no such time. Each figure may
have bounds, `low` and `high`, as a fit does; the device takes `value`.

Left out: price, which is rent and not a purchase, and wear: the provider replaces what is inside.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from drivecast.catalog.figure import (
    Bounded,
    Figure,
    HeldOut,
    NonNegativeBounded,
    Probability,
    Strict,
    known,
)
from drivecast.document.catalog import Parameter

GB = 1_000_000_000


class Share(NonNegativeBounded):
    """A share of a whole."""

    value: Annotated[float, Field(ge=0, le=1)]


class Rate(Bounded):
    """A rate a second."""

    value: Annotated[float, Field(gt=0)]


class Number(Bounded):
    """A whole number from 1."""

    value: Annotated[int, Field(gt=0, lt=2**32)]


class Flag(Bounded):
    """Yes or no."""

    value: bool


class Whole(NonNegativeBounded):
    """A whole number from 0."""

    value: Annotated[int, Field(ge=0, lt=2**53)]


class VolumeIdentity(Strict):
    """What the volume is called."""

    vendor: str
    model: str
    available_today: bool
    kind: str | None = None
    """The kind of cloud volume that it is one of, whose prices are then its."""


class VolumeCapacity(Strict):
    """What it holds."""

    user_gb: Figure[Annotated[float, Field(gt=0, le=1e9)]]
    """At most an exabyte."""


class VolumeOp(Strict):
    """How requests of one operation are served."""

    service_ns: NonNegativeBounded
    """Median time on a server of a request without bytes."""
    ns_per_byte: NonNegativeBounded | None = None
    """What each byte adds to that median."""
    sigma: NonNegativeBounded | None = None
    """Standard deviation of the logarithm of the time on a server."""
    tail_probability: Share | None = None
    """Share of requests with an additional slow part."""
    tail_ns: NonNegativeBounded | None = None
    """Median time of that part."""
    tail_sigma: NonNegativeBounded | None = None
    delay_ns: NonNegativeBounded | None = None
    """Round trip that holds no server."""
    parallelism: Number | None = None
    """Requests of this operation that are served at a time."""


class VolumeFront(Strict):
    """One processor before the servers that works through batches."""

    wake_ns: NonNegativeBounded | None = None
    batch_max: Number | None = None
    gathers: Flag | None = None
    """Whether what comes while it works joins the batch."""
    sigma: NonNegativeBounded | None = None
    read_command_ns: NonNegativeBounded | None = None
    read_ns_per_byte: NonNegativeBounded | None = None
    write_command_ns: NonNegativeBounded | None = None
    write_ns_per_byte: NonNegativeBounded | None = None
    read_tail_probability: Share | None = None
    """Share of reads that hold up their whole batch."""
    write_tail_probability: Share | None = None
    tail_ns: NonNegativeBounded | None = None
    """Median time for which each of these holds it up."""
    tail_sigma: NonNegativeBounded | None = None


class VolumeCap(Strict):
    """A token bucket."""

    per_s: Rate
    """Tokens earned a second."""
    credits: NonNegativeBounded | None = None
    """Tokens saved at most."""
    credits_at_start: Share | None = None
    burst_per_s: Rate | None = None
    """Tokens used a second at most while there are credits."""


class VolumeCaps(Strict):
    """What the provider allows."""

    iops: VolumeCap | None = None
    bytes: VolumeCap | None = None
    read_iops: VolumeCap | None = None
    read_bytes: VolumeCap | None = None
    write_iops: VolumeCap | None = None
    write_bytes: VolumeCap | None = None
    io_unit_bytes: Whole | None = None
    period_ns: Whole | None = None


class VolumeStalls(Strict):
    """Moments at which the whole volume stalls."""

    every_ns: Rate
    stall_ns: NonNegativeBounded
    sigma: NonNegativeBounded | None = None


class VolumeWhole(Strict):
    """What reads and writes share."""

    flush_ns: Whole | None = None
    parallelism: Number | None = None
    link_bytes_per_s: Rate | None = None


class VolumeReliability(Strict):
    """How often it fails, by its provider's statement."""

    afr: Probability | None = None


class VolumeSheet(Strict):
    """File of a volume."""

    kind: Literal["volume"]
    sources: dict[str, str] = Field(default_factory=dict)
    identity: VolumeIdentity
    capacity: VolumeCapacity
    volume: VolumeWhole = VolumeWhole()
    read: VolumeOp
    write: VolumeOp
    front: VolumeFront | None = None
    caps: VolumeCaps = VolumeCaps()
    stalls: VolumeStalls | None = None
    reliability: VolumeReliability = VolumeReliability()
    held_out: HeldOut | None = None
    """Only where the volume was fitted to runs."""


@dataclass(frozen=True)
class Volume:
    """One volume."""

    name: str
    file: Path
    sheet: VolumeSheet

    drive_class = "volume"

    @property
    def available_today(self) -> bool:
        """Whether it can be rented now."""
        return self.sheet.identity.available_today

    @property
    def title(self) -> str:
        """Name for people, such as `Amazon EBS gp3 1 TB`."""
        gb = self.sheet.capacity.user_gb.value
        size = f"{gb:.4g} GB" if gb < 1000 else f"{gb / 1000:.4g} TB"
        return f"{self.sheet.identity.vendor} {self.sheet.identity.model} {size}"

    @property
    def user_bytes(self) -> int:
        """Capacity rented, in whole sectors."""
        return round(self.sheet.capacity.user_gb.value * GB) // 512 * 512


def _rows(prefix: str, table: BaseModel, sources: dict[str, str]) -> list[Parameter]:
    rows = []
    for name, value in table:
        path = f"{prefix}.{name}" if prefix else name
        if isinstance(value, Bounded):
            rows.append(known(path, value.value, value, sources))
        elif isinstance(value, BaseModel):
            rows += _rows(path, value, sources)
    return rows


def volume_parameters(volume: Volume) -> list[Parameter]:
    """List the parameters of the simulated device, with provenance."""
    sheet = volume.sheet
    rows = [known("capacity_bytes", volume.user_bytes, sheet.capacity.user_gb, sheet.sources)]
    rows += _rows("", sheet.volume, sheet.sources)
    for name in ("read", "write", "front", "caps", "stalls"):
        if (table := getattr(sheet, name)) is not None:
            rows += _rows(name, table, sheet.sources)
    return rows


def volume_spec(volume: Volume) -> dict[str, Any]:
    """Return the specification of the simulated device, as the simulator reads it from JSON."""
    spec: dict[str, Any] = {"kind": "volume"}
    for row in volume_parameters(volume):
        *tables, name = row.name.split(".")
        part = spec
        for table in tables:
            part = part.setdefault(table, {})
        part[name] = row.value
    return spec


def volume_provenance(volume: Volume) -> list[Parameter]:
    """List everything that a result about this volume rests on, with provenance."""
    afr = volume.sheet.reliability.afr
    rated = [] if afr is None else [known("afr", afr.value, afr, volume.sheet.sources)]
    return volume_parameters(volume) + rated
