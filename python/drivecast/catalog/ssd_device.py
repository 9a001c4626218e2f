"""From a drive's sheet to the parameters a simulated device is built from, each with its provenance.

Model. A sheet states what a drive does from outside; the simulator needs what it is inside. Flash times and
geometry come from the NAND generation. What the sheet adds is fitted, once, at typical flash times:

- `link_command_ns`, `link_write_command_ns`, `read_bytes_per_s`, `write_bytes_per_s`: see `command`.
- `read_command_ns`, other links = 1 / (sheet random read IOPS), where flash and link would otherwise be faster than the
  sheet; 0 where they are the limit themselves.
- `write_command_ns`, other links = 1 / max(read, write IOPS): no sheet has it separately.
- `copy_cost`, what a copied page takes of the write rate B: where the sheet's steady random write IOPS W of pages
  of s bytes are below B / (WA s), the rest of the work must be in the copies, B (1/W − a) / s = 1 + copy_cost (WA − 1),
  with the WA of a full drive (`full_amplification`). At least 1:
  a sheet above B / (WA s) means that the drive has more spare than we know, not that copies are free.
- `read_overhead_ns` = sheet read latency − command − flash read − channel and link transfer of 4 KiB, at
  least 0; where the sheet's latency is one of sequential reads, and the drive reads ahead, without flash and channel.
- `write_overhead_ns` = sheet write latency − command − link transfer − `write_jitter_ns` of the interface, at least
  0: a write completes in the buffer, and a sheet states the mean.
- Both are shorter by as much as sheets of the interface were found to be too long, down to what measured drives take
  (`Interface.read_overhead`): sheets round up, most of them to the same figure.
- `read_bytes_per_s`, `write_bytes_per_s`, other links = sheet sequential rates, as limits of the controller.

Where these leave the simulated drive off its sheet, the drive's file has a table `[fitted]`, made by running the
simulator (`fitting`): its values come first.

A die whose planes read independently of each other is given to the simulator as so many dies of fewer
planes. A mapping unit larger than one program must lie on several dies: these are given as one die of so
many more planes, on so many channels taken as one of so much more bandwidth where the channels divide into such groups.

Corners. `slow` and `fast` take flash times (and the bus) from the ends of the generation's published range
and keep the fitted values: a part with slower flash has the same controller. What repeats
reads of worn flash is taken from the ends of its range, too. Left out: temperature, and anything per page (lower and
upper pages differ by up to four times; the value is their mean).
"""

import math
from dataclasses import dataclass
from typing import Any, Literal

from drivecast.catalog.command_time import (
    MEASURABLE_AMPLIFICATION,
    InLine,
    in_line,
    rest_s,
    ways,
)
from drivecast.catalog.drive import GIB, Drive
from drivecast.catalog.figure import NonNegative, Range, known
from drivecast.catalog.full_amplification import full_drive_amplification
from drivecast.catalog.sheet import Nand, SsdSheet
from drivecast.document.catalog import Parameter, Provenance

Corner = Literal["slow", "typical", "fast"]
PAGE_BYTES = 4096
ALIGNED_BYTES = 64 * 1024
"""Capacities are cut to whole units of the largest mapping."""
LINK_COMMAND = "what the sheet's random and sequential rates leave besides the data"
READ_RATE = "sheet sequential reads, less what commands take"
WRITE_RATE = "sheet sequential writes, less what commands take"
READ_COMMAND = "1 / sheet random read IOPS; 0 where flash is the limit"
READ_OVERHEAD = "sheet read latency less flash, transfers, command"
WRITE_OVERHEAD = "sheet write latency less transfer and command"
WRITE_COMMAND = "1 / the highest IOPS of the sheet"
COPY_COST = "sheet steady random write IOPS, at the write amplification of a full drive; at least 1"


def _fitted(sheet: SsdSheet, name: str, value: Any, how: str) -> Parameter:
    """The value fitted by simulation, or else the closed form."""
    by_simulation: NonNegative | None = getattr(sheet.fitted, name)
    if by_simulation is not None:
        whole = type(value)  # times are whole nanoseconds
        return known(name, whole(by_simulation.value), by_simulation, {})
    return Parameter(name=name, value=value, provenance=Provenance.FITTED, source=how)


