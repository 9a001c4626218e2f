"""Find impossible data: a catalog is typed by people from documents, and both err.

An error is impossible by physics or arithmetic; a warning is unlikely, and worth a second look.
"""

from dataclasses import dataclass, field
from datetime import date
from functools import partialmethod
from math import expm1
from typing import Literal

from drivecast.catalog.catalog import Catalog, bundled
from drivecast.catalog.controller import doubts
from drivecast.catalog.drive import GIB, TB, Drive
from drivecast.catalog.family import place
from drivecast.catalog.reader import CatalogError, Problem
from drivecast.catalog.rent_check import PRICE_LIFE, old, rent_doubts
from drivecast.catalog.sheet import HddSheet, SsdSheet
from drivecast.catalog.ssd_device import flash_read_iops
from drivecast.catalog.volume import Volume, VolumeCap, VolumeOp
from drivecast.document.catalog import Finding, Findings
from drivecast.files import read_text
from drivecast.quantity.year import MTBF_HOURS_PER_YEAR

LINK_TOLERANCE = 1.05
"""A rate counts as too fast beyond this share of the link's: sheets round, and packets of 512 B carry 4.5 % more."""
LATENCY_MAX_US = 1e6
ROUNDED = 0.15
"""What rounding makes of rated writes: a sheet calls 3.42 writes a day 3, and 0.57 half a write."""
SIGMA_MAX = 4.0
"""The widest lognormal that the simulator takes."""


@dataclass
class _Doubts:
    """What is doubtful in one file."""

    file: str
    found: list[Finding] = field(default_factory=list)

    def add(self, severity: Literal["error", "warning"], key: str, what: str, limit: str) -> None:
        """Add what is impossible (an error) or unlikely (a warning)."""
        self.found.append(Finding(severity=severity, file=self.file, key=key, what=what, limit=limit))

    error = partialmethod(add, "error")
    warn = partialmethod(add, "warning")


def _reliability(drive: Drive, doubts: _Doubts) -> None:
    sheet = drive.sheet
    if drive.idle_w > drive.active_w:
        limit = f"at most the active {drive.active_w:g} W"
        doubts.error("power.idle_w", f"{drive.idle_w:g} W idle", limit)
    stated = sheet.reliability.afr
    if stated is not None:
        by_mtbf = -expm1(-MTBF_HOURS_PER_YEAR / drive.mtbf_h)
        if not 0.8 < stated.value / by_mtbf < 1.25:
            limit = f"the stated MTBF means {by_mtbf:.2%}, within a quarter"
            doubts.warn("reliability.afr", f"{stated.value:.2%} a year", limit)
    if drive.uber > 1e-12:
        limit = "at most 1e-12: no drive on sale is that bad"
        doubts.error("reliability.uber", f"{drive.uber:g} per bit", limit)


def _links(drive: Drive, rates: dict[str, float], doubts: _Doubts) -> None:
    carried = drive.interface.bytes_per_s
    limit = f"the {drive.sheet.identity.interface} link carries {carried / 1e6:,.0f} MB/s of data"
    for key, bytes_per_s in rates.items():
        if bytes_per_s > carried * LINK_TOLERANCE:
            doubts.error(key, f"{bytes_per_s / 1e6:,.0f} MB/s", limit)


def _speed(drive: Drive, sheet: SsdSheet, doubts: _Doubts) -> None:
    speed = sheet.performance
    read, write = speed.random_read_iops, speed.random_write_iops
    rates = {
        "performance.sequential_read_mb_s": speed.sequential_read_mb_s.value * 1e6,
        "performance.sequential_write_mb_s": speed.sequential_write_mb_s.value * 1e6,
        "performance.random_read_iops": read.value * read.block_bytes,
        "performance.random_write_iops": write.value * write.block_bytes,
    }
    _links(drive, rates, doubts)
    copy_cost = sheet.fitted.copy_cost
    if copy_cost is not None and copy_cost.value < 1:
        limit = "at least 1: a copy is programmed as a host page is"
        doubts.error("fitted.copy_cost", f"{copy_cost.value:g} host pages", limit)
    if drive.nand is None:
        return
    latency, flash_us = speed.read_latency_us.value, drive.nand.read_us.low
    if latency > LATENCY_MAX_US:
        limit = "no drive takes a second: the sheet is in µs"
        doubts.error("performance.read_latency_us", f"{latency:,.0f} µs", limit)
    if latency < flash_us:
        limit = f"flash of `{sheet.flash.nand}` alone takes {flash_us:g} µs"
        doubts.error("performance.read_latency_us", f"{latency:g} µs", limit)
    reachable = flash_read_iops(sheet, drive.nand)
    if read.value > 1.1 * reachable:
        limit = f"its dies and channels reach {reachable:,.0f}"
        doubts.warn("performance.random_read_iops", f"{read.value:,.0f}", limit)


