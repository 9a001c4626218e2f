"""Designs of several volumes: each judged under its part of the load, then added up.

Model. Volumes share nothing, and the load is open loop, so each is simulated alone, over the busiest stretch of the
whole log. Each must tolerate failures, last, and meet the limits on p99 at the required headroom by itself, which is
stricter than on all requests together; the p99 shown is of all together, its bounds the least and the most of the
volumes'. Headroom and life are the least. Cost, power and usable space add up, bounds too: prices of all drives rise
together. Data are lost where any volume loses some: 1 − Π (1 − p). Where the load is parted by options, the best of
each volume are searched for, by themselves, and combined: what fits together fits alone. Left out: what the design is
sensitive to, backups, reads at the end of the service, and that both may share a controller.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

from drivecast.catalog.latency_error import Op
from drivecast.document import plan as document
from drivecast.document.cost import Cost
from drivecast.document.outcome import LatencyHistogram
from drivecast.document.plan import DataLoss, Design, Life
from drivecast.plan import rank, result, volume_split
from drivecast.plan.candidate import Candidate
from drivecast.plan.data_loss import of_any, too_likely
from drivecast.plan.merge import Extra
from drivecast.plan.search_steps import walk
from drivecast.plan.trial_pool import Progress, refine, try_requested, within
from drivecast.plan.verdict import over_budget, over_power
from drivecast.plan.volume_share import Share, Whole, shares
from drivecast.quantity.interval import Span
from drivecast.stage.design import parse

BEST = 3
"""Designs of each volume that are combined."""
COMBINED = 9
"""Designs of several volumes that are kept, the cheapest."""


@dataclass(frozen=True)
class _Judged:
    """A volume with what became of it."""

    share: Share
    candidate: Candidate

    @property
    def name(self) -> str:
        """That of the volume."""
        return self.share.part.name

    @property
    def cost_usd(self) -> float:
        """Over the years."""
        return self.candidate.verdict.cost.total_usd if self.candidate.verdict else math.inf

    @cached_property
    def design(self) -> Design:
        """As the document has it."""
        return result.described(self.candidate, self.share.context)


def extras(lines: Sequence[str], whole: Whole, update: Progress) -> list[Extra]:
    """The designs of these lines, each added up, and those of the search where the load is parted.

    Raises `InputError` for volumes that cannot be, and for parts of the load that are empty.
    """
    chosen = volume_split.selectors(whole.options.volumes)
    if not lines and not chosen:
        return []
    named = {line: volume_split.volumes(line) for line in lines}
    searched = volume_split.volume_names(chosen)
    found: dict[str, Extra] = {}
    for names in dict.fromkeys([*(tuple(of) for of in named.values()), *([searched] if searched else [])]):
        with shares(names, chosen, whole) as parts:
            for line, of in named.items():
                if tuple(of) == names:
                    judged = [_named(part, of[part.part.name]) for part in parts]
                    found[line] = _extra(_together(line, judged, whole, yours=True), judged, whole)
            if names == searched:
                for best in _combined(_walked(parts, whole, update)):
                    line = (
                        f"volumes({', '.join(f'{each.name}={each.candidate.design.line}' for each in best)})"
                    )
                    found.setdefault(line, _extra(_together(line, best, whole), best, whole))
    return list(found.values())


def _named(share: Share, line: str) -> _Judged:
    """A volume that somebody named; what all of them lose together is judged, not what each does."""
    share = share.requiring(data_loss=1.0)
    (candidate,) = try_requested(parse(line, share.bench.catalog), share.bench, share.limits)
    if candidate.trial is not None:
        (candidate,) = refine(candidate, share.bench, share.limits)
    return _Judged(share, candidate)


def _walked(parts: Sequence[Share], whole: Whole, update: Progress) -> list[list[_Judged]]:
    """The best designs of each volume: a design of volumes fits only if each does."""
    options = replace(whole.options, designs=(), volumes=(), today=None)
    best = []
    for at, share in enumerate(parts):
        part = within(update, at / len(parts), (at + 1) / len(parts))
        candidates = walk(share.bench, share.limits, options, part)
        places = rank.ranked(candidates, share.requirements, share.bench.seed)
        fits = [place.candidate for place in places[:BEST]]
        nearest = min(candidates, key=lambda each: (each.shortfall, each.design.line), default=None)
        best.append([_Judged(share, each) for each in fits or ([nearest] if nearest else [])])
    return best


def _combined(best: Sequence[Sequence[_Judged]]) -> list[tuple[_Judged, ...]]:
    """The cheapest combinations."""
    return sorted(product(*best), key=lambda judged: sum(each.cost_usd for each in judged))[:COMBINED]


def _together(line: str, judged: Sequence[_Judged], whole: Whole, *, yours: bool = False) -> Design:
    found = [each.design for each in judged]
    misses = [
        miss.model_copy(update={"volume": each.name}) for each in judged for miss in each.candidate.misses
    ]
    said: dict[str, Any] = {
        "line": line,
        "title": " and ".join(
            f"{design.title}, for {each.name}" for each, design in zip(judged, found, strict=True)
        ),
        "yours": yours,
        "today": line == whole.options.today,
        "count": sum(design.count or 0 for design in found),
        "spares": sum(design.spares for design in found),
        "flash": _joined(design.flash for design in found),
        "form": _joined(design.form for design in found),
        "usable_bytes": sum(design.usable_bytes or 0 for design in found),
        "volumes": [_volume(each.share, design) for each, design in zip(judged, found, strict=True)],
    }
    if any(each.candidate.verdict is None for each in judged):
        return Design(**said, verdict="pruned", misses=misses)
    needs, catalog = whole.bench.requirements, whole.bench.catalog
    cost = added([design.cost for design in found if design.cost])
    loss = lost([design.data_loss for design in found if design.data_loss])
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
            miss.model_copy(update={"volume": each.name})
            for each, design in zip(judged, found, strict=True)
            for miss in design.tolerated
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


def _extra(design: Design, judged: Sequence[_Judged], whole: Whole) -> Extra:
    """The design with what it is ranked by."""
    if not design.fits:
        return Extra(design, None)
    parts, limit = [each.candidate for each in judged], whole.bench.requirements.data_loss
    return Extra(design, rank.of_volumes(design, parts, limit, whole.bench.seed))


def _joined(texts: Iterable[str | None]) -> str | None:
    """Different texts once each."""
    return ", ".join(dict.fromkeys(text for text in texts if text)) or None


def _volume(share: Share, design: Design) -> document.Volume:
    return document.Volume(
        name=share.part.name,
        selector=share.part.selector,
        line=design.line,
        title=design.title,
        requests=round(share.profile.requests),
        usable_bytes=design.usable_bytes or 0.0,
        capacity_needed_bytes=share.requirements.capacity_bytes,
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
    names = (
        "total",
        "purchase",
        "hosting",
        "energy",
        "replacement",
        "labor",
        "outage",
        "expansion",
        "loss",
        "residual",
        "low",
        "high",
    )
    sums: dict[str, Any] = {name: sum(getattr(cost, name) or 0.0 for cost in costs) for name in names}
    return Cost(currency=costs[0].currency, **sums)


def lost(losses: Sequence[DataLoss]) -> DataLoss:
    """The chance that any volume loses data."""

    def any_of(bound: str) -> float:
        return of_any(getattr(loss, bound) or 0.0 for loss in losses)

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
