"""Percona: the write rate of an Intel 320 over the size of the file, that is over the space it has left.

Random 16 KiB writes for an hour to files of 10 to 140 GiB on a freshly formatted drive of 160 GB; the figures are those
after 2,500 s, when all runs are stable. Formatting does not trim old files on the drive: a second round of
the same tests was slower (the blog, 2011-09), and only an erasure of the whole drive brought the first back. So ours
could also be that of a drive full of data that the file system has forgotten.
"""

from itertools import pairwise

from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Findings, Outcomes, Timed, mib_s, published

DRIVE, DRIVE_GB = "intel-320-160gb", 160
GIB = 1 << 30
SIZES_GIB = (10, 70, 120, 140)
DEPTH = 16
WHY = "how much the drive still held of files of earlier runs is not published, nor how its firmware cleans"


def run(size_gib: int, *, forgotten: bool = False) -> Timed:
    """Writes to a file of this size, alone or next to old files that the drive still holds."""
    share = size_gib * GIB / (DRIVE_GB * 1e9)
    load = f"random(16KiB, read=0, iodepth={DEPTH}, span={share:.4f})"
    return Timed(DRIVE, load, fill=1.0 if forgotten else share)


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:  # noqa: ARG001 (one signature for all)
    """Throughput by size of the file."""
    rates = published()["percona-320"]["write_mib_s"]
    ours = {size: mib_s(outcomes[f"gib{size}"]) for size in SIZES_GIB}
    for size in SIZES_GIB:
        findings.figure(
            f"random writes to {size} GiB",
            "MiB/s",
            published=rates[f"gib{size}"],
            ours=ours[size],
            span=(ours[size], mib_s(outcomes[f"gib{size}-forgotten"])),
            why=WHY,
        )
    for smaller, larger in pairwise(SIZES_GIB):
        statement = f"a file of {larger} GiB is written slower than one of {smaller} GiB"
        findings.compared(statement, ours[larger], "<", ours[smaller], "MiB/s", 0)


EXPERIMENT = Experiment(
    name="spare-320",
    title="Percona: an Intel 320 written over more and more of its space",
    documents=("percona-320",),
    conditions=(
        f"{DEPTH} writing threads: the post does not say",
        "nothing else on the drive; the other end of what ours could be: full of files long deleted",
    ),
    read=read,
    tasks={f"gib{size}": run(size) for size in SIZES_GIB}
    | {f"gib{size}-forgotten": run(size, forgotten=True) for size in SIZES_GIB},
)