def _assumed(name: str, value: Any, why: str) -> Parameter:
    return Parameter(name=name, value=value, provenance=Provenance.ASSUMED, source=why)


def _time(span: Range, corner: Corner) -> float:
    """Return a time at a corner: slow is long."""
    return {"slow": span.high, "typical": span.typical, "fast": span.low}[corner]


def _rate(span: Range, corner: Corner) -> float:
    """Return a rate at a corner: slow is low."""
    return {"slow": span.low, "typical": span.typical, "fast": span.high}[corner]


def _ns(value: float, unit_ns: float) -> int:
    return round(value * unit_ns)


def flash_read_iops(sheet: SsdSheet, nand: Nand) -> float:
    """Return the rate of page reads if all groups of planes read all the time and channels carry 4 KiB for each."""
    dies = sheet.flash.channels.value * sheet.flash.dies_per_channel.value * nand.plane_groups.value
    by_dies = dies / (nand.read_us.typical * 1e-6)
    by_channels = sheet.flash.channels.value * nand.bus_mt_s.typical * 1e6 / PAGE_BYTES
    return min(by_dies, by_channels)


def _controller_times(
    drive: Drive, sheet: SsdSheet, nand: Nand, read: InLine, write: InLine
) -> list[Parameter]:
    """What is fitted to the sheet, at typical flash times."""
    speed = sheet.performance
    link_rate = drive.interface.bytes_per_s
    link_ns = PAGE_BYTES / link_rate * 1e9
    channel_ns = PAGE_BYTES / (nand.bus_mt_s.typical * 1e6) * 1e9
    read_iops = speed.random_read_iops.value
    if in_line(drive):
        read_command, write_command = rest_s(speed.random_read_iops, read, link_rate) * 1e9, 0.0
    else:
        inside = min(flash_read_iops(sheet, nand), link_rate / speed.random_read_iops.block_bytes)
        read_command = 1e9 / read_iops if inside > read_iops else 0.0
        write_command = 1e9 / max(read_iops, speed.random_write_iops.value)
    ahead = speed.read_latency_us.pattern == "sequential" and sheet.flash.read_ahead_kib is not None
    flash_ns = 0.0 if ahead else nand.read_us.typical * 1e3 + channel_ns
    read_over = speed.read_latency_us.value * 1e3 - read_command - flash_ns - link_ns - read.command_ns
    jitter = drive.interface.write_jitter_us
    jitter_ns = 0.0 if jitter is None else jitter.value * 1e3
    write_over = speed.write_latency_us.value * 1e3 - write_command - link_ns - write.command_ns - jitter_ns
    rows = [
        _fitted(sheet, "read_command_ns", round(read_command), READ_COMMAND),
        _fitted(sheet, "write_command_ns", round(write_command), WRITE_COMMAND),
        _fitted(sheet, "copy_cost", _copy_cost(drive, sheet, write), COPY_COST),
    ]
    link = drive.interface
    for name, value, overhead, how in (
        ("read_overhead_ns", read_over, link.read_overhead, READ_OVERHEAD),
        ("write_overhead_ns", write_over, link.write_overhead, WRITE_OVERHEAD),
    ):
        row = _fitted(sheet, name, round(max(value, 0)), how)
        if overhead is not None and (shorter_ns := round(overhead.of(row.value / 1e3) * 1e3)) < row.value:
            row = known(name, shorter_ns, overhead.measured_us, drive.shared_sources)
        rows.append(row)
    return rows


def _copy_cost(drive: Drive, sheet: SsdSheet, way: InLine) -> float:
    random = sheet.performance.random_write_iops
    raw = sheet.capacity.raw_gib.value * GIB
    amplification = full_drive_amplification(raw / drive.user_bytes)
    if random.state != "steady" or amplification < MEASURABLE_AMPLIFICATION:
        return 1.0
    page_bytes = max(random.block_bytes, sheet.flash.mapping_kib.value * 1024)
    work = (
        sheet.performance.sequential_write_mb_s.value * 1e6 * (1 / random.value - way.command_s) / page_bytes
    )
    return max(1.0, round((work - 1) / (amplification - 1), 2))


