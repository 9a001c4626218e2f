"""Intel: S3500 drives in RAID 1 sets and RAID 5 behind a MegaRAID 9265-8i; random 4 KiB.

The paper's figures are drawn, not printed, so what is examined is how throughput scales, what parity costs, and how the
slowest request grows with the set. Depth is 32 times the number of drives, and a sweep from 1 to 32 a drive.
"""

from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Findings, Outcomes, Timed, latency_ms, published

MIRRORED, PARITY = "intel-dc-s3500-480gb", "intel-dc-s3500-800gb"
CONTROLLER = "megaraid-9265-8i"
DEPTH = 32
MIRROR_SETS = (2, 4, 8)
PARITY_SETS = (3, 4, 8)
MIXES = (0.0, 0.7, 0.9, 1.0)
DEPTHS = (1, 32)


def mirrors(count: int) -> str:
    """RAID 1 sets, striped where there is more than one."""
    level = "raid1" if count == 2 else "raid10"
    return f"{level}({count} * {MIRRORED}, controller={CONTROLLER})"


def parity(count: int) -> str:
    """RAID 5."""
    return f"raid5({count} * {PARITY}, controller={CONTROLLER})"


def load(read_fraction: float, depth: int) -> str:
    """Random 4 KiB."""
    return f"random(4KiB, read={read_fraction:g}, iodepth={depth})"


def tasks() -> dict[str, Timed]:
    """Runs by name."""
    found = {"single": Timed(MIRRORED, load(0, DEPTH))}
    for count in MIRROR_SETS:
        found[f"raid1.{count}.0"] = Timed(mirrors(count), load(0, DEPTH * count))
    for count in PARITY_SETS:
        found[f"raid5.{count}.0"] = Timed(parity(count), load(0, DEPTH * count))
    for mix in MIXES:
        found[f"raid1.8.{mix:g}"] = Timed(mirrors(8), load(mix, DEPTH * 8))
        found[f"raid5.8.{mix:g}"] = Timed(parity(8), load(mix, DEPTH * 8))
    for depth in DEPTHS:
        found[f"raid1.8.depth{depth}"] = Timed(mirrors(8), load(0, depth * 8))
        found[f"raid5.8.depth{depth}"] = Timed(parity(8), load(0, depth * 8))
    return found


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:  # noqa: ARG001 (one signature for all)
    """Scaling, the price of parity, consistency."""

    def iops(name: str) -> float:
        return float(outcomes[name].iops)

    findings.figure(
        "writes of RAID 1 of two drives over one drive",
        "x",
        published=published()["s3500-raid"]["raid1_two_drive_write_over_single"],
        ours=iops("raid1.2.0") / iops("single"),
    )
    for count in MIRROR_SETS[1:]:
        findings.figure(
            f"writes of {count} drives in RAID 1 sets over two",
            "x",
            published=count / 2,
            ours=iops(f"raid1.{count}.0") / iops("raid1.2.0"),
        )
    mirrored = iops("raid1.8.0") / iops("raid1.4.0") - 1
    with_parity = iops("raid5.8.0") / iops("raid5.4.0") - 1
    findings.ordering(
        "drives added to RAID 5 bring writes less than drives added to RAID 1",
        with_parity < mirrored,
        f"+{with_parity:.0%} against +{mirrored:.0%} from four to eight drives",
    )
    for depth in DEPTHS:
        slow, fast = (
            latency_ms(outcomes[f"{level}.8.depth{depth}"], "write") for level in ("raid5", "raid1")
        )
        findings.compared(f"RAID 5 writes take longer than RAID 1 at {depth} a drive", slow, ">", fast, "ms")
    for level, title in (("raid1", "RAID 1"), ("raid5", "RAID 5")):
        rates = [iops(f"{level}.8.{mix:g}") for mix in MIXES]
        findings.ordering(
            f"{title}: the more reads, the more IOPS (0, 70, 90, 100 %)",
            rates == sorted(rates),
            ", ".join(f"{rate:,.0f}" for rate in rates),
        )
    for level, title, least in (("raid1", "RAID 1", 2), ("raid5", "RAID 5", 3)):
        few, many = (latency_ms(outcomes[f"{level}.{count}.0"], "write", "q0.9999") for count in (least, 8))
        findings.ordering(
            f"{title}: the slowest writes of eight drives are slower than those of {least}",
            many > few,
            f"99.99th percentile {many:.1f} against {few:.1f} ms",
        )


EXPERIMENT = Experiment(
    name="s3500",
    title="Intel: S3500 in RAID 1 and RAID 5",
    documents=("s3500-raid",),
    conditions=(
        "the controller writes through",
        "“linear” is taken as exactly proportional to the drives",
    ),
    read=read,
    tasks=tasks(),
)
