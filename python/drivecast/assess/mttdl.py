"""How often drives fail, and how often an array loses data.

The model and its arithmetic are in `crates/assess/src/loss.rs`, which the page of a report calls, too.
Here are the values that go in and come out.
"""

import math
from dataclasses import dataclass

from drivecast import _core
from drivecast.document.design import Level
from drivecast.quantity.year import MTBF_HOURS_PER_YEAR

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


def redundancy(level: Level, drives: int, groups: int | None = None) -> Redundancy:
    """Give the groups of an array: RAID 1, 5 and 6 are one, RAID 10 pairs and RAID 50 and 60 two unless `groups` says.

    Raises `ValueError` where the drives do not make equal groups that are large enough.
    """
    found = _core.redundancy(level, drives, groups)
    if found is None:
        raise ValueError(f"{level} cannot be made of {drives} drives in {groups} groups")
    return Redundancy(*found)


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


def data_loss(array: Array, years: float) -> DataLoss:
    """Assess an array over `years`; a drive without redundancy has no rebuild that could fail."""
    group = redundancy(array.level, array.drives, array.groups)
    found = _core.array_loss(
        (group.groups, group.drives, group.failures),
        years,
        mtbf_h=array.mtbf_h,
        rebuild_h=array.rebuild_h,
        drive_bytes=array.drive_bytes,
        uber=array.uber,
        latent_errors=array.latent_errors,
    )
    return DataLoss(**found)
