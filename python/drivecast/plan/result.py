"""The document of a plan: everything the report shows, and nothing it has to work out.

Figures that are not known are null; infinite lives are null with `limit` "none". The date and time of the run are left
out, so that equal inputs give equal bytes.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from drivecast import __version__
from drivecast.assess.hazard import FLASH_FIRST_ERRORS
from drivecast.catalog import Catalog, provenance
from drivecast.document.array_state import ArrayState
from drivecast.document.miss import Miss
from drivecast.document.outcome import Outcome
from drivecast.document.plan import (
    Assumption,
    DataLoss,
    Design,
    Move,
    Plan,
    Requirement,
    RuledOut,
    WholeLog,
    Workload,
    Worn,
)
from drivecast.document.profile import Profile
from drivecast.plan import data_loss, life_and_cost
from drivecast.plan.best_first import side
from drivecast.plan.bound import Limits, missed
from drivecast.plan.candidate import Candidate, Options, shortfall
from drivecast.plan.cost import Case
from drivecast.plan.facts import known
from drivecast.plan.latencies import Latencies
from drivecast.plan.load import Load, Synthetic
from drivecast.plan.rank import Place, beside
from drivecast.plan.ranking import Costs, best_in_each, compared, counted, placed
from drivecast.plan.requirement import HOURS_PER_DAY, Requirements, covers_a_day
from drivecast.plan.trial import Trial
from drivecast.plan.verdict import Verdict
from drivecast.quantity import number
from drivecast.quantity.year import DAY_S
from drivecast.stage import mdadm
from drivecast.stage.design import Design as Layout
from drivecast.stage.loss import OPERATOR_H
from drivecast.stage.trace import log_name

MONTHS = 12
NEAREST = 3
CHEAPEST = 5
"""Designs tied on cost that are refined whether Pareto-optimal or not."""
EXAMPLES = 3
"""Designs that are listed of those that a bound rules out, for each reason."""
REASON = [name for name in Miss.model_fields if name not in ("found", "limit", "shortfall")]
"""Fields that say what is missed, and not by how much."""


@dataclass(frozen=True)
class Context:
    """What the designs were judged by."""

    logs: Sequence[Path]
    options: Options
    requirements: Requirements
    profile: Profile
    catalog: Catalog
    load: Load
    together: tuple[str, ...] = ()
    """Names of the logs that were superposed."""


def worth_refining(candidates: Sequence[Candidate], places: Sequence[Place]) -> list[int]:
    """Places in `candidates` of those that somebody may ask about.

    The best of the first tier, the cheapest, also of each medium and of copies and parity, the best in each cost, the
    nearest misses, the cheapest miss of flash and of disks, and those requested. Of others it is known that they hold
    the required headroom.
    """
    fits = sorted((place.candidate for place in places), key=_cost_key)
    missed = sorted(
        (candidate for candidate in candidates if candidate.trial is not None and not candidate.fits),
        key=_miss_key,
    )
    chosen = [
        *[place.candidate for place in places if place.tier == 1][:CHEAPEST],
        *fits[:1],
        *best_in_each(fits, [_costs(candidate) for candidate in fits]),
        *{kind: candidate for candidate in reversed(fits) for kind in side(candidate.design)}.values(),
        *missed[: 1 if fits else NEAREST],
    ]
    for flash in (True, False):
        chosen += sorted(
            (candidate for candidate in missed if candidate.design.drive.is_flash is flash), key=_cost_key
        )[:1]
    chosen += [candidate for candidate in candidates if candidate.requested and candidate.trial is not None]
    wanted = {id(candidate) for candidate in chosen}
    return [place for place, candidate in enumerate(candidates) if id(candidate) in wanted]


def document(
    context: Context,
    candidates: Sequence[Candidate],
    places: Sequence[Place],
    worn: Worn | None,
    states: Mapping[str, Sequence[ArrayState]],
) -> Plan:
    """The whole answer; `worn` is of the first place, `states` of some by their lines."""
    tried = [candidate for candidate in candidates if candidate.verdict is not None and not candidate.fits]
    tried.sort(key=_miss_key)
    nearest = [] if places else _nearest(candidates, context)
    pruned, ruled_out = _listed(candidates, nearest, context)
    fits = placed(
        [
            described(place.candidate, context).model_copy(
                update={
                    "tier": place.tier,
                    "chance_cheapest": place.chance_cheapest,
                    "states": states.get(place.entry.line),
                    "commands": mdadm.commands(place.candidate.design) or None,
                }
            )
            for place in places
        ]
    )
    winner = places[0].candidate if places else None
    designs = [fit if at else fit.model_copy(update={"worn": worn}) for at, fit in enumerate(fits)]
    designs += [described(candidate, context) for candidate in tried]
    designs += [described(candidate, context) for candidate in pruned]
    log = context.profile.log
    if log is None:
        raise ValueError("a profile of a log has its summary")
    return Plan(
        version=__version__,
        seed=context.options.seed,
        date=context.catalog.prices.date,
        workload=Workload(
            name=" + ".join(context.together) or log_name(context.logs),
            source="line" if context.options.in_order is not None else log.format,
            hash=log.hash,
            hours_like=hours_like(context),
            notes=log.notes,
            together=list(context.together) or None,
            profile=context.profile.model_copy(update={"log": None}),
        ),
        requirements=_requirements(context),
        designs=designs,
        winner=winner.design.line if winner else None,
        beside=beside([place.entry for place in places]) if places else None,
        pareto_front=[fit.line for fit in fits if fit.pareto_optimal],
        ruled_out=ruled_out,
        nearest=nearest,
        counts=counted(designs, ruled_out),
        assumptions=assumptions(context, winner),
        hashes={
            "trace": log.hash,
            "catalog": context.catalog.drives_hash,
            "prices": context.catalog.prices_hash,
        },
    )


def _listed(
    candidates: Sequence[Candidate], nearest: Sequence[str], context: Context
) -> tuple[list[Candidate], list[RuledOut]]:
    """Of the candidates that bounds rule out those that are listed, and how many others there are, by reason."""
    ruled = [candidate for candidate in candidates if candidate.ruling is not None]
    if context.options.detail:
        return ruled, []
    groups: dict[tuple[Any, ...], list[Candidate]] = {}
    reason_of = attrgetter(*REASON)
    for candidate in sorted(ruled, key=_miss_key):
        if candidate.ruling is not None:
            groups.setdefault(reason_of(candidate.ruling), []).append(candidate)
    listed = {id(candidate) for group in groups.values() for candidate in group[:EXAMPLES]}
    listed |= {
        id(candidate) for candidate in ruled if candidate.requested or candidate.design.line in nearest
    }
    unlisted = {
        reason: sum(id(candidate) not in listed for candidate in group) for reason, group in groups.items()
    }
    others = [
        RuledOut(miss=Miss(**dict(zip(REASON, reason, strict=True))), designs=count)
        for reason, count in unlisted.items()
        if count
    ]
    others.sort(key=lambda group: -group.designs)
    return [candidate for candidate in ruled if id(candidate) in listed], others


def _cost_key(candidate: Candidate) -> tuple[float, float, str]:
    costs = _costs(candidate)
    return costs[0], costs[1], candidate.design.line


def _miss_key(candidate: Candidate) -> tuple[float, str]:
    return candidate.shortfall, candidate.design.line


def _costs(candidate: Candidate) -> Costs:
    """What a design that was tried is compared by."""
    verdict, trial = candidate.verdict, candidate.trial
    if verdict is None or trial is None:
        raise ValueError(f"`{candidate.design.line}` was not tried")
    reads, writes = (
        span.value if span else None
        for span in (trial.latency_ns["read", "p99"], trial.latency_ns["write", "p99"])
    )
    life = verdict.life.life_years.value if verdict.life else None
    return compared(verdict.cost.total_usd, reads, writes, life)


def described(candidate: Candidate, context: Context) -> Design:
    """The design of the document: its figures as far as it was tried."""
    design, trial, verdict = candidate.design, candidate.trial, candidate.verdict
    refined = trial is not None and trial.refined
    return Design(
        line=design.line,
        title=design.title,
        level=design.level,
        drive=design.drive.name,
        count=design.bays,
        groups=design.redundancy.groups,
        spares=design.spares,
        flash=design.drive.medium,
        form=design.drive.form,
        today=candidate.today,
        yours=candidate.requested,
        refined=refined,
        verdict="pruned" if verdict is None else "fits" if candidate.fits else "misses",
        fits=candidate.fits,
        misses=list(candidate.misses),
        tolerated=list(verdict.tolerated) if verdict else [],
        usable_bytes=design.usable_bytes,
        headroom=trial.headroom if trial else None,
        carries=trial.held if candidate.fits and trial and trial.headroom is None else None,
        latency_known=design.drive.latency_known,
        latency_chance=trial.chance if trial else None,
        **_latencies(trial.latency_ns if trial else {}),
        whole_log=over_all(trial, context.options),
        outcome=_outcome(candidate, context),
        **(_judged(candidate, verdict, context) if verdict else {}),
        sensitivity=_sensitivity(candidate, context) if refined else None,
    )


def _sensitivity(candidate: Candidate, context: Context) -> list[Move] | None:
    if candidate.trial is None or candidate.verdict is None:
        return None
    of = context.catalog, context.requirements, context.profile
    return life_and_cost.sensitivity(Case(candidate.design, candidate.trial, *of), candidate.verdict.costing)


def _latencies(found: Latencies) -> dict[str, Any]:
    return {f"{op}_{name}_ns": span for (op, name), span in found.items()}


def over_all(trial: Trial | None, options: Options) -> WholeLog | None:
    """Latency over all of the log, of a design that is refined."""
    if trial is None or trial.whole_log is None:
        return None
    return WholeLog(by_windows=options.whole_log is not None, **_latencies(trial.whole_log))


def _outcome(candidate: Candidate, context: Context) -> Outcome | None:
    """What was played, and whether durable writes had to wait for the flash."""
    if candidate.trial is None:
        return None
    peak = candidate.trial.peak if candidate.trial.refined else candidate.trial.peak.without_tables()
    is_durable = isinstance(context.load, Synthetic) and context.load.counters.durable > 0
    waits = is_durable and candidate.design.drive.is_volatile
    return peak.model_copy(update={"write_cache": "volatile"}) if waits else peak


def _judged(candidate: Candidate, verdict: Verdict, context: Context) -> dict[str, Any]:
    loss, prices, amplified = verdict.loss, context.catalog.prices, verdict.write_amplification
    return {
        "write_amplification": amplified,
        **life_and_cost.lasting(verdict, prices.date, context.requirements.years),
        "annual_failure_rate": verdict.annual_failure_rate.value,
        "annual_failure_rate_low": verdict.annual_failure_rate.low,
        "data_loss": DataLoss(
            **loss.probability.model_dump(),
            method=loss.method,
            beyond_redundancy=data_loss.beyond_redundancy(
                verdict.annual_failure_rate, context.requirements.years
            ),
        ),
        "rebuild_h": loss.rebuild_h,
        "unreadable_probability": loss.unreadable_probability,
        **verdict.power_w.named("power_w"),
        "energy_kwh": verdict.costing.energy_kwh,
        "cost": life_and_cost.cost(
            candidate.design, candidate.trial, verdict.costing, life_and_cost.Bought(prices, context.profile)
        ),
        "monthly_usd": verdict.cost.total_usd / (MONTHS * context.requirements.years),
    }


def _nearest(candidates: Sequence[Candidate], context: Context) -> list[str]:
    """The designs that miss by the least in all that they miss, of those whose shortfall has an end."""
    options = context.options
    limits = Limits(
        context.catalog, context.requirements, context.profile, options.include_old, options.trimmed
    )
    shortfalls = {}
    for candidate in candidates:
        least = candidate.shortfall
        if candidate.verdict is None and math.isfinite(least):
            least = max(least, shortfall(missed(candidate.design, limits)))
        if math.isfinite(least):
            shortfalls[candidate.design.line] = least
    return sorted(shortfalls, key=lambda line: (shortfalls[line], line))[:NEAREST]


def hours_like(context: Context) -> str:
    """What every day is like: the log where it has whole days, else so many hours of what was recorded."""
    seconds, hours = context.profile.duration_s, context.requirements.hours_per_day
    if covers_a_day(context.profile) and hours == HOURS_PER_DAY:
        days = round(seconds / DAY_S)
        return "every day like this one" if days == 1 else f"every day like these {days}"
    return f"{hours:g} h a day like these {seconds:,.0f} s"


def _requirements(context: Context) -> list[Requirement]:
    needs = context.requirements
    shown: dict[str, tuple[float | None, str]] = {
        "capacity": (needs.capacity_bytes, number.size(needs.capacity_bytes)),
        "growth": (needs.growth_per_year, f"{needs.growth_per_year:.0%}/y"),
        "p99 read": _milliseconds(needs.p99_read_ns),
        "p99 write": _milliseconds(needs.p99_write_ns),
        "headroom": (needs.headroom, f"{needs.headroom:.2g} × the peak"),
        "headroom margin": (needs.headroom_margin, f"{needs.headroom_margin:g}"),
        "years": (needs.years, f"{needs.years:g} years"),
        "endurance tolerance": (needs.endurance_tolerance, number.percent(needs.endurance_tolerance)),
        "drive losses": (needs.drive_losses, f"{needs.drive_losses}"),
        "data loss": (
            needs.data_loss,
            number.probability(needs.data_loss) if needs.limits_data_loss else "no limit",
        ),
        "scrub": (needs.scrub_days, f"every {needs.scrub_days:g} days"),
        "hours a day": (needs.hours_per_day, f"{needs.hours_per_day:g} h"),
    }
    origins = list(needs.origins)
    for name, limit, unit in (
        ("budget", needs.budget_usd, "${:,.0f}"),
        ("power", needs.power_w_max, "{:,.0f} W"),
    ):
        if limit is not None:
            shown[name] = limit, unit.format(limit)
            origins.append((name, "given", "required by an option"))
    return [
        Requirement(name=name.replace(" ", "_"), value=value, display=display, origin=origin, why=why)
        for name, origin, why in origins
        for value, display in (shown[name],)
    ]


def _made_up(context: Context) -> str:
    """Where what is assumed of the load comes from."""
    return (
        "counter log" if context.profile.source == "counters" else "`--no-spread` keeps them where they were"
    )


def _milliseconds(limit_ns: int | None) -> tuple[float | None, str]:
    return (limit_ns, f"{limit_ns / 1e6:g} ms") if limit_ns is not None else (None, "no such requests")


def assumptions(context: Context, winner: Candidate | None) -> list[Assumption]:
    """What went in, the widest first: how the load continues, prices, the host, then the winner's parameters."""
    prices = context.catalog.prices
    design = winner.design if winner else None
    life = winner.verdict.life if winner and winner.verdict else None

    decline = prices.market.decline_per_year(flash=design is None or design.drive.is_flash)
    usd_per_kwh, pue = prices.electricity.usd_per_kwh, prices.electricity.pue
    in_dollars, spread = prices.per_dollar == 1.0, prices.load.peak_spread
    rows: list[life_and_cost.Row] = [
        ("load", hours_like(context), "assumed", "a longer log, or `--hours-per-day`, makes this better"),
        *((name, why, "assumed", _made_up(context)) for name, why in context.load.assumed),
        (
            "prices",
            f"of {prices.date}{life_and_cost.scenario(context.options.prices)}",
            "assumed",
            "catalog/prices.toml, meant to be edited",
        ),
        *(life_and_cost.quoted(design, prices) if design else []),
        *_about_the_drive(winner),
        ("electricity", f"{usd_per_kwh.value} USD/kWh", *known(usd_per_kwh, prices)),
        ("PUE", pue.value, *known(pue, prices)),
        ("price decline", life_and_cost.decline(decline), *known(decline, prices)),
        ("spread of the peak", spread.value, *known(spread, prices)),
        (
            "currency",
            prices.currency if in_dollars else f"{prices.per_dollar:g} {prices.currency} for a dollar",
            "assumed",
            "catalog/prices.toml: rates are given there, never fetched",
        ),
        *(life_and_cost.about_the_flash(design, life) if design else []),
        (
            "free space",
            "trimmed" if context.options.trimmed else "never trimmed",
            "assumed",
            "`--no-trim` for file systems that do not discard what is free",
        ),
        *_about_the_array(design),
        *_about_loss(winner),
    ]
    if design is not None:
        for known_by in provenance(design.drive):
            name = f"{design.drive.title}: {known_by.name}"
            rows.append((name, _text(known_by.value), known_by.provenance.value, known_by.source))
    return [
        Assumption(name=name, value=value, provenance=how, source=source) for name, value, how, source in rows
    ]


