"""Intel: S3500 drives in RAID 1 sets and RAID 5 behind a MegaRAID 9265-8i; random 4 KiB.

The paper's figures are drawn, not printed, so what is examined is how throughput scales, what parity costs, and how the
slowest request grows with the set. Depth is 32 times the number of drives, and a sweep from 1 to 32 a drive.
"""

from drivecast.document.outcome import Outcome
from drivecast.reproduce.experiment import Experiment, Findings, Timed, latency_ms, published

CONTROLLER = "megaraid-9265-8i"
MIRRORED, PARITY = "intel-dc-s3500-480gb", "intel-dc-s3500-800gb"
DEPTH = 32
SETS = {"raid1": (2, 4, 8), "raid5": (3, 4, 8)}
TITLES = {"raid1": "RAID 1", "raid5": "RAID 5"}
MIXES = (0.0, 0.7, 0.9, 1.0)
DEPTHS = (1, 32)


def run(level: str, count: int, read_fraction: float = 0.0, depth: int = DEPTH) -> Timed:
    """Random 4 KiB at a depth a drive; RAID 1 is in sets, striped where there is more than one."""
    drive = {"raid1": MIRRORED, "raid5": PARITY}[level]
    array = "raid10" if level == "raid1" and count > 2 else level
    load = f"random(4KiB, read={read_fraction:g}, iodepth={depth * count})"
    return Timed(f"{array}({count} * {drive}, controller={CONTROLLER})", load)


def tasks() -> dict[str, Timed]:
    """Runs by name."""
    found = {"single": Timed(MIRRORED, f"random(4KiB, read=0, iodepth={DEPTH})")}
    for level, counts in SETS.items():
        found |= {f"{level}.{count}.0": run(level, count) for count in counts}
        found |= {f"{level}.8.{mix:g}": run(level, 8, mix) for mix in MIXES}
        found |= {f"{level}.8.depth{depth}": run(level, 8, depth=depth) for depth in DEPTHS}
    return found


def read(findings: Findings[Outcome]) -> None:
    """Scaling, the price of parity, consistency."""
    outcomes = findings.outcomes
    iops = {name: float(outcome.iops) for name, outcome in outcomes.items()}
    two, single = iops["raid1.2.0"], published()["s3500-raid"]["raid1_two_drive_write_over_single"]
    findings.figure("writes of RAID 1 of two drives over one drive", "x", single, two / iops["single"])
    for count in SETS["raid1"][1:]:
        title = f"writes of {count} drives in RAID 1 sets over two"
        findings.figure(title, "x", count / 2, iops[f"raid1.{count}.0"] / two)
    mirrored, with_parity = (iops[f"{level}.8.0"] / iops[f"{level}.4.0"] - 1 for level in SETS)
    findings.ordering(
        "drives added to RAID 5 bring writes less than drives added to RAID 1",
        with_parity < mirrored,
        f"+{with_parity:.0%} against +{mirrored:.0%} from four to eight drives",
    )
    for depth in DEPTHS:
        fast, slow = (latency_ms(outcomes[f"{level}.8.depth{depth}"], "write") for level in SETS)
        findings.compared(f"RAID 5 writes take longer than RAID 1 at {depth} a drive", slow, ">", fast, "ms")
    for level, title in TITLES.items():
        rates = [iops[f"{level}.8.{mix:g}"] for mix in MIXES]
        statement = f"{title}: the more reads, the more IOPS (0, 70, 90, 100 %)"
        findings.ordering(statement, rates == sorted(rates), ", ".join(f"{rate:,.0f}" for rate in rates))
    for level, title in TITLES.items():
        least = min(SETS[level])
        few, many = (latency_ms(outcomes[f"{level}.{count}.0"], "write", "q0.9999") for count in (least, 8))
        statement = f"{title}: the slowest writes of eight drives are slower than those of {least}"
        findings.ordering(statement, many > few, f"99.99th percentile {many:.1f} against {few:.1f} ms")


ARRAYS = Experiment(
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
