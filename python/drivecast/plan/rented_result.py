"""A rented design as the plan's document has it.

The model and its arithmetic are in `crates/assess/src/rental.rs`, which the page of a report calls, too. Of drives
inside of an instance no chance of losing data is known: they go with it.
"""

from dataclasses import dataclass
from typing import Any

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.catalog.rental import Month
from drivecast.document import plan as document
from drivecast.document.cost import Cost
from drivecast.document.miss import Miss
from drivecast.document.plan import DataLoss, Design
from drivecast.plan.cost import TB
from drivecast.plan.data_loss import too_likely
from drivecast.plan.rented_trial import Rented, RentedTrial
from drivecast.plan.renting import Offer
from drivecast.plan.requirement import Requirements
from drivecast.plan.verdict import over_budget
from drivecast.quantity.interval import Span


@dataclass(frozen=True)
class RentedResult:
    """What rents are judged by."""

    catalog: Catalog
    requirements: Requirements
    peak_iops: float
    commitment_years: int = 0

    def design(self, offer: Offer) -> Design:
        """An offer as a design of the document."""
        rented, trial = offer.rented, offer.trial
        said: dict[str, Any] = {
            "line": offer.line,
            "title": title(offer),
            "where": "cloud",
            "yours": offer.requested,
            "today": offer.today,
        }
        if rented is None or trial is None:
            return Design(**said, verdict="pruned", misses=[offer.ruling] if offer.ruling else [])
        month = self._month(offer, rented)
        afr = rented.volume.sheet.reliability.afr
        lost = self._lost(offer, rented)
        spent = over_budget(self._total_usd(month), self.requirements, self.catalog) if month else None
        misses = [miss for miss in (trial.miss, spent, self._lossy(lost)) if miss is not None]
        spans: dict[str, Any] = {f"{op}_{name}_ns": span for (op, name), span in trial.latency_ns.items()}
        return Design(
            **said,
            verdict="misses" if misses else "fits",
            fits=not misses,
            misses=misses,
            level=rented.shape.level,
            count=rented.count,
            refined=True,
            usable_bytes=rented.shape.usable_bytes,
            headroom=trial.headroom,
            outcome=trial.peak.without_tables(),
            annual_failure_rate=afr.value if afr else None,
            data_loss=None if lost is None else DataLoss(value=lost, method="closed form"),
            monthly_usd=month.usd if month else None,
            rent=self._rent(offer, rented, month) if month else None,
            cost=self._cost(rented, trial, month) if month else None,
            **spans,
        )

    def _month(self, offer: Offer, rented: Rented) -> Month | None:
        rental = self.catalog.rental
        if offer.instance is not None:
            return Month(rental.month_inside(offer.instance))
        if offer.setting is None:
            return None
        each = rental.month(offer.setting)
        parts = (each.capacity_usd, each.iops_usd, each.mib_per_s_usd)
        return Month(*(part * rented.count for part in parts))

    def _total_usd(self, month: Month) -> float:
        return _core.rent_over_years(month.usd, self.requirements.years)

    def _lossy(self, lost: float | None) -> Miss | None:
        """Whether data are lost more often than required; the default limit applies to drives that are bought only."""
        given = any(name == "data loss" and how == "given" for name, how, _ in self.requirements.origins)
        return too_likely(lost, self.requirements) if given and lost is not None else None

    def _lost(self, offer: Offer, rented: Rented) -> float | None:
        afr = rented.volume.sheet.reliability.afr
        if afr is None or offer.instance is not None or rented.shape.level not in ("single", "raid0"):
            return None
        return _core.volumes_lost(afr.value, self.requirements.years, rented.count)

    def _rent(self, offer: Offer, rented: Rented, month: Month) -> document.Rent:
        setting, saved = offer.setting, offer.trial.credits if offer.trial else None
        identity = rented.volume.sheet.identity
        kind = setting.kind if setting else identity.model
        rent = self.catalog.rental.rent(offer.instance or kind)
        is_committed = offer.instance and self.catalog.prices.commitment(offer.instance)
        return document.Rent(
            provider=identity.vendor,
            kind=kind,
            gib=setting.gib if setting else None,
            iops=setting.iops if setting else None,
            mib_per_s=setting.mib_per_s if setting else None,
            instance=offer.instance or (setting.instance if setting else None),
            capacity_usd=month.capacity_usd,
            iops_usd=month.iops_usd,
            mib_per_s_usd=month.mib_per_s_usd,
            priced_on=rent.on,
            provenance="assumed" if rent.is_assumed else "published",
            commitment_years=(self.commitment_years or None) if is_committed else None,
            credits_at_peak=saved.at_peak if saved else None,
            credits_least=saved.least if saved else None,
        )

    def _cost(self, rented: Rented, trial: RentedTrial, month: Month) -> Cost:
        prices = self.catalog.prices
        total = self._total_usd(month) * prices.per_dollar
        low, high = (total * factor for factor in prices.rent_bounds)

        def over(amount: float) -> Span | None:
            return Span(low=low / amount, value=total / amount, high=high / amount) if amount else None

        return Cost(
            currency=prices.currency,
            total=total,
            rent=total,
            low=low,
            high=high,
            per_usable_tb=over(rented.shape.usable_bytes / TB),
            per_iops_at_slo=over(self.peak_iops * (trial.headroom or 0.0)),
        )


def title(offer: Offer) -> str:
    """The design in words."""
    rented, setting = offer.rented, offer.setting
    if rented is None:
        return offer.line
    level = str(rented.shape.level or "array")
    array = "" if level == "single" else f", RAID {level.removeprefix('raid')}"
    many = f"{rented.count} × " if rented.count > 1 else ""
    if offer.instance is not None:
        return f"{many}{rented.volume.title}{array}, lost with the instance"
    if setting is None:
        return f"{many}{rented.volume.title}{array}"
    identity = rented.volume.sheet.identity
    rates = f"{setting.gib:,} GiB, {setting.iops:,.0f} IOPS, {setting.mib_per_s:,.0f} MiB/s"
    behind = f" on {setting.instance}" if setting.instance else ""
    return f"{many}{identity.vendor} {identity.model}{array}: {rates}{behind}"
