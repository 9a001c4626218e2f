"""The table `[calibrated]` of an SSD's file: what was measured of its latency under load.

Represented: what decides the tail of reads and writes and no data sheet states; the equations and how the figures are
estimated are in `calibration.ssd_tail`. Each figure replaces what would follow from the sheet or the NAND generation. A
drive without the table is known from its sheet only. Left out: wear and temperature, at which nobody measured.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from drivecast.catalog.figure import Count, Figure, NonNegative, Positive, Strict, Switch, known
from drivecast.document.catalog import Parameter

PAGE_BYTES = 4096
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
        sheet: dict[str, Any] = {row.name: row.value for row in rows}
        link_ns = PAGE_BYTES / sheet["link_bytes_per_s"] * 1e9
        channel_ns = PAGE_BYTES / sheet["channel_bytes_per_s"] * 1e9
        page_ns = sheet["read_ns"] if self.read_us is None else round(self.read_us.value * 1e3)
        flash_ns = page_ns + channel_ns
        commands = {
            name: (round(1e9 / rate.value), rate)
            for name, rate in (("read_command_ns", self.reads_per_s), ("write_command_ns", self.writes_per_s))
            if rate is not None
        }
        read_ns, write_ns = (
            commands[name][0] if name in commands else sheet[name]
            for name in ("read_command_ns", "write_command_ns")
        )
        spent_ns = read_ns + link_ns + sheet.get("link_command_ns", 0)
        sent_ns = write_ns + link_ns
        reads_ns, writes_ns = self.lone_read_us.value * 1e3, self.write_us.value * 1e3
        spread = min(self.read_type_spread_us.value * 1e3 / page_ns, 0.9)
        values: dict[str, tuple[Any, Figure[Any]]] = {
            **commands,
            "read_overhead_ns": (round(max(reads_ns - flash_ns - spent_ns, 0)), self.lone_read_us),
            "write_overhead_ns": (round(max(writes_ns - sent_ns, 0)), self.write_us),
            "read_types": (bits if spread else 1, self.read_type_spread_us),
            "read_type_spread": (round(spread, 4), self.read_type_spread_us),
            "suspend_wait_ns": (round(self.suspend_wait_us.value * 1e3), self.suspend_wait_us),
            "suspend_ns": (0, self.suspend_wait_us),
            "pages_per_program": (self.pages_per_program.value, self.pages_per_program),
            "program_ns": (round(self.program_us.value * 1e3), self.program_us),
            "write_bytes_per_s": (None, self.program_us),
            "copy_cost": (None, self.program_us),
            "buffer_bytes": (round(self.buffer_mib.value * (1 << 20)), self.buffer_mib),
            "full_holds_reads": (self.full.value == "programs-first", self.full),
            "full_queues_reads": (self.full.value == "in-order", self.full),
        }
        if self.write_jitter_us is not None:
            jitter = self.write_jitter_us
            values["write_jitter_ns"] = (round(jitter.value * 1e3), jitter)
        if self.read_us is not None:
            values["read_ns"] = (page_ns, self.read_us)
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
        if self.batch is not None:
            batch = self.batch
            values |= {
                "gc_batch_bytes": (round(batch.every_mb.value * 1e6), batch.every_mb),
                "gc_batch_ns": (round(batch.time_ms.value * 1e6), batch.time_ms),
                "gc_batch_slack_bytes": (round(batch.slack_kb.value * 1e3), batch.slack_kb),
            }
            if batch.without_reads is not None:
                values["gc_batch_always"] = (batch.without_reads.value, batch.without_reads)
        measured = {name: known(name, value, figure, sources) for name, (value, figure) in values.items()}
        kept = [measured.pop(row.name, row) for row in rows]
        return [row for row in [*kept, *measured.values()] if row.value is not None]
