"""Turn a published DiskSim or DIXtrac description of a disk into a catalog file.

Model. A description is a block `dm_disk` (surfaces, cylinders, zones, spindle, arm), a table of seek times, and, where
the disk's controller was measured, a block `disksim_disk` (overheads, buffer, bus). Every figure keeps its unit of the
catalog and names the file it was read in. What the description lacks (warranty, failures, power) is marked
assumed. Where two parts of a description must be read together:

- **Head switch.** Six measured disks take about their shortest seek to settle on a near track, most of them many times
  the published head switch, which was found as a difference. So the shortest seek of the table is taken, but no longer
  than the track skew allows, or sequential reads would lose a revolution at each track; marked `assumed`. A longer
  published figure is kept.
- **Layout.** Without zones the sectors of a track follow from the number of blocks; outer and inner rate are then the
  mean of the two.

Source: J. Bucy, J. Schindler, S. Schlosser, G. Ganger, *The DiskSim simulation environment version 4.0 reference
manual*, CMU-PDL-08-101, 2008. Left out: single slipped and remapped sectors, layouts other than `dm_layout_g1`,
buffers whose segments change, and everything about the bus but its rate.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from drivecast.catalog.measured import Zone
from drivecast.catalog.parameter_file import Block, Place, Source, blocks
from drivecast.errors import InputError
from drivecast.files import read_text

SECTOR = 512
READ_AHEAD = {0: "off", 1: "track", 3: "segment", 4: "next-track"}
SURFACES = {0: "forward", 1: "serpentine"}
SPARES = {
    0: "none",
    1: "tracks of the zone",
    2: "cylinder",
    4: "cylinder",
    5: "cylinder",
    6: "cylinder",
    7: "none",
    8: "range",
    9: "zone",
    10: "zone",
}
"""What shares spares, by DiskSim's sparing scheme. Those at the front of a cylinder (5, 6) are taken to be at its end;
those at the end of the disk (7) are behind all data."""
SCHEDULERS = {1: "fifo", 2: "look", 5: "look"}
"""Of DiskSim's 28 policies; the others that reorder are taken as shortest positioning time first."""
BYTES_MAX = 2 << 20
"""Of a description: those of published disks have up to half a megabyte."""
POINT = re.compile(r"\s*(\d+)\s*,\s*([\d.]+(?:[eE][-+]?\d+)?)\s*(?:,.*)?")


@dataclass(frozen=True)
class Description:
    """A disk as its files describe it; times in ms."""

    disk: Block
    mechanism: Block
    zones: list[Zone]
    surface_order: str
    seek: list[tuple[int, float]]
    seek_file: Path
    controller: Block | None

    @property
    def surfaces(self) -> int:
        """Recording surfaces."""
        return self.disk.whole("Number of data surfaces", 1, 64)

    @property
    def rpm(self) -> float:
        """Rotations a minute."""
        return self.mechanism.number("Rotation speed (in rpms)", 1_000, 60_000)

    def mb_s(self, sectors_per_track: float) -> float:
        """Media rate of a track."""
        return sectors_per_track * SECTOR * self.rpm / 60e6

    @property
    def blocks(self) -> int:
        """Sectors with data, no more than the layout holds."""
        stated = self.disk.whole("Block count", 2_000)
        return min(stated, sum(zone.sectors(self.surfaces) for zone in self.zones)) if self.zones else stated

    @property
    def cylinders(self) -> int:
        """Cylinders, those without data included."""
        return self.disk.whole("Number of cylinders", 2, 10_000_000)

    @property
    def ends(self) -> tuple[float, float]:
        """Sectors of an outermost and an innermost track."""
        if self.zones:
            return self.zones[0].sectors_per_track, self.zones[-1].sectors_per_track
        mean = self.blocks / (self.surfaces * self.cylinders)
        return mean, mean

    def sustained_share(self) -> float:
        """Share of the media rate that is left after head and cylinder switches, as a data sheet states rates."""
        settle = self.mechanism.number("Add. write settling delay", 0, 100)
        switch = self.head_switch_ms()[0]
        lost = ((self.surfaces - 1) * switch + max(switch, self.seek[0][1]) + settle) / self.surfaces
        return 1 / (1 + lost * self.rpm / 60e3)

    def seek_mean_ms(self) -> float:
        """Mean over pairs of random cylinders: a distance d is as likely as 2 (N − d) / N²."""
        n, total = self.cylinders, 0.0
        beyond = (max(n, self.seek[-1][0] + 1), self.seek[-1][1])
        for (d0, t0), (d1, t1) in pairwise([*self.seek, beyond]):
            for distance in range(d0, min(d1, n)):
                total += (t0 + (t1 - t0) * (distance - d0) / (d1 - d0)) * (n - distance)
        return 2 * total / n**2

    def head_switch_ms(self) -> tuple[float, bool]:
        """Time to settle on another track, and whether it is the published one."""
        period = 60e3 / self.rpm
        skews = [period * zone.track_skew / zone.sectors_per_track for zone in self.zones if zone.track_skew]
        settling = min([time for _, time in self.seek] + skews)
        published = self.mechanism.number("Head switch time", 0, 1000)
        return max(published, settling), published >= settling


