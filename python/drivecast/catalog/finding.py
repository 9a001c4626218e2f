"""Find data that cannot be: a catalog is typed by people from documents, and both err.

An error is impossible by physics or arithmetic; a warning is unlikely, and worth a second look.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from math import expm1
from typing import Literal

from drivecast.catalog.catalog import Catalog
from drivecast.catalog.controller import doubts
from drivecast.catalog.device import flash_read_iops
from drivecast.catalog.drive import GIB, TB, Drive
from drivecast.catalog.sheet import HddSheet, SsdSheet
from drivecast.catalog.volume import Volume, VolumeOp

LINK_TOLERANCE = 1.02
"""Sheets round: a rate counts as too fast beyond this share of the link's."""
PRICE_LIFE = timedelta(days=365)
SIGMA_MAX = 4.0
"""The widest lognormal that the simulator takes."""


@dataclass(frozen=True)
class Finding:
    """One doubt about one figure."""

    severity: Literal["error", "warning"]
    file: str
    key: str
    what: str
    limit: str
    """What it was held against."""

    def __str__(self) -> str:
        return f"{self.severity}: {self.file}: `{self.key}`: {self.what} ({self.limit})"


def _error(drive: Drive, key: str, what: str, limit: str) -> Finding:
    return Finding("error", str(drive.file), key, what, limit)


def _warning(drive: Drive, key: str, what: str, limit: str) -> Finding:
    return Finding("warning", str(drive.file), key, what, limit)


def _reliability(drive: Drive) -> Iterator[Finding]:
    sheet = drive.sheet
    if drive.idle_w > drive.active_w:
        yield _error(
            drive, "power.idle_w", f"{drive.idle_w:g} W idle", f"at most the active {drive.active_w:g} W"
        )
    stated = sheet.reliability.afr
    if stated is not None:
        by_mtbf = -expm1(-8760 / drive.mtbf_h)
        if not 0.8 < stated.value / by_mtbf < 1.25:
            yield _warning(
                drive,
                "reliability.afr",
                f"{stated.value:.2%} a year",
                f"the stated MTBF means {by_mtbf:.2%}, within a quarter",
            )
    if drive.uber > 1e-12:
        yield _error(
            drive,
            "reliability.uber",
            f"{drive.uber:g} per bit",
            "at most 1e-12: no drive on sale is that bad",
        )


def _links(drive: Drive, rates: list[tuple[str, float]]) -> Iterator[Finding]:
    limit = drive.interface.bytes_per_s
    for key, bytes_per_s in rates:
        if bytes_per_s > limit * LINK_TOLERANCE:
            text = f"the {drive.sheet.identity.interface} link carries {limit / 1e6:,.0f} MB/s of data"
            yield _error(drive, key, f"{bytes_per_s / 1e6:,.0f} MB/s", text)


def _speed(drive: Drive, sheet: SsdSheet) -> Iterator[Finding]:
    speed = sheet.performance
    read, write = speed.random_read_iops, speed.random_write_iops
    yield from _links(
        drive,
        [
            ("performance.sequential_read_mb_s", speed.sequential_read_mb_s.value * 1e6),
            ("performance.sequential_write_mb_s", speed.sequential_write_mb_s.value * 1e6),
            ("performance.random_read_iops", read.value * read.block_bytes),
            ("performance.random_write_iops", write.value * write.block_bytes),
        ],
    )
    copy_cost = sheet.fitted.copy_cost
    if copy_cost is not None and copy_cost.value < 1:
        limit = "at least 1: a copy is programmed as a host page is"
        yield _error(drive, "fitted.copy_cost", f"{copy_cost.value:g} host pages", limit)
    if drive.nand is None:
        return
    if speed.read_latency_us.value < drive.nand.read_us.low:
        yield _error(
            drive,
            "performance.read_latency_us",
            f"{speed.read_latency_us.value:g} µs",
            f"flash of `{sheet.flash.nand}` alone takes {drive.nand.read_us.low:g} µs",
        )
    reachable = flash_read_iops(sheet, drive.nand)
    if read.value > 1.1 * reachable:
        yield _warning(
            drive,
            "performance.random_read_iops",
            f"{read.value:,.0f}",
            f"its dies and channels reach {reachable:,.0f}",
        )


def _flash(drive: Drive, sheet: SsdSheet) -> Iterator[Finding]:
    raw = sheet.capacity.raw_gib.value * GIB
    if raw <= drive.user_bytes:
        yield _error(
            drive,
            "capacity.raw_gib",
            f"{raw / 1e9:,.0f} GB",
            f"more than the user's {drive.user_bytes / 1e9:,.0f} GB",
        )
    elif raw > 3 * drive.user_bytes:
        yield _warning(
            drive,
            "capacity.raw_gib",
            f"{raw / 1e9:,.0f} GB",
            "at most three times the user capacity is usual",
        )
    if drive.nand is not None:
        dies = sheet.flash.channels.value * sheet.flash.dies_per_channel.value
        built = dies * drive.nand.die_gib.value
        if not 0.4 < built / sheet.capacity.raw_gib.value < 2.6:
            yield _warning(
                drive,
                "flash.dies_per_channel",
                f"{dies} dies of {drive.nand.die_gib.value:g} GiB",
                f"{sheet.capacity.raw_gib.value:g} GiB are built in",
            )


