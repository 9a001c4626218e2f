"""From a disk's sheet to the parameters of the simulated disk.

Model. A sheet states rates that the disk sustains, with the turn lost at each switch to the next head or cylinder; the
rate on the track is that much higher. What was measured beyond the sheet (`measured`) replaces what follows from it.
"""

from typing import Any

from drivecast.catalog.drive import Drive
from drivecast.catalog.figure import Sourced, known
from drivecast.catalog.measured import MeasuredDisk, Overhead, Overheads, SeekTable
from drivecast.catalog.sheet import Disk, HddSheet
from drivecast.document.catalog import Parameter, Provenance

TRACK_RATE = "sheet sustained rate, and what switches of heads and cylinders take besides"


def _ns(value: float, unit_ns: float) -> int:
    return round(value * unit_ns)


def _track_over_sustained(disk: Disk) -> float:
    """The rate of a track under the head over the rate that a disk sustains in sequence.

    A sheet states the rate sustained, with the turn lost at each switch to the next head or cylinder.
    """
    switch_ms = disk.head_switch_ms.value
    cylinder_ms = max(switch_ms, disk.seek_track_ms.value) + disk.write_settle_ms.value
    lost_ms = ((disk.surfaces.value - 1) * switch_ms + cylinder_ms) / disk.surfaces.value
    return 1 + lost_ms * disk.rpm.value / 60e3


def _media_rates(sheet: HddSheet) -> list[Parameter]:
    """The rates under the head; measured zones state them, a sheet states what the disk sustains."""
    disk, rows = sheet.disk, []
    measured = sheet.measured is not None and sheet.measured.layout is not None
    for name, rate in (("outer_bytes_per_s", disk.outer_mb_s), ("inner_bytes_per_s", disk.inner_mb_s)):
        if measured:
            rows.append(known(name, rate.value * 1e6, rate, sheet.sources))
        else:
            value = rate.value * 1e6 * _track_over_sustained(disk)
            rows.append(Parameter(name=name, value=value, provenance=Provenance.FITTED, source=TRACK_RATE))
    return rows


def _seek(sheet: HddSheet) -> Parameter:
    if sheet.measured is not None and (table := sheet.measured.seek) is not None:
        return known("seek", _seek_spec(table), table, sheet.sources)
    disk = sheet.disk
    seek = {
        "track_ns": _ns(disk.seek_track_ms.value, 1e6),
        "mean_ns": _ns(disk.seek_mean_ms.value, 1e6),
        "full_ns": _ns(disk.seek_full_ms.value, 1e6),
    }
    return known("seek", seek, disk.seek_mean_ms, sheet.sources)


def _disk_link(drive: Drive, measured: MeasuredDisk | None) -> Parameter:
    if measured is not None and (link := measured.link_mb_s) is not None:
        return known("link_bytes_per_s", link.value * 1e6, link, drive.sheet.sources)
    interface = drive.interface
    return known("link_bytes_per_s", interface.bytes_per_s, interface.efficiency, drive.shared_sources)


def _measured(measured: MeasuredDisk, own: dict[str, str]) -> list[Parameter]:
    rows = []
    if (layout := measured.layout) is not None:
        rows.append(known("measured.layout", [zone.model_dump() for zone in layout.zones], layout, own))
        rows.append(known("measured.surface_order", layout.surface_order, layout, own))
    if (overheads := measured.overheads) is not None:
        rows.append(known("measured.overheads", _overheads_spec(overheads), overheads, own))
    if (buffer := measured.buffer) is not None:
        rows.append(
            known("measured.buffer", buffer.model_dump(exclude=set(Sourced.model_fields)), buffer, own)
        )
    return rows


def disk_parameters(drive: Drive, sheet: HddSheet) -> list[Parameter]:
    """List the parameters of the simulated disk, with provenance."""
    own, disk = sheet.sources, sheet.disk
    rows = [
        known("capacity_bytes", drive.user_bytes, sheet.capacity.user_gb, own),
        known("rpm", disk.rpm.value, disk.rpm, own),
        known("surfaces", disk.surfaces.value, disk.surfaces, own),
        *_media_rates(sheet),
        _seek(sheet),
        known("write_settle_ns", _ns(disk.write_settle_ms.value, 1e6), disk.write_settle_ms, own),
        known("head_switch_ns", _ns(disk.head_switch_ms.value, 1e6), disk.head_switch_ms, own),
        known("overhead_ns", _ns(disk.overhead_us.value, 1e3), disk.overhead_us, own),
        _disk_link(drive, sheet.measured),
        known("queue_depth", disk.queue_depth.value, disk.queue_depth, own),
        known("cache_bytes", round(disk.cache_mib.value * (1 << 20)), disk.cache_mib, own),
        known("write_cache", disk.write_cache.value, disk.write_cache, own),
    ]
    if disk.scheduler is not None:
        rows.append(known("scheduler", disk.scheduler.value, disk.scheduler, own))
    return rows + (_measured(sheet.measured, own) if sheet.measured is not None else [])


def _seek_spec(table: SeekTable) -> dict[str, Any]:
    times = [round(time * 1e6) for time in table.times_ms]
    return {"distances": table.distances_cylinders, "times_ns": times}


def _overheads_spec(overheads: Overheads) -> dict[str, dict[str, int]]:
    return {
        name: {
            "after_read_ns": round(overhead.after_read_us * 1e3),
            "after_write_ns": round(overhead.after_write_us * 1e3),
        }
        for name, overhead in overheads
        if isinstance(overhead, Overhead)
    }
