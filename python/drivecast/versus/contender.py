"""What of a design does not depend on how fast the load is played: life, data loss, price, power.

Model. As a plan judges a design, with its functions: life and cost by the law of `plan.cost`, data loss simulated under
the wear of this workload and with a rebuild under its load (`plan.risk`). The load is that of the recording at its own
speed, in a closed loop that of the least depth, all day. Where nobody knows how much is written a day, nothing wears.
"""

from drivecast.assess.rating import failure_rate
from drivecast.document.plan import DataLoss, Life
from drivecast.document.profile import Profile
from drivecast.document.versus import Contender, Price
from drivecast.plan import data_loss, risk, worth
from drivecast.plan.cost import Case, Costing, known
from drivecast.plan.trial import Bench, Trial, latencies
from drivecast.quantity.interval import Span
from drivecast.stage import rebuild
from drivecast.stage.design import Design
from drivecast.versus.question import NO_REDUNDANCY


def judged(design: Design, bench: Bench, profile: Profile) -> Contender:
    """Judge a design; its headroom is left out."""
    peak = bench.run(design)
    wears = design.drive.is_flash and bool(profile.writes) and profile.write_bytes_per_day is not None
    trial = Trial(
        peak=peak,
        wear=bench.wear(design) if wears else None,
        miss=None,
        headroom=None,
        latency_ns=latencies([peak], design.drive.latency_errors),
    )
    costing = Case(design, trial, bench.catalog, bench.requirements, profile).costing()
    loss = risk.simulated(design, trial, costing.life, bench)
    beyond = data_loss.beyond_redundancy(failure_rate(design.drive), bench.requirements.years)
    return Contender(
        line=design.line,
        title=design.title,
        drive=design.drive.name,
        drive_title=design.drive.title,
        level=design.level,
        count=design.count,
        failures_tolerated=design.failures_tolerated,
        usable_bytes=design.usable_bytes,
        latency_known=design.drive.latency_known,
        write_amplification=Span(**dict(trial.wear.of_bytes)) if trial.wear else None,
        life_years=_life(costing),
        data_loss=DataLoss(
            **dict(loss.probability), method=loss.method, beyond_redundancy=Span(**dict(beyond))
        ),
        price=_price(design, bench),
        cost=worth.cost(design, None, costing, worth.Bought(bench.catalog.prices, profile)),
        power_w=Span(**dict(costing.power_w)),
        rebuild_idle_h=None if design.level in NO_REDUNDANCY else rebuild.idle_h(design.drive),
    )


def _life(costing: Costing) -> Life | None:
    lasts = costing.life
    return Life(**dict(lasts.life_years), limit=lasts.limit) if lasts else None


def _price(design: Design, bench: Bench) -> Price:
    """What the drives cost, and how that is known."""
    prices, name = bench.catalog.prices, design.drive.name
    low, value, high = (
        design.count * usd * prices.per_dollar for usd in bench.catalog.price_bounds_usd(name)
    )
    provenance, source = known(prices.drives[name], prices)
    return Price(
        low=low, value=value, high=high, currency=prices.currency, provenance=provenance, source=source
    )
