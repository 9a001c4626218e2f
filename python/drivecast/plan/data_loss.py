"""The chance that a design loses data, in closed form: for all designs, before anything is simulated.

The model and its arithmetic are in `crates/assess/src/loss.rs`, which the page of a report calls, too.
The interval spans the failure rates of sheet and fleets, with the fleets' as the value, and the latent errors from none
beyond the sheet's UBER to the most that fleets saw. `risk` simulates the designs that are refined.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from drivecast import _core
from drivecast.assess.rating import failure_rate
from drivecast.catalog import Drive
from drivecast.document.miss import Miss
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
    rebuild_share: float = rebuild.SHARE
    """Of the sequential write rate, that the rebuild takes at most."""


def closed(design: Design, failures: Interval, needs: Requirements) -> Risk:
    """Assess a design by the closed form."""
    group = design.redundancy
    found = _core.closed_loss(
        (group.groups, group.drives, group.failures),
        design.drive.user_bytes,
        design.spares,
        json.dumps(reliability(design.drive, failures)),
        needs.years,
        needs.scrub_days,
    )
    hours = rebuild.idle_h(design.drive)
    return Risk(Interval(**found["probability"]), found["unreadable_probability"], "closed form", hours)


def reliability(drive: Drive, failures: Interval) -> dict[str, Any]:
    """How a drive fails and how its data are lost, as the arithmetic takes it."""
    return {
        "failure_rate": failures.model_dump(),
        "latent_per_h": latent_per_h(drive).model_dump(),
        "uber": drive.uber,
        "rebuild_h": rebuild.idle_h(drive),
        "operator_h": OPERATOR_H,
    }


def likely(design: Design, needs: Requirements) -> float:
    """The chance by the closed form, without its bounds."""
    return closed(design, failure_rate(design.drive), needs).probability.value


def beyond_redundancy(failures: Interval, years: float) -> Interval:
    """The chance of losing data by people and software, which redundancy does not lower: only a copy elsewhere does."""
    return failures.rising(lambda rate: -math.expm1(PEOPLE_AND_SOFTWARE * years * math.log1p(-rate)))


def of_any(chances: Iterable[float]) -> float:
    """The chance that any of several loses data, independent of each other: 1 − Π (1 − p)."""
    return _core.loss_of_any([*chances])


def too_likely(chance: float, needs: Requirements) -> Miss | None:
    """Whether data are lost more often than is required."""
    limit = needs.data_loss
    if chance <= limit:
        return None
    return Miss(kind="data-loss", found=chance, limit=limit, shortfall=chance / limit)
