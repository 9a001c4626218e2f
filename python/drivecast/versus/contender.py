"""What of a design does not depend on how fast the load is played: life, data loss, price, power.

Model. As a plan judges a design, with its functions: life and cost by the law of `plan.cost`, data loss simulated under
the wear of this workload and with a rebuild under its load (`plan.risk`). The load is that of the recording at its own
speed, in a closed loop that of the least depth, all day. Where nobody knows how much is written a day, nothing wears.
A cached design is judged as in a plan, too (`plan.cached_trial`): each side for what the cache sends it.
"""

from collections.abc import Sequence
from typing import get_args

from drivecast.assess.rating import failure_rate
from drivecast.caching.reuse import Reuse
from drivecast.document.outcome import Outcome
from drivecast.document.part import Provenance
from drivecast.document.plan import DataLoss, Life
from drivecast.document.profile import Profile
from drivecast.document.versus import Contender, Price
from drivecast.plan import cached, cached_trial, data_loss, life_and_cost, result, risk
from drivecast.plan.candidate import Options
from drivecast.plan.cost import Case, Costing
from drivecast.plan.facts import known
from drivecast.plan.latencies import latencies
from drivecast.plan.trial import Bench, Trial
from drivecast.quantity.interval import Span
from drivecast.quantity.year import DAY_S
from drivecast.stage import rebuild
from drivecast.stage.cached_design import CachedDesign
from drivecast.stage.design import Design


def judged(design: Design | CachedDesign, bench: Bench, profile: Profile, again: Reuse | None) -> Contender:
    """Judge a design; its headroom is left out. `again` is how the blocks of a trace are met again."""
    return (
        _cached(design, bench, profile, again)
        if isinstance(design, CachedDesign)
        else _alone(design, bench, profile)
    )


def _cached(design: CachedDesign, bench: Bench, profile: Profile, again: Reuse | None) -> Contender:
    """Both sides, added up."""
    peak = bench.run(design)
    trial = Trial(
        peak=peak, wear=None, miss=None, headroom=None, latency_ns=latencies([peak], design.latency_errors)
    )
    tried = cached_trial.judged(design, trial, bench, _moving(profile, peak), closely=True)
    context = result.Context((), Options(), bench.requirements, profile, bench.catalog, bench.load)
    found = cached.described(tried, bench, context, again)
    powers = [side.verdict.power_w for side in tried.sides if side.verdict]
    if found.cost is None:
        raise TypeError(f"`{design.line}` was tried, and has no cost")
    return Contender(
        line=design.line,
        title=design.title,
        count=design.fast.count + design.slow.count,
        failures_tolerated=design.failures_tolerated,
        usable_bytes=design.usable_bytes,
        latency_known=found.latency_known,
        life_years=found.life_years,
        data_loss=found.data_loss,
        price=_price((design.fast, design.slow), bench),
        cost=found.cost,
        power_w=Span(
            **{name: sum(getattr(each, name) for each in powers) for name in ("low", "value", "high")}
        ),
        rebuild_idle_h=rebuild.idle_h(design.slow.drive) if design.failures_tolerated else None,
        cached=found.cached,
    )


def _moving(profile: Profile, run: Outcome) -> Profile:
    """The profile with the bytes over its length that are moved where so many are written a day.

    A closed loop reads and writes as in its run; nothing is moved where nobody knows how much is written.
    """
    per_day = profile.write_bytes_per_day
    read, written = profile.bytes_read, profile.bytes_written
    if not read:
        read, written = run.host_read_bytes, run.host_written_bytes
    if per_day is None:
        return profile.model_copy(update={"bytes_read": 0, "bytes_written": 0})
    if not written:
        return profile
    times = per_day / DAY_S * profile.duration_s / written
    return profile.model_copy(update={"bytes_read": read * times, "bytes_written": written * times})


def _alone(design: Design, bench: Bench, profile: Profile) -> Contender:
    """One kind of drive."""
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
        price=_price((design,), bench),
        cost=life_and_cost.cost(design, None, costing, life_and_cost.Bought(bench.catalog.prices, profile)),
        power_w=Span(**dict(costing.power_w)),
        rebuild_idle_h=rebuild.idle_h(design.drive) if design.failures_tolerated else None,
    )


def _life(costing: Costing) -> Life | None:
    lasts = costing.life
    return Life(**dict(lasts.life_years), limit=lasts.limit) if lasts else None


def _price(designs: Sequence[Design], bench: Bench) -> Price:
    """What the drives of a design cost, or those of both its sides, and how that is known: as its least known part."""
    prices, low, value, high = bench.catalog.prices, 0.0, 0.0, 0.0
    sources: dict[str, Provenance] = {}
    for design in designs:
        name, rate = design.drive.name, design.bays * prices.per_dollar
        low, value, high = (
            sum_ + rate * usd
            for sum_, usd in zip((low, value, high), bench.catalog.price_bounds_usd(name), strict=True)
        )
        how, source = known(prices.drives[name], prices)
        sources[source] = how
    return Price(
        low=low,
        value=value,
        high=high,
        currency=prices.currency,
        provenance=max(sources.values(), key=get_args(Provenance).index),
        source="; ".join(sources),
    )
