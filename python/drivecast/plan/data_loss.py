"""The chance that a design loses data, in closed form: for all designs, before anything is simulated.

Model. The chain of `assess.mttdl`: constant rates, the repair as the rebuild and the operator's delay together, latent
errors that arise between two scrubs, half of them met. The interval spans the failure rates of sheet and fleets, with
the fleets' as the value, and the latent errors from none beyond the sheet's UBER to the most that fleets saw.
`risk` simulates the designs that are refined.
"""

import math
from dataclasses import dataclass
from typing import Literal

from drivecast.assess.mttdl import Array, data_loss, mean_time_between_failures_h
from drivecast.document.plan import Miss
from drivecast.plan.requirement import Requirements
from drivecast.quantity.interval import Interval
from drivecast.stage import rebuild
from drivecast.stage.design import Design
from drivecast.stage.loss import OPERATOR_H, latent_per_h

PEOPLE_AND_SOFTWARE = (0.29 + 0.13) / 0.40
"""Data lost by human error and by software, for each loss by failed hardware: 29 %, 13 % and 40 % of losses (Smith, The
Cost of Lost Data, Graziadio Business Review 2003; PCs, whose data are on one drive)."""


@dataclass(frozen=True)
class Risk:
    """The chance of losing data over the years asked for."""

    probability: Interval
    unreadable_probability: float
    """Of an unreadable sector in a rebuild, a part of it."""
    method: Literal["closed form", "simulated"]
    rebuild_h: float
    rebuilt_under_load: bool = False
    """Whether that is of a rebuild simulated at the peak; else by arithmetic."""


def closed(design: Design, failures: Interval, needs: Requirements) -> Risk:
    """Assess a design by the closed form."""
    hours, years = rebuild.idle_h(design.drive), needs.years
    latent = latent_per_h(design.drive).rising(lambda rate: rate * needs.scrub_days * 24 / 2)

    def array(rate: float, latent_errors: float) -> Array:
        return Array(
            level=design.level,
            drives=design.count,
            mtbf_h=mean_time_between_failures_h(rate),
            rebuild_h=hours + OPERATOR_H,
            drive_bytes=design.drive.user_bytes,
            uber=design.drive.uber,
            latent_errors=latent_errors,
        )

    def chance(rate: float, latent_errors: float) -> float:
        return data_loss(array(rate, latent_errors), years).probability if rate > 0 else 0.0

    unreadable = data_loss(array(failures.value, latent.value), years).unreadable_probability
    return Risk(failures.rising(chance, latent), unreadable, "closed form", hours)


def beyond_redundancy(failures: Interval, years: float) -> Interval:
    """The chance of losing data by people and software, which redundancy does not lower: only a copy elsewhere does."""
    return failures.rising(lambda rate: -math.expm1(PEOPLE_AND_SOFTWARE * years * math.log1p(-rate)))


def too_likely(chance: float, needs: Requirements) -> Miss | None:
    """Whether data are lost more often than is required."""
    limit = needs.data_loss
    if chance <= limit:
        return None
    return Miss(kind="data-loss", found=chance, limit=limit, shortfall=chance / limit)
