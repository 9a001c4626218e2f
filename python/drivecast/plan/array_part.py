"""What a part of an array says of all of it, for less than a run of the whole.

Model. *The array's own work*: parity, command by command, takes its processor at least as long as with drives that take
no time. *A share of the disks*: requests of counters begin anywhere, so each of n parts that requests are spread over
(a disk, or a mirror of disks, which may choose among its copies) has an n-th of them, and its p99 is that of the array,
or less where parity is renewed. A few thousand requests show a limit that is missed by half; what lies nearer is left
to a run of the whole. Left out: flash, which is aged for either run, and requests larger than a chunk, of which each
disk moves less.
"""

from dataclasses import replace

from drivecast.catalog import Catalog
from drivecast.document.outcome import Outcome
from drivecast.plan.load import Load, Synthetic, first
from drivecast.plan.requirement import Requirements
from drivecast.stage.design import COPIES, Design
from drivecast.stage.simulate import AT_ONCE, Within, simulate_array, simulate_within

SHARE_REQUESTS = 5_000
"""Of a part: 50 are above p99, which is known within a third then."""
FAR = 1.5
"""Times a limit that p99 of the part must be to decide."""


def ideal_array(design: Design) -> str:
    """The line of an array laid out as this, of drives that take no time."""
    return replace(design, partition=1.0, spares=0).line.replace(design.drive.name, AT_ONCE)


def work_alone(
    design: Design, load: Load, times: float, catalog: Catalog, stored_bytes: int, seed: int
) -> Outcome:
    """A multiple of the peak on an array of drives that take no time."""
    group = design.redundancy
    workload, options = load.peak(1 / (group.groups * (group.drives - group.failures)), times)
    if isinstance(load, Synthetic):
        options = first(options, load.enough_s(times))
    return simulate_array(ideal_array(design), stored_bytes, workload, catalog, replace(options, seed=seed))


def disk_part(design: Design) -> tuple[Design, int]:
    """A disk of an array, or a mirror of its disks, and how many of them it has."""
    copies = design.redundancy.drives if design.level in COPIES else 1
    part = Design(design.drive, "raid1" if copies > 1 else "single", copies, partition=design.partition)
    return part, design.count // copies


def keeps_requests_whole(design: Design, load: Synthetic) -> bool:
    """Whether a part has requests as they are: none is larger than a chunk."""
    return max(load.counters.size_bytes, load.counters.write_size_bytes or 0) <= design.chunk_bytes


def misses_by_far(
    part: Design, load: Synthetic, times: float, fill: float, needs: Requirements, catalog: Catalog, seed: int
) -> bool:
    """Whether a part misses the limits by far under a multiple of the peak."""
    limits = [None if limit is None else round(FAR * limit) for _, limit in needs.limits]
    workload, options = load.peak(fill, times)
    options = replace(first(options, load.enough_s(times, SHARE_REQUESTS)), seed=seed)
    found = simulate_within(part.line, workload, catalog, options, Within(0.99, *limits))
    return found is None or found.saturated
