"""The endurance of a drive in ten steps, each with its figure and the arithmetic behind it.

Model. What AnandTech (5518), Intel IT (2012) and sheets of drives with workload counters (S3500) do, in one order:
host writes a day, growth, the share of one drive, write amplification, compression, bytes of flash a day, the budget
of cycles, programs in the background and what is left of retention, the end of the media, the end of the warranty.
Those documents have some of the steps each; none numbers ten. A step that a design does not need is shown with the
figure that changes nothing.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from drivecast.assess.endurance import Endurance, bytes_within, end_date
from drivecast.document.part import Provenance
from drivecast.document.wear import Step
from drivecast.quantity.interval import Interval, finite
from drivecast.quantity.number import significant

GB = 1e9


@dataclass(frozen=True)
class Origin:
    """How a figure is known, and from where."""

    provenance: Provenance
    """Given by the user, measured, published, fitted, assumed, or derived from the other steps."""
    source: str


@dataclass(frozen=True)
class Account:
    """What the steps start from, apart from the life that they lead to."""

    host_bytes_per_day: float
    host_origin: Origin
    read_bytes_per_day: float
    growth_per_year: float
    growth_origin: Origin
    years: float
    parity_factor: float
    members: int
    write_amplification: Interval
    """Of mapping units."""
    rounding_factor: float
    compression: float
    cycles_origin: Origin
    raw_origin: Origin
    retention_origin: Origin
    warranty_origin: Origin
    start: date


def steps(of: Account, life: Endurance) -> list[Step]:
    """Give the ten steps; the eighth has two figures."""
    return [*_written(of), *_programmed(of, life), *_background(of, life), *_ends(of, life)]


def _figure(
    step: int, name: str, figure: Interval | float, unit: str, origin: Origin, arithmetic: str
) -> Step:
    span = figure if isinstance(figure, Interval) else Interval.exactly(figure)
    bounds: dict[str, Any] = {key: finite(bound) for key, bound in span}
    return Step(step=step, name=name, unit=unit, arithmetic=arithmetic, **bounds, **vars(origin))


def _share_gb(of: Account) -> float:
    return of.host_bytes_per_day / GB * of.parity_factor / of.members


def _written(of: Account) -> Iterator[Step]:
    daily = of.host_bytes_per_day / GB
    first = f"{significant(daily, 4)} GB a day in the first year"
    yield _figure(1, "host writes", daily, "GB/day", of.host_origin, first)
    total_tb = bytes_within(of.years, bytes_per_day=daily / 1e3, growth_per_year=of.growth_per_year)
    factor = 1 + of.growth_per_year
    grown = (
        f"({factor:g}^{of.years:g} − 1) / ln {factor:g}" if of.growth_per_year else f"{of.years:g}, no growth"
    )
    name, words = (
        f"host writes in {of.years:g} years, grown",
        f"× 365 × {grown} = {significant(total_tb, 4)} TB",
    )
    yield _figure(2, name, total_tb, "TB", of.growth_origin, f"{significant(daily, 4)} GB {words}")
    share, drives = _share_gb(of), f"{of.members} drive{'s' if of.members > 1 else ''}"
    words = (
        f"{of.parity_factor:.4g} written for each byte of the host / {drives} = {significant(share, 4)} GB"
    )
    counted = Origin("derived", "counted in the wear run: mirrors and parity")
    yield _figure(3, "share of one drive", share, "GB/day", counted, f"{significant(daily, 4)} GB × {words}")


def _programmed(of: Account, life: Endurance) -> Iterator[Step]:
    whole = of.write_amplification.rising(lambda units: units * of.rounding_factor)
    units, factor = of.write_amplification.value, of.rounding_factor
    words = f"{units:.4g} units programmed for each written × {factor:.4g} for parts of units"
    simulated = Origin("derived", "simulated: the workload's writes on this drive until steady")
    yield _figure(4, "write amplification", whole, "×", simulated, f"{words} = {whole.value:.4g}")
    stored = Origin("assumed", "data that cannot be compressed, unless the design sets `compression`")
    words = f"{of.compression:g} stored for each byte written"
    yield _figure(5, "compression", of.compression, "×", stored, words)
    flash = whole.rising(lambda factor: factor * _share_gb(of) * of.compression)
    share, daily = significant(_share_gb(of), 4), significant(flash.value, 4)
    words = f"{share} GB × {whole.value:.4g} × {of.compression:g} = {daily} GB"
    yield _figure(6, "flash programmed", flash, "GB/day", Origin("derived", "steps 3 to 5"), words)
    cycles, raw_gb = life.rating.pe_cycles, life.rating.raw_bytes / GB
    budget = cycles.rising(lambda count: count * raw_gb / 1e6)
    sources = f"cycles: {of.cycles_origin.source}; flash: {of.raw_origin.source}"
    both = Origin(of.cycles_origin.provenance, sources)
    words = (
        f"{cycles.value:,.0f} ({cycles.low:,.0f} to {cycles.high:,.0f}) cycles × {significant(raw_gb, 4)} GB of "
        f"flash = {significant(budget.value, 4)} PB"
    )
    yield _figure(7, "budget of the flash", budget, "PB", both, words)


def _background(of: Account, life: Endurance) -> Iterator[Step]:
    law, written = life.rating.retention, life.pe_cycles_per_day
    own = law.relaxation_per_year() if law else Interval.exactly(0.0)
    spent = life.cycles_after(of.years)
    grown = bytes_within(of.years, bytes_per_day=1, growth_per_year=of.growth_per_year)
    more = spent.rising(lambda cycles, host: 100 * (cycles / (host * grown) - 1) if host else 0.0, written)
    reads = (
        f"{significant(of.read_bytes_per_day / GB, 4)} GB read a day"
        if of.read_bytes_per_day
        else "reads unknown"
    )
    words = (
        f"on top of the host's {written.value:.4g} cycles a day: {life.disturbed_per_day.value:.3g} a day for "
        f"{reads}, {own.value:.3g} a year for each cycle spent to keep idle data"
    )
    yield _figure(8, "programs in the background", more, "%", of.retention_origin, words)
    kept = life.retention_months(of.years)
    if law is not None and kept is not None:
        words = (
            f"{law.rule.months:g} months at {law.rule.off_c:g} C at the last of {law.rated_cycles.value:,.0f} cycles; "
            f"{spent.value:,.0f} spent at {law.operating_c.value:g} C, stored at {law.storage_c.value:g} C"
        )
        yield _figure(8, f"retention after {of.years:g} years", kept, "months", of.retention_origin, words)


def _ends(of: Account, life: Endurance) -> Iterator[Step]:
    media, cycles = life.life_years_media, life.rating.pe_cycles.value
    daily = f"{life.courses[1].per_day:.4g} cycles a day, growing {of.growth_per_year:.0%} a year"
    words = f"{daily}, reach {cycles:,.0f} after {media.value:.3g} years"
    origin = Origin("derived", "steps 2, 6, 7 and 8")
    yield _dated(_figure(9, "end of the media", media, "years", origin, words), media, of.start)
    rated = life.rating.tbw_bytes
    term = f"its term of {life.rating.warranty_years:g} years"
    if rated is None:
        words = f"no rated writes; {term}"
    elif life.life_years_rated_writes < life.rating.warranty_years:
        words = f"{significant(rated / 1e12, 4)} TB rated, {significant(_share_gb(of), 4)} GB a day, before {term}"
    else:
        when = (
            f"used up after {life.life_years_rated_writes:.3g} years"
            if math.isfinite(life.life_years_rated_writes)
            else "never used up"
        )
        words = f"{term}; {significant(rated / 1e12, 4)} TB rated would be {when}"
    end = Interval.exactly(life.warranty_end_years)
    yield _dated(_figure(10, "end of the warranty", end, "years", of.warranty_origin, words), end, of.start)


def _dated(step: Step, life: Interval, start: date) -> Step:
    """The step with its days: the high end of a life is the later date."""
    ends = {"date": life.value, "date_low": life.low, "date_high": life.high}
    return step.model_copy(update={name: end_date(start, years) for name, years in ends.items()})
