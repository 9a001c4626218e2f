"""The load of AnandTech's MySQL test on 1, 2, 4, 8 and 16 X25-E, X25-M and 15K disks, data and log on one array.

No ratio of this was published; what is judged is that four and eight drives carry more than two and four. A pair writes
as one drive, and 16 connections do not keep sixteen busy. An experiment a kind of drive, for the data of fifteen arrays
do not fit into memory at once.
"""

from dataclasses import replace
from itertools import pairwise

from drivecast.reproduce.live import disks_or_flash
from drivecast.reproduce.live.disks_or_flash import DATA_GB, DISKS, ONE_SSD, SAS, SSD, SSDS, array
from drivecast.reproduce.live.study import LiveExperiment, LiveFindings, Setup

COUNTS = (1, 2, 4, 8, 16)
KINDS = {
    "x25e": (SSD, 32, "X25-E"),
    "x25m": ("intel-x25-m-g1-80gb", 80, "X25-M"),
    "15k": (SAS, 300, "15K disks"),
}


def setups(kind: str) -> dict[str, Setup]:
    """Arrays of a kind of drive by their number."""
    drive, drive_gb, _title = KINDS[kind]
    found = {}
    for count in COUNTS:
        speed = DISKS if drive == SAS else ONE_SSD if count <= 2 else SSDS
        line = drive if count == 1 else array("raid10", count, drive)
        found[f"{kind}-{count}"] = Setup(
            line, None, speed, min(1.0, DATA_GB / (max(1, count // 2) * drive_gb))
        )
    return found


def experiment(kind: str) -> LiveExperiment:
    """One kind of drive."""
    title = KINDS[kind][-1]

    def read(findings: LiveFindings) -> None:
        for few, many in pairwise(COUNTS[1:-1]):
            first, second = findings.point(f"{kind}-{many}"), findings.point(f"{kind}-{few}")
            findings.faster(f"{many} {title} in RAID 10 are faster than {few}", first, second)

    return replace(
        disks_or_flash.EXPERIMENT,
        name=f"counts-{kind}",
        title=f"AnandTech's MySQL load on 1 to 16 {title}, data and log on one array (no published ratio)",
        conditions=(
            "RAID 10 from two drives on; data and log on the same drives",
            *disks_or_flash.EXPERIMENT.conditions[1:2],
            *disks_or_flash.EXPERIMENT.conditions[2:],
        ),
        setups=setups(kind),
        read=read,
    )


EXPERIMENTS = tuple(map(experiment, KINDS))
