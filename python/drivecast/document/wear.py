"""What a workload does to the flash of a design, without a clock, and how long the flash lasts under it.

The core makes the amplification (`crates/sim/src/run/wear.rs`); `stage.wear` adds the life, where the daily writes are
known.
"""

import datetime
from typing import Annotated

from drivecast.document.part import Document, Part, Provenance, left_out
from drivecast.quantity.interval import Interval


class Step(Part):
    """A figure of the endurance method. An end of the media or the warranty has its days too."""

    step: int
    name: str
    value: float | None = None
    """None where there is no end."""
    low: float | None = None
    high: float | None = None
    unit: str
    provenance: Provenance
    arithmetic: str
    source: str
    date: datetime.date | None = None
    date_low: datetime.date | None = None
    date_high: datetime.date | None = None


class DriveWear(Part):
    """The wear of one drive of a design."""

    drive: str
    write_amplification: float
    written_bytes: int
    levelled_pages: int
    erase_count_min: int
    erase_count_mean: float
    erase_count_max: int
    erase_count_deviation: float


class Amplification(Document):
    """What the flash of a design does in the steady state of a workload's writes."""

    design: str
    seed: int
    write_amplification: float
    """Units of the mapping programmed for each written to the drives, all drives together."""
    write_amplification_low: float
    write_amplification_high: float
    steady: bool
    host_pages: int
    copied_pages: int
    levelled_pages: int
    erases: int
    erase_count_min: int
    erase_count_mean: float
    erase_count_max: int
    erase_count_deviation: float
    fill: float
    scale: float
    members: int
    parity_factor: float
    """Bytes written to the drives for each of the host: copies and parity."""
    rounding_factor: float
    """Bytes of the mapping units that writes cover, in whole or in part, for each byte written to the drives."""
    host_bytes_written: int
    host_bytes_read: Annotated[int | None, left_out()] = None
    """Where there is a cache: bytes read along with them, of which it writes some to its flash."""
    member_host_bytes_max: int
    drives: list[DriveWear]

    @property
    def of_units(self) -> Interval:
        """The write amplification in units of the mapping, with its bounds."""
        value = self.write_amplification
        return Interval(
            min(self.write_amplification_low, value), value, max(self.write_amplification_high, value)
        )

    @property
    def of_bytes(self) -> Interval:
        """The write amplification in bytes of flash for each byte written to the drives.

        Writes smaller than the mapping unit program all of it, which a count of units does not show.
        """
        return self.of_units.rising(lambda units: units * self.rounding_factor)


class Wear(Amplification):
    """The amplification, and the life of each drive where the daily writes are known; null where they are not."""

    write_bytes_per_day: float | None = None
    growth_per_year: float = 0.0
    pe_cycles_per_day: float | None = None
    pe_cycles_per_day_low: float | None = None
    pe_cycles_per_day_high: float | None = None
    life_years_media: float | None = None
    life_years_media_low: float | None = None
    life_years_media_high: float | None = None
    life_years_warranty: float | None = None
    dwpd_used: float | None = None
    dwpd_rated: float | None = None
    date: datetime.date
    """The day on which the drives are new."""
    warranty_end: datetime.date | None = None
    media_end: datetime.date | None = None
    media_end_low: datetime.date | None = None
    media_end_high: datetime.date | None = None
    windows_hash: Annotated[str | None, left_out()] = None
    """Of windows that represent a trace: their fingerprint."""
    years: float
    """In service."""
    retention_months: float | None = None
    retention_months_low: float | None = None
    retention_months_high: float | None = None
    steps: Annotated[list[Step] | None, left_out()] = None
