"""Life and cost of a design as the plan's document has them, and what is assumed for both.

Amounts are in the currency of the prices; numbers without end are null.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

from drivecast.assess.endurance import Endurance, end_date
from drivecast.assess.sensitivity import Move
from drivecast.catalog import Bounded, Prices, Scenario
from drivecast.document import plan as document
from drivecast.document.cost import Cost
from drivecast.document.part import Provenance
from drivecast.document.plan import Life, MediaEnd, WarrantyEnd
from drivecast.document.profile import Profile
from drivecast.plan.cost import TB, Case, Costing
from drivecast.plan.facts import cycles_known, known
from drivecast.plan.trial import Trial
from drivecast.plan.verdict import Verdict
from drivecast.quantity.interval import Interval, finite
from drivecast.stage.design import Design

Row = tuple[str, str | float | bool | None, Provenance, str | None]
"""An assumption: its name, its value, how it is known, and from where."""


@dataclass(frozen=True)
class Bought:
    """What a design is bought by, and for."""

    prices: Prices
    profile: Profile


def lasting(verdict: Verdict, start: date, years: float) -> dict[str, Any]:
    """Life, its two dates, and how long data keep at the end of the service; nothing of what does not wear."""
    lasts = verdict.life
    if lasts is None:
        return {}
    media, term = lasts.life_years_media, lasts.rating.warranty_years
    ends = lasts.warranty_end_years
    by_writes = ends < term
    return {
        "life_years": Life(**dict(lasts.life_years), limit=lasts.limit),
        "life_media_years": media,
        "life_warranty_years": finite(lasts.life_years_rated_writes),
        "warranty_end": WarrantyEnd(
            date=end_date(start, ends), years=ends, by="writes" if by_writes else "term"
        ),
        "media_end": MediaEnd(**{name: end_date(start, years) for name, years in media}),
        "pe_cycles_per_day": lasts.pe_cycles_per_day,
        "retention_months": lasts.retention_months(years),
        "dwpd_used": lasts.dwpd_used,
        "dwpd_rated": lasts.dwpd_rated,
    }


def cost(design: Design, trial: Trial | None, costing: Costing, of: Bought) -> Cost:
    """The cost in the currency of the prices, whole, in parts, and for what is bought with it."""
    prices, window = of.prices, of.profile.peak_window
    iops_at_slo = ((window.iops_mean if window else None) or 0.0) * (
        (trial.headroom if trial else None) or 0.0
    )
    rate, parts, total = prices.per_dollar, costing.cost, costing.total_usd

    def over(amount: float | None) -> Interval | None:
        return total.rising(lambda usd: usd * rate / amount) if amount else None

    return Cost(
        currency=prices.currency,
        total=total.value * rate,
        low=total.low * rate,
        high=total.high * rate,
        purchase=parts.purchase_usd * rate,
        energy=parts.energy_usd * rate,
        hosting=parts.hosting_usd * rate,
        replacement=parts.replacement_usd * rate,
        labor=parts.labor_usd * rate,
        loss=parts.loss_usd * rate,
        outage=parts.outage_usd * rate,
        expansion=parts.expansion_usd * rate,
        residual=parts.residual_usd * rate,
        per_usable_tb=over(design.usable_bytes / TB),
        per_iops_at_slo=over(iops_at_slo),
        per_tb_written=over(costing.written_tb),
    )


def sensitivity(case: Case, costing: Costing) -> list[document.Move]:
    """What cost and life are sensitive to: each input moved over its own interval, what matters most first."""
    prices, inputs = case.catalog.prices, case.inputs(costing)
    rate = prices.per_dollar

    def row(move: Move) -> document.Move:
        source, life = inputs[move.input], costing.life_moves.get(move.input)
        money = rate if source.unit.startswith("USD") else 1.0
        return document.Move(
            input=source.name,
            unit=source.unit.replace("USD", prices.currency),
            low=source.span.low * money,
            value=source.span.value * money,
            high=source.span.high * money,
            provenance=source.provenance,
            source=source.source,
            cost_low=move.low * rate,
            cost_high=move.high * rate,
            life_years_low=finite(life.low) if life else None,
            life_years_high=finite(life.high) if life else None,
        )

    return [row(move) for move in costing.moves if move.swing > 0 or move.input in costing.life_moves]


def about_the_flash(design: Design, lasts: Endurance | None) -> list[Row]:
    """What life and retention of the winner rest on."""
    law = lasts.rating.retention if lasts else None
    if lasts is None or law is None:
        return []
    cycles = lasts.rating.pe_cycles
    how, source = cycles_known(design.drive)
    retention, stored = design.drive.retention, law.storage_c
    return [
        ("P/E cycles", f"{cycles.value:,.0f} ({cycles.low:,.0f} to {cycles.high:,.0f})", how, source),
        (
            "retention",
            f"{law.rule.months:g} months at {law.rule.off_c:g} C after the last cycle",
            "published",
            "JESD218, for the class that the flash is rated in",
        ),
        (
            "temperature",
            f"{law.operating_c.value:g} C at work, {stored.value:g} C without power",
            retention.operating_c.provenance.value,
            retention.operating_c.reason,
        ),
    ]


def decline(fall: Bounded) -> str:
    """How prices develop, in words."""
    low, high = fall.bounds
    return f"{fall.value:.0%} a year ({low:.0%} to {high:.0%})"


def quoted(design: Design, prices: Prices) -> list[Row]:
    """The price of a design's drive, where a supplier quoted it."""
    name = design.drive.name
    if not prices.is_quoted(name):
        return []
    usd = prices.drive_usd(name)[1]
    return [(f"{design.drive.title}: price", prices.amount(usd), *known(prices.drives[name], prices))]


def scenario(which: Scenario) -> str:
    """What is said of prices that are not the typical ones."""
    return "" if which is Scenario.TYPICAL else f", drives at the {which} end of their bounds"