def _about_the_array(design: Layout | None) -> list[life_and_cost.Row]:
    """Who runs the array of the winner, if it is one."""
    if design is None or design.level == "single":
        return []
    chunks = "" if design.level == "raid1" else f", {number.binary_size(design.chunk_bytes)} chunks"
    return [("array", f"software RAID{chunks}", "assumed", "a controller adds its own limits")]


def _about_loss(winner: Candidate | None) -> list[life_and_cost.Row]:
    """What the chance of losing data rests on; its interval is mostly that of the failure rate."""
    if winner is None or winner.verdict is None:
        return []
    rate, loss = winner.verdict.annual_failure_rate, winner.verdict.loss
    when = "at the peak, at most " if loss.rebuilt_under_load else ""
    failures = f"{rate.low:.2%} to {rate.high:.2%}"
    rows: list[life_and_cost.Row] = [
        ("failures a year", failures, "measured", "fleets in service, and the sheet"),
        (
            "rebuild",
            f"{loss.rebuild_h:.2g} h",
            "assumed",
            f"{when}{100 * loss.rebuild_share:g}% of sequential writes",
        ),
        (
            "new drive",
            f"{OPERATOR_H:g} h after a failure, no spare",
            "assumed",
            "`drivecast reliability` takes others",
        ),
    ]
    if winner.design.drive.is_flash:
        few, many, years = FLASH_FIRST_ERRORS
        latent = f"on {few:.0%} to {many:.0%} of drives within {years:g} years"
        source = "Schroeder and others, FAST 2016; other drives, other years"
        rows.append(("latent errors", latent, "published", source))
    return rows


def _about_the_drive(winner: Candidate | None) -> list[life_and_cost.Row]:
    """How much of what the winner's prediction rests on is assumed: what a buyer should know first."""
    if winner is None:
        return []
    rows = provenance(winner.design.drive)
    assumed = sum(parameter.provenance == "assumed" for parameter in rows)
    value = f"{assumed} of {len(rows)} figures assumed"
    source = f"`drivecast catalog show {winner.design.drive.name}` lists them; a data sheet makes this better"
    return [("drive", value, "assumed", source)] if assumed else []


def _text(value: object) -> str | float | bool | None:
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
