"""AnandTech: how long the flash of Intel's 320, 710 and X25-E lasts. Life in bytes of the host is cycles × flash / WA.

- Wear: WeeklyMaintenance looped until 320 GB were written, wear read from SMART E2, life extrapolated. The footprint is
  60 GB of an Intel 320 of 160 or 300 GB and of an Intel 710 of 200 GB, so most of the flash is spare.
- Rated endurance under the rating's own load: random 4 KiB writes over the whole drive, so write amplification is at
  its worst; it is simulated. A partition that leaves a fifth of the drive unused must raise it.
- How long two production databases' drives would last, from what they were written in nine days.
"""

from dataclasses import dataclass

from drivecast.assess.endurance import DAYS_PER_YEAR, FlashRating, life
from drivecast.assess.rating import flash_rating
from drivecast.catalog import Catalog, device_spec
from drivecast.document.wear import Amplification
from drivecast.quantity.interval import Interval
from drivecast.reproduce.experiment import Experiment, Findings, Worn, published

KIB = 1024
TB = 1e12
Sizes = tuple[tuple[int, int], ...]
"""Weight and KiB of writes."""


def program_bytes_per_host_byte(findings: Findings[Amplification], design: str, sizes: Sizes) -> float:
    """Write amplification in bytes: that of whole mapping units, times what a request rounds up to."""
    drive = findings.catalog.get(design.partition("[")[0])
    unit = int(device_spec(drive)["mapping_bytes"])
    host = sum(weight * size * KIB for weight, size in sizes)
    units = sum(weight * -(-size * KIB // unit) * unit for weight, size in sizes)
    return findings.outcomes[design].write_amplification * units / host


def life_bytes(catalog: Catalog, drive: str, amplification: float) -> tuple[float, float, float]:
    """Host bytes until the flash's cycles are used up: typical, and for the ends of their published range."""
    rating = flash_rating(catalog.get(drive))
    if rating is None:
        raise AssertionError(f"`{drive}` does not wear")
    cycles = rating.pe_cycles
    typical, low, high = (
        count * rating.raw_bytes / amplification for count in (cycles.value, cycles.low, cycles.high)
    )
    return typical, low, high


FOOTPRINT_GB = 60
SIZES = ((21, 8), (35, 64), (35, 128))
"""Of a sister trace, UpdateDailyStats."""
DRIVES = {"intel-320-160gb": 160, "intel-320-300gb": 300, "intel-710-200gb": 200}


def trace(drive: str) -> Worn:
    """The trace's writes on its footprint."""
    share = FOOTPRINT_GB / DRIVES[drive]
    sizes = ", ".join(f"{weight} * {size}KiB" for weight, size in SIZES)
    return Worn(drive, f"random({sizes}, read=0, span={share:.4f})", fill=share)


def read_wear(findings: Findings[Amplification]) -> None:
    """Lives and their ratios."""
    paper = published()["ssd-ent"]["wear"]
    small, large, enduring = (
        life_bytes(findings.catalog, drive, program_bytes_per_host_byte(findings, drive, SIZES))
        for drive in DRIVES
    )
    cycles = "published cycles of the flash range from 3,000 to 5,000"
    lives_tb = (end / TB for end in small)
    findings.figure(
        "Intel 320 160 GB: life under the trace", "TB", paper["life_tb_320_160gb"], *lives_tb, why=cycles
    )
    gain = large[0] / small[0]
    findings.figure("life of 300 GB over 160 GB", "x", paper["life_gain_300gb_over_160gb"], gain)
    findings.figure(
        "life of an Intel 710 200 GB over an Intel 320 160 GB",
        "x",
        paper["life_710_over_320"],
        enduring[0] / small[0],
        enduring[1] / small[2],
        enduring[2] / small[1],
        why="published cycles: 30,000 to 63,000 of the 710's flash, 3,000 to 5,000 of the 320's",
    )
    statement = "more capacity under the same footprint lasts longer"
    findings.compared(statement, large[0] / TB, ">", small[0] / TB, "TB", 0)
    findings.compared("the 710 outlasts both", enduring[0] / TB, ">", large[0] / TB, "TB", 0)


WEAR = Experiment(
    name="wear-320",
    title="AnandTech: wear of the Intel 320 and 710 by SMART",
    documents=("ssd-ent",),
    conditions=(
        "sizes of the writes: those of the document's UpdateDailyStats; at random over the footprint",
    ),
    read=read_wear,
    tasks={drive: trace(drive) for drive in DRIVES},
)


PARTITION = 0.8


def partitioned(drive: str) -> str:
    """The drive with a fifth left unused, as a design."""
    return f"{drive}[partition={PARTITION}]"


@dataclass(frozen=True)
class Rated:
    """A drive, whether a fifth of it is left unused, and where the document has its rating."""

    drive: str
    model: str
    end: int | None
    """Which of the two in AnandTech 5518; none: it is in 4902 only."""
    spare: bool = False

    @property
    def design(self) -> str:
        """The drive or its partition as a design."""
        return partitioned(self.drive) if self.spare else self.drive

    def published_tb(self) -> float:
        """The rating."""
        papers = published()
        if self.end is None:
            return float(papers["ssd-710"]["endurance_tb"][self.drive]["spare" if self.spare else "whole"])
        return float(papers["ssd-ent"]["drives"][self.model]["endurance_tb"][self.end])


RATED = (
    Rated("intel-320-600gb", "intel-320", 1),
    Rated("intel-710-100gb", "intel-710", 0),
    Rated("intel-710-100gb", "intel-710", None, spare=True),
    Rated("intel-710-200gb", "intel-710", None),
    Rated("intel-710-200gb", "intel-710", None, spare=True),
    Rated("intel-710-300gb", "intel-710", None),
    Rated("intel-710-300gb", "intel-710", 1, spare=True),
    Rated("intel-x25-e-32gb", "intel-x25-e", 0),
    Rated("intel-x25-e-64gb", "intel-x25-e", 1),
)
WORST = "intel-320-160gb"
PARTITIONED = (WORST, "intel-710-100gb")
REDUCED = {"intel-320-600gb": 32, "intel-710-300gb": 16}
"""What the drives' size is divided by, 8 unless it is here: each die keeps the hundred blocks that write amplification
needs to half a per cent."""
BLOCK = ((1, 4),)


def tasks() -> dict[str, Worn]:
    """The rating's load by design."""
    drives = {rating.design: rating.drive for rating in RATED} | {drive: drive for drive in PARTITIONED}
    drives |= {partitioned(drive): drive for drive in PARTITIONED}
    return {
        design: Worn(design, "random(4KiB, read=0)", reduced=REDUCED.get(drive, 8))
        for design, drive in drives.items()
    }


def read_rated(findings: Findings[Amplification]) -> None:
    """Endurance, the worst amplification, and what a partition gains."""
    factors = {design: program_bytes_per_host_byte(findings, design, BLOCK) for design in findings.outcomes}
    for rating in RATED:
        lives = life_bytes(findings.catalog, rating.drive, factors[rating.design])
        findings.figure(
            f"{rating.design}: rated writes",
            "TB",
            rating.published_tb(),
            *(end / TB for end in lives),
            why="a rating is the maker's promise, not the end of the flash; cycles are known as a range only",
        )
    findings.figure(
        f"{WORST}: write amplification at its worst",
        "x",
        published()["ssd-ent"]["life"]["worst_case_write_amplification_320"],
        factors[WORST],
        why="the size of the mapping unit is inferred from this very figure, the spare is not",
        kind="given",
    )
    for drive in PARTITIONED:
        whole, part = factors[drive], factors[partitioned(drive)]
        statement = f"{drive}: a partition of {PARTITION:.0%} lasts longer than the whole drive"
        findings.ordering(statement, part < whole, f"write amplification {part:.1f} against {whole:.1f}")


RATINGS = Experiment(
    name="endurance",
    title="AnandTech: rated endurance of Intel drives, and partitions that raise it",
    documents=("ssd-ent", "ssd-710"),
    conditions=(
        "the rating's load: random 4 KiB writes over the whole drive, full",
        "the 710's ratings with 20 % more spare: a fifth left unpartitioned",
    ),
    read=read_rated,
    tasks=tasks(),
)

DATABASES = {"mssql_main": "main database", "mysql_forums": "forums"}
YEARS = 5
"""Term of the warranty; it does not enter the life of the flash."""


def read_sums(findings: Findings[None]) -> None:
    """Cycles used, and years."""
    paper = published()["ssd-ent"]["life"]
    capacity = paper["capacity_gb"] * 10**9
    rating = FlashRating(capacity, capacity, Interval.exactly(paper["pe_cycles"]), None, YEARS)
    for key, title in DATABASES.items():
        found = life(
            rating,
            host_bytes_per_day=paper[key]["written_gb"] * 1e9 / paper["days"],
            write_amplification=Interval.exactly(paper["write_amplification_assumed"]),
        )
        per_day, years = found.pe_cycles_per_day.value, found.life_years_media.value
        rows = [
            (f"{title}: cycles used in nine days", "cycles", "cycles_used", per_day * paper["days"]),
            (f"{title}: cycles a day", "cycles", "cycles_per_day", per_day),
            (f"{title}: life", "days", "life_days", years * DAYS_PER_YEAR),
            (f"{title}: life", "years", "life_years", years),
        ]
        findings.figures(paper[key], rows)
    worst = paper["pe_cycles"] / paper["worst_case_write_amplification_320"]
    title, key = "worst case of the sheet: cycles' worth of host writes", "worst_case_cycles_of_host_writes"
    findings.figure(title, "cycles", paper[key], worst)
    title, theory = (
        "worst case in theory: an erase block for each page",
        paper["block_kib"] / paper["page_kib"],
    )
    findings.figure(title, "x", paper["worst_case_theoretical"], theory)


SUMS = Experiment(
    name="life-sums",
    title="AnandTech: life of an Intel 320 under two production databases",
    documents=("ssd-ent",),
    conditions=("the document's own write amplification of 10 and 5,000 cycles of 120 GB",),
    read=read_sums,
    kind="computed",
)