def _flash(drive: Drive, sheet: SsdSheet, doubts: _Doubts) -> None:
    raw, user = sheet.capacity.raw_gib.value * GIB, drive.user_bytes
    if raw <= user:
        doubts.error("capacity.raw_gib", f"{raw / 1e9:,.0f} GB", f"more than the user's {user / 1e9:,.0f} GB")
    elif raw > 3 * user:
        limit = "at most three times the user capacity is usual"
        doubts.warn("capacity.raw_gib", f"{raw / 1e9:,.0f} GB", limit)
    if drive.nand is None:
        return
    dies, die_gib = sheet.flash.channels.value * sheet.flash.dies_per_channel.value, drive.nand.die_gib.value
    if not 0.4 < dies * die_gib / sheet.capacity.raw_gib.value < 2.6:
        limit = f"{sheet.capacity.raw_gib.value:g} GiB are built in"
        doubts.warn("flash.dies_per_channel", f"{dies} dies of {die_gib:g} GiB", limit)


def _endurance(drive: Drive, sheet: SsdSheet, doubts: _Doubts) -> None:
    rated = sheet.endurance
    if rated.tbw_tb is not None and rated.dwpd is not None:
        by_dwpd = rated.dwpd.value * drive.user_bytes * 365 * rated.warranty_years.value / TB
        if abs(rated.tbw_tb.value / by_dwpd - 1) > ROUNDED:
            limit = f"{rated.dwpd.value:g} writes a day over the warranty are {by_dwpd:,.0f} TB, within 15 %"
            doubts.error("endurance.tbw_tb", f"{rated.tbw_tb.value:,.0f} TB", limit)
    if drive.tbw_bytes is None:
        limit = "the warranty's limit of writes is unknown"
        doubts.warn("endurance", "neither `tbw_tb` nor `dwpd`", limit)
    elif drive.pe_cycles is not None:
        budget = drive.pe_cycles.high * sheet.capacity.raw_gib.value * GIB
        if budget < drive.tbw_bytes:
            limit = f"{drive.pe_cycles.high:,.0f} cycles of its flash are only {budget / TB:,.0f} TB"
            doubts.error("endurance.tbw_tb", f"{drive.tbw_bytes / TB:,.0f} TB", limit)


def _disk(drive: Drive, sheet: HddSheet, doubts: _Doubts) -> None:
    disk = sheet.disk
    _links(drive, {"disk.outer_mb_s": disk.outer_mb_s.value * 1e6}, doubts)
    if disk.inner_mb_s.value > disk.outer_mb_s.value:
        limit = f"the outer zone's {disk.outer_mb_s.value:g} MB/s"
        doubts.error("disk.inner_mb_s", f"{disk.inner_mb_s.value:g} MB/s", limit)
    track, mean, full = disk.seek_track_ms.value, disk.seek_mean_ms.value, disk.seek_full_ms.value
    if not track < mean < full:
        doubts.error("disk.seek_mean_ms", f"{track:g}, {mean:g}, {full:g} ms", "must rise: track, mean, full")


def _volume_op(name: str, op: VolumeOp, doubts: _Doubts) -> None:
    if op.sigma is not None and op.sigma.value > SIGMA_MAX:
        doubts.error(f"{name}.sigma", f"{op.sigma.value:g}", f"at most {SIGMA_MAX:g}")
    tail = op.tail_ns is not None and op.tail_ns.value > 0
    if op.tail_probability is not None and op.tail_probability.value > 0 and not tail:
        limit = f"`{name}.tail_ns` must be above 0"
        doubts.error(f"{name}.tail_probability", "a tail without a time", limit)


