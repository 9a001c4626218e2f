"""The chance that a design loses data, in closed form: for all designs, before anything is simulated.

Model. The chain of `assess.mttdl`: constant rates, the repair as the rebuild and the operator's delay; with a spare the
rebuild alone, whose time is fixed, so that k failures meet in T^k / k! instead of the chain's T^k; latent errors that
arise between two scrubs, half of them met. The interval spans the failure rates of sheet and
fleets, with the fleets' as the value, and the latent errors from none beyond the sheet's UBER to the most that fleets
saw. `risk` simulates the designs that are refined.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from drivecast.assess.mttdl import Array, DataLoss, data_loss, mean_time_between_failures_h
from drivecast.assess.rating import failure_rate
from drivecast.document.plan import Miss
from drivecast.plan.requirement import Requirements
from drivecast.quantity.interval import Interval
from drivecast.stage import rebuild
from drivecast.stage.design import Design
from drivecast.stage.loss import OPERATOR_H, latent_per_h

PEOPLE_AND_SOFTWARE = (0.29 + 0.13) / 0.40
"""Data lost by human error and by software, for each loss by failed hardware: 29 %, 13 % and 40 % of losses (Smith, The
Cost of Lost Data, Graziadio Business Review 2003; PCs, whose data are on one drive)."""

CLOSED_FORM_SLACK = 1.5
"""How many times the data loss of the closed form may be that of the simulation: 1.3 at most in arrays tried."""


@dataclass(frozen=True)
class Risk:
    """The chance of losing data over the required years."""

    probability: Interval
    unreadable_probability: float
    """Of an unreadable sector in a rebuild, a part of it."""
    method: Literal["closed form", "simulated"]
    rebuild_h: float
    rebuilt_under_load: bool = False
    """Whether that is of a rebuild simulated at the peak; else by arithmetic."""


def closed(design: Design, failures: Interval, needs: Requirements) -> Risk:
    """Assess a design by the closed form."""
    latent = latent_per_h(design.drive).rising(lambda rate: rate * needs.scrub_days * 24 / 2)

    def chance(rate: float, latent_errors: float) -> float:
        return _lost(design, rate, latent_errors, needs).probability if rate > 0 else 0.0

    unreadable = _lost(design, failures.value, latent.value, needs).unreadable_probability
    hours = rebuild.idle_h(design.drive)
    return Risk(failures.rising(chance, latent), unreadable, "closed form", hours)


def likely(design: Design, needs: Requirements) -> float:
    """The chance by the closed form, without its bounds."""
    latent = latent_per_h(design.drive).value * needs.scrub_days * 24 / 2
    return _lost(design, failure_rate(design.drive).value, latent, needs).probability


def _lost(design: Design, rate: float, latent_errors: float, needs: Requirements) -> DataLoss:
    """What is lost at this rate of failures, with so many latent errors on a drive."""
    hours = rebuild.idle_h(design.drive)
    repair_h = hours + OPERATOR_H
    if design.spares and (overlapping := design.failures_tolerated):
        repair_h = hours / math.factorial(overlapping) ** (1 / overlapping)
    array = Array(
        level=design.level,
        drives=design.count,
        mtbf_h=mean_time_between_failures_h(rate),
        rebuild_h=repair_h,
        drive_bytes=design.drive.user_bytes,
        uber=design.drive.uber,
        latent_errors=latent_errors,
        groups=design.groups,
    )
    return data_loss(array, needs.years)


def beyond_redundancy(failures: Interval, years: float) -> Interval:
    """The chance of losing data by people and software, which redundancy does not lower: only a copy elsewhere does."""
    return failures.rising(lambda rate: -math.expm1(PEOPLE_AND_SOFTWARE * years * math.log1p(-rate)))


def of_any(chances: Iterable[float]) -> float:
    """The chance that any of several loses data, independent of each other: 1 − Π (1 − p)."""
    return -math.expm1(sum(math.log1p(-min(chance, 1 - 1e-16)) for chance in chances))


def too_likely(chance: float, needs: Requirements) -> Miss | None:
    """Whether data are lost more often than is required."""
    limit = needs.data_loss
    if chance <= limit:
        return None
    return Miss(kind="data-loss", found=chance, limit=limit, shortfall=chance / limit)
