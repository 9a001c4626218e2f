"""Intel IT: a security database moved from 15K disks to the Intel 710, first as a workload model on both.

Iometer, 16 KiB, all random, 30 % reads, 4 workers with 4 outstanding each, for 600 s. The model was validated on a
RAID 10 of eight disks with a logical disk of 160 GB (28 % of the capacity, the outermost), then run on eight disks and
eight SSDs with a logical disk of 320 GB, as RAID 10 and RAID 5.
"""

from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Findings, Outcomes, Timed, latency_ms, published

LOAD = "random(16KiB, read=0.3, iodepth=16)"
DISK, DISK_GB = "seagate-cheetah-15k5-146gb", 146
SSD, SSD_GB = "intel-710-100gb", 100
LOGICAL_GB = 320
RUN_S = 600.0
OTHER_RUN_S = 60.0

THROUGH, BACK = "megaraid-9265-8i", "megaraid-9265-8i-bbu"
"""The controller writing through, and with a battery behind its cache."""
DATA_DRIVES = {"raid10": 4, "raid5": 7}
WHY_DISKS = (
    "the paper does not say whether the controller cached writes: low and high are the rate without and with"
)
WHY_IOPS = (
    "our SSDs are faster than published: their sheet's random writes are of 4 KiB over the whole drive, these are "
    "larger, on a part of it"
)
WHY_LATENCY = (
    "with 16 outstanding on both sides Little's law gives the mean of all latencies the ratio of the IOPS, 5; the "
    "paper's 7 to 10 contradict its own rates; and our SSDs are faster than published"
)
WHY_LONGEST = (
    "the longest of all requests: firmware pauses and retries decide it, which no model of the medium has"
)


def design(level: str, drive: str, drive_gb: int, controller: str, logical_gb: int = LOGICAL_GB) -> str:
    """Eight drives, of which a logical disk takes the first part."""
    share = logical_gb / (DATA_DRIVES[level] * drive_gb)
    return f"{level}(8 * {drive}[partition={share:.4f}], controller={controller})"


def tasks() -> dict[str, Timed]:
    """Runs by name; those called `other` have the controller's cache the other way round."""
    found = {}
    for prefix, disks, ssds, run_s in (("", BACK, THROUGH, RUN_S), ("other.", THROUGH, BACK, OTHER_RUN_S)):
        validate = design("raid10", DISK, DISK_GB, disks, 160)
        found[f"{prefix}validate"] = Timed(validate, LOAD, duration_s=run_s)
        for level in DATA_DRIVES:
            disk_array = design(level, DISK, DISK_GB, disks)
            found[f"{prefix}{level}.hdd"] = Timed(disk_array, LOAD, duration_s=run_s)
            ssd_array = design(level, SSD, SSD_GB, ssds)
            found[f"{prefix}{level}.ssd"] = Timed(ssd_array, LOAD, duration_s=run_s)
    return found


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:  # noqa: ARG001 (one signature for all)
    """Rates and latencies of disks against SSDs."""
    paper = published()["intel-it"]
    ends = (outcomes["validate"].iops, outcomes["other.validate"].iops)
    findings.figure(
        "peak of the model, 15K disks in RAID 10",
        "IOPS",
        published=paper["validate"]["modelled_peak_iops"],
        ours=ends[0],
        why=WHY_DISKS,
        span=ends,
    )
    for level in DATA_DRIVES:
        compare(findings, outcomes, level)
    longest(findings, outcomes)


def compare(findings: Findings, outcomes: Outcomes, level: str) -> None:
    """Disks and SSDs in arrays of one level."""
    topline = published()["intel-it"]["topline"]
    hdd, ssd = outcomes[f"{level}.hdd"], outcomes[f"{level}.ssd"]
    pairs = [
        (outcomes[f"{disks}{level}.hdd"], outcomes[f"{ssds}{level}.ssd"])
        for disks in ("", "other.")
        for ssds in ("", "other.")
    ]
    name = level.upper().replace("RAID", "RAID ")
    ends = [fast.iops / slow.iops for slow, fast in pairs]
    findings.figure(
        f"{name}: IOPS of SSDs over disks",
        "x",
        published=topline[f"{level}_iops_ssd_over_hdd"],
        ours=ends[0],
        why=WHY_IOPS,
        span=(min(ends), max(ends)),
    )
    for op in ("read", "write"):
        ends = [latency_ms(slow, op) / latency_ms(fast, op) for slow, fast in pairs]
        findings.figure(
            f"{name}: mean {op} latency of disks over SSDs",
            "x",
            published=topline[f"{level}_{op}_latency_hdd_over_ssd"],
            ours=ends[0],
            why=WHY_LATENCY,
            span=(min(ends), max(ends)),
        )
        statement = f"{name}: SSDs answer {op}s sooner than disks"
        findings.compared(statement, latency_ms(ssd, op), "<", latency_ms(hdd, op), "ms")


def longest(findings: Findings, outcomes: Outcomes) -> None:
    """The longest latencies of a run of 600 s; the paper's are of three such runs."""
    topline = published()["intel-it"]["topline"]
    found = {
        name: max(latency_ms(run, op, "max") for op in ("read", "write")) for name, run in outcomes.items()
    }
    rows = [
        ("RAID 5: longest latency of disks", "ms", "raid5_max_latency_hdd_ms", found["raid5.hdd"]),
        ("RAID 5: longest latency of SSDs", "ms", "raid5_max_latency_ssd_ms", found["raid5.ssd"]),
        (
            "RAID 10: longest latency of disks over SSDs",
            "x",
            "raid10_max_latency_hdd_over_ssd",
            found["raid10.hdd"] / found["raid10.ssd"],
        ),
    ]
    findings.figures(topline, rows, why=WHY_LONGEST)


EXPERIMENT = Experiment(
    name="intel-it",
    title="Intel IT: eight 15K disks against eight Intel 710",
    documents=("intel-it",),
    conditions=(
        "disks: Seagate Cheetah 15K.5; the paper says 146 GB 15K SAS",
        "controller: LSI MegaRAID 9265-8i; the paper names none",
        "disks behind a write cache with a battery, which arrays of 15K disks for databases were sold with; SSDs "
        "written through, as the controller's maker advises for flash",
        "Iometer's file fills the logical disk",
    ),
    read=read,
    tasks=tasks(),
)
