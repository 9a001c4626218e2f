"""Rented designs for the ranking of all, and what is assumed of them."""

from collections.abc import Sequence

from drivecast.catalog.figure import known
from drivecast.document.plan import Assumption, Design
from drivecast.plan import rank, result
from drivecast.plan.merge import Extra
from drivecast.plan.rented_payload import Carrying
from drivecast.plan.rented_result import RentedResult
from drivecast.plan.rented_trial import RentedTrials
from drivecast.plan.renting import Offer, Search
from drivecast.plan.trial import Bench
from drivecast.quantity.interval import Interval


def extras(offers: Sequence[Offer], context: result.Context) -> list[Extra]:
    """The offers as designs of the document, those that fit with what they are ranked by."""
    window = context.profile.peak_window
    peak_iops = (window.iops_mean if window else None) or 0.0
    lease = RentedResult(context.catalog, context.requirements, peak_iops, context.options.committed_years)
    return [_extra(offer, lease, context) for offer in offers]


def _extra(offer: Offer, lease: RentedResult, context: result.Context) -> Extra:
    design = lease.design(offer)
    if not design.fits or offer.rented is None:
        return Extra(design, None, offer)
    cost, dollar = design.cost, context.catalog.prices.per_dollar
    span = (cost.low or cost.total, cost.total, cost.high or cost.total) if cost else None
    cost_usd = Interval(*(each / dollar for each in span)) if span else None
    provider = offer.rented.volume.sheet.identity.vendor
    is_lost_with_host = offer.instance is not None and context.requirements.drive_losses > 0
    seed = context.options.seed
    return Extra(
        design, rank.of_rent(design, provider, cost_usd, seed, is_lost_with_host=is_lost_with_host), offer
    )


def search(bench: Bench, context: result.Context) -> Search:
    """What is searched for volumes."""
    return Search(RentedTrials(bench, context.profile), context.options.instance, context.options.today)


def carries(extras: Sequence[Extra], bench: Bench, context: result.Context) -> Carrying | None:
    """What goes into a report of those that are rented."""
    offers = [each.of for each in extras if isinstance(each.of, Offer)]
    if not offers:
        return None
    return Carrying(search(bench, context), offers, searched=context.options.where != "metal")


def assumptions(context: result.Context, rented: Sequence[Design]) -> list[Assumption]:
    """What is counted of what is rented, and what not."""
    low, high = context.catalog.prices.rent_bounds
    basis, tables = "on demand", "`[cloud]`"
    if longest := context.options.committed_years:
        terms = "3-year, then 1-year terms" if longest > 1 else "1-year terms"
        fitting = f"instances committed for the {terms} that fit into {context.requirements.years:g} years"
        basis, tables = f"volumes on demand, {fitting}", "`[cloud]` and `[commitments]`"
    rows = [
        (
            "cost",
            "of drives, energy and replacements, or of volumes: no server, instance, network or people",
            "what an instance asks for the drives inside of it counts as rent",
        ),
        (
            "rent",
            f"{basis}, {low:g} to {high:g} times by region",
            f"catalog/prices.toml, {tables}: the region usually named first, the same for all years",
        ),
        ("size of volumes", "that of the last year, from the first month on", "a volume can begin smaller"),
        ("times of volumes", "half to twice the catalog's", "providers publish limits, hardly any times"),
    ]
    instance = context.options.instance
    if instance is None:
        rows.append(("instance", "none that limits volumes", "`--instance` puts them behind one"))
    found = [
        Assumption(name=name, value=value, provenance="assumed", source=source)
        for name, value, source in rows
    ]
    return found + _committed(context, rented)


def _committed(context: result.Context, rented: Sequence[Design]) -> list[Assumption]:
    """What commitments leave of the prices of instances, with their sources."""
    prices, longest = context.catalog.prices, context.options.committed_years
    committed = [each.rent.instance or "" for each in rented if each.rent and each.rent.commitment_years]
    rows = [
        known(f"{pattern} {term}y", f"{share.value:g} of the price on demand", share, prices.sources)
        for pattern in sorted({prices.commitment(instance) or "" for instance in committed})
        for term, share in prices.commitments[pattern].terms(longest).items()
    ]
    return [Assumption(**row.model_dump()) for row in rows]
