"""Flash caches before disks, among the designs of a plan.

Model. Which are considered says `cache_space`, and how each is judged `cached_trial`. They are tried cheapest first, as
long as one that may be cheaper than what fits is left. Of those that miss the required load the cheapest is played
whole: people ask how far it misses. Cost, power, life and space are as of designs of several volumes
(`multi_volume`): money and power add up, the life is that of the side that is worn out first.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from drivecast.caching.reuse import Reuse
from drivecast.document import plan as document
from drivecast.document.miss import Miss
from drivecast.document.plan import CachedPart, CacheSide
from drivecast.errors import HintedError
from drivecast.plan import cache_space, cached_sensitivity, rank, result
from drivecast.plan.best_first import UNTRIED
from drivecast.plan.block_reuse import BlockReuse
from drivecast.plan.cache_space import Considered
from drivecast.plan.cached_payload import Carries
from drivecast.plan.cached_trial import SIDES, WORN_BY, Sent, Tried, examined, of_a_side, tried_out
from drivecast.plan.latencies import Latencies
from drivecast.plan.load import Load, Replay, Synthetic
from drivecast.plan.merge import Extra
from drivecast.plan.multi_volume import added, least, lost
from drivecast.plan.search_steps import REFINED
from drivecast.plan.trial import Bench
from drivecast.plan.trial_pool import Progress, Shared
from drivecast.plan.volume_share import Whole
from drivecast.stage.cached_design import CachedDesign, parse_cached, used

AT_A_TIME = 4
"""Tried together, whatever the number of threads: how many are tried must not depend on that."""


def named(lines: Sequence[str], bench: Bench) -> list[CachedDesign]:
    """The cached designs of these lines.

    Raises `InputError` for designs that cannot be, and loads that have no addresses.
    """
    found = [parse_cached(line, bench.catalog) for line in lines]
    need_addresses(found, bench.load)
    if found and bench.backup is not None:
        raise HintedError(
            f"`{found[0].line}`: what a backup meets again is not known, so a cache cannot be judged",
            "`--backup exclude` leaves it out",
        )
    return found


def need_addresses(found: Sequence[CachedDesign], load: Load) -> None:
    """Raise `InputError` for cached designs under a load that has no addresses of its own."""
    if found and isinstance(load, Synthetic):
        raise HintedError(
            f"`{found[0].line}`: counters do not say what is met again, so a cache cannot be judged",
            "record a trace: `drivecast capture`",
        )


def extras(
    named: Sequence[CachedDesign], whole: Whole, met: BlockReuse, cheapest_usd: float, update: Progress
) -> list[Extra]:
    """What becomes of these designs, and of those of the search; `cheapest_usd` is the least that fits without.

    `whole` is what `playing` makes of it.
    """
    again = met.again
    found = [_named(design, whole, again) for design in named]
    if again is None or not met.searched:
        return found
    known = {"".join(design.line.split()) for design in named}
    designs = [
        each
        for each in cache_space.considered(whole.limits, again, cheapest_usd)
        if "".join(each.design.line.split()) not in known
    ]
    return found + _searched(designs, whole, again, cheapest_usd, update)


def playing(whole: Whole, met: BlockReuse) -> Whole:
    """The same with what cached designs play: a part, where the log is long."""
    return whole if met.load is None else replace(whole, bench=whole.bench.anew(load=met.load))


def carries(extras: Sequence[Extra], whole: Whole, met: BlockReuse) -> Carries:
    """What goes into a report of those that are cached; `whole` is what they were played on."""
    tried = [(each.of, each.design.yours) for each in extras if isinstance(each.of, Tried)]
    ruled_out = [each.of for each in extras if isinstance(each.of, tuple)]
    today = whole.context.options.today
    return Carries(whole.bench, met.again, tuple(tried), tuple(ruled_out), today)


def assumptions(found: document.Plan) -> list[document.Assumption]:
    """What is assumed where a cached design fits."""
    return assumed() if any(design.cached and design.fits for design in found.designs) else []


def assumed() -> list[document.Assumption]:
    """What is assumed of a cached design."""
    rows = (
        ("cache", "has seen the log before", "hits from an empty cache are shown beside"),
        ("flash of a cache", f"full, and written by {WORN_BY}", "caches do not trim"),
    )
    return [
        document.Assumption(name=name, value=value, provenance="assumed", source=source)
        for name, value, source in rows
    ]


def _named(design: CachedDesign, whole: Whole, again: Reuse | None) -> Extra:
    """A design that was named is tried even where a bound speaks against it, unless the data do not fit."""
    needs = whole.bench.requirements
    if design.usable_bytes < needs.data_bytes:
        found, limit = design.usable_bytes, needs.capacity_bytes
        miss = Miss(kind="capacity", found=found, limit=limit, shortfall=limit / found, is_bound=True)
        return pruned(design, miss, whole, again, yours=True)
    a_day = sent(design, whole.bench, again)
    tried = examined(design, whole.bench, whole.limits.profile, a_day, closely=True)
    return extra_of(tried, whole, again, yours=True)


def sent(design: CachedDesign, bench: Bench, again: Reuse | None) -> Sent | None:
    """What is written to each side a day, where the log is not played whole."""
    if again is None or (isinstance(bench.load, Replay) and bench.load.is_whole):
        return None
    return again.sent_bytes_per_day(design.cache_bytes, write_back=design.is_write_back)


def _searched(
    designs: Sequence[Considered], whole: Whole, again: Reuse, cheapest_usd: float, update: Progress
) -> list[Extra]:
    """Try what the bounds leave, cheapest first, as long as something may be cheaper than what fits."""
    bench, limits = whole.bench, whole.limits
    found: dict[str, Extra] = {}
    slow: set[str] = set()
    too_slow = Miss(kind="latency", load=bench.requirements.headroom, is_bound=True)
    left = [each for each in designs if each.ruling is None]

    def passed() -> bool:
        return whole.options.deadline.passed(REFINED)

    with whole.options.workers.job(Shared(bench, limits)) as job:
        while left and not passed():
            batch, left = left[:AT_A_TIME], left[AT_A_TIME:]
            items = [(each.design, sent(each.design, bench, again)) for each in batch]
            for at, tried in job.until(passed).each(tried_out, items):
                design = batch[at].design
                if tried is None:
                    slow.add(design.line)
                    found[design.line] = pruned(design, too_slow, whole, again)
                else:
                    found[design.line] = extra_of(tried, whole, again)
                update(len(found) / (len(found) + len(left)), design.line)
            costs = [each.entry.total_usd for each in found.values() if each.entry is not None]
            cheapest_usd = min([cheapest_usd, *costs])
            unheard = [each for each in batch if each.design.line not in found]
            left = [each for each in (*unheard, *left) if each.least_usd <= cheapest_usd]
    first = next((each.design for each in designs if each.design.line in slow), None)
    if first is not None and not passed():
        tried = examined(first, bench, limits.profile, sent(first, bench, again), closely=False)
        found[first.line] = extra_of(tried, whole, again)
    untried = {each.design.line: UNTRIED for each in left}
    for each in designs:
        if each.design.line not in found:
            miss = each.ruling or untried.get(each.design.line)
            miss = miss or cache_space.dearer(each.least_usd, cheapest_usd, limits)
            found[each.design.line] = pruned(each.design, miss, whole, again)
    return [found[each.design.line] for each in designs]


def extra_of(tried: Tried, whole: Whole, again: Reuse | None, *, yours: bool = False) -> Extra:
    """A design that was played, with what it is ranked by."""
    bench = whole.bench
    design = described(tried, bench, whole.context, again, yours=yours)
    if not design.fits:
        return Extra(design, None, tried)
    limit = bench.requirements.data_loss
    return Extra(design, rank.of_volumes(design, tried.sides, limit, bench.seed), tried)


def described(
    tried: Tried, bench: Bench, context: result.Context, again: Reuse | None, *, yours: bool = False
) -> document.Design:
    """A design that was played as the document has it: its sides added up."""
    of_sides = replace(context, requirements=of_a_side(bench.requirements))
    found = [result.described(side, of_sides) for side in tried.sides]
    misses, peak, trial = tried.misses(bench), tried.trial.peak, tried.trial
    return document.Design(
        **_said(tried.design, context, yours=yours),
        verdict="misses" if misses else "fits",
        fits=not misses,
        misses=misses,
        tolerated=[
            miss.model_copy(update={"volume": name})
            for name, of in zip(SIDES, found, strict=True)
            for miss in of.tolerated
        ],
        refined=trial.refined,
        headroom=trial.headroom,
        latency_known=tried.fast.design.drive.latency_known,
        latency_chance=trial.chance,
        **_latencies(trial.latency_ns),
        whole_log=result.over_all(trial, context.options),
        outcome=peak if trial.refined else peak.without_tables(),
        life_years=least([of.life_years for of in found if of.life_years]),
        data_loss=lost([of.data_loss for of in found if of.data_loss]),
        power_w=sum(of.power_w or 0.0 for of in found),
        power_w_low=sum(of.power_w_low or 0.0 for of in found),
        power_w_high=sum(of.power_w_high or 0.0 for of in found),
        energy_kwh=sum(of.energy_kwh or 0.0 for of in found),
        cost=added([of.cost for of in found if of.cost]),
        monthly_usd=sum(of.monthly_usd or 0.0 for of in found),
        sensitivity=cached_sensitivity.moves(found) if trial.refined else None,
        cached=_part(tried, found, bench, context, again),
    )


def _latencies(found: Latencies) -> dict[str, Any]:
    return {f"{op}_{name}_ns": span for (op, name), span in found.items()}


def _part(
    tried: Tried,
    found: Sequence[document.Design],
    bench: Bench,
    context: result.Context,
    again: Reuse | None,
) -> CachedPart:
    sides = [
        CacheSide(
            line=of.line,
            title=of.title,
            drive_title=side.design.drive.title,
            level=side.design.level,
            count=side.design.count,
            flash=side.design.drive.medium,
            usable_bytes=of.usable_bytes or 0.0,
            utilization=side.trial.peak.utilization if side.trial else None,
            written_bytes_per_day=written,
            write_amplification=of.write_amplification,
            life_years=of.life_years,
            data_loss=of.data_loss,
            power_w=of.power_w,
            cost=of.cost,
        )
        for side, of, written in zip(tried.sides, found, tried.written_bytes_per_day, strict=True)
    ]
    cold = tried.cold
    load = bench.load
    from_empty = used(cold).hit_ratio if cold else None
    if cold and again and isinstance(load, Replay) and not load.is_whole:
        from_empty = again.hit_ratio_from_empty(tried.warm.size_bytes)
    return _expected(tried.design, context, again).model_copy(
        update={
            "size_bytes": tried.warm.size_bytes,
            "fast": sides[0],
            "slow": sides[1],
            "hit_ratio": tried.warm.hit_ratio,
            "hits_over": "peak" if isinstance(load, Replay) and load.is_part else "log",
            "hit_ratio_from_empty": from_empty,
            "read_p99_from_empty_ns": cold.latency("read", "q0.99") if cold else None,
        }
    )


def _expected(design: CachedDesign, context: result.Context, again: Reuse | None) -> CachedPart:
    """What is known of a cache before it is simulated."""
    size, data = design.cache_bytes, context.requirements.capacity_bytes
    return CachedPart(
        policy=design.policy,
        mode=design.mode,
        size_bytes=size,
        loses_dirty=design.is_write_back,
        read_miss_ratio_expected=again.read_miss_ratio(size, data) if again else None,
        new_read_ratio=again.new_read_ratio if again else None,
        warm_up_s=again.warm_up_s(size) if again else None,
    )


def pruned(
    design: CachedDesign, miss: Miss, whole: Whole, again: Reuse | None, *, yours: bool = False
) -> Extra:
    """A design that a bound rules out, or a run that was broken off."""
    found = document.Design(
        **_said(design, whole.context, yours=yours),
        verdict="pruned",
        misses=[miss],
        cached=_expected(design, whole.context, again),
    )
    return Extra(found, None, (design, miss))


def _said(design: CachedDesign, context: result.Context, *, yours: bool) -> dict[str, Any]:
    """What is said of a design whether it was tried or not."""
    sides = (design.fast, design.slow)
    return {
        "line": design.line,
        "title": design.title,
        "yours": yours,
        "today": design.line == context.options.today,
        "count": design.bays,
        "spares": sum(side.spares for side in sides),
        "flash": ", ".join(dict.fromkeys(side.drive.medium for side in sides)),
        "form": ", ".join(dict.fromkeys(side.drive.form for side in sides if side.drive.form)) or None,
        "usable_bytes": design.usable_bytes,
    }
