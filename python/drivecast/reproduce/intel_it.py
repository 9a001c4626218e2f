"""Intel IT: a security database moved from 15K disks to the Intel 710, first as a workload model on both.

Iometer, 16 KiB, all random, 30 % reads, 4 workers with 4 outstanding each, for 600 s. The model was validated on a
RAID 10 of eight disks with a logical disk of 160 GB (28 % of the capacity, the outermost), then run on eight disks and
eight SSDs with a logical disk of 320 GB, as RAID 10 and RAID 5.
"""

from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Outcomes, Timed, latency_ms, published
from drivecast.reproduce.result import Findings

LOAD = "random(16KiB, read=0.3, iodepth=16)"
DISK, DISK_GB = "seagate-cheetah-15k5-146gb", 146
SSD, SSD_GB = "intel-710-100gb", 100
LOGICAL_GB = 320
DISK_RUN_S = 600.0
SSD_REQUESTS = 1_000_000

CONTROLLER = "megaraid-9265-8i"
DATA_DRIVES = {"raid10": 4, "raid5": 7}
WHY_DISKS = (
    "a write cache in the controller alone moves the disks from far below the published rate to far above it; "
    "the paper names neither"
)
WHY_SSDS = (
    "our disks are slower than published (no write cache), our SSDs faster: their sheet's random writes are of 4 KiB "
    "over the whole drive, these are larger on a part of it"
)


def design(level: str, drive: str, drive_gb: int, logical_gb: int = LOGICAL_GB) -> str:
    """Eight drives, of which a logical disk takes the first part."""
    share = logical_gb / (DATA_DRIVES[level] * drive_gb)
    return f"{level}(8 * {drive}[partition={share:.4f}], controller={CONTROLLER})"


def tasks() -> dict[str, Timed]:
    """Runs by name."""
    found = {"validate": Timed(design("raid10", DISK, DISK_GB, 160), LOAD, duration_s=DISK_RUN_S)}
    for level in DATA_DRIVES:
        found[f"{level}.hdd"] = Timed(design(level, DISK, DISK_GB), LOAD, duration_s=DISK_RUN_S)
        found[f"{level}.ssd"] = Timed(design(level, SSD, SSD_GB), LOAD, requests=SSD_REQUESTS)
    return found


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:  # noqa: ARG001 (one signature for all)
    """Rates and latencies of disks against SSDs."""
    paper, topline = published()["intel-it"], published()["intel-it"]["topline"]
    findings.figure(
        "peak of the model, 15K disks in RAID 10",
        "IOPS",
        published=paper["validate"]["modelled_peak_iops"],
        ours=outcomes["validate"]["iops"],
        why=WHY_DISKS,
    )
    for level in DATA_DRIVES:
        hdd, ssd = outcomes[f"{level}.hdd"], outcomes[f"{level}.ssd"]
        name = level.upper().replace("RAID", "RAID ")
        findings.figure(
            f"{name}: IOPS of SSDs over disks",
            "x",
            published=topline[f"{level}_iops_ssd_over_hdd"],
            ours=ssd["iops"] / hdd["iops"],
            why=WHY_SSDS,
        )
        for op in ("read", "write"):
            findings.figure(
                f"{name}: mean {op} latency of disks over SSDs",
                "x",
                published=topline[f"{level}_{op}_latency_hdd_over_ssd"],
                ours=latency_ms(hdd, op) / latency_ms(ssd, op),
                why=WHY_SSDS,
            )
            findings.ordering(
                f"{name}: SSDs answer {op}s sooner than disks",
                latency_ms(ssd, op) < latency_ms(hdd, op),
                f"{latency_ms(ssd, op):.2f} against {latency_ms(hdd, op):.2f} ms",
            )
    longest = {
        name: max(latency_ms(run, op, "max") for op in ("read", "write")) for name, run in outcomes.items()
    }
    why = (
        "the longest of all requests: firmware pauses and retries decide it, which no model of the medium has"
    )
    for name, key in (("disks", "hdd"), ("SSDs", "ssd")):
        findings.figure(
            f"RAID 5: longest latency of {name}",
            "ms",
            published=topline[f"raid5_max_latency_{key}_ms"],
            ours=longest[f"raid5.{key}"],
            why=why,
        )
    findings.figure(
        "RAID 10: longest latency of disks over SSDs",
        "x",
        published=topline["raid10_max_latency_hdd_over_ssd"],
        ours=longest["raid10.hdd"] / longest["raid10.ssd"],
        why=why,
    )


EXPERIMENT = Experiment(
    name="intel-it",
    title="Intel IT: eight 15K disks against eight Intel 710",
    documents=("intel-it",),
    conditions=(
        "disks: Seagate Cheetah 15K.5; the paper says 146 GB 15K SAS",
        "controller: LSI MegaRAID 9265-8i, writing through; the paper names none",
        "Iometer's file fills the logical disk",
    ),
    read=read,
    tasks=tasks(),
)
