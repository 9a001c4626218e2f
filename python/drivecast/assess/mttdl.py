"""How often drives fail, and how often an array loses data.

Model. Drives fail independently at a constant rate λ = 1 / MTBF and are rebuilt one at a time at rate μ = 1
/ rebuild time: a birth-death chain over the number of failed drives. A group of n drives that tolerates k
failures loses data at the (k + 1)th:

    h_0 = 1 / b_0,   h_i = 1 / b_i + (μ / b_i) h_(i−1),   b_i = (n − i) λ,   MTTDL = h_0 + … + h_k

exactly, where h_i is the mean time from i to i + 1 failures. An array of g groups loses data g times as
often. A rebuild without redundancy left reads n − k drives whole; each bit is unreadable with probability
UBER, and so are the latent errors that a scrub has not met yet. Groups enter that state every
h_0 + … + h_(k−1) hours, and with rebuilds much shorter than that both kinds of loss come at constant rates.

Left out: failures that are correlated (one batch, one shelf, one worn-out generation of mirrors), the
cost of a loss, and that a spare of many groups may be in use by another of them: of 24 drives, of which one in
a hundred fails a year, in one of 500 failures within three days. MTTDL compares designs; it predicts nothing
about one array. Sources: Patterson, Gibson, Katz 1988 for the chain; Elerath and Pecht 2007 and Greenan et
al. 2010 for its limits.
"""

import math
from dataclasses import dataclass
from itertools import accumulate

from drivecast.document.design import Level
from drivecast.quantity.year import HOURS_PER_YEAR, MTBF_HOURS_PER_YEAR

BITS_PER_BYTE = 8


@dataclass(frozen=True)
class Array:
    """Drives of one kind under one RAID level."""

    level: Level
    drives: int
    """In use, without spares."""
    mtbf_h: float
    rebuild_h: float
    """From a failure until redundancy is back."""
    drive_bytes: float = 0.0
    uber: float = 0.0
    latent_errors: float = 0.0
    """On a drive, on average: half of what arises between two scrubs."""
    groups: int | None = None
    """As `redundancy` takes them."""


@dataclass(frozen=True)
class Redundancy:
    """An array as groups that fail on their own: `groups` of `drives` each, standing `failures` each."""

    groups: int
    drives: int
    failures: int


@dataclass(frozen=True)
class DataLoss:
    """Chance that an array loses data within the years of service."""

    mttdl_h: float
    """By drive failures alone."""
    failure_probability: float
    """By drive failures."""
    unreadable_probability: float
    """By an unreadable sector in a rebuild that has no redundancy left."""
    probability: float
    """By either."""


LEAST: dict[Level, int] = {
    "single": 1,
    "raid0": 1,
    "raid1": 2,
    "raid5": 3,
    "raid6": 4,
    "raid10": 2,
    "raid50": 3,
    "raid60": 4,
}
"""Drives of a group, at least."""


def redundancy(level: Level, drives: int, groups: int | None = None) -> Redundancy:
    """Give the groups of an array: RAID 1, 5 and 6 are one, RAID 10 pairs and RAID 50 and 60 two unless `groups` says.

    Raises `ValueError` where the drives do not make equal groups that are large enough.
    """
    if groups is None or level not in ("raid10", "raid50", "raid60"):
        groups = {"single": drives, "raid0": drives, "raid10": drives // 2, "raid50": 2, "raid60": 2}.get(
            level, 1
        )
    each = drives // groups if groups else 0
    if each < LEAST[level] or each * groups != drives:
        raise ValueError(f"{level} cannot be made of {drives} drives in {groups} groups")
    failures = {"single": 0, "raid0": 0, "raid5": 1, "raid50": 1, "raid6": 2, "raid60": 2}
    return Redundancy(groups, each, failures.get(level, each - 1))


def annual_failure_rate(mtbf_h: float) -> float:
    """Give the share of drives that fail within a year of 8,760 hours."""
    return -math.expm1(-MTBF_HOURS_PER_YEAR / mtbf_h)


def mean_time_between_failures_h(failure_rate: float) -> float:
    """Give the mean time between failures that means this annual failure rate."""
    return -MTBF_HOURS_PER_YEAR / math.log1p(-failure_rate) if failure_rate > 0 else math.inf


def unreadable_probability(bytes_read: float, uber: float) -> float:
    """Give the chance of at least one unrecoverable error, 1 − (1 − UBER)^bits, without losing digits."""
    return -math.expm1(bytes_read * BITS_PER_BYTE * math.log1p(-uber))


def rebuild_time_h(capacity_bytes: float, bytes_per_s: float) -> float:
    """Give the hours to write one drive whole; an array that serves meanwhile takes longer."""
    return capacity_bytes / bytes_per_s / 3600


def _steps_h(group: Redundancy, array: Array) -> list[float]:
    """Give the mean times from i to i + 1 failed drives, i = 0 … k."""
    steps: list[float] = []
    for failed in range(group.failures + 1):
        mean = array.mtbf_h / (group.drives - failed)
        steps.append(mean + (mean / array.rebuild_h) * steps[-1] if steps else mean)
    return steps


def mean_time_to_data_loss_h(array: Array) -> float:
    """Give the mean time to data loss by drive failures alone (MTTDL)."""
    group = redundancy(array.level, array.drives, array.groups)
    return sum(_steps_h(group, array)) / group.groups


def data_loss(array: Array, years: float) -> DataLoss:
    """Assess an array over `years`; a drive without redundancy has no rebuild that could fail."""
    group = redundancy(array.level, array.drives, array.groups)
    until = list(accumulate(_steps_h(group, array)))
    hours = years * HOURS_PER_YEAR
    by_failure = hours * group.groups / until[-1]
    by_sector = 0.0
    if group.failures:
        rebuilds = hours * group.groups / until[-2]
        read = group.drives - group.failures
        latent = -math.expm1(-read * array.latent_errors)
        by_sector = rebuilds * (latent + unreadable_probability(read * array.drive_bytes, array.uber))
    return DataLoss(
        mttdl_h=until[-1] / group.groups,
        failure_probability=-math.expm1(-by_failure),
        unreadable_probability=-math.expm1(-by_sector),
        probability=-math.expm1(-by_failure - by_sector),
    )
