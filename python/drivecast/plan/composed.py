"""Designs of several volumes: each judged under its part of the load, then added up.

Model. Volumes share nothing, and the load is open loop, so each is simulated alone, over the busiest stretch of the
whole log. Each must tolerate failures, last, and meet the limits on p99 at the required headroom by itself, which is
stricter than on all requests together; the p99 shown is of all together, its bounds the least and the most of the
volumes'. Headroom and life are the least. Cost, power and usable space add up, bounds too: prices of all drives rise
together. Data are lost where any volume loses some: 1 − Π (1 − p). What must fit on a volume follows from the addresses
that its part uses; of a capacity that was given each gets the share of its addresses. Left out: ties on cost, what the
design is sensitive to, backups, reads at the end of the service, and that both may share a controller.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from drivecast.catalog.latency_error import Op
from drivecast.document import plan as document
from drivecast.document.outcome import LatencyHistogram
from drivecast.document.plan import Cost, DataLoss, Design, Life, Plan
from drivecast.document.profile import Profile
from drivecast.plan import result
from drivecast.plan.apart import Part, parted, selectors, volumes
from drivecast.plan.bound import Limits
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.climb import refine, try_requested
from drivecast.plan.data_loss import too_likely
from drivecast.plan.load import Replay, load, spread
from drivecast.plan.offer import ranked
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.trial import Bench
from drivecast.plan.verdict import over_budget, over_power
from drivecast.quantity.interval import Span
from drivecast.quantity.year import DAY_S
from drivecast.stage import trace
from drivecast.stage.design import parse


@dataclass(frozen=True)
class Whole:
    """The plan that designs of several volumes are judged for."""

    context: result.Context
    bench: Bench
    limits: Limits
    given: Given
    options: Options


@dataclass(frozen=True)
class _Judged:
    """A volume with what became of it."""

    part: Part
    profile: Profile
    requirements: Requirements
    candidate: Candidate
    design: Design


def joined(found: Plan, lines: Sequence[str], whole: Whole) -> Plan:
    """The plan with designs of several volumes, all of them ranked together."""
    if not lines:
        return found
    plan = ranked(found, designs(lines, whole))
    winner = plan.find(plan.winner)
    if winner is None or winner.volumes is None:
        return plan
    return plan.model_copy(update={"assumptions": result.assumptions(whole.context, None)})


def designs(lines: Sequence[str], whole: Whole) -> list[Design]:
    """The designs of these lines, each added up.

    Raises `InputError` for volumes that cannot be, and for parts of the load that are empty.
    """
    chosen = selectors(whole.options.volumes)
    found = []
    for line in lines:
        named = volumes(line)
        with parted(whole.context.logs, whole.options.reading, list(named), chosen) as parts:
            profiles = [
                trace.profile(part.files, part.reading, peak_window_s=whole.options.peak_window_s)
                for part in parts
            ]
            used = sum(profile.extent_bytes or 0 for profile in profiles)
            judged = [
                _judge(
                    part,
                    profile,
                    named[part.name],
                    (profile.extent_bytes or 0) / used if used else 1.0,
                    whole,
                )
                for part, profile in zip(parts, profiles, strict=True)
            ]
        in_order = sorted(judged, key=lambda each: list(named).index(each.part.name))
        found.append(_together(line, in_order, whole))
    return found


def _judge(part: Part, profile: Profile, line: str, share: float, whole: Whole) -> _Judged:
    of_all, bench = whole.context.profile, whole.bench
    profile = profile.model_copy(
        update={
            "duration_s": of_all.duration_s,
            "write_bytes_per_day": _a_day(profile, of_all),
            "iops_mean": profile.requests / of_all.duration_s if of_all.duration_s else profile.iops_mean,
        }
    )
    capacity = whole.given.capacity_bytes
    given = replace(
        whole.given,
        capacity_bytes=None if capacity is None else max(1, math.ceil(capacity * share)),
        budget_usd=None,
        power_w_max=None,
        hours_per_day=bench.requirements.hours_per_day,
    )
    needs = replace(
        derive(given, profile),
        p99_read_ns=bench.requirements.p99_read_ns if profile.reads else None,
        p99_write_ns=bench.requirements.p99_write_ns if profile.writes else None,
        data_loss=1.0,
    )
    played = load(part.files, profile, part.reading)
    if isinstance(played, Replay) and of_all.peak_window is not None:
        played = replace(played, start_s=of_all.peak_window.start_s)
    if whole.options.spread and capacity is not None:
        played = spread(played, needs.capacity_bytes)
    of_part = Bench(bench.catalog, needs, played, bench.seed, bench.trimmed, profile=profile)
    limits = replace(whole.limits, requirements=needs, profile=profile)
    (candidate,) = try_requested(parse(line, bench.catalog), of_part, limits)
    if candidate.trial is not None:
        (candidate,) = refine(candidate, of_part)
    context = replace(whole.context, requirements=needs, profile=profile)
    return _Judged(part, profile, needs, candidate, result.described(candidate, context))


def _a_day(profile: Profile, of_all: Profile) -> float:
    """Bytes that a part writes a day, over the length of the whole log."""
    if profile.source == "counters" or not of_all.duration_s:
        return profile.write_bytes_per_day or 0.0
    return profile.bytes_written / of_all.duration_s * DAY_S


def _together(line: str, judged: Sequence[_Judged], whole: Whole) -> Design:
    found = [each.design for each in judged]
    misses = [
        miss.model_copy(update={"volume": each.part.name})
        for each in judged
        for miss in each.candidate.misses
    ]
    said: dict[str, Any] = {
        "line": line,
        "title": " and ".join(f"{each.design.title}, for {each.part.name}" for each in judged),
        "yours": True,
        "today": line == whole.options.today,
        "count": sum(design.count or 0 for design in found),
        "spares": sum(design.spares for design in found),
        "flash": _joined(design.flash for design in found),
        "form": _joined(design.form for design in found),
        "usable_bytes": sum(design.usable_bytes or 0 for design in found),
        "volumes": [_volume(each) for each in judged],
    }
    if any(each.candidate.verdict is None for each in judged):
        return Design(**said, verdict="pruned", misses=misses)
    needs, catalog = whole.bench.requirements, whole.bench.catalog
    cost, loss = added([design.cost for design in found if design.cost]), lost(found)
    watts = sum(design.power_w or 0.0 for design in found)
    of_all = (
        over_budget(cost.total / catalog.prices.per_dollar, needs, catalog),
        over_power(watts, needs),
        too_likely(loss.value or 0.0, needs),
    )
    misses += [miss for miss in of_all if miss is not None]
    latencies = [each.candidate.trial.peak.latencies for each in judged if each.candidate.trial]
    headrooms = [design.headroom for design in found]
    lives = [design.life_years for design in found if design.life_years]
    return Design(
        **said,
        verdict="misses" if misses else "fits",
        fits=not misses,
        misses=misses,
        tolerated=[
            miss.model_copy(update={"volume": each.part.name})
            for each in judged
            for miss in each.design.tolerated
        ],
        refined=True,
        headroom=None if None in headrooms else min(each for each in headrooms if each is not None),
        read_p99_ns=p99("read", latencies, [design.read_p99_ns for design in found]),
        write_p99_ns=p99("write", latencies, [design.write_p99_ns for design in found]),
        life_years=least(lives),
        data_loss=loss,
        power_w=watts,
        power_w_low=sum(design.power_w_low or 0.0 for design in found),
        power_w_high=sum(design.power_w_high or 0.0 for design in found),
        energy_kwh=sum(design.energy_kwh or 0.0 for design in found),
        cost=cost,
        monthly_usd=sum(design.monthly_usd or 0.0 for design in found),
    )


def _joined(texts: Iterable[str | None]) -> str | None:
    """Different texts once each."""
    return ", ".join(dict.fromkeys(text for text in texts if text)) or None


def _volume(each: _Judged) -> document.Volume:
    design = each.design
    return document.Volume(
        name=each.part.name,
        selector=each.part.selector,
        line=design.line,
        title=design.title,
        requests=round(each.profile.requests),
        usable_bytes=design.usable_bytes or 0.0,
        capacity_needed_bytes=each.requirements.capacity_bytes,
        headroom=design.headroom,
        read_p99_ns=design.read_p99_ns,
        write_p99_ns=design.write_p99_ns,
        life_years=design.life_years,
        data_loss=design.data_loss,
        power_w=design.power_w,
        cost=design.cost,
    )


def added(costs: Sequence[Cost]) -> Cost:
    """The sum, without what a unit costs."""
    names = ("total", "purchase", "energy", "replacement", "residual", "low", "high")
    sums: dict[str, Any] = {name: sum(getattr(cost, name) or 0.0 for cost in costs) for name in names}
    return Cost(currency=costs[0].currency, **sums)


def lost(found: Sequence[Design]) -> DataLoss:
    """The chance that any volume loses data."""
    losses = [design.data_loss for design in found if design.data_loss]

    def any_of(bound: str) -> float:
        chances = (min(1.0, getattr(loss, bound) or 0.0) for loss in losses)
        return -math.expm1(sum(math.log1p(-min(chance, 1 - 1e-16)) for chance in chances))

    simulated = all(loss.method == "simulated" for loss in losses)
    return DataLoss(
        value=any_of("value"),
        low=any_of("low"),
        high=any_of("high"),
        method="simulated" if simulated else "closed form",
    )


def p99(op: Op, latencies: Iterable[LatencyHistogram], spans: Iterable[Span | None]) -> Span | None:
    """The p99 of all requests of a kind together, between the least and the most of the volumes'."""
    value = LatencyHistogram([row for of in latencies for row in of]).quantile(0.99, op)
    if value is None:
        return None
    known = [span for span in spans if span is not None]
    lows = [span.low for span in known if span.low is not None]
    highs = [span.high for span in known if span.high is not None]
    return Span(low=min([value, *lows]), value=value, high=max([value, *highs]))


def least(lives: Sequence[Life]) -> Life | None:
    """The life of the volume that is worn out first; one that never is has no value."""
    return min(lives, key=lambda life: math.inf if life.value is None else life.value, default=None)
