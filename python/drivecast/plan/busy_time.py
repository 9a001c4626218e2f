"""The least that the drives of a design have to do for a load of counters: how long they are busy, what they write.

Model. Optimistic, so that nothing that could carry the load is lost. Bytes move at the rates that the sheet has in
sequence, or at the link's; reads and writes side by side, but for a disk, which has one arm, and for a link that goes
one way at a time. Writes are as many as the level has copies. Those smaller than a chunk renew each block of parity of
their row, and read what they replace, or what else is in the row where that is less.

A disk works on a command, and reads wait for the arm: of the q sectors that it may choose from, which lie anywhere in
what is filled, the one that is soonest beneath the head. A sector at distance u of the stroke, u with density 2(1 − u),
is reached within x where its seek s(u) = track + (full − track) u^p is over and it passes by in what is left, at most a
turn T: F(x) = ∫ 2(1 − u) min(1, (x − s(u)) / T) du, and the soonest takes ∫ (1 − F(x))^q dx on average. The exponent
is that with which the mean seek is the sheet's: E u^p = 2 / ((p + 1)(p + 2)). Writes are ordered by a cache, so of
theirs only a seek to the next track counts. Requests in order take the time of their bytes alone, and fill whole rows.

Left out: cleaning of flash, stripes that several writes share, locality. Source of the disk: Jacobson and Wilkes,
*Disk scheduling algorithms based on rotational position*, HPL-CSP-91-7, 1991 (shortest access time first).
"""

import math
from functools import cache

from drivecast.catalog.sheet import Disk, HddSheet, SsdSheet
from drivecast.stage.counter_load import CounterLoad
from drivecast.stage.design import PARITY, Design

SLACK = 1.2
"""Times its sheet's rates that a drive may do (assumed): nine of ten figures are within a tenth."""
STEPS = 100
"""Of the integral over a seek of the whole stroke and a turn."""


def outpaced(design: Design, fill: float, load: CounterLoad, times: float) -> bool:
    """Whether a multiple of a load, on the share `fill` of a design, takes more time than all of its drives have."""
    return times * busy_s(design, fill, load) > SLACK * design.count


def busy_s(design: Design, fill: float, load: CounterLoad) -> float:
    """Drives' seconds that a second of the load takes."""
    write_size = load.write_size_bytes or load.size_bytes
    reads, writes = load.rate_iops * load.read_fraction, load.rate_iops * (1 - load.read_fraction)
    reads_anywhere, writes_anywhere = _anywhere(load, reads, writes)
    copies, lost = design.count / design.data_drives, design.failures_tolerated
    replaced, written = 0.0, writes * written_times(design, load)
    if _renews_parity(design, load):
        replaced = min(1 + lost, design.redundancy.drives - lost - 1) * writes_anywhere
    read_bytes, written_bytes = reads * load.size_bytes + replaced * write_size, written * write_size
    link = design.drive.interface
    read_rate, write_rate = (min(rate, link.bytes_per_s) for rate in design.drive.moves_bytes_per_s)
    read_s, write_s = read_bytes / read_rate, written_bytes / write_rate
    if isinstance(design.drive.sheet, HddSheet):
        disk = design.drive.sheet.disk
        command_s, seek_s = disk.overhead_us.value / 1e6, disk.seek_track_ms.value / 1e3
        read_s += (reads_anywhere + replaced) * (command_s + soonest_s(disk, fill))
        return read_s + write_s + (written - (writes - writes_anywhere) * copies) * (command_s + seek_s)
    is_one_way = link.half_duplex is not None and link.half_duplex.value
    both_s = (read_bytes + written_bytes) / link.bytes_per_s if is_one_way else 0.0
    return max(read_s, write_s, both_s)


def sustained_share(design: Design, load: CounterLoad, times: float) -> float:
    """What a multiple of a load writes, as a share of the random writes that the sheets of its drives sustain.

    Infinite where a sheet has them of a fresh drive only, or there is none.
    """
    sheet = design.drive.sheet
    if not isinstance(sheet, SsdSheet) or sheet.performance.random_write_iops.state == "fresh":
        return math.inf
    rate = sheet.performance.random_write_iops
    size = max(load.write_size_bytes or load.size_bytes, rate.block_bytes)
    written = times * load.rate_iops * (1 - load.read_fraction) * written_times(design, load)
    return written * size / (design.count * rate.value * rate.block_bytes)


def written_times(design: Design, load: CounterLoad) -> float:
    """What all drives write for a byte of the host."""
    copies, lost = design.count / design.data_drives, design.failures_tolerated
    if not _renews_parity(design, load):
        return copies
    _, anywhere = _anywhere(load, 0.0, 1.0)
    return copies + max(0.0, 1 + lost - copies) * anywhere


def _renews_parity(design: Design, load: CounterLoad) -> bool:
    """Whether a write lies within a chunk, so that its row has parity to renew."""
    return design.level in PARITY and (load.write_size_bytes or load.size_bytes) <= design.chunk_bytes


def _anywhere(load: CounterLoad, reads: float, writes: float) -> tuple[float, float]:
    """How many of the reads and writes begin anywhere; none are sure to where each of several logs has its own runs."""
    if load.shares:
        return 0.0, 0.0
    return reads * (1 - load.sequential_reads), writes * (1 - load.sequential_writes)


def soonest_s(disk: Disk, fill: float) -> float:
    """The mean time until the soonest of as many sectors as the disk may choose from."""
    track, mean, full = (ms.value / 1e3 for ms in (disk.seek_track_ms, disk.seek_mean_ms, disk.seek_full_ms))
    return waits_s(track, mean, full, 60 / disk.rpm.value, disk.queue_depth.value, max(0.01, round(fill, 2)))


@cache
def waits_s(track: float, mean: float, full: float, turn: float, queued: int, fill: float) -> float:
    """The mean wait for the soonest of `queued` sectors, in seconds; of an arm and a turn that take so many."""
    power = (math.sqrt(1 + 8 * (full - track) / (mean - track)) - 3) / 2
    rise: float = (full - track) * fill**power

    def over(x: float) -> float:
        """The mean of x − s(u), none below 0, in turns."""
        left = x - track
        if left <= 0:
            return 0.0
        far: float = min(1.0, (left / rise) ** (1 / power))
        moved: float = far ** (power + 1) / (power + 1) - far ** (power + 2) / (power + 2)
        return (left * (2 * far - far * far) - 2 * rise * moved) / turn

    step = (track + rise + turn) / STEPS
    middles = ((at + 0.5) * step for at in range(STEPS))
    return math.fsum((1 - min(1.0, over(x) - over(x - turn))) ** queued * step for x in middles)