@dataclass(frozen=True)
class _Dies:
    """Dies as the simulator takes them: what works as one."""

    channels: int
    dies_per_channel: int
    planes: int
    channels_as_one: int = 1


def _dies(sheet: SsdSheet, nand: Nand) -> _Dies:
    flash = sheet.flash
    channels = flash.channels.value
    planes = nand.planes.value // nand.plane_groups.value
    per_channel = flash.dies_per_channel.value * nand.plane_groups.value
    lockstep = math.ceil(flash.mapping_kib.value / (nand.page_kib.value * planes))
    if channels % lockstep == 0:
        return _Dies(channels // lockstep, per_channel, planes * lockstep, lockstep)
    if per_channel >= lockstep:
        return _Dies(channels, per_channel // lockstep, planes * lockstep)
    return _Dies(max(channels * per_channel // lockstep, 1), 1, planes * lockstep)


def _flash_times(
    sheet: SsdSheet,
    nand: Nand,
    corner: Corner,
    sources: dict[str, str],
    channels_as_one: int,
    cell_bits: int,
) -> list[Parameter]:
    bus_bytes_per_s = _rate(nand.bus_mt_s, corner) * 1e6
    rows = [
        known("page_bytes", nand.page_kib.value * 1024, nand.page_kib, sources),
        known("pages_per_block", nand.pages_per_block.value, nand.pages_per_block, sources),
        _read_time(sheet, nand, corner, sources),
        known("program_ns", _ns(_time(nand.program_us, corner), 1e3), nand.program_us, sources),
        known("pages_per_program", nand.pages_per_program.value, nand.pages_per_program, sources),
        known("erase_ns", _ns(_time(nand.erase_ms, corner), 1e6), nand.erase_ms, sources),
        known("channel_bytes_per_s", bus_bytes_per_s * channels_as_one, nand.bus_mt_s, sources),
    ]
    if nand.read_spread_us is not None:
        share = round(nand.read_spread_us.value / nand.read_us.typical, 4)
        rows.append(known("read_types", cell_bits, nand.read_spread_us, sources))
        rows.append(known("read_type_spread", share, nand.read_spread_us, sources))
    if nand.read_retry is not None:
        rows.append(known("read_retry_rate", nand.read_retry.value, nand.read_retry, sources))
    if nand.worn_retries is not None:
        mean = _time(nand.worn_retries, corner)
        rows.append(known("worn_retry_rate", mean / (1 + mean), nand.worn_retries, sources))
    if nand.suspend_us is not None:
        rows.append(known("suspend_ns", _ns(nand.suspend_us.value, 1e3), nand.suspend_us, sources))
    if nand.suspend_wait_us is not None:
        wait = nand.suspend_wait_us
        rows.append(known("suspend_wait_ns", _ns(wait.value, 1e3), wait, sources))
    if nand.erase_suspend_us is not None:
        erase = nand.erase_suspend_us
        rows.append(known("erase_suspend_ns", _ns(erase.value, 1e3), erase, sources))
    return rows


def _read_time(sheet: SsdSheet, nand: Nand, corner: Corner, sources: dict[str, str]) -> Parameter:
    """Return the time of a flash read: the generation's, or what was fitted to measured runs."""
    fitted = sheet.fitted.read_ns
    if fitted is not None:
        return known("read_ns", round(fitted.value), fitted, sheet.sources)
    return known("read_ns", _ns(_time(nand.read_us, corner), 1e3), nand.read_us, sources)


def _host_link(drive: Drive, sheet: SsdSheet, read: InLine, write: InLine) -> list[Parameter]:
    link, shared = drive.interface, drive.shared_sources
    rows = [known("link_bytes_per_s", link.bytes_per_s, link.efficiency, shared)]
    if in_line(drive):
        rows += [
            _fitted(sheet, "link_command_ns", read.command_ns, LINK_COMMAND),
            _fitted(sheet, "link_write_command_ns", write.command_ns, LINK_COMMAND),
        ]
    if (jitter := link.write_jitter_us) is not None:
        rows.append(known("write_jitter_ns", _ns(jitter.value, 1e3), jitter, shared))
    if link.half_duplex is not None and not sheet.identity.bridge:
        rows.append(known("link_half_duplex", link.half_duplex.value, link.half_duplex, shared))
    return rows


def _controller_rates(drive: Drive, sheet: SsdSheet, read: InLine, write: InLine) -> list[Parameter]:
    speed, own = sheet.performance, sheet.sources
    written = sheet.fitted.program_mb_s or speed.sequential_write_mb_s
    rows = []
    for name, way, stated, how in (
        ("read_bytes_per_s", read, speed.sequential_read_mb_s, READ_RATE),
        ("write_bytes_per_s", write, written, WRITE_RATE),
    ):
        plain = stated is sheet.fitted.program_mb_s or way.bytes_per_s == stated.value * 1e6
        if plain or not in_line(drive):
            rows.append(known(name, stated.value * 1e6, stated, own))
        else:
            rows.append(Parameter(name=name, value=way.bytes_per_s, provenance=Provenance.FITTED, source=how))
    return rows


def _buffer(sheet: SsdSheet, nand: Nand) -> Parameter:
    """Return the write buffer: at least two programs on every die, or dies would wait for the host."""
    flash = sheet.flash
    dies = flash.channels.value * flash.dies_per_channel.value
    program = nand.page_kib.value * 1024 * nand.planes.value * nand.pages_per_program.value
    stated = round(flash.buffer_mib.value * (1 << 20))
    if flash.buffer_mib.provenance is Provenance.ASSUMED and stated < 2 * dies * program:
        return _assumed("buffer_bytes", 2 * dies * program, "two programs on every die")
    return known("buffer_bytes", stated, flash.buffer_mib, sheet.sources)


def ssd_parameters(drive: Drive, sheet: SsdSheet, nand: Nand, corner: Corner) -> list[Parameter]:
    """List the parameters of the simulated drive, with provenance."""
    own, shared, speed, flash = sheet.sources, drive.shared_sources, sheet.performance, sheet.flash
    read, write = ways(drive, sheet)
    dies, ahead = _dies(sheet, nand), flash.read_ahead_kib
    effective = sheet.fitted.effective_gib or sheet.capacity.raw_gib
    logical = drive.user_bytes // ALIGNED_BYTES * ALIGNED_BYTES
    rows = [
        known("logical_bytes", logical, sheet.capacity.user_gb, own),
        known("physical_bytes", round(effective.value * GIB), effective, own),
        known("mapping_bytes", round(flash.mapping_kib.value * 1024), flash.mapping_kib, own),
        known("channels", dies.channels, flash.channels, own),
        known("dies_per_channel", dies.dies_per_channel, flash.dies_per_channel, own),
        known("planes", dies.planes, nand.plane_groups, shared),
        *_flash_times(sheet, nand, corner, shared, dies.channels_as_one, drive.cell_bits),
        *_host_link(drive, sheet, read, write),
        *_controller_rates(drive, sheet, read, write),
        *_controller_times(drive, sheet, nand, read, write),
        known("queue_depth", speed.queue_depth.value, speed.queue_depth, own),
        _buffer(sheet, nand),
        known("buffer_volatile", not flash.power_loss_protection.value, flash.power_loss_protection, own),
        *([known("read_ahead_bytes", round(ahead.value * 1024), ahead, own)] if ahead else []),
        _assumed("gc", "greedy", "vendors do not publish it; greedy is the usual model"),
        *([known("streams", nand.streams.value, nand.streams, shared)] if nand.streams else []),
        _assumed("compression", drive.compression, "data that cannot be compressed, unless stated"),
    ]
    if sheet.calibrated is not None:
        return sheet.calibrated.applied(rows, own, drive.cell_bits)
    return rows if drive.of_platform is None else drive.of_platform.applied(rows, drive.cell_bits)
