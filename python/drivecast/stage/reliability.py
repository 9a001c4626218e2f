"""The reliability of one design as one document. Thin over `loss`, `wear` and `rebuild`."""

import math
from dataclasses import dataclass, replace

from drivecast import __version__, _core
from drivecast.assess import hazard
from drivecast.assess.endurance import member_bytes_per_day
from drivecast.assess.rating import failure_rate
from drivecast.catalog import Catalog, Drive
from drivecast.catalog.sheet import HddSheet
from drivecast.document.reliability import Assumption, ClosedForm, HowKnown, Reliability
from drivecast.errors import HintedError
from drivecast.quantity import number
from drivecast.quantity import parse as quantity
from drivecast.quantity.interval import Interval
from drivecast.quantity.year import HOURS_PER_YEAR
from drivecast.stage import rebuild as rebuilding
from drivecast.stage.design import Design, parse
from drivecast.stage.loss import Service, lose, shares, wear_per_day, wearing
from drivecast.stage.simulate import Options
from drivecast.stage.wear import SECONDS_PER_DAY, amplification, life

Row = tuple[str, str | int, HowKnown, str]
"""An assumption: its name, its value, how it is known, and from where."""


@dataclass(frozen=True)
class Wear:
    """How the drives wear, each place's share of it, and how that is known."""

    per_day: Interval | None
    """Share of the rated cycles."""
    shares: tuple[float, ...]
    why: str


@dataclass(frozen=True)
class Question:
    """A design, and the service and the load that it is assessed under."""

    line: str
    service: Service
    """Its `rebuild_h` is 0 where it is to be found."""
    load: _core.Workload | None = None
    write_per_day: str | None = None
    growth_per_year: float = 0.0
    fill: float = 1.0
    seed: int = 0


def answer(question: Question, catalog: Catalog) -> Reliability:
    """Assess a design over its service.

    Raises `InputError` for a design that is not drives of one kind at one level, and for what cannot be simulated.
    """
    design = parse(question.line, catalog)
    wear = _wear(question, design, catalog)
    service, how = _rebuilt(question, design, catalog)
    rates = wearing(wear.per_day, wear.shares, question.growth_per_year, service.years)
    found = lose(design, service, rates, seed=question.seed)
    intervals = {
        **found.probability.named("data_loss_probability"),
        **found.failure_probability.named("failure_probability"),
        **found.unreadable_probability.named("unreadable_probability"),
        **found.lost_bytes.named("lost_bytes"),
        **found.lost_bytes.rising(lambda lost: lost / design.usable_bytes).named("nomdl"),
        **found.availability.named("availability"),
        **found.degraded_fraction.named("degraded_fraction"),
    }
    return Reliability(
        version=__version__,
        design=question.line,
        drive=design.drive.name,
        level=design.level,
        drives=design.bays,
        usable_bytes=design.usable_bytes,
        years=service.years,
        seed=question.seed,
        policy=service.policy,
        rebuild_h=service.rebuild_h,
        **intervals,
        relative_error=found.relative_error,
        missions=found.missions,
        closed_form=ClosedForm(
            mttdl_years=found.closed.mttdl_h / HOURS_PER_YEAR,
            failure_probability=found.closed.failure_probability,
            unreadable_probability=found.closed.unreadable_probability,
            data_loss_probability=found.closed.probability,
        ),
        assumptions=assumptions(design.drive, service, wear.why, how),
    )


def _wear(question: Question, design: Design, catalog: Catalog) -> Wear:
    """How the design wears: by a wear run of the workload, else by the bytes a day and the rated TBW."""
    drive, group = design.drive, design.redundancy
    even = (1.0,) * group.drives
    per_day = quantity.option("--write-per-day", quantity.size_bytes, question.write_per_day)
    if isinstance(drive.sheet, HddSheet):
        return Wear(None, even, "disks do not wear by writing")
    load = question.load
    if load is not None:
        if per_day is None and load.duration_s and load.written_bytes is not None:
            per_day = round(load.written_bytes * SECONDS_PER_DAY / load.duration_s)
        if per_day is None:
            raise HintedError("a line does not say how much is written a day", "give `--write-per-day`")
        if not per_day:
            return Wear(None, even, "the workload writes nothing")
        found = amplification(question.line, load, catalog, fill=question.fill, seed=question.seed)
        lasts = life(drive, found, per_day, question.growth_per_year)
        why = f"{number.size(per_day)} a day of this workload, by a wear run"
        return Wear(wear_per_day(drive, lasts), shares(found, group), why)
    if per_day is None:
        return Wear(None, even, "no writes given: no wear")
    why = f"{number.size(per_day)} a day against the rated TBW"
    return Wear(_by_rating(drive, design, per_day), even, why)


