"""The table `[calibrated]` of an SSD's file: what was measured of its latency under load.

Represented: what decides the tail of reads and writes and no data sheet states; the equations and how the figures are
estimated are in `calibration.ssd_tail`. Each figure replaces what would follow from the sheet or the NAND generation. A
drive without the table is known from its sheet only. Left out: wear and temperature, at which nobody measured.

Another drive of the same *platform* (controller, firmware and flash: the capacities of a series) shares what these
decide: how long a lone request takes, where a program stops for a read, what a full buffer does, and whether cleaning
comes in batches. A batch cleans a stripe of S bytes over all dies, of which a share 1/A is free after it (A: write
amplification of the full drive) and 1 - 1/A is copied. So with k times the flash it comes for every

    N = k S / A   bytes written, takes as long where as much is valid, and leaves room for   k B   meanwhile.

S and B follow from the measured drive. Two makers' drives agree: with four times the flash of the 7450 PRO the CM7-R
has N 3.3 and B 6.6 times as large, and a time of 0.76. Rates and spare are not shared: they are the sheet's.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from drivecast.catalog.figure import Count, Figure, NonNegative, Positive, Strict, Switch, known
from drivecast.catalog.full_amplification import full_drive_amplification
from drivecast.document.catalog import Parameter, Provenance

PAGE_BYTES = 4096
Values = dict[str, tuple[Any, Figure[Any]]]
"""Parameters by name, each with the figure that it comes from."""
IDLE_DELAY_NS = 1000
"""Without a command until a drive cleans ahead: at once. Assumed."""


class Batch(Strict):
    """Cleaning in batches that hold writes up."""

    every_mb: Positive
    """Bytes from the host between two."""
    time_ms: Positive
    slack_kb: NonNegative
    """Bytes taken from the host during one."""
    without_reads: Switch | None = None
    """Whether they come without reads, too; none: only where reads came since the last."""


class Calibrated(Strict):
    """Figures of latency, measured by others or by `drivecast bench`."""

    by: str
    """Key of the document that reports the measurements."""
    error: str
    """How far the calibrated drive is off the runs that were held out."""
    fitted_per_s: list[int]
    """Offered writes a second of the runs that were used in the fit; all others judge it."""
    fitted_gib: list[float] = Field(default_factory=list)
    """Regions of the uniform steady writes that were used."""
    lone_read_us: Positive
    """A read of 4 KiB that waits for nothing."""
    read_type_spread_us: NonNegative
    """How far the slowest type of flash page is from the mean."""
    suspend_wait_us: Positive
    """Mean time until a program can be stopped for a read."""
    pages_per_program: Count
    program_us: Positive
    """Of `pages_per_program` flash pages on every plane."""
    write_us: Positive
    """A write of 4 KiB to a buffer with space, at the least."""
    write_jitter_us: NonNegative | None = None
    """Mean of what varies from write to write; none: that of the interface."""
    buffer_mib: Positive
    full: Figure[Literal["reads-first", "programs-first", "in-order"]]
    """What reads wait for while the buffer is full: a suspension, the program at hand, or the writes in front."""
    reads_per_s: Positive | None = None
    """Reads of 4 KiB that the drive's own controller takes; none: those of the sheet."""
    writes_per_s: Positive | None = None
    fitted_runs: list[str] = Field(default_factory=list)
    """The runs these were estimated from, where a table has many: `controller randread 1x32` is a run through that
    controller with a queue depth of 1 in 32 processes."""
    parallel_units: Count | None = None
    """Dies that read at the same time; none: those of the sheet."""
    read_us: Positive | None = None
    """Of a flash page on its die; none: that of the generation."""
    effective_gib: Positive | None = None
    """Flash that data can move in, spare blocks of the dies included; none: that of the sheet."""
    idle_reserve: Figure[Annotated[float, Field(gt=0, lt=1)]] | None = None
    """Share of the spare that the drive cleans ahead whenever it is idle; none: it cleans when it must."""
    batch: Batch | None = None

    def applied(self, rows: list[Parameter], sources: dict[str, str], bits: int) -> list[Parameter]:
        """Return the parameters with those that were measured in place of those from the sheet.

        `bits` of a cell are its types of page.
        """
        sheet = {row.name: row.value for row in rows}
        values = self._commands() | self._flash(sheet)
        now = sheet | {name: value for name, (value, _) in values.items()}
        own = full_drive_amplification(now["physical_bytes"] / now["logical_bytes"])
        values |= self.platform_values(now, bits) | self.batch_values(own, 1.0, 1.0)
        return _replaced(
            rows, [known(name, value, figure, sources) for name, (value, figure) in values.items()]
        )

    def _commands(self) -> Values:
        rates = (("read_command_ns", self.reads_per_s), ("write_command_ns", self.writes_per_s))
        return {name: (round(1e9 / rate.value), rate) for name, rate in rates if rate is not None}

    def _flash(self, sheet: dict[str, Any]) -> Values:
        """What is of this drive alone: its flash, and how fast it is written."""
        values: Values = {
            "pages_per_program": (self.pages_per_program.value, self.pages_per_program),
            "program_ns": (round(self.program_us.value * 1e3), self.program_us),
            "write_bytes_per_s": (None, self.program_us),
            "copy_cost": (None, self.program_us),
            "buffer_bytes": (round(self.buffer_mib.value * (1 << 20)), self.buffer_mib),
        }
        if self.read_us is not None:
            values["read_ns"] = (round(self.read_us.value * 1e3), self.read_us)
        if self.parallel_units is not None:
            units, channels = self.parallel_units.value, sheet["channels"]
            whole = units % channels == 0
            values["channels"] = (channels if whole else units, self.parallel_units)
            values["dies_per_channel"] = (units // channels if whole else 1, self.parallel_units)
        if self.effective_gib is not None:
            values["physical_bytes"] = (round(self.effective_gib.value * (1 << 30)), self.effective_gib)
        if self.idle_reserve is not None:
            ahead = {"delay_ns": IDLE_DELAY_NS, "reserve": self.idle_reserve.value}
            values["background_gc"] = (ahead, self.idle_reserve)
        return values

    def platform_values(self, rest: dict[str, Any], bits: int) -> Values:
        """What controller, firmware and flash decide, of a drive whose other parameters are `rest`."""
        link_ns = PAGE_BYTES / rest["link_bytes_per_s"] * 1e9
        channel_ns = PAGE_BYTES / rest["channel_bytes_per_s"] * 1e9
        page_ns = rest["read_ns"]
        spent_ns = page_ns + channel_ns + rest["read_command_ns"] + link_ns + rest.get("link_command_ns", 0)
        sent_ns = rest["write_command_ns"] + link_ns
        spread = min(self.read_type_spread_us.value * 1e3 / page_ns, 0.9)
        values: Values = {
            "read_overhead_ns": (round(max(self.lone_read_us.value * 1e3 - spent_ns, 0)), self.lone_read_us),
            "write_overhead_ns": (round(max(self.write_us.value * 1e3 - sent_ns, 0)), self.write_us),
            "read_types": (bits if spread else 1, self.read_type_spread_us),
            "read_type_spread": (round(spread, 4), self.read_type_spread_us),
            "suspend_wait_ns": (round(self.suspend_wait_us.value * 1e3), self.suspend_wait_us),
            "suspend_ns": (0, self.suspend_wait_us),
            "full_holds_reads": (self.full.value == "programs-first", self.full),
            "full_queues_reads": (self.full.value == "in-order", self.full),
        }
        if self.write_jitter_us is not None:
            values["write_jitter_ns"] = (round(self.write_jitter_us.value * 1e3), self.write_jitter_us)
        return values

    def amplification(self, raw_bytes: float, user_bytes: float) -> float:
        """Write amplification of this drive, full, with what flash it was measured to have; else this much."""
        flash = raw_bytes if self.effective_gib is None else self.effective_gib.value * (1 << 30)
        return full_drive_amplification(flash / user_bytes)

    def batch_values(self, amplification: float, every: float, slack: float) -> Values:
        """What cleans in batches, rarer and with more room by these factors; `amplification` is this drive's."""
        if self.batch is None:
            return {}
        batch = self.batch
        values: Values = {
            "gc_batch_bytes": (round(batch.every_mb.value * every * 1e6), batch.every_mb),
            "gc_batch_ns": (round(batch.time_ms.value * 1e6), batch.time_ms),
            "gc_batch_slack_bytes": (round(batch.slack_kb.value * slack * 1e3), batch.slack_kb),
        }
        if batch.without_reads is not None:
            values["gc_batch_always"] = (batch.without_reads.value, batch.without_reads)
        else:
            values["gc_batch_valid"] = (round(1 - 1 / amplification, 4), batch.time_ms)
        return values


@dataclass(frozen=True)
class OfPlatform:
    """What is measured of another drive of the same platform."""

    drive: str
    measured: Calibrated
    flash: float
    """Its flash, as a multiple of that drive's."""
    user_bytes: int
    """Of that drive."""

    def applied(self, rows: list[Parameter], bits: int) -> list[Parameter]:
        """Return the parameters with those that the platform shares in place of those from the sheet."""
        sheet = {row.name: row.value for row in rows}
        own = full_drive_amplification(sheet["physical_bytes"] / sheet["logical_bytes"])
        its = self.measured.amplification(sheet["physical_bytes"] / self.flash, self.user_bytes)
        batch = self.measured.batch_values(its, self.flash * its / own, self.flash)
        values = self.measured.platform_values(sheet, bits) | batch
        why = f"as measured of {self.drive}, of the same platform"
        return _replaced(
            rows,
            [
                Parameter(name=name, value=value, provenance=Provenance.ASSUMED, source=why)
                for name, (value, _) in values.items()
            ],
        )


def _replaced(rows: list[Parameter], others: list[Parameter]) -> list[Parameter]:
    """The rows, those of the same name replaced, further ones at the end, those without a value left out."""
    by_name = {row.name: row for row in others}
    kept = [by_name.pop(row.name, row) for row in rows]
    return [row for row in [*kept, *by_name.values()] if row.value is not None]
