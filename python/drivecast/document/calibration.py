"""How near simulated drives come to their data sheets and to measured disks, and what was fitted."""

from typing import Literal

from pydantic import Field

from drivecast.document.catalog import Provenance
from drivecast.document.part import Document, Part

Verdict = Literal["within", "beyond", "excused"]
RatingReason = Literal[
    "agrees",
    "within-cycles",
    "below-cycles",
    "slightly-above-cycles",
    "whole-units",
    "kinder-load",
    "above-flash",
]
"""Why rated and computed writes differ: the cycles that the rating takes lie within, below or above those known of the
flash, the rating is for whole mapping units or a kinder load, or no load explains it."""


class SheetFigure(Part):
    """One figure of a data sheet and what the simulated drive shows."""

    drive: str
    test: str
    key: str
    """Of the figure in the drive's file, such as `performance.random_read_iops`."""
    unit: Literal["MB/s", "IOPS", "µs", "ms"]
    stated: float
    provenance: Provenance
    simulated: float
    ratio: float
    """Simulated over stated."""
    verdict: Verdict
    reason: str | None
    """Why no drive as simulated can reach the figure, by the drive's file."""


class VerdictCounts(Part):
    """How many figures came out how."""

    within: int
    beyond: int
    excused: int


class SheetCheck(Document):
    """Drives against their data sheets."""

    tolerance: float
    counts: VerdictCounts
    tests: list[SheetFigure]


class Calibration(Document):
    """A drive calibrated to its measured latency."""

    drive: str
    error: str
    """How far it is off the runs that were held out."""
    table: str
    """The table `[calibrated]`, or `[fitted]`, of the drive's file."""
    undetermined: list[str]
    """Figures that the data do not determine, and why."""


class FittedParameter(Part):
    """A parameter that no sheet states, before and after its fit."""

    drive: str
    parameter: str
    before: float
    after: float
    fitted_to: str
    ratio_before: float
    ratio_after: float
    note: str = ""
    """Why the figure is still not met, where it is not."""


class SheetFits(Document):
    """What was fitted to data sheets."""

    drives: int
    written: bool
    fits: list[FittedParameter]


class Distance(Part):
    """Measured and simulated response times of one class of requests."""

    requests_of: str = Field(serialization_alias="class")
    requests: int
    demerit_ms: float
    """Root mean square of the distance between the two distributions."""
    mean_measured_ms: float
    mean_simulated_ms: float


class DiskValidation(Document):
    """A simulated disk compared with a measurement of the real one."""

    name: str
    classes: list[Distance]


class Rating(Part):
    """Rated writes of a drive next to what its flash could take of JESD219."""

    drive: str
    rated_tb: float
    provenance: Provenance
    write_amplification: float
    rounding_factor: float
    """The part of the amplification that comes from writes smaller than the mapping unit."""
    pe_cycles: float
    pe_cycles_low: float
    pe_cycles_high: float
    raw_tb: float
    computed_tb: float
    computed_tb_low: float
    computed_tb_high: float
    ratio: float
    """Computed over rated."""
    pe_cycles_implied: float
    """Cycles that the rating takes at our write amplification."""
    reason: RatingReason


class Ratings(Document):
    """Ratings of drives, and the load they are for."""

    schema_version: Literal[2] = 2

    load: str
    seed: int
    ratings: list[Rating]
