"""Why and when drives fail, and how their sectors go bad: rates over age and wear, from what fleets have shown.

Model. Causes compete; each is a Weibull with cumulative hazard (x / scale)^shape of age or of wear (cycles
used, as a share of those rated).

- Flash, by age: chance (shape 1) and infant mortality, which takes a share w of weak drives, half a year on
  average after they were put in (assumed). In the first year fleets fail r = 2.5 times as often as later
  (Maneas and others, FAST 2020: more than a year long, two to three times). Of the weak, e^−2 are left after
  a year and next to none after five; so next to a constant rate c a year

      (c + w (1 − e^−2)) / (c + w e^−2 / 4) = r          5 c + w = 5 × the rate over five years
- Flash, by wear: 3 % fail by the rated cycles, which JESD218 allows at most; shape 5 (assumed), so that half
  are gone at 1.9 times the rated cycles. Fleets show no cliff at the rating (Schroeder and others, FAST 2016;
  Maneas).
- Disks, by age: shape 1.12 (Elerath and Pecht 2007, of field populations).

The annual failure rate is the mean of the first five years; wear comes on top.

Sectors. On flash latent errors arise as fast as fleets saw drives get their first: 20 % to 63 % of drives
within four years (Schroeder 2016), or not at all beyond the UBER of the sheet, which is what makers promise;
on disks 3.15 % of nearline and 1.46 % of enterprise drives within a year (Bairavasundaram and others,
SIGMETRICS 2007). Errors grow linearly with cycles (Schroeder 2016), fourfold up to the rating (assumed); the
UBER of a sheet is that at the rating (JESD218). Left out: that errors come in clusters, on few drives;
temperature; firmware.
"""

import math
from dataclasses import dataclass
from typing import Literal

from drivecast.quantity.interval import Interval
from drivecast.quantity.year import MTBF_HOURS_PER_YEAR

INFANT_RATIO = 2.5
INFANT_YEARS = 0.5
MEAN_OVER_YEARS = 5.0
WORN_OUT_AT_RATING = 0.03
WEAR_SHAPE = 5.0
DISK_SHAPE = 1.12
ERROR_GROWTH = 4.0
ENTERPRISE_RPM = 10_000
FLASH_FIRST_ERRORS = (0.20, 0.63, 4.0)
"""Share of flash drives with an uncorrectable error, least and most of ten models, within so many years."""
DISK_FIRST_ERRORS = {"nearline": 0.0315, "enterprise": 0.0146}
"""Share of disks with a latent error within a year."""


@dataclass(frozen=True)
class Cause:
    """One cause of failure; `scale` in hours of age, or in shares of the rated cycles."""

    clock: Literal["age", "wear"]
    scale: float
    shape: float
    share: float = 1.0
    """Drives prone to it, of all."""


@dataclass(frozen=True)
class Growth:
    """A rate on a new drive and at its rated cycles, linear between and beyond."""

    new: float
    worn: float
    shape: float = 1.0


def flash_causes(failure_rate: float) -> tuple[Cause, ...]:
    """Give the causes by which flash drives fail, of this annual failure rate without wear."""
    worn = Cause("wear", (-math.log1p(-WORN_OUT_AT_RATING)) ** (-1 / WEAR_SHAPE), WEAR_SHAPE)
    if failure_rate <= 0:
        return (worn,)
    later = math.exp(-1 / INFANT_YEARS)
    weak = (INFANT_RATIO - 1) / (1 - later - INFANT_RATIO * later / (MEAN_OVER_YEARS - 1))
    a_year = -math.log1p(-failure_rate) * MEAN_OVER_YEARS / (MEAN_OVER_YEARS + weak)
    return (
        Cause("age", MTBF_HOURS_PER_YEAR / a_year, 1.0),
        Cause("age", MTBF_HOURS_PER_YEAR * INFANT_YEARS, 1.0, share=-math.expm1(-weak * a_year)),
        worn,
    )


def disk_causes(failure_rate: float) -> tuple[Cause, ...]:
    """Give the causes by which disks fail, of this annual failure rate."""
    if failure_rate <= 0:
        return ()
    by_then = -math.log1p(-failure_rate) * MEAN_OVER_YEARS
    return (Cause("age", MEAN_OVER_YEARS * MTBF_HOURS_PER_YEAR * by_then ** (-1 / DISK_SHAPE), DISK_SHAPE),)


def flash_latent_per_h() -> Interval:
    """Give the latent errors that arise on a new flash drive, an hour: none, the least and the most that fleets saw."""
    few, many, years = FLASH_FIRST_ERRORS
    least, most = (-math.log1p(-share) / (years * MTBF_HOURS_PER_YEAR) for share in (few, many))
    return Interval(0.0, least, most)


def disk_latent_per_h(rpm: float) -> Interval:
    """Give the latent errors that arise on a disk, an hour; disks from 10,000 rpm on are the enterprise class."""
    kind = "enterprise" if rpm >= ENTERPRISE_RPM else "nearline"
    rates = {name: -math.log1p(-share) / MTBF_HOURS_PER_YEAR for name, share in DISK_FIRST_ERRORS.items()}
    return Interval(rates["enterprise"], rates[kind], rates["nearline"])


def growing(rate: float) -> Growth:
    """Give a rate that is this on new flash."""
    return Growth(rate, ERROR_GROWTH * rate)


def grown(rate: float) -> Growth:
    """Give a rate that is this at the rated cycles."""
    return Growth(rate / ERROR_GROWTH, rate)
