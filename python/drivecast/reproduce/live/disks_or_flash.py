"""AnandTech: sysbench OLTP on MySQL, 23 GB of data and a pool of 1 GB, on X25-E and 15K disks.

Six drives for the data and two for the log, in RAID 10 and 5; one X25-E for both; SSDs for the log of data on disks.
The log is flushed at each commit.
"""

from drivecast.reproduce.experiment import published
from drivecast.reproduce.live.study import LiveExperiment, LiveFindings, Setup

SCALE = 23
SSD, SAS = "intel-x25-e-32gb", "seagate-cheetah-15k5-300gb"
THROUGH, BACK = "iop348", "iop348-bbu"
DISKS, ONE_SSD, SSDS = 0.25, 0.1, 0.05
"""Speeds: a few hundred requests a second of the clock, which two processors carry though others use them too."""
DATA_GB, SSD_GB = 23, 32


def array(level: str, count: int, drive: str, controller: str = THROUGH) -> str:
    """Drives behind the controller."""
    return f"{level}({count} * {drive}, chunk=64KiB, controller={controller})"


def log(drive: str, controller: str = THROUGH) -> str:
    """A mirror for the log."""
    return f"raid1(2 * {drive}, controller={controller})"


def on_disks(count: int, log_drive: str, controller: str) -> Setup:
    """Data on disks in RAID 10."""
    return Setup(array("raid10", count, SAS, controller), log(log_drive, controller), DISKS)


def setups() -> dict[str, Setup]:
    """By name; those that end in `.wb` have a controller that completes writes in its cache."""
    found = {
        "ssd-raid10": Setup(array("raid10", 6, SSD), log(SSD), SSDS, DATA_GB / (3 * SSD_GB)),
        "ssd-raid5": Setup(array("raid5", 6, SSD), log(SSD), SSDS, DATA_GB / (5 * SSD_GB)),
        "ssd-one": Setup(SSD, None, ONE_SSD, DATA_GB / SSD_GB),
    }
    for end, controller in (("", THROUGH), (".wb", BACK)):
        found[f"sas-eight{end}"] = on_disks(6, SAS, controller)
        found[f"sas-ssd-log{end}"] = on_disks(6, SSD, controller)
        found[f"sas-ten{end}"] = on_disks(8, SAS, controller)
    return found


WHY_PARITY = ""
WHY_LOG = ""
WHY_ONE = ""


def read_mysql(findings: LiveFindings) -> None:
    """The published ratios; of disks behind a controller that writes through, and at the other end that writes back."""
    paper, at = published()["x25e-oltp"]["mysql"], findings.point
    mirrors, parity, single = at("ssd-raid10"), at("ssd-raid5"), at("ssd-one")
    eight, logged = at("sas-eight"), at("sas-ssd-log")
    findings.over(
        "RAID 10 over RAID 5, six X25-E", paper["raid10_over_raid5"], (mirrors, parity), why=WHY_PARITY
    )
    findings.over(
        "SSDs over disks under the log of data on disks",
        paper["ssd_log_under_sas_data_gain"],
        (logged, eight),
        (at("sas-ssd-log.wb"), at("sas-eight.wb")),
        why=WHY_LOG,
    )
    findings.over(
        "one X25-E over eight disks",
        paper["one_ssd_over_eight_sas"],
        (single, eight),
        (single, at("sas-eight.wb")),
        why=WHY_ONE,
    )
    low, high = paper["eight_ssd_over_ten_sas"]
    for end in ("", ".wb"):
        called = "write-back" if end else "write-through"
        findings.between(
            f"eight X25-E have {low} to {high} times the transactions of ten disks ({called})",
            low,
            high,
            mirrors,
            at(f"sas-ten{end}"),
        )
        findings.faster(f"one X25-E is faster than eight disks ({called})", single, at(f"sas-eight{end}"))
    findings.faster("RAID 10 is faster than RAID 5", mirrors, parity)


EXPERIMENT = LiveExperiment(
    name="x25e-mysql",
    title="AnandTech: MySQL on the Intel X25-E and on 15K disks, sysbench OLTP, 23 GB of data, a pool of 1 GB",
    documents=("x25e-oltp",),
    conditions=(
        "eight drives are six for the data and two for the log, ten are eight and two; one X25-E has both",
        "sysbench's read-write mix with its usual distribution of keys; 16 connections",
        "controllers write through; the other end of what ours could be: they write back, disks alone",
        "a log of 512 MB",
    ),
    changes=(
        (
            f"data and pool divided by {SCALE}: 1 GB and 44 MiB",
            "a pool of 2,800 pages: undo and dictionary take a larger share of it, on all setups alike",
        ),
        (
            f"drives divided by {SCALE / 2:g}, caches of disks and controllers by {SCALE}",
            "seeks cross half of the published share of the stroke, a few tenths of a millisecond of five less: "
            "disks come out a little too fast. Flash begins in the steady state of the published fill, and is "
            "overwritten in half of it",
        ),
        (
            f"disks run at {DISKS:g} of the clock, one X25-E at {ONE_SSD:g}, several at {SSDS:g}",
            "two processors stand for eight, twenty and forty of this machine's; what the server does once a second "
            "happens as much less often in time of the design",
        ),
        ("a log of 24 MiB", "as full in as many transactions for the size of the data"),
        (
            "15 s of ramp and 25 s measured",
            "the pool is full after some seconds; of disks a few hundred transactions are counted: "
            "ratios within 5 to 10 %",
        ),
        (
            "MariaDB 10.11 for MySQL 5.1",
            "fewer locks among processors, other rules for when dirty pages are written",
        ),
    ),
    load={
        "load": "sysbench",
        "size": "1GB",
        "log_size": "24MiB",
        "threads": "16",
        "ramp": 15,
        "runtime": 25,
    },
    pools={"": "44MiB"},
    setups=setups(),
    scale=SCALE,
    read=read_mysql,
)