def _zones(disk: Block, layout: Block) -> list[Zone]:
    scheme = layout.whole("Sparing scheme used", 0, 10)
    if scheme not in SPARES:
        raise layout.scalar("Sparing scheme used").place.fault("a sparing scheme other than 3", str(scheme))
    span = {"range": layout.whole("Rangesize for sparing", 1), "cylinder": 1}.get(SPARES[scheme], 0)
    found = layout.blocks("Zones")
    firsts = [zone.whole("First cylinder number") for zone in found]
    zones = []
    ends = [*firsts[1:], disk.whole("Number of cylinders")]
    for zone, first, following in zip(found, firsts, ends, strict=True):
        last = zone.whole("Last cylinder number")
        if not first <= last < following:
            limit = f"`Last cylinder number` from {first} to {following - 1}"
            raise zone.scalar("Last cylinder number").place.fault(limit, str(last))
        sectors = zone.whole("Blocks per track", 1, 100_000)
        count = zone.whole("Number of spares", 0, 100_000)
        spares = {"none": 0, "tracks of the zone": count * sectors}.get(SPARES[scheme], count)
        zones.append(
            Zone(
                cylinders=last + 1 - first,
                sectors_per_track=sectors,
                track_skew=zone.whole("Skew for track switch", 0, 100_000),
                cylinder_skew=zone.whole("Skew for cylinder switch", 0, 100_000),
                range_cylinders=span if span < last + 1 - first else 0,
                spare_sectors=spares,
                empty_cylinders=following - last - 1,
            )
        )
    return zones


def _seek(file: Path, text: str) -> list[tuple[int, float]]:
    points: list[tuple[int, float]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or (number == 1 and line.startswith("Seek distances")):
            continue
        place, found = Place(file, number), POINT.fullmatch(line)
        if found is None:
            raise place.fault("`distance, milliseconds`", line.strip())
        distance, time = int(found.group(1)), float(found.group(2))
        if distance <= (points[-1][0] if points else 0) or not 0 < time <= 1000:
            raise place.fault("rising distances from 1 and times above 0 ms", line.strip())
        points.append((distance, time))
    if len(points) < 2 or points[0][0] != 1:
        raise InputError(f"{file}: expected a seek table from distance 1 with two points or more")
    return points


def _one(found: list[Block], kind: str) -> Block | None:
    ours = [block for block in found if block.kind == kind]
    if len(ours) > 1:
        raise ours[1].place.fault(f"one `{kind}`", f"{ours[1].kind} {ours[1].name}")
    return ours[0] if ours else None


def describe(files: list[Path]) -> Description:
    """Read a disk's description from its files; raises `InputError` with file, line and what was expected."""
    tables = [path for path in files if path.suffix == ".seek"]
    found = [
        block for path in files if path not in tables for block in blocks(path, read_text(path, BYTES_MAX))
    ]
    disk, controller = _one(found, "dm_disk"), _one(found, "disksim_disk")
    if disk is None:
        raise InputError("expected a file with a block `dm_disk` (a `.model`), found none")
    mechanism, layout = disk.values.get("Mechanical Model"), disk.values.get("Layout Model")
    if not isinstance(mechanism, Block):
        raise disk.place.fault("a block `Mechanical Model = dm_mech_g1 { … }`", "none")
    if isinstance(layout, Source):
        file = disk.place.file.with_name(Path(layout.file).name)
        parts = [block for block in found if block.kind.startswith("dm_layout")]
        parts = parts or (blocks(file, read_text(file, BYTES_MAX)) if file.is_file() else [])
        layout = parts[0] if parts else None
    zones: list[Zone] = []
    order = "forward"
    if isinstance(layout, Block) and layout.kind == "dm_layout_g1":
        zones = _zones(disk, layout)
        mapping = layout.whole("LBN-to-PBN mapping scheme")
        if mapping not in SURFACES:
            raise layout.scalar("LBN-to-PBN mapping scheme").place.fault("mapping 0 or 1", str(mapping))
        order = SURFACES[mapping]
    if not tables:
        named = mechanism.scalar("Full seek curve")
        file = disk.place.file.with_name(Path(named.text).name)
        tables = [file if file.is_file() else disk.place.file.with_suffix(".seek")]
    seek = _seek(tables[0], read_text(tables[0], BYTES_MAX))
    return Description(disk, mechanism, zones, order, seek, tables[0], controller)
