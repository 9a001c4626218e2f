"""Rated endurance of old Intel drives against cycles × flash / WA under the rating's own load.

The rating is for random 4 KiB writes over the whole drive, so write amplification is at its worst; it is simulated.
A partition that leaves a fifth of the drive unused must raise it.
"""

from dataclasses import dataclass

from drivecast.catalog import Catalog, device_spec
from drivecast.reproduce.experiment import Amplifications, Experiment, Findings, Worn, published
from drivecast.reproduce.wear_320 import TB, life_bytes, program_bytes_per_host_byte

LOAD = "random(4KiB, read=0)"
SIZES = ((1, 4),)


@dataclass(frozen=True)
class Rated:
    """A drive, how much of it is partitioned, and where the document has its rating."""

    drive: str
    model: str
    end: int | None
    """Which of the two in AnandTech 5518; none: it is in 4902 only."""
    partition: float = 1.0

    @property
    def design(self) -> str:
        """The drive or its partition as a design."""
        return self.drive if self.partition == 1 else f"{self.drive}[partition={self.partition}]"

    def published_tb(self) -> float:
        """The rating."""
        papers = published()
        if self.end is None:
            by_spare = papers["ssd-710"]["endurance_tb"][self.drive]
            return float(by_spare["whole" if self.partition == 1 else "spare"])
        return float(papers["ssd-ent"]["drives"][self.model]["endurance_tb"][self.end])


RATED = (
    Rated("intel-320-600gb", "intel-320", 1),
    Rated("intel-710-100gb", "intel-710", 0),
    Rated("intel-710-100gb", "intel-710", None, partition=0.8),
    Rated("intel-710-200gb", "intel-710", None),
    Rated("intel-710-200gb", "intel-710", None, partition=0.8),
    Rated("intel-710-300gb", "intel-710", None),
    Rated("intel-710-300gb", "intel-710", 1, partition=0.8),
    Rated("intel-x25-e-32gb", "intel-x25-e", 0),
    Rated("intel-x25-e-64gb", "intel-x25-e", 1),
)
WORST = "intel-320-160gb"
PARTITIONED = ("intel-320-160gb", "intel-710-100gb")
PARTITION = 0.8
REDUCED = {"intel-320-600gb": 32, "intel-710-300gb": 16}
"""What the drives' size is divided by, 8 unless it is here: each die keeps the hundred blocks that write amplification
needs to half a per cent."""


def worn(drive: str, design: str) -> Worn:
    """The rating's load."""
    return Worn(design, LOAD, reduced=REDUCED.get(drive, 8))


def tasks() -> dict[str, Worn]:
    """Runs by design."""
    rated = {rating.design: worn(rating.drive, rating.design) for rating in RATED}
    parts = {f"{drive}[partition={PARTITION}]": drive for drive in PARTITIONED}
    return (
        rated
        | {drive: worn(drive, drive) for drive in PARTITIONED}
        | {design: worn(drive, design) for design, drive in parts.items()}
    )


def read(findings: Findings, outcomes: Amplifications, catalog: Catalog) -> None:
    """Endurance, the worst amplification, and what a partition gains."""
    paper = published()["ssd-ent"]

    def amplification(design: str) -> float:
        drive = design.partition("[")[0]
        unit = int(device_spec(catalog.get(drive))["mapping_bytes"])
        return program_bytes_per_host_byte(outcomes[design], unit, SIZES)

    for rating in RATED:
        lives = life_bytes(catalog, rating.drive, amplification(rating.design))
        typical, low, high = (life / TB for life in lives)
        findings.figure(
            f"{rating.design}: rated writes",
            "TB",
            published=rating.published_tb(),
            ours=typical,
            span=(low, high),
            why="a rating is the maker's promise, not the end of the flash; cycles are known as a range only",
        )
    findings.figure(
        f"{WORST}: write amplification at its worst",
        "x",
        published=paper["life"]["worst_case_write_amplification_320"],
        ours=amplification(WORST),
        why="the size of the mapping unit is inferred from this very figure, the spare is not",
        kind="given",
    )
    for drive in PARTITIONED:
        whole, part = amplification(drive), amplification(f"{drive}[partition={PARTITION}]")
        findings.ordering(
            f"{drive}: a partition of {PARTITION:.0%} lasts longer than the whole drive",
            part < whole,
            f"write amplification {part:.1f} against {whole:.1f}",
        )


EXPERIMENT = Experiment(
    name="endurance",
    title="AnandTech: rated endurance of Intel drives, and partitions that raise it",
    documents=("ssd-ent", "ssd-710"),
    conditions=(
        "the rating's load: random 4 KiB writes over the whole drive, full",
        "the 710's ratings with 20 % more spare: a fifth left unpartitioned",
    ),
    read=read,
    tasks=tasks(),
)
