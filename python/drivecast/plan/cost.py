"""What a design costs and how long it lasts, and on which inputs both hang.

The model and its arithmetic are in `crates/assess/src/costing.rs`, which the page of a report calls, too.
`facts` are what they start from; what follows from them is read back.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from drivecast import _core
from drivecast.assess import endurance
from drivecast.assess.endurance import Endurance
from drivecast.assess.rating import flash_rating
from drivecast.assess.sensitivity import Input, Move
from drivecast.assess.tco import Cost
from drivecast.catalog import Bounded, Catalog
from drivecast.catalog.figure import Figure
from drivecast.document.part import Provenance
from drivecast.document.profile import Profile
from drivecast.plan import facts
from drivecast.plan.facts import known
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Trial
from drivecast.quantity.interval import Interval, endless
from drivecast.stage.design import Design

TB = 1e12

UNITS = {
    "drive price": "USD",
    "decline of prices": "1/y",
    "electricity": "USD/kWh",
    "PUE": "",
    "residual value": "of the price",
    "slot": "USD",
    "adapter": "USD",
    "enclosure": "USD",
    "controller": "USD",
    "visit": "USD",
    "outage": "USD/h",
    "value of data": "USD",
    "failure rate": "1/y",
    "hours a day": "h",
    "growth": "1/y",
    "power": "W",
    "write amplification": "×",
    "P/E cycles": "cycles",
}
"""Of all inputs, in the order in which the arithmetic has their bounds."""


@dataclass(frozen=True)
class Costing:
    """What a design costs, with its interval and what moves it."""

    cost: Cost
    total_usd: Interval
    power_w: Interval
    energy_kwh: float
    life: Endurance | None
    moves: list[Move]
    """Of the total, what matters most first."""
    life_moves: dict[str, Move]
    """Of the years of life, by input."""
    spans: list[dict[str, float | None]]
    """Of every input, by the order of `UNITS`."""
    written_tb: float
    """Host writes over the years."""
    is_tolerated: bool = False
    """Whether the life falls short of the years within the tolerance: then nothing worn out is bought again."""
    facts: str = field(default="", repr=False, compare=False)
    """What it was worked out from."""


@dataclass(frozen=True)
class Case:
    """A design that was tried, and what it is judged by."""

    design: Design
    trial: Trial
    catalog: Catalog
    requirements: Requirements
    profile: Profile

    def costing(self) -> Costing:
        """Work all of it out."""
        asked = json.dumps(self.facts())
        found = _core.costing(asked)
        rating = flash_rating(self.design.drive)
        life = found["life"]
        return Costing(
            cost=Cost(**found["cost"]),
            total_usd=Interval.read(found["total_usd"]),
            power_w=Interval.read(found["power_w"]),
            energy_kwh=found["energy_kwh"],
            life=endurance.read(rating, life) if rating and life else None,
            moves=[*_moves(found["moves"])],
            life_moves={move.input: move for move in _moves(found["life_moves"])},
            spans=found["inputs"],
            written_tb=found["written_tb"],
            is_tolerated=found["is_tolerated"],
            facts=asked,
        )

    def inputs(self, costing: Costing) -> dict[str, Input]:
        """What its costing was worked out from, with where each is known from."""
        spans = zip(UNITS, costing.spans, strict=True)
        return {
            name: Input(name, UNITS[name], Interval.read(span), *self._origin(name)) for name, span in spans
        }

    def facts(self) -> dict[str, Any]:
        """What all of it starts from."""
        return {
            "design": facts.of_design(self.design),
            "drive": facts.of_drive(self.design.drive, self.catalog),
            "seen": facts.of_trial(self.trial) | facts.of_service(self.trial),
            "prices": facts.of_prices(self.catalog.prices),
            "load": facts.of_load(self.profile),
            "needs": facts.of_requirements(self.requirements),
        }

    def _origin(self, name: str) -> tuple[Provenance, str]:
        """How an input is known, and from where."""
        drive, prices, host = self.design.drive, self.catalog.prices, self.catalog.prices.host
        of_prices: dict[str, Bounded | Figure[Any]] = {
            "drive price": prices.drives[drive.name],
            "decline of prices": prices.market.decline_per_year(flash=drive.is_flash),
            "electricity": prices.electricity.usd_per_kwh,
            "PUE": prices.electricity.pue,
            "residual value": prices.market.residual_share,
            "slot": host.bay_usd(drive.bay),
            "adapter": host.adapter_usd,
            "enclosure": host.enclosure_usd,
            "controller": host.controller_usd,
            "visit": prices.service.visit_usd,
            "outage": prices.service.outage_usd_per_h,
            "value of data": prices.service.data_value_usd,
        }
        if name in of_prices:
            return known(of_prices[name], prices)
        return facts.origin(name, self.design, self.requirements)


def _moves(found: list[dict[str, Any]]) -> Iterator[Move]:
    for move in found:
        yield Move(move["name"], endless(move["low"]), endless(move["high"]))