def _volume(volume: Volume, doubts: _Doubts) -> None:
    sheet = volume.sheet
    _volume_op("read", sheet.read, doubts)
    _volume_op("write", sheet.write, doubts)
    for name, cap in sheet.caps:
        key = f"caps.{name}"
        if not isinstance(cap, VolumeCap) or cap.burst_per_s is None:
            continue
        burst, sustained, saved = cap.burst_per_s.value, cap.per_s.value, cap.credits
        if burst < sustained:
            limit = f"at least the sustained {sustained:,.0f}"
            doubts.error(f"{key}.burst_per_s", f"{burst:,.0f} a second", limit)
        if saved is None or saved.value == 0:
            doubts.error(f"{key}.burst_per_s", "a burst without credits", f"`{key}.credits`")
        if saved is not None and burst == sustained:
            doubts.warn(f"{key}.credits", "nothing can use them up", "the burst is the rate")
    stalls = sheet.stalls
    if stalls is not None and stalls.stall_ns.value > stalls.every_ns.value:
        limit = f"at most the {stalls.every_ns.value / 1e6:,.3g} ms between two"
        doubts.error("stalls.stall_ns", f"{stalls.stall_ns.value / 1e6:,.3g} ms at a time", limit)


def _prices(catalog: Catalog, today: date, doubts: _Doubts) -> None:
    prices = catalog.prices
    for name, drive in catalog.drives.items():
        if not drive.available_today:
            continue
        if name not in prices.drives:
            doubts.error(f"drives.{name}", "has no price", "a drive on sale needs one")
            continue
        dated = prices.drives[name].on or prices.date
        if today - dated > PRICE_LIFE:
            doubts.warn(f"drives.{name}", f"is of {dated}", "older than a year")
    for name in prices.drives:
        if name not in catalog.drives:
            doubts.warn(f"drives.{name}", "is the price of no drive", "not in the catalog")


def _rents(catalog: Catalog, today: date, doubts: _Doubts) -> None:
    for name, what, limit, is_error in rent_doubts(catalog.cloud, catalog.prices):
        (doubts.error if is_error else doubts.warn)(f"cloud.{name}", what, limit)
    for name, known in old(catalog.cloud, catalog.prices, today):
        doubts.warn(name, f"is of {known}", "older than a year")


def _of_drive(drive: Drive) -> list[Finding]:
    doubtful = _Doubts(str(drive.file))
    _reliability(drive, doubtful)
    if isinstance(drive.sheet, HddSheet):
        _disk(drive, drive.sheet, doubtful)
    else:
        for examine in (_flash, _speed, _endurance):
            examine(drive, drive.sheet, doubtful)
    if drive.row is None or not doubtful.found:
        return doubtful.found
    written = read_text(drive.file)
    return [
        doubt.model_copy(update={"key": place(written, drive.row, doubt.key)[0]}) for doubt in doubtful.found
    ]


def refuse_impossible(catalog: Catalog) -> None:
    """Raise `CatalogError` for drives of a user's files whose sheet is impossible; ours are checked by tests."""
    ours, problems = bundled(), []
    for drive in catalog.drives.values():
        if drive.file.is_relative_to(ours):
            continue
        for doubt in _of_drive(drive):
            if doubt.severity == "error":
                _, line = place(read_text(drive.file), drive.row, doubt.key.removeprefix(f"{drive.row}."))
                what = f"impossible: {doubt.what} ({doubt.limit})"
                problems.append(
                    Problem(doubt.file, doubt.key, what, "`drivecast catalog check` has all", line)
                )
    if problems:
        raise CatalogError(problems)


def check(catalog: Catalog, today: date | None = None) -> list[Finding]:
    """List what is impossible or doubtful; prices are old by `today`, or by the date of the price file."""
    found = [doubt for drive in catalog.drives.values() for doubt in _of_drive(drive)]
    for volume in catalog.volumes.values():
        _volume(volume, _Doubts(str(volume.file), found))
    controllers = _Doubts("controllers.toml", found)
    for name, controller in catalog.controllers.controllers.items():
        for key, what, limit in doubts(controller):
            controllers.error(f"controllers.{name}.{key}", what, limit)
    _prices(catalog, today or catalog.prices.date, _Doubts("prices.toml", found))
    _rents(catalog, today or catalog.prices.date, _Doubts("prices.toml", found))
    titles: dict[str, str] = {}
    for drive in catalog.drives.values():
        first = titles.setdefault(drive.title.casefold(), drive.name)
        if first != drive.name:
            what = f"{drive.title} is there twice"
            _Doubts(str(drive.file), found).warn("identity.model", what, f"also `{first}`")
    return found


def findings(catalog: Catalog) -> Findings:
    """Check a catalog and return the findings as a document."""
    return Findings(drives=len(catalog.drives), volumes=len(catalog.volumes), findings=check(catalog))