def _endurance(drive: Drive, sheet: SsdSheet) -> Iterator[Finding]:
    rated = sheet.endurance
    if rated.tbw_tb is not None and rated.dwpd is not None:
        by_dwpd = rated.dwpd.value * drive.user_bytes * 365 * rated.warranty_years.value / TB
        if abs(rated.tbw_tb.value / by_dwpd - 1) > 0.15:
            yield _warning(
                drive,
                "endurance.tbw_tb",
                f"{rated.tbw_tb.value:,.0f} TB",
                f"{rated.dwpd.value:g} writes a day over the warranty are {by_dwpd:,.0f} TB, within 15 %",
            )
    if drive.tbw_bytes is None:
        yield _warning(drive, "endurance", "neither `tbw_tb` nor `dwpd`", "warranty by writes cannot be told")
    elif drive.pe_cycles is not None:
        budget = drive.pe_cycles.high * sheet.capacity.raw_gib.value * GIB
        if budget < drive.tbw_bytes:
            yield _error(
                drive,
                "endurance.tbw_tb",
                f"{drive.tbw_bytes / TB:,.0f} TB",
                f"{drive.pe_cycles.high:,.0f} cycles of its flash are only {budget / TB:,.0f} TB",
            )


def _disk(drive: Drive, sheet: HddSheet) -> Iterator[Finding]:
    disk = sheet.disk
    yield from _links(drive, [("disk.outer_mb_s", disk.outer_mb_s.value * 1e6)])
    if disk.inner_mb_s.value > disk.outer_mb_s.value:
        limit = f"the outer zone's {disk.outer_mb_s.value:g} MB/s"
        yield _error(drive, "disk.inner_mb_s", f"{disk.inner_mb_s.value:g} MB/s", limit)
    if not disk.seek_track_ms.value < disk.seek_mean_ms.value < disk.seek_full_ms.value:
        seeks = f"{disk.seek_track_ms.value:g}, {disk.seek_mean_ms.value:g}, {disk.seek_full_ms.value:g} ms"
        yield _error(drive, "disk.seek_mean_ms", seeks, "must rise: track, mean, full")


def _volume_op(file: str, name: str, op: VolumeOp) -> Iterator[Finding]:
    if op.sigma is not None and op.sigma.value > SIGMA_MAX:
        yield Finding("error", file, f"{name}.sigma", f"{op.sigma.value:g}", f"at most {SIGMA_MAX:g}")
    tail = op.tail_ns is not None and op.tail_ns.value > 0
    if op.tail_probability is not None and op.tail_probability.value > 0 and not tail:
        what = "a tail without a time"
        yield Finding("error", file, f"{name}.tail_probability", what, f"`{name}.tail_ns` must be above 0")


def _volume(volume: Volume) -> Iterator[Finding]:
    sheet, file = volume.sheet, str(volume.file)
    yield from _volume_op(file, "read", sheet.read)
    yield from _volume_op(file, "write", sheet.write)
    for name in ("iops", "bytes", "read_iops", "read_bytes", "write_iops", "write_bytes"):
        cap, key = getattr(sheet.caps, name), f"caps.{name}"
        if cap is None:
            continue
        burst, saved = cap.burst_per_s, cap.credits
        if burst is not None and burst.value < cap.per_s.value:
            limit = f"at least the {cap.per_s.value:,.0f} that last"
            yield Finding("error", file, f"{key}.burst_per_s", f"{burst.value:,.0f} a second", limit)
        if burst is not None and (saved is None or saved.value == 0):
            yield Finding("error", file, f"{key}.burst_per_s", "a burst without credits", f"`{key}.credits`")
        if burst is not None and saved is not None and burst.value == cap.per_s.value:
            yield Finding(
                "warning", file, f"{key}.credits", "nothing can use them up", "the burst is the rate"
            )
    stalls = sheet.stalls
    if stalls is not None and stalls.stall_ns.value > stalls.every_ns.value:
        what = f"{stalls.stall_ns.value / 1e6:,.3g} ms at a time"
        limit = f"at most the {stalls.every_ns.value / 1e6:,.3g} ms between two"
        yield Finding("error", file, "stalls.stall_ns", what, limit)


def _prices(catalog: Catalog, today: date) -> Iterator[Finding]:
    prices = catalog.prices
    for name, drive in catalog.drives.items():
        key = f"drives.{name}"
        if name not in prices.drives:
            if drive.available_today:
                yield Finding("error", "prices.toml", key, "has no price", "a drive on sale needs one")
        elif drive.available_today and today - (prices.drives[name].on or prices.date) > PRICE_LIFE:
            when = prices.drives[name].on or prices.date
            yield Finding("warning", "prices.toml", key, f"is of {when}", "older than a year")
    for name in prices.drives:
        if name not in catalog.drives:
            yield Finding(
                "warning", "prices.toml", f"drives.{name}", "is the price of no drive", "not in the catalog"
            )


def _duplicates(catalog: Catalog) -> Iterator[Finding]:
    seen: dict[str, Drive] = {}
    for drive in catalog.drives.values():
        title = drive.title.casefold()
        if title in seen:
            yield _warning(
                drive, "identity.model", f"{drive.title} is there twice", f"also `{seen[title].name}`"
            )
        seen[title] = drive


def check(catalog: Catalog, today: date | None = None) -> list[Finding]:
    """List what is impossible or doubtful; `today` decides which prices are old (none.

    The date of the price file).
    """
    findings: list[Finding] = []
    for drive in catalog.drives.values():
        findings += _reliability(drive)
        if isinstance(drive.sheet, HddSheet):
            findings += _disk(drive, drive.sheet)
        else:
            findings += [
                *_flash(drive, drive.sheet),
                *_speed(drive, drive.sheet),
                *_endurance(drive, drive.sheet),
            ]
    for volume in catalog.volumes.values():
        findings += _volume(volume)
    for name, controller in catalog.controllers.controllers.items():
        findings += [
            Finding("error", "controllers.toml", f"controllers.{name}.{key}", what, limit)
            for key, what, limit in doubts(controller)
        ]
    findings += _prices(catalog, today or catalog.prices.date)
    findings += _duplicates(catalog)
    return findings
