"""The time of a command besides its data, from the rates of a drive's sheet.

Model. On SATA and SAS, and in cards of modules behind a SAS bridge, a command of s bytes takes a + s/B of the link and
of the controller: frames and turn-arounds are serialised with the data. A sheet's two rates of one way give both: for
random requests 1/IOPS = a + s/B, for streams of 128 KiB 128 KiB/rate = a + 128 KiB/B. Where B is above what the link
carries, that counts, and what of 1/IOPS is then too much for the stream is the controller's own time, in
parallel with the data.

So for reads; and for writes, where cleaning is not what decides the sheet's random writes, else a is that of reads. On
other links a command's time runs in parallel with other data, and a is 0.

Checked: no rate at another size goes into it, and where sheets have one (8 KiB) it comes out within 7 %.
"""

from dataclasses import dataclass

from drivecast.catalog.drive import GIB, Drive
from drivecast.catalog.full_amplification import full_drive_amplification
from drivecast.catalog.sheet import Iops, SsdSheet, Stated

MEASURABLE_AMPLIFICATION = 1.2
"""Below this, copies are too few for a sheet to show what they cost."""
STREAM_BYTES = 128 * 1024
"""What sequential rates are measured with."""
STREAM_LOSS = 0.05
"""How well the share of a link that is left for data is known."""


def in_line(drive: Drive) -> bool:
    """Whether commands take the drive's link in line with their data."""
    identity = drive.sheet.identity
    return identity.bridge or identity.interface.startswith(("SATA", "SAS"))


@dataclass(frozen=True)
class InLine:
    """What a command of one way takes besides its data, and the rate of these."""

    command_s: float
    bytes_per_s: float

    @property
    def command_ns(self) -> int:
        """In whole nanoseconds."""
        return round(self.command_s * 1e9)


def _two_rates(random: Iops, stream: Stated, link_bytes_per_s: float) -> InLine:
    """Solve a + s/B for both sizes that a sheet has a rate for.

    Where the link is too slow for both, a takes no more than [`STREAM_LOSS`] from the stream.
    """
    stream_bytes_per_s = stream.value * 1e6
    stream_s = STREAM_BYTES / stream_bytes_per_s
    rate = max(stream_bytes_per_s, (STREAM_BYTES - random.block_bytes) / (stream_s - 1 / random.value))
    carried = min(rate, link_bytes_per_s)
    most_s = stream_s / (1 - STREAM_LOSS) - STREAM_BYTES / carried
    command_s = min(1 / random.value - random.block_bytes / carried, most_s)
    return InLine(max(command_s, 0.0), rate)


def rest_s(random: Iops, way: InLine, link_bytes_per_s: float) -> float:
    """Return the time of a random command that runs in parallel with data: the controller's own, 0 if there is none."""
    in_line_s = way.command_s + random.block_bytes / min(way.bytes_per_s, link_bytes_per_s)
    return 1 / random.value if in_line_s < (1 - 1e-6) / random.value else 0.0


def _cleaning_decides(drive: Drive, sheet: SsdSheet) -> bool:
    """Whether copies are what the sheet's random writes wait for."""
    amplification = full_drive_amplification(sheet.capacity.raw_gib.value * GIB / drive.user_bytes)
    return sheet.performance.random_write_iops.state != "fresh" and amplification >= MEASURABLE_AMPLIFICATION


def ways(drive: Drive, sheet: SsdSheet) -> tuple[InLine, InLine]:
    """Return reads and writes."""
    speed, link = sheet.performance, drive.interface.bytes_per_s
    streamed_read, streamed_write = speed.sequential_read_mb_s, speed.sequential_write_mb_s
    if not in_line(drive):
        return InLine(0.0, streamed_read.value * 1e6), InLine(0.0, streamed_write.value * 1e6)
    read = _two_rates(speed.random_read_iops, streamed_read, link)
    if not _cleaning_decides(drive, sheet):
        return read, _two_rates(speed.random_write_iops, streamed_write, link)
    write, rate = speed.random_write_iops, streamed_write.value * 1e6
    left_s = max(1 / write.value - write.block_bytes / min(rate, link), 0.0)
    return read, InLine(min(read.command_s, left_s), rate)
