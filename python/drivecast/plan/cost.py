"""What a design costs and how long it lasts, and on which inputs both hang.

Model. One law gives cost and life from all inputs at once: prices, their decline, energy, failures, and what wears the
drives. It is worked out at the likely values, and again with each input at either end of its own interval
(`assess.sensitivity`); the interval of the cost is those moves, taken as independent. Drives idle in the hours that do
not look like the log, and are busier as the load grows: utilization is its mean over the years. The interval of power
reaches from a design that idles to one that always has its peak.

What is given is exact. What is assumed is moved: growth from none to twice as much, hours a day that look like the log
from eight (an office day) to all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from typing import Any

from drivecast.assess import endurance, sensitivity
from drivecast.assess.endurance import Endurance, bytes_within, member_bytes_per_day
from drivecast.assess.power import Site, energy_kwh, watts
from drivecast.assess.rating import failure_rate, flash_rating, site
from drivecast.assess.sensitivity import Input, Move, combined
from drivecast.assess.tco import Cost, Purchase, Upkeep, WearOut, cost_over_years, wear_out
from drivecast.catalog import Bounded, Catalog, Prices
from drivecast.catalog.figure import Figure
from drivecast.document.part import Provenance
from drivecast.document.profile import Profile
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Trial
from drivecast.quantity.interval import Interval
from drivecast.quantity.year import DAY_S, HOURS_PER_YEAR
from drivecast.stage.design import Design

OFFICE_HOURS = 8.0
TB = 1e12

Values = Mapping[str, float]


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
    written_tb: float
    """Host writes over the years."""
    is_tolerated: bool = False
    """Whether the life falls short of the years within the tolerance: then nothing worn out is bought again."""


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
        inputs = self.inputs()
        middle = {parameter.name: parameter.span.value for parameter in inputs}
        law = cache(lambda *values: self.law(dict(zip(middle, values, strict=True))))
        cost, life = law(*middle.values())
        moves = sensitivity.moves(inputs, lambda values: law(*values.values())[0].total_usd)
        years_of = sensitivity.moves(inputs, lambda values: _years(law(*values.values())[1])) if life else []
        whole = self.life({parameter.name: parameter.span for parameter in inputs}) if life else None
        requirements = self.requirements
        return Costing(
            cost=cost,
            total_usd=combined(cost.total_usd, moves),
            power_w=next(parameter.span for parameter in inputs if parameter.name == "power"),
            energy_kwh=energy_kwh(
                middle["power"], requirements.years * HOURS_PER_YEAR, site(self.catalog.prices)
            ),
            life=whole,
            moves=moves,
            life_moves={move.input.name: move for move in years_of if move.swing > 0},
            written_tb=bytes_within(
                requirements.years,
                bytes_per_day=requirements.write_bytes_per_day(self.profile),
                growth_per_year=requirements.growth_per_year,
            )
            / TB,
            is_tolerated=life is not None and self.tolerates(life),
        )

    def tolerates(self, life: Endurance) -> bool:
        """Whether a life falls short of the years by no more than the tolerance."""
        return self.requirements.endures_years <= life.life_years.value < self.requirements.years

    def inputs(self) -> list[Input]:
        """Everything that cost and life are worked out from."""
        return [*self._prices(), *self._load(), *self._wear()]

    def _prices(self) -> list[Input]:
        prices, name = self.catalog.prices, self.design.drive.name
        low, value, high = self.catalog.price_bounds_usd(name)
        market, drive, is_flash = prices.market, prices.drives[name], self.design.drive.is_flash
        failures = failure_rate(self.design.drive)
        return [
            Input("drive price", "USD", Interval(low, value, high), *known(drive, prices)),
            given("decline of prices", "1/y", market.decline_per_year(flash=is_flash), prices),
            given("electricity", "USD/kWh", prices.electricity.usd_per_kwh, prices),
            given("PUE", "", prices.electricity.pue, prices),
            given("residual value", "of the price", prices.market.residual_share, prices),
            given("slot", "USD", prices.host.slot_usd, prices),
            given("enclosure", "USD", prices.host.enclosure_usd, prices),
            given("controller", "USD", prices.host.controller_usd, prices),
            Input("failure rate", "1/y", failures, "measured", "the sheet's promise to what fleets report"),
        ]

    def _load(self) -> list[Input]:
        needs = self.requirements
        origins = {name: (how, why) for name, how, why in needs.origins}
        hours, growth = Interval.exactly(needs.hours_per_day), Interval.exactly(needs.growth_per_year)
        if origins["hours a day"][0] == "assumed":
            hours = Interval(min(OFFICE_HOURS, hours.value), hours.value, hours.value)
        if origins["growth"][0] == "assumed":
            growth = Interval(0.0, growth.value, 2 * growth.value)
        return [
            Input("hours a day", "h", hours, *origins["hours a day"]),
            Input("growth", "1/y", growth, *origins["growth"]),
            Input("power", "W", self.power_w(), "derived", "idle to always at the peak"),
        ]

    def _wear(self) -> list[Input]:
        rating, wear = flash_rating(self.design.drive), self.trial.wear
        if rating is None or wear is None:
            return []
        return [
            Input("write amplification", "×", wear.of_bytes, "derived", "simulated"),
            Input("P/E cycles", "cycles", rating.pe_cycles, *cycles_known(self.design)),
        ]

    def power_w(self) -> Interval:
        """Of the array: idle, at the mean utilization of the years, always at the peak."""
        design, needs, host = self.design, self.requirements, self.catalog.prices.host
        peak = self.trial.peak
        read, written = peak.device_read_bytes or 0, peak.device_written_bytes or 0
        busy_w = design.drive.busy_w(written / (read + written) if read + written else 0.0)
        grown = bytes_within(needs.years, bytes_per_day=1, growth_per_year=needs.growth_per_year)
        mean = self.trial.mean_utilization(self.profile) * needs.hours_per_day / 24
        mean *= grown / (endurance.DAYS_PER_YEAR * needs.years)
        most = max(min(1.0, peak.utilization or 0.0), min(1.0, mean))

        def array(utilization: float) -> float:
            drive_w = watts(idle_w=design.drive.idle_w, active_w=busy_w, utilization=utilization)
            others = host.enclosure_w.value * self.enclosures()
            others += host.controller_w.value if design.bays > 1 else 0.0
            spares_w = design.spares * design.drive.idle_w
            return design.count * drive_w + spares_w + design.bays * host.slot_w.value + others

        ends = sorted((array(0.0), array(min(1.0, mean)), array(most)))
        return Interval(*ends)

    def enclosures(self) -> int:
        """Shelves that the drives fill."""
        return ceil(self.design.bays / self.catalog.prices.host.enclosure_slots.value)

    def law(self, values: Values) -> tuple[Cost, Endurance | None]:
        """Cost and life at these inputs."""
        design, needs = self.design, self.requirements
        life = self.life({name: Interval.exactly(value) for name, value in values.items()})
        worn = WearOut()
        if life is not None and self.tolerates(life):
            worn = WearOut(unused=0.0)
        elif life is not None:
            daily = self._written(values["hours a day"])
            load = {"bytes_per_day": daily, "growth_per_year": values["growth"]}
            worn = wear_out(bytes_within(life.life_years.value, **load), years=needs.years, **load)
        purchase = Purchase(
            drives=design.bays,
            spares=design.spares,
            drive_usd=values["drive price"],
            slot_usd=values["slot"],
            controller_usd=values["controller"] if design.bays > 1 else 0.0,
            enclosure_usd=values["enclosure"] * self.enclosures(),
        )
        upkeep = Upkeep(
            years=needs.years,
            power_w=values["power"],
            annual_failure_rate=values["failure rate"],
            warranty_years=life.warranty_end_years if life else design.drive.warranty_years,
            wear_out=worn,
            decline_per_year=values["decline of prices"],
            residual_share=values["residual value"],
        )
        site = Site(values["electricity"], values["PUE"])
        return cost_over_years(purchase, upkeep, site), life

    def life(self, spans: Mapping[str, Interval]) -> Endurance | None:
        """Life of each drive, inputs as intervals; none where writing wears nothing out."""
        rating, wear = flash_rating(self.design.drive), self.trial.wear
        if rating is None or wear is None:
            return None
        return endurance.life(
            replace(rating, pe_cycles=spans["P/E cycles"]),
            host_bytes_per_day=member_bytes_per_day(
                self._written(spans["hours a day"].value),
                member_writes_per_host_write=wear.parity_factor,
                members=wear.members,
            ),
            write_amplification=spans["write amplification"],
            growth_per_year=spans["growth"].value,
            read_bytes_per_day=self._read(spans["hours a day"].value),
        )

    def _written(self, hours_per_day: float) -> float:
        return (self.profile.write_bytes_per_day or 0) * hours_per_day / 24

    def _read(self, hours_per_day: float) -> float:
        """Bytes that a drive reads a day: the host's over the log, times what the array read for them at the peak."""
        peak, seconds = self.trial.peak, self.profile.duration_s
        if not seconds or not peak.host_read_bytes:
            return 0.0
        host = self.profile.bytes_read / seconds * DAY_S * hours_per_day / 24
        return host * (peak.device_read_bytes or 0) / peak.host_read_bytes / self.design.count


def _years(life: Endurance | None) -> float:
    return life.life_years.value if life else float("inf")


def known(figure: Bounded | Figure[Any], prices: Prices) -> tuple[Provenance, str]:
    """How a figure of the price file is known, and from where."""
    return figure.provenance.value, prices.sources.get(figure.document or "", figure.reason)


def cycles_known(design: Design) -> tuple[Provenance, str]:
    """How the cycles of a design's flash are known, and from where."""
    cycles = design.drive.pe_cycles
    if cycles is None:
        raise TypeError(f"`{design.line}` is not of flash")
    documents = {**design.drive.shared_sources, **design.drive.sheet.sources}
    return cycles.provenance.value, documents.get(cycles.document or "", cycles.reason)


def given(name: str, unit: str, figure: Bounded, prices: Prices) -> Input:
    """A figure of the price file as an input."""
    low, high = figure.bounds
    return Input(name, unit, Interval(low, figure.value, high), *known(figure, prices))
