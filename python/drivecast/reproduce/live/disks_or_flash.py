"""AnandTech: sysbench OLTP on MySQL, 23 GB of data and a pool of 1 GB, on X25-E and 15K disks.

Six drives for the data and two for the log, in RAID 10 and 5; one X25-E for both; SSDs for the log of data on disks.
The log is flushed at each commit.
"""

from drivecast.reproduce.experiment import published
from drivecast.reproduce.live.study import LiveExperiment, LiveFindings, Setup

SCALE = 23
SSD, SAS = "intel-x25-e-32gb", "seagate-cheetah-15k5-300gb"
CONTROLLER = "iop348"
DISKS, ONE_SSD, SSDS = 0.25, 0.1, 0.05
"""Speeds: a few hundred requests a second of the clock, which two processors carry though others use them too."""
DATA_GB, SSD_GB = 23, 32


def array(level: str, count: int, drive: str) -> str:
    """Drives behind the controller."""
    return f"{level}({count} * {drive}, chunk=64KiB, controller={CONTROLLER})"


def log(drive: str) -> str:
    """A mirror for the log."""
    return f"raid1(2 * {drive}, controller={CONTROLLER})"


def on_disks(count: int, log_drive: str) -> Setup:
    """Data on disks in RAID 10."""
    return Setup(array("raid10", count, SAS), log(log_drive), DISKS)


SETUPS = {
    "ssd-raid10": Setup(array("raid10", 6, SSD), log(SSD), SSDS, DATA_GB / (3 * SSD_GB)),
    "ssd-raid5": Setup(array("raid5", 6, SSD), log(SSD), SSDS, DATA_GB / (5 * SSD_GB)),
    "ssd-one": Setup(SSD, None, ONE_SSD, DATA_GB / SSD_GB),
    "sas-eight": on_disks(6, SAS),
    "sas-ssd-log": on_disks(6, SSD),
    "sas-ten": on_disks(8, SAS),
}

WHY = "a few hundred transactions are counted: measured twice, a setup differed by up to a seventh"


def read_mysql(findings: LiveFindings) -> None:
    """The published ratios."""
    paper, at = published()["x25e-oltp"]["mysql"], findings.point
    mirrors, parity, single = at("ssd-raid10"), at("ssd-raid5"), at("ssd-one")
    eight, ten, logged = at("sas-eight"), at("sas-ten"), at("sas-ssd-log")
    for quantity, key, pair in (
        ("RAID 10 over RAID 5, six X25-E", "raid10_over_raid5", (mirrors, parity)),
        ("SSDs over disks under the log of data on disks", "ssd_log_under_sas_data_gain", (logged, eight)),
        ("one X25-E over eight disks", "one_ssd_over_eight_sas", (single, eight)),
    ):
        findings.over(quantity, paper[key], pair, why=WHY)
    low, high = paper["eight_ssd_over_ten_sas"]
    statement = f"eight X25-E have {low} to {high} times the transactions of ten disks"
    findings.between(statement, low, high, mirrors, ten)
    findings.faster("one X25-E is faster than eight disks", single, eight)
    findings.faster("RAID 10 is faster than RAID 5", mirrors, parity)


EXPERIMENT = LiveExperiment(
    name="x25e-mysql",
    title="AnandTech: MySQL on the Intel X25-E and on 15K disks, sysbench OLTP, 23 GB of data, a pool of 1 GB",
    documents=("x25e-oltp",),
    conditions=(
        "eight drives are six for the data and two for the log, ten are eight and two; one X25-E has both",
        "sysbench's read-write mix with its usual distribution of keys; 16 connections",
        "controllers write through, and so do the disks behind them",
        "a log of 512 MB",
    ),
    changes=(
        (
            f"data and pool divided by {SCALE}: 1 GB and 44 MiB",
            "a pool of 2,800 pages: undo and dictionary take a larger share of it, on all setups alike",
        ),
        (
            f"disks and their caches divided by {SCALE}, flash by {SCALE / 2:g}",
            "seeks cross the published share of the stroke, of which the shortest seek is a larger part: simulated, "
            "six disks serve 3 % more requests at 16 outstanding. Flash begins in the steady state of the published "
            "fill, and is overwritten in half of it",
        ),
        (
            f"disks run at {DISKS:g} of real time, one X25-E at {ONE_SSD:g}, several at {SSDS:g}",
            "two processors stand for eight, twenty and forty of this machine's; what the server does once a second "
            "happens as much less often in time of the design",
        ),
        ("a log of 24 MiB", "as full in as many transactions for the size of the data"),
        (
            "15 s of ramp and 25 s measured",
            "the pool is full after some seconds; of disks a few hundred transactions are counted: "
            "measured twice, setups differed by up to a seventh",
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
    setups=SETUPS,
    scale=SCALE,
    read=read_mysql,
)
