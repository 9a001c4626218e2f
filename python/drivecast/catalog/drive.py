"""A drive of the catalog: its sheet joined with its flash generation and its link, and the figures that others use."""

from dataclasses import dataclass
from pathlib import Path

from drivecast.catalog.calibrated import Calibrated, OfPlatform
from drivecast.catalog.family import row_of
from drivecast.catalog.figure import Probability, Range
from drivecast.catalog.latency_error import LatencyErrors
from drivecast.catalog.prices import Bay
from drivecast.catalog.sheet import DiskEndurance, HddSheet, Interface, Nand, RetentionLaw, SsdSheet
from drivecast.document.design import LatencyKnown

GB = 1_000_000_000
GIB = 1 << 30
TB = 1_000_000_000_000
BITS = {"SLC": 1, "MLC": 2, "TLC": 3, "QLC": 4}


@dataclass(frozen=True)
class Drive:
    """One drive, all cross-references resolved."""

    name: str
    file: Path
    sheet: SsdSheet | HddSheet
    interface: Interface
    nand: Nand | None
    """Flash generation; none for a disk."""
    field_failure_rate: Probability
    """Annual failure rate that fleets see for this kind of drive."""
    retention: RetentionLaw
    """How long flash keeps data."""
    shared_sources: dict[str, str]
    """Documents behind the flash generation, the interface and the field failure rate."""
    latency_errors: LatencyErrors | None = None
    """How far its latency may be off; none for a disk."""
    of_platform: OfPlatform | None = None
    """What another drive of its platform was measured to do; none where it was measured itself, or none was."""
    compression: float = 1.0
    """What a byte of the host's data takes in flash; 1 unless something is known of the data."""

    @property
    def row(self) -> str | None:
        """Its row in the file of a family, as a key; none where the file is its own."""
        return row_of(self.name, self.file)

    @property
    def platform(self) -> str:
        """What it has in common with drives of the same controller, firmware and flash."""
        stated = self.sheet.identity.platform
        return self.file.stem if stated is None else stated.value

    @property
    def is_flash(self) -> bool:
        """Whether writes wear it."""
        return isinstance(self.sheet, SsdSheet)

    @property
    def is_volatile(self) -> bool:
        """Whether a loss of power takes what its write buffer holds: a durable write waits for the flash."""
        return isinstance(self.sheet, SsdSheet) and not self.sheet.flash.power_loss_protection.value

    @property
    def latency_measured(self) -> bool:
        """Whether its latency under load was measured, or is known from its sheet only."""
        return self.calibrated is not None

    @property
    def latency_known(self) -> LatencyKnown | None:
        """How the latency of an SSD under load is known; none for a disk."""
        if not self.is_flash:
            return None
        if self.latency_measured:
            return "measured"
        return "sheet-only" if self.of_platform is None else "platform"

    @property
    def calibrated(self) -> Calibrated | None:
        """What was measured of its latency; none for a disk, or where nobody did."""
        return self.sheet.calibrated if isinstance(self.sheet, SsdSheet) else None

    @property
    def drive_class(self) -> str:
        """The class buyers compare within, such as `nvme-tlc-ri`."""
        return self.sheet.identity.drive_class

    @property
    def cells(self) -> str | None:
        """What its flash is: `SLC`, `MLC`, `TLC`, `QLC` or `3D XPoint`; none for a disk."""
        if not isinstance(self.sheet, SsdSheet):
            return None
        kind = self.sheet.flash.nand.partition("-")[0]
        return "3D XPoint" if kind == "3d" else kind.upper()

    @property
    def cell_bits(self) -> int:
        """Bits of a cell, which is how many types of page its word lines have; 1 for 3D XPoint, and for a disk."""
        return BITS.get(self.cells or "", 1)

    @property
    def medium(self) -> str:
        """What it keeps data in: the kind of its flash, or `HDD`."""
        return self.cells or "HDD"

    @property
    def form(self) -> str:
        """Where it goes: `2.5 in`, `U.2`, `3.5 in`, `add-in card`."""
        return self.sheet.identity.form

    @property
    def bay(self) -> Bay:
        """What it is put into."""
        if self.sheet.identity.interface.startswith("PCIe"):
            return "nvme"
        return "large" if self.form.startswith("3.5") else "sata"

    @property
    def is_consumer(self) -> bool:
        """Whether it is sold for desktops, without power-loss protection."""
        return self.sheet.identity.consumer

    @property
    def is_host_managed(self) -> bool:
        """Whether the host has to write it zone by zone."""
        return self.sheet.identity.host_managed

    @property
    def available_today(self) -> bool:
        """Whether a buyer can order it new."""
        return self.sheet.identity.available_today

    @property
    def title(self) -> str:
        """Name for people, such as `Samsung PM893 480 GB`."""
        gb = self.sheet.capacity.user_gb.value
        size = f"{gb:g} GB" if gb < 1000 else f"{gb / 1000:g} TB"
        return f"{self.sheet.identity.vendor} {self.sheet.identity.model} {size}"

    @property
    def user_bytes(self) -> int:
        """Capacity sold."""
        return round(self.sheet.capacity.user_gb.value * GB)

    @property
    def raw_bytes(self) -> int | None:
        """Flash built in, spare included; none for a disk."""
        return round(self.sheet.capacity.raw_gib.value * GIB) if isinstance(self.sheet, SsdSheet) else None

    @property
    def pe_cycles(self) -> Range | None:
        """Program/erase cycles a block endures; none for a disk."""
        if not isinstance(self.sheet, SsdSheet) or self.nand is None:
            return None
        return self.sheet.endurance.pe_cycles or self.nand.pe_cycles

    @property
    def warranty_years(self) -> float:
        """Term of the warranty."""
        return self.sheet.endurance.warranty_years.value

    @property
    def tbw_bytes(self) -> float | None:
        """Host writes the warranty covers.

        Rated, or from the drive writes a day; none where nothing is rated.
        """
        rated = self.sheet.endurance
        if isinstance(rated, DiskEndurance):
            return None
        if rated.tbw_tb is not None:
            return rated.tbw_tb.value * TB
        if rated.dwpd is not None:
            return rated.dwpd.value * self.user_bytes * 365 * self.warranty_years
        return None

    @property
    def dwpd(self) -> float | None:
        """Drive writes a day over the warranty: rated, or from the TBW; none where nothing is rated."""
        rated, tbw_bytes = self.sheet.endurance, self.tbw_bytes
        if not isinstance(rated, DiskEndurance) and rated.dwpd is not None:
            return rated.dwpd.value
        return None if tbw_bytes is None else tbw_bytes / (self.user_bytes * 365 * self.warranty_years)

    @property
    def mtbf_h(self) -> float:
        """Mean time between failures, by the sheet."""
        return self.sheet.reliability.mtbf_mh.value * 1e6

    @property
    def uber(self) -> float:
        """Unrecoverable errors per bit read, by the sheet."""
        return self.sheet.reliability.uber.value

    @property
    def idle_w(self) -> float:
        """Power when idle."""
        return self.sheet.power.idle_w.value

    @property
    def active_w(self) -> float:
        """Power under full load."""
        return self.sheet.power.active_w.value

    @property
    def moves_bytes_per_s(self) -> tuple[float, float]:
        """How fast it reads and writes in sequence, by the sheet."""
        if isinstance(self.sheet, HddSheet):
            rate = self.sheet.disk.outer_mb_s.value * 1e6
            return rate, rate
        rates = self.sheet.performance
        return rates.sequential_read_mb_s.value * 1e6, rates.sequential_write_mb_s.value * 1e6

    def busy_w(self, write_share: float) -> float:
        """Power at work, `write_share` of the bytes being written; the sheet's one figure where it has no two."""
        power = self.sheet.power
        reads, writes = power.read_w or power.active_w, power.write_w or power.active_w
        return reads.value + (writes.value - reads.value) * write_share
