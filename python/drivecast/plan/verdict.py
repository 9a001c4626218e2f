"""From a trial to a judgement: life, risk, power and cost, and whether the design meets the requirements.

Model. Each drive receives the array's daily host writes times what the array writes for a byte of the host (mirrors,
parity: counted in the wear run), shared evenly. Life and cost are those of `cost`, data loss that of `risk`. Failure
rates are those of fleets in service, not of data sheets.
"""

from dataclasses import dataclass, replace

from drivecast.assess.endurance import Endurance
from drivecast.assess.rating import failure_rate
from drivecast.assess.tco import Cost
from drivecast.catalog import Catalog
from drivecast.document.miss import Miss, MissKind
from drivecast.document.profile import Profile
from drivecast.plan import data_loss
from drivecast.plan.bound import too_few_losses
from drivecast.plan.cost import Case, Costing
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Trial
from drivecast.quantity.interval import Interval
from drivecast.stage.design import Design


@dataclass(frozen=True)
class Verdict:
    """What a design is worth, and which requirements it misses."""

    misses: tuple[Miss, ...]
    """What ends the simulation first comes first."""
    tolerated: tuple[Miss, ...]
    """What it misses within a tolerance."""
    write_amplification: Interval | None
    costing: Costing
    annual_failure_rate: Interval
    loss: data_loss.Risk

    @property
    def life(self) -> Endurance | None:
        """Of each drive; none where writing wears nothing out."""
        return self.costing.life

    @property
    def cost(self) -> Cost:
        """Over the years."""
        return self.costing.cost

    @property
    def power_w(self) -> Interval:
        """Of the array."""
        return self.costing.power_w

    def with_loss(self, loss: data_loss.Risk, requirements: Requirements) -> "Verdict":
        """The verdict with another estimate of what is lost."""
        others = [miss for miss in self.misses if miss.kind != "data-loss"]
        return replace(
            self,
            loss=loss,
            misses=_known(*others, data_loss.too_likely(loss.probability.value, requirements)),
        )


def judge(
    design: Design, trial: Trial, catalog: Catalog, requirements: Requirements, profile: Profile
) -> Verdict:
    """Judge a design by its trial."""
    costing = Case(design, trial, catalog, requirements, profile).costing()
    failures = failure_rate(design.drive)
    loss = data_loss.closed(design, failures, requirements)
    worn_out = _worn_out(costing, requirements)
    is_tolerated = costing.is_tolerated
    return Verdict(
        misses=_known(
            too_few_losses(design.failures_tolerated, requirements),
            trial.miss,
            None if is_tolerated else worn_out,
            over_budget(costing.cost.planned_usd, requirements, catalog),
            over_power(costing.power_w.value, requirements),
            data_loss.too_likely(loss.probability.value, requirements),
        ),
        tolerated=_known(worn_out if is_tolerated else None),
        write_amplification=trial.wear.of_bytes if trial.wear else None,
        costing=costing,
        annual_failure_rate=failures,
        loss=loss,
    )


def _known(*misses: Miss | None) -> tuple[Miss, ...]:
    return tuple(miss for miss in misses if miss is not None)


def _worn_out(costing: Costing, requirements: Requirements) -> Miss | None:
    lasts = costing.life
    if lasts is None or lasts.life_years.value >= requirements.years:
        return None
    years = lasts.life_years.value
    kind: MissKind = "rated-writes" if lasts.limit == "warranty" else "flash-life"
    return Miss(kind=kind, found=years, limit=requirements.years, shortfall=requirements.years / years)


def over_budget(total_usd: float, requirements: Requirements, catalog: Catalog) -> Miss | None:
    """Whether more money is spent over the years than is allowed, in the currency of the prices."""
    budget, rate = requirements.budget_usd, catalog.prices.per_dollar
    if budget is None or total_usd <= budget:
        return None
    return Miss(kind="budget", found=total_usd * rate, limit=budget * rate, shortfall=total_usd / budget)


def over_power(watts: float, requirements: Requirements) -> Miss | None:
    """Whether the design draws more power than is allowed."""
    most = requirements.power_w_max
    if most is None or watts <= most:
        return None
    return Miss(kind="power", found=watts, limit=most, shortfall=watts / most)