def _by_rating(drive: Drive, design: Design, per_day: float) -> Interval:
    """Wear as the share of the rated writes: at the TBW the rated cycles are used, whatever they are."""
    if drive.tbw_bytes is None:
        raise HintedError(f"`{drive.name}` rates no writes", "give `--workload`")
    # A small write changes the data and what protects them: each copy, or each parity.
    writes = 1 + design.failures_tolerated
    share = member_bytes_per_day(per_day, member_writes_per_host_write=writes, members=design.count)
    return Interval.exactly(share / drive.tbw_bytes)


def _rebuilt(question: Question, design: Design, catalog: Catalog) -> tuple[Service, tuple[HowKnown, str]]:
    """The service with its rebuild time and the spares of the design, and how that time is known."""
    spares, drive = math.ceil(design.spares / design.redundancy.groups), design.drive
    service = replace(question.service, spares=question.service.spares or spares)
    if service.rebuild_h > 0:
        return service, ("given", "`--rebuild-hours`")
    if question.load is None:
        hours = rebuilding.idle_h(drive)
        how: tuple[HowKnown, str] = (
            "assumed",
            f"{rebuilding.SHARE:.0%} of the sequential write rate; `--workload` simulates it",
        )
    else:
        options = Options(seed=question.seed, fill=question.fill, requests=rebuilding.REQUESTS)
        hours = rebuilding.loaded_h(design, question.load, catalog, options)
        how = ("simulated", "one drive rebuilt onto a spare under the workload")
    return replace(service, rebuild_h=hours), how


def assumptions(drive: Drive, service: Service, wear: str, rebuild: tuple[HowKnown, str]) -> list[Assumption]:
    """What the chances rest on, what matters most first."""
    rate, policy = failure_rate(drive), service.policy
    rates = f"{rate.value:.2%} ({rate.low:.2%} to {rate.high:.2%})"
    fleets = "fleets in service, and the sheet; the mean of the first five years"
    scrub = f"every {service.scrub_days:g} days" if service.scrub_days else "never"
    rows: list[Row] = [
        ("failures a year", rates, drive.field_failure_rate.provenance.value, fleets),
        ("rebuild", f"{service.rebuild_h:.3g} h", *rebuild),
        ("new drive", f"{service.operator_h:g} h after a failure", "assumed", "`--operator-hours`"),
        ("hot spares", service.spares, "given" if service.spares else "assumed", "`--spares`"),
        ("scrub", scrub, "assumed", "`--scrub-days`; Debian checks md arrays once a month"),
        (
            "unreadable on reading",
            f"{drive.uber:g} a bit",
            "published",
            "UBER of the sheet, at the end of life",
        ),
        ("wear", wear, "given" if policy != "one-age" else "assumed", f"policy {policy}"),
        *(_of_disks() if isinstance(drive.sheet, HddSheet) else _of_flash()),
    ]
    return [
        Assumption(name=name, value=value, provenance=provenance, source=source)
        for name, value, provenance, source in rows
    ]


def _of_disks() -> list[Row]:
    share = hazard.DISK_FIRST_ERRORS
    return [
        ("failures over age", f"Weibull of shape {hazard.DISK_SHAPE}", "published", "Elerath and Pecht 2007"),
        (
            "latent errors",
            f"on {share['nearline']:.2%} of nearline, {share['enterprise']:.2%} of enterprise disks a year",
            "published",
            "Bairavasundaram and others, SIGMETRICS 2007",
        ),
    ]


def _of_flash() -> list[Row]:
    few, many, years = hazard.FLASH_FIRST_ERRORS
    first = f"{hazard.INFANT_RATIO:g} times as many in the first year as later"
    weak = "Maneas and others, FAST 2020; weak drives last half a year, assumed"
    worn = f"{hazard.WORN_OUT_AT_RATING:.0%} by the rated cycles"
    shape = f"JESD218, its limit; Weibull of shape {hazard.WEAR_SHAPE:g} assumed"
    latent = f"on {few:.0%} of drives within {years:g} years ({many:.0%} at most)"
    grown = f"{hazard.ERROR_GROWTH:g} times at the rated cycles"
    return [
        ("infant mortality", first, "published", weak),
        ("wear-out", worn, "published", shape),
        ("latent errors", latent, "published", "Schroeder and others, FAST 2016"),
        ("errors over wear", grown, "assumed", "linear: Schroeder 2016"),
    ]
