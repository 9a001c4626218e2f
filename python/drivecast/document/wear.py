"""The write amplification of a workload on a design, and its life."""

from pydantic import Field

from drivecast.document.part import Document, Part, Provenance


class Step(Part):
    """A step of the endurance method."""

    step: int
    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str
    provenance: Provenance
    arithmetic: str
    source: str
    date: str | None = None
    date_low: str | None = None
    date_high: str | None = None


class Wear(Document):
    """The write amplification of a workload on a design, and life where the daily writes are known."""

    design: str
    write_amplification: float
    write_amplification_low: float | None = None
    write_amplification_high: float | None = None
    steady: bool = True
    erase_count_min: int | None = None
    erase_count_mean: float | None = None
    erase_count_max: int | None = None
    erase_count_deviation: float | None = None
    pe_cycles_per_day: float | None = None
    life_years_media_low: float | None = None
    life_years_media_high: float | None = None
    life_years_warranty: float | None = None
    dwpd_used: float | None = None
    dwpd_rated: float | None = None
    warranty_end: str | None = None
    media_end_low: str | None = None
    media_end_high: str | None = None
    years: float | None = None
    retention_months_low: float | None = None
    retention_months_high: float | None = None
    steps: list[Step] = Field(default_factory=list)
