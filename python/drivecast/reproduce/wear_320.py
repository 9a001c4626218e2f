"""AnandTech: WeeklyMaintenance looped until 320 GB were written, wear read from SMART E2, life extrapolated.

Life in bytes of the host is cycles × flash / WA. The footprint is 60 GB of an Intel 320 of 160 or 300 GB and of an
Intel 710 of 200 GB, so most of the flash is spare.
"""

from drivecast.assess import flash_rating
from drivecast.catalog import Catalog, device_spec
from drivecast.document.wear import Amplification
from drivecast.reproduce.experiment import Amplifications, Experiment, Findings, Worn, published

FOOTPRINT_GB = 60
SIZES = ((21, 8), (35, 64), (35, 128))
"""Weight and KiB of the writes of a sister trace, UpdateDailyStats."""
DRIVES = {"intel-320-160gb": 160, "intel-320-300gb": 300, "intel-710-200gb": 200}
SMALL, LARGE, ENDURING = DRIVES
KIB = 1024
TB = 1e12


def program_bytes_per_host_byte(
    found: Amplification, mapping_bytes: int, sizes: tuple[tuple[int, int], ...]
) -> float:
    """Write amplification in bytes: that of whole mapping units, times what a request rounds up to."""
    host = sum(weight * size * KIB for weight, size in sizes)
    units = sum(weight * -(-size * KIB // mapping_bytes) * mapping_bytes for weight, size in sizes)
    return found.write_amplification * units / host


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


def task(drive: str) -> Worn:
    """The trace's writes on its footprint."""
    share = FOOTPRINT_GB / DRIVES[drive]
    sizes = ", ".join(f"{weight} * {size}KiB" for weight, size in SIZES)
    return Worn(drive, f"random({sizes}, read=0, span={share:.4f})", fill=share)


def read(findings: Findings, outcomes: Amplifications, catalog: Catalog) -> None:
    """Lives and their ratios."""
    paper = published()["ssd-ent"]["wear"]
    lives = {}
    for drive in DRIVES:
        unit = int(device_spec(catalog.get(drive))["mapping_bytes"])
        lives[drive] = life_bytes(catalog, drive, program_bytes_per_host_byte(outcomes[drive], unit, SIZES))
    small, large, enduring = (lives[drive][0] for drive in DRIVES)
    findings.figure(
        "Intel 320 160 GB: life under the trace",
        "TB",
        published=paper["life_tb_320_160gb"],
        ours=small / TB,
        span=(lives[SMALL][1] / TB, lives[SMALL][2] / TB),
        why="published cycles of the flash range from 3,000 to 5,000",
    )
    findings.figure(
        "life of 300 GB over 160 GB", "x", published=paper["life_gain_300gb_over_160gb"], ours=large / small
    )
    findings.figure(
        "life of an Intel 710 200 GB over an Intel 320 160 GB",
        "x",
        published=paper["life_710_over_320"],
        ours=enduring / small,
        span=(lives[ENDURING][1] / lives[SMALL][2], lives[ENDURING][2] / lives[SMALL][1]),
        why="published cycles: 30,000 to 63,000 of the 710's flash, 3,000 to 5,000 of the 320's",
    )
    statement = "more capacity under the same footprint lasts longer"
    findings.compared(statement, large / TB, ">", small / TB, "TB", 0)
    findings.compared("the 710 outlasts both", enduring / TB, ">", large / TB, "TB", 0)


EXPERIMENT = Experiment(
    name="wear-320",
    title="AnandTech: wear of the Intel 320 and 710 by SMART",
    documents=("ssd-ent",),
    conditions=(
        "sizes of the writes: those of the document's UpdateDailyStats; at random over the footprint",
    ),
    read=read,
    tasks={drive: task(drive) for drive in DRIVES},
)
