"""The search: bounds first, then every ladder of designs, then a closer look at the best.

The climbs decide what fits; headroom and intervals take ten times as many runs, and are found for the designs that
somebody may buy: the best tied on cost, the front, the cheapest, and the nearest misses.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from drivecast.catalog import Catalog, quotes
from drivecast.catalog import load as load_catalog
from drivecast.document.plan import Plan, Worn
from drivecast.errors import HintedError
from drivecast.plan import (
    apart,
    backup,
    composed,
    conflict,
    error,
    flip,
    offer,
    rank,
    renting,
    result,
    space,
    together,
)
from drivecast.plan.bound import Limits
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.climb import Progress, Work, cheapest_usd, climbs, refine, run, threads, try_requested
from drivecast.plan.load import load, recorded, spread
from drivecast.plan.requirement import Given, derive
from drivecast.plan.tenancy import Tenancy
from drivecast.plan.trial import Bench
from drivecast.plan.worn import worn
from drivecast.stage.design import Design, parse

CLIMB_SHARE = 0.6
"""About how much of the time the climbs take, for the progress bar."""
LAST = 0.85
"""When the search is done, and only other assumptions are left to try."""
MORE_SHARE = 0.1
"""About how much of that for designs that tolerate more failures than required."""


def plan(logs: Sequence[Path], given: Given, options: Options, update: Progress) -> Plan:
    """Rank designs for the workload in `logs`.

    Raises `InputError` for logs, requirements or designs that cannot be used. That nothing fits is a result: `winner`
    is null then.
    """
    catalog, notes, hashes = priced(options)
    update(0.0, "reading the log")
    window_s = options.peak_window_s
    with recorded(logs, options.reading, window_s, update, together=options.together) as log:
        profile = log.profile.noted(list(notes))
        found_backup = backup.find(profile, options.backup)
        if found_backup is not None:
            profile = profile.noted([backup.noted(found_backup.backup)])
        beneath = backup.without(profile, found_backup) if found_backup else profile
        workload = load(log.files, beneath, log.reading, log.together)
    met = found_backup if options.backup == "meet" else None
    judged = profile if met or found_backup is None else beneath
    requirements = derive(given, beneath)
    if options.spread and given.capacity_bytes is not None:
        workload = spread(workload, requirements.capacity_bytes)
    names = log.together.names if log.together else ()
    bench = Bench(catalog, requirements, workload, options.seed, options.trimmed, met, beneath, names)
    limits = Limits(catalog, requirements, judged, options.include_old, options.trimmed)
    named = _each_once([*([options.today] if options.today else []), *options.designs])
    of_volumes, of_one = apart.split(named, options.volumes, several_logs=bool(names))
    bought, rented = renting.split(of_one, catalog)
    if options.instance is not None and options.where == "metal" and not rented:
        what = f"--instance {options.instance}: it limits rented volumes, and none is considered"
        raise HintedError(what, "add `--where cloud` or `--where any`, or name a volume by `--design`")
    candidates = search(bench, limits, replace(options, designs=bought), update)
    places = rank.ranked(candidates, requirements, options.seed)
    context = result.Context(logs, options, requirements, profile, catalog, workload.assumed, names)
    found = result.document(context, candidates, places, worn_reads(places, bench))
    if found_backup is not None:
        of_log = found.workload.model_copy(update={"backup": found_backup.backup})
        found = found.model_copy(update={"workload": of_log})
    found = found.model_copy(update={"hashes": {**found.hashes, **hashes}})
    found = composed.joined(found, of_volumes, composed.Whole(context, bench, limits, given, options))
    if rented or options.where != "metal":
        update(LAST, "volumes")
        volumes = renting.Search(Tenancy(bench, profile), options.instance, options.today)
        searched, at_a_time = options.where != "metal", threads(options)
        offers = renting.offers(volumes, rented, searched=searched, at_a_time=at_a_time)
        found = offer.joined(found, offers, context)
    if places and options.where != "cloud" and found.winner == places[0].candidate.design.line:
        changes = flip.flips(
            candidates,
            places,
            bench,
            limits,
            given,
            options,
            lambda share, what: update(LAST + (1 - LAST) * share, what),
        )
        found = found.model_copy(update={"flips": changes})
    if found.winner is None:
        rented_ = [design for design in found.designs if design.where == "cloud"]
        found = found.model_copy(update={"conflict": conflict.excluding(candidates, rented_, limits)})
    if names:
        found = together.named(found, bench)
    if options.history is None:
        return found
    stated = error.stated(found, options.history, catalog)
    return found.model_copy(update={"prediction_error": stated})


def priced(options: Options) -> tuple[Catalog, tuple[str, ...], dict[str, str]]:
    """The catalog at the prices of the options, notes on the quotes, and the hash of their file."""
    catalog = load_catalog(options.catalog)
    catalog = replace(catalog, prices=catalog.prices.scenario(options.prices))
    if options.quotes is None:
        return catalog, (), {}
    found = quotes.read(options.quotes, catalog, dict(options.rates), date.today())
    return found.laid_over(catalog), found.notes, {"quotes": found.digest}


def search(bench: Bench, limits: Limits, options: Options, update: Progress) -> list[Candidate]:
    """Every design of the space, ruled out or tried, in the order of the space; requested designs first."""
    requested = [parse(line, bench.catalog) for line in options.designs]
    yours: list[Work] = [
        (place, partial(try_requested, design, bench, limits)) for place, design in enumerate(requested)
    ]
    found: list[list[Candidate]] = [[] for _ in requested]
    at_a_time = threads(options)
    usual, more = space.by_redundancy(bench.catalog, limits.requirements, options.where)
    walked = CLIMB_SHARE * (1 - MORE_SHARE)
    work = climbs(usual, found, bench, limits, at_a_time)
    for place, climbed in run([*yours, *work], at_a_time, lambda share, what: update(walked * share, what)):
        found[place].extend(climbed)
    work = climbs(more, found, bench, limits, at_a_time, cheapest_usd=cheapest_usd(found))
    rest = CLIMB_SHARE - walked
    for place, climbed in run(work, at_a_time, lambda share, what: update(walked + rest * share, what)):
        found[place].extend(climbed)
    named = {_shape(design) for design in requested if design.is_plain}
    candidates = [
        replace(candidate, today=candidate.requested and candidate.design.line == options.today)
        for rung in found
        for candidate in rung
        if candidate.requested or _shape(candidate.design) not in named
    ]
    tried = rank.ranked(candidates, bench.requirements, bench.seed)
    refined: list[Work] = [
        (place, partial(refine, candidates[place], bench))
        for place in result.worth_refining(candidates, tried)
    ]
    for place, (better,) in run(
        refined, at_a_time, lambda share, what: update(CLIMB_SHARE + (LAST - CLIMB_SHARE) * share, what)
    ):
        candidates[place] = better
    return candidates


def worn_reads(places: Sequence[rank.Place], bench: Bench) -> Worn | None:
    """Reads of the best design at the end of the service."""
    if not places or (verdict := places[0].candidate.verdict) is None:
        return None
    return worn(places[0].candidate.design, verdict.life, bench)


def _shape(design: Design) -> tuple[object, ...]:
    return design.drive.name, design.level, design.redundancy, design.partition, design.spares


def _each_once(lines: Sequence[str]) -> list[str]:
    """Leave out designs that were named before, however they were written."""
    first: dict[str, str] = {}
    for line in lines:
        first.setdefault("".join(line.split()), line)
    return list(first.values())
