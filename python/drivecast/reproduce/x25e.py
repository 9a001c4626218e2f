"""AnandTech: the Intel X25-E against 15K and SATA disks, in RAID 0 and 5 behind controllers with an Intel IOP348.

A file of 20 GB, stripes of 64 KiB, two requests outstanding a drive; 64 KiB in sequence or 8 KiB at random, read or
mixed with 66 % reads. What is reported is where the controller limits the drives.
"""

from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Findings, Outcomes, Timed, mb_s, published

FILE_GB = 20
DRIVE_GB = {"intel-x25-e-32gb": 32, "seagate-cheetah-15k5-300gb": 300, "wd-1000fyps": 1000}
SSD, SAS, SATA = DRIVE_GB
DEPTH_PER_DRIVE = 2
ARECA, ADAPTEC, SOFTWARE = "areca", "adaptec", "software"
CONTROLLER = {ARECA: "iop348", ADAPTEC: "adaptec-5805", SOFTWARE: "two-adaptec-5805-software"}
"""Names in the catalog."""
DISK_RUN_S = 120.0

WHY_DEPTH = (
    "with two outstanding a request waits for its flash channel, which a drive that reads ahead does not; "
    "a deeper queue gives the sheet's rate"
)
WHY_CONTROLLER = (
    "one controller with eight drives gave 1,100 MB/s in another review and 700 to 750 here, at 64 KiB and two "
    "requests a drive: work that grows with the bytes, which no source describes"
)
WHY_MIXED = (
    "the drives, at their sheet's sequential rates, are nearly the limit here, and neither depth nor a free controller "
    "changes much; the published mixes stop at two fifths of it, in hardware and in software alike"
)
WHY_RANDOM = (
    "the processors are the limit; their time for a command is from another review and uncertain by its host"
)

WHY_PARITY = {"seq_read": WHY_CONTROLLER, "seq_mixed": WHY_MIXED, "random_mixed": WHY_RANDOM}

LOADS = {
    "seq_read": "sequential(64KiB, read=1",
    "seq_mixed": "sequential(64KiB, read=0.66",
    "random_mixed": "random(8KiB, read=0.66",
    "random_write": "random(8KiB, read=0",
}


def task(level: str, drive: str, count: int, load: str, controller: str = ARECA) -> Timed:
    """One array under one load."""
    array = f"{level}({count} * {drive}, chunk=64KiB, controller={CONTROLLER[controller]})"
    return loaded(drive if count == 1 else array, level, drive, count, load)


def loaded(design: str, level: str, drive: str, count: int, load: str) -> Timed:
    """The load on the file, which lies at the beginning of `design`."""
    data_drives = count - 1 if level == "raid5" else count
    share = min(1.0, FILE_GB / (data_drives * DRIVE_GB[drive]))
    line = f"{LOADS[load]}, iodepth={DEPTH_PER_DRIVE * count}, span={share:.5f})"
    duration = None if drive == SSD else DISK_RUN_S
    return Timed(design, line, duration_s=duration, fill=share)


def tasks() -> dict[str, Timed]:
    """Runs by name."""
    half = f"raid0(4 * {SSD}, chunk=64KiB, controller={CONTROLLER[ADAPTEC]})"
    found = {
        "ssd1.seq_read": task("raid0", SSD, 1, "seq_read"),
        "sas2.seq_read": task("raid0", SAS, 2, "seq_read"),
        "sata4.seq_read": task("raid0", SATA, 4, "seq_read"),
        "ssd1.random_mixed": task("raid0", SSD, 1, "random_mixed"),
        "sas8.random_mixed": task("raid0", SAS, 8, "random_mixed"),
        "sas4.random_mixed": task("raid0", SAS, 4, "random_mixed"),
        "sata16.random_mixed": task("raid0", SATA, 16, "random_mixed"),
        "two": loaded(f"raid0(2 * {half}, chunk=256KiB)", "raid0", SSD, 8, "seq_read"),
    }
    for controller in (ARECA, ADAPTEC):
        for count in (4, 8):
            found[f"{controller}.raid0.{count}"] = task("raid0", SSD, count, "seq_read", controller)
    for count in (4, 8):
        found[f"raid5.{count}.random_write"] = task("raid5", SSD, count, "random_write")
    found["raid5.4.seq_read"] = task("raid5", SSD, 4, "seq_read")
    for load in ("seq_read", "seq_mixed", "random_mixed"):
        found[f"raid5.8.{load}"] = task("raid5", SSD, 8, load)
        found[f"raid5.software.{load}"] = task("raid5", SSD, 8, load, SOFTWARE)
    return found


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:  # noqa: ARG001 (one signature for all)
    """Single drives and small sets, scaling, and RAID 5."""
    rates = {name: mb_s(outcome) for name, outcome in outcomes.items()}
    drives(findings, rates)
    scaling(findings, rates)
    parity(findings, rates)


