"""From a trial to a judgement: life, risk, power and cost, and whether the design meets the requirements.

Model. Each drive receives the array's daily host writes times what the array writes for a byte of the host (mirrors,
parity: counted in the wear run), shared evenly. Life and cost are those of `cost`, data loss that of `risk`. Failure
rates are those of fleets in service, not of data sheets.
"""

from dataclasses import dataclass

from drivecast.assess.endurance import Endurance
from drivecast.assess.rating import failure_rate
from drivecast.assess.tco import Cost
from drivecast.catalog import Catalog
from drivecast.document.plan import Miss, MissKind
from drivecast.document.profile import Profile
from drivecast.plan import risk
from drivecast.plan.bound import too_few_losses
from drivecast.plan.cost import Case, Costing
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Trial
from drivecast.quantity.interval import Interval
from drivecast.stage.design import Design


@dataclass(frozen=True)
class Verdict:
    """What a design is worth; `miss` is the requirement that it misses."""

    miss: Miss | None
    write_amplification: Interval | None
    costing: Costing
    annual_failure_rate: Interval
    loss: risk.Risk

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


def judge(
    design: Design, trial: Trial, catalog: Catalog, requirements: Requirements, profile: Profile
) -> Verdict:
    """Judge a design by its trial."""
    costing = Case(design, trial, catalog, requirements, profile).costing()
    failures = failure_rate(design.drive)
    return Verdict(
        miss=too_few_losses(design, requirements) or _miss(trial, costing, requirements, catalog),
        write_amplification=trial.wear.of_bytes if trial.wear else None,
        costing=costing,
        annual_failure_rate=failures,
        loss=risk.closed(design, failures, requirements.years),
    )


def _miss(trial: Trial, costing: Costing, requirements: Requirements, catalog: Catalog) -> Miss | None:
    """The first requirement that is missed; the simulator's own come first."""
    if trial.miss is not None:
        return trial.miss
    lasts, total, watts = costing.life, costing.cost.total_usd, costing.power_w.value
    if lasts is not None and lasts.life_years.value < requirements.years:
        years = lasts.life_years.value
        kind: MissKind = "rated-writes" if lasts.limit == "warranty" else "flash-life"
        return Miss(kind=kind, found=years, limit=requirements.years, shortfall=requirements.years / years)
    budget, most = requirements.budget_usd, requirements.power_w_max
    if budget is not None and total > budget:
        rate = catalog.prices.per_dollar
        return Miss(kind="budget", found=total * rate, limit=budget * rate, shortfall=total / budget)
    if most is not None and watts > most:
        return Miss(kind="power", found=watts, limit=most, shortfall=watts / most)
    return None
