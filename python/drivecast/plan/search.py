"""The whole answer: logs read, designs ranked, volumes and rented designs beside them, and what would change it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from drivecast.catalog import Catalog, quotes
from drivecast.catalog import load as load_catalog
from drivecast.catalog.plausibility import refuse_impossible
from drivecast.document.buyers_question import ShadowPrice
from drivecast.document.plan import EndedBy, Flip, Plan, Worn
from drivecast.document.profile import Profile
from drivecast.errors import HintedError
from drivecast.plan import (
    array_state,
    backup,
    block_reuse,
    buyers_question,
    cached,
    cached_flip,
    conflict,
    flip,
    merge,
    multi_volume,
    payload,
    prediction_error,
    price_facts,
    rank,
    rent_offer,
    renting,
    result,
    shadow_price,
    shared_array,
    sizing_line,
    volume_share,
    volume_split,
)
from drivecast.plan.block_reuse import BlockReuse
from drivecast.plan.bound import Limits
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.end_of_service import worn_reads
from drivecast.plan.load import Replay, load, recorded, spread
from drivecast.plan.requirement import YEARS, Given, derive, footprint_within
from drivecast.plan.search_steps import REFINED, walk
from drivecast.plan.trial import Bench
from drivecast.plan.trial_pool import Progress, threads, within
from drivecast.quantity.year import today
from drivecast.stage.cached_design import CachedDesign, is_cached
from drivecast.thread import Deadline

LAST = 0.85
"""About how much of the time passes before only other assumptions are left to try, for the progress bar."""

RENTED = 0.5
"""Share of the time of designs that the walk does not know which those that are rented take, where there are any."""


def plan(logs: Sequence[Path], given: Given, options: Options, update: Progress) -> Plan:
    """Rank designs for the workload in `logs`.

    Raises `InputError` for logs, requirements or designs that cannot be used. That nothing fits is a result: `winner`
    is null then.
    """
    catalog, notes, hashes = priced(options, given)
    update(0.0, "reading the log")
    with recorded(logs, options.reading, options.peak_window_s, update, together=options.together) as log:
        _refuse_other_volumes(log.profile, options)
        profile = sizing_line.stated(log.profile, options.in_order).noted(list(notes))
        found_backup = backup.find(profile, options.backup)
        if found_backup is not None:
            profile = profile.noted([backup.noted(found_backup.backup)])
        beneath = backup.without(profile, found_backup) if found_backup else profile
        update(0.0, "the load, and what is met again of it")
        workload = load(log.files, beneath, log.reading, log.together, options.fsync_rate)
        met = found_backup if options.backup == "meet" else None
        again = block_reuse.of(log, workload, options, catalog, met)
    if options.whole_log is not None and isinstance(workload, Replay):
        workload = replace(workload, whole_log=options.whole_log)
        hashes = {**hashes, "windows": options.whole_log.windows_hash or ""}
    if found_backup is not None and isinstance(workload, Replay):
        workload = replace(workload, whole_log=None)  # a backup is judged by whether it is kept up with
    judged = profile if met or found_backup is None else beneath
    requirements = derive(given, beneath)
    if options.spread and given.capacity_bytes is not None:
        workload = spread(workload, requirements.capacity_bytes)
        again = again.spread(requirements.capacity_bytes)
    names = log.together.names if log.together else ()
    bench = Bench(catalog, requirements, workload, options.seed, options.trimmed, met, beneath, names)
    limits = Limits(catalog, requirements, judged, options.include_old, options.trimmed, options.consumer)
    named = _each_once([*([options.today] if options.today else []), *options.designs])
    bought, others = _split(named, options, bench)
    walked = LAST / 2 if options.volumes else LAST
    update(0.0, "bounds of all designs")
    candidates = walk(bench, limits, replace(options, designs=bought), within(update, 0.0, walked))
    update(walked, "ranks, and reads at the end of the service")
    candidates, places, states = array_state.ranked(candidates, bench, limits, options.deadline, REFINED)
    context = result.Context(
        logs, options, requirements, footprint_within(profile, requirements), catalog, workload, names
    )
    found = result.document(
        context,
        candidates,
        places,
        _reads_at_end(places, bench, options.deadline),
        states,
    )
    of_log = found.workload.model_copy(update={"backup": found_backup.backup if found_backup else None})
    found = found.model_copy(
        update={"workload": of_log, "hashes": {**found.hashes, **hashes}, "no_caches": again.why_not}
    )
    whole = volume_share.Whole(context, bench, limits, given, options)
    of_caches = cached.playing(whole, again)
    extras = _extras(places, whole, of_caches, again, others, within(update, walked, LAST))
    found = _with_extras(found, places, context, extras)
    update(LAST, "what would change the answer")
    found = _explained(found, candidates, places, whole, again, within(update, LAST, 1.0))
    found = _unmet(found, candidates, bench, limits, options)
    found = _answered(found, options.deadline, catalog)
    if names:
        found = shared_array.named(found, bench)
    update(1.0, "what the report carries")
    caches, rented = cached.carries(extras, of_caches, again), rent_offer.carries(extras, bench, context)
    return _along(
        found, payload.Judged(candidates, bench, given, options, found.workload.name, rented, caches)
    )


def _refuse_other_volumes(profile: Profile, options: Options) -> None:
    """Raise `HintedError` where a log cannot be parted by the volumes that are asked for."""
    if profile.log is not None:
        volume_split.in_log(volume_split.selectors(options.volumes), profile.log)


def _answered(found: Plan, deadline: Deadline, catalog: Catalog) -> Plan:
    """The plan with the answers that buyers ask for by name, and with what ended the search early."""
    deadline.is_working = False
    why: EndedBy | None = None
    if deadline.was_passed:
        why = "interrupt" if deadline.is_interrupted else "time limit"
    compared = buyers_question.comparisons(found.designs, catalog)
    also = {"comparisons": compared, "prices": price_facts.of(found, catalog), "partial": why}
    return found.model_copy(update=also)


def _unmet(
    found: Plan, candidates: Sequence[Candidate], bench: Bench, limits: Limits, options: Options
) -> Plan:
    """The plan with which requirements exclude each other and what fits without one, where nothing fits of all."""
    if found.winner is not None or options.deadline.was_passed:
        return found
    rented = [design for design in found.designs if design.where == "cloud"]
    names = conflict.excluding(candidates, rented, limits)
    remedies = [*conflict.remedies(names, bench, limits, options)]
    return found.model_copy(update={"conflict": names, "remedies": remedies})


def _along(found: Plan, judged_by: payload.Judged) -> Plan:
    """The plan with what goes along: what its page asks again, and how far predictions have been off."""
    options = judged_by.options
    found = found.carrying(payload.carried(judged_by, options.what_if))
    if options.history is None:
        return found
    stated = prediction_error.stated(found, options.history, judged_by.bench.catalog)
    return found.model_copy(update={"prediction_error": stated})


def _explained(
    found: Plan,
    candidates: Sequence[Candidate],
    places: Sequence[rank.Place],
    whole: volume_share.Whole,
    again: BlockReuse,
    update: Progress,
) -> Plan:
    """The plan with whether the winner changes, and what requirements cost.

    Neither where it is rented, of several volumes, or there is none; with a cache it has no prices.
    """
    winner, options = found.find(found.winner), whole.options
    if winner is not None and winner.cached is not None:
        changes = cached_flip.flips(found, candidates, places, whole, again, update)
        return found.model_copy(update={"flips": changes})
    if not places or options.where == "cloud" or found.winner != places[0].candidate.design.line:
        return found
    of = whole.bench, whole.limits
    prices = shadow_price.questions(places, *of, options)
    scenarios = flip.questions(candidates, places, *of, whole.given, options)
    asked: list[flip.Question[Flip | ShadowPrice]] = [*scenarios, *prices]
    # The last take longest, another seed and surviving one failure more: begun first, no core waits for them.
    answers = flip.answered(asked[::-1], options, update)[::-1]
    return found.model_copy(
        update={
            "flips": [each for each in answers if isinstance(each, Flip)],
            "shadow_prices": [each for each in answers if isinstance(each, ShadowPrice)],
        }
    )


@dataclass(frozen=True)
class _Named:
    """Lines of designs that the walk does not know."""

    of_volumes: Sequence[str]
    of_caches: Sequence[CachedDesign]
    rented: Sequence[str]


def _split(named: Sequence[str], options: Options, bench: Bench) -> tuple[tuple[str, ...], _Named]:
    """The designs of one kind of drive, and the others."""
    of_volumes, of_one = volume_split.split(named, options.volumes, several_logs=bool(bench.logs))
    of_caches = [line for line in of_one if is_cached(line)]
    bought, rented = renting.split([line for line in of_one if line not in of_caches], bench.catalog)
    _instance_limits_some(options, rented)
    return bought, _Named(of_volumes, cached.named(of_caches, bench), rented)


def _extras(
    places: Sequence[rank.Place],
    whole: volume_share.Whole,
    of_caches: volume_share.Whole,
    again: BlockReuse,
    named: _Named,
    update: Progress,
) -> list[merge.Extra]:
    """Designs of several volumes, of caches, and rented ones."""
    context = whole.context
    is_rented = bool(named.rented) or whole.options.where != "metal"
    before = within(update, 0.0, 1 - RENTED if is_rented else 1.0)
    extras = multi_volume.extras(named.of_volumes, whole, before)
    cheapest_usd = min((place.entry.total_usd for place in places), default=math.inf)
    extras += cached.extras(named.of_caches, of_caches, again, cheapest_usd, before)
    offers: list[renting.Offer] = []
    if is_rented:
        offers = _offers(named.rented, whole.bench, context, within(update, 1 - RENTED, 1.0))
    return extras + rent_offer.extras(offers, context)


def _with_extras(
    found: Plan, places: Sequence[rank.Place], context: result.Context, extras: Sequence[merge.Extra]
) -> Plan:
    """The plan with those."""
    if not extras:
        return found
    found = merge.merged(found, places, extras)
    # A winner that is rented, cached or of several volumes has no assumptions of its own.
    winner = next((place.candidate for place in places if place.entry.line == found.winner), None)
    first, *others = result.assumptions(context, winner)
    rented = [each.design for each in extras if each.design.where == "cloud"]
    of_rent = rent_offer.assumptions(context, rented) if rented else []
    of_cache = cached.assumptions(found)
    return found.model_copy(update={"assumptions": [first, *of_rent, *of_cache, *others]})


def _instance_limits_some(options: Options, rented: Sequence[str]) -> None:
    if options.where != "metal" or rented:
        return
    hint = "add `--where cloud` or `--where any`, or name a volume by `--design`"
    if options.instance is not None:
        what = f"--instance {options.instance}: it limits rented volumes, and none is considered"
        raise HintedError(what, hint)
    if options.committed_years:
        raise HintedError(f"--commitment {options.commitment}: it is of rents, and nothing is rented", hint)


def _offers(
    rented: Sequence[str], bench: Bench, context: result.Context, update: Progress
) -> list[renting.Offer]:
    """What is to be rented: what was named, and of each kind the smallest that does."""
    options = context.options
    volumes, searched = rent_offer.search(bench, context), options.where != "metal"
    return renting.offers(volumes, rented, update, searched=searched, at_a_time=threads(options))


def priced(options: Options, given: Given | None = None) -> tuple[Catalog, tuple[str, ...], dict[str, str]]:
    """The catalog at the prices of the options, notes on the quotes, and the hash of their file.

    Raises `HintedError` for a commitment that is longer than the years in service.
    """
    years = YEARS if given is None or given.years is None else given.years
    if 0 <= years < options.committed_years:
        shorter = "`--commitment 1y`" if years >= 1 else "no commitment"
        raise HintedError(
            f"--commitment {options.commitment}: longer than the {years:g} years in service",
            f"take {shorter}, or more `--years`",
        )
    catalog = load_catalog(options.catalog)
    refuse_impossible(catalog)
    notes: tuple[str, ...] = ()
    hashes = {}
    if options.prices_on is not None:
        catalog.market.check(options.prices_on, catalog.prices.date)
        catalog = replace(catalog.priced_on(options.prices_on), now=catalog)
    if options.quotes is not None:
        found = quotes.read(options.quotes, catalog, dict(options.rates), today())
        notes, hashes = found.said(catalog), {"quotes": found.digest}
        catalog = found.laid_over(catalog)
    prices = catalog.prices.scenario(options.prices)
    if options.committed_years:
        prices = prices.committed(years, options.committed_years)
    return replace(catalog, prices=prices), notes, hashes


def _reads_at_end(places: Sequence[rank.Place], bench: Bench, deadline: Deadline) -> Worn | None:
    """Reads of the best design at the end of the service, where there is time for that."""
    if not places or (verdict := places[0].candidate.verdict) is None or deadline.passed(REFINED):
        return None
    return worn_reads(places[0].candidate.design, verdict.life, bench)


def _each_once(lines: Sequence[str]) -> list[str]:
    """Leave out designs that were named before, however they were written."""
    first: dict[str, str] = {}
    for line in lines:
        first.setdefault("".join(line.split()), line)
    return list(first.values())