def drives(findings: Findings, rates: dict[str, float]) -> None:
    """One SSD against disks."""
    single = rates["ssd1.seq_read"]
    rows = [
        ("one X25-E, sequential reads", "MB/s", "seq_read_mb_s", single),
        *(
            (
                f"sequential reads of {count} {kind.upper()} disks over one X25-E",
                "x",
                f"seq_read_{count}_{kind}_over_1_ssd",
                rates[f"{kind}{count}.seq_read"] / single,
            )
            for count, kind in ((2, "sas"), (4, "sata"))
        ),
    ]
    findings.figures(published()["x25e-oltp"]["results"], rows, why=WHY_DEPTH)
    mixed = {name: rates[f"{name}.random_mixed"] for name in ("ssd1", "sas8", "sata16", "sas4")}
    statement = "one X25-E beats eight SAS disks, random 66 % reads"
    findings.compared(statement, mixed["ssd1"], ">", mixed["sas8"], "MB/s", 1)
    statement = "sixteen SATA disks are slower than four SAS disks, random 66 % reads"
    findings.compared(statement, mixed["sata16"], "<", mixed["sas4"], "MB/s", 1)


def scaling(findings: Findings, rates: dict[str, float]) -> None:
    """From four to eight SSDs, on one controller and on two."""
    paper = published()["x25e-oltp"]["results"]
    gain = {name: rates[f"{name}.raid0.8"] / rates[f"{name}.raid0.4"] for name in (ARECA, ADAPTEC)}
    by_controller = [
        (
            f"{name.title()}, RAID 0 from four to eight SSDs, sequential reads",
            "x",
            f"{name}_raid0_4_to_8",
            ours,
        )
        for name, ours in gain.items()
    ]
    findings.figures(paper, by_controller, why=WHY_CONTROLLER)
    statement = "RAID 0 scales better on the Areca than on the Adaptec"
    findings.compared(statement, gain[ARECA], ">", gain[ADAPTEC])
    gained = rates["raid5.8.seq_read"] / rates["raid5.4.seq_read"]
    both = rates["two"]
    rows = [
        ("Areca, RAID 5 from four to eight SSDs, sequential reads", "x", "areca_raid5_4_to_8", gained),
        (
            "two controllers with four SSDs each, sequential reads",
            "MB/s",
            "raid0_8_two_controllers_seq_read_mb_s",
            both,
        ),
        (
            "the same over one controller with eight",
            "x",
            "two_controllers_4_ssd_over_one_controller_8_ssd",
            both / rates[f"{ADAPTEC}.raid0.8"],
        ),
    ]
    findings.figures(paper, rows, why=WHY_CONTROLLER)


def parity(findings: Findings, rates: dict[str, float]) -> None:
    """RAID 5 of eight SSDs in hardware and in software, and the writes that get worse."""
    paper = published()["x25e-oltp"]["results"]
    for key, where in (("hardware", "8"), ("software", "software")):
        for load, why in WHY_PARITY.items():
            title = f"RAID 5 of eight in {key}, {load.replace('_', ' ')}"
            row = (title, "MB/s", load, rates[f"raid5.{where}.{load}"])
            findings.figures(paper[f"raid5_{key}_mb_s"], [row], why=why)
    for load in WHY_PARITY:
        statement = f"RAID 5 in software on two controllers beats hardware on one, {load.replace('_', ' ')}"
        software, hardware = rates[f"raid5.software.{load}"], rates[f"raid5.8.{load}"]
        findings.compared(statement, software, ">", hardware, "MB/s", 0)
    few, many = rates["raid5.4.random_write"], rates["raid5.8.random_write"]
    findings.ordering(
        "random writes to RAID 5 get worse with more drives",
        many < few,
        f"{many:.1f} MB/s with eight against {few:.1f} with four",
    )


EXPERIMENT = Experiment(
    name="x25e",
    title="AnandTech: the Intel X25-E in RAID 0 and 5, and what the controller allows",
    documents=("x25e-oltp",),
    conditions=(
        "the arrays of disks are RAID 0, on the Areca as is all that does not say otherwise",
        "two controllers are two Adaptec: 1,200 MB/s over 1.6 is 750 for one with eight, a quarter more than "
        "600 for four, which is how the Adaptec scales and not the Areca",
        "controllers write through",
        "sequential runs read one stream",
    ),
    read=read,
    tasks=tasks(),
)
