"""Write amplification and life of a workload on a design, without a clock. Thin over `_core` and `assess`."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from drivecast import _core
from drivecast.assess import endurance
from drivecast.assess.endurance import Endurance, FlashRating, end_date, member_bytes_per_day
from drivecast.assess.rating import flash_rating
from drivecast.assess.retention import Rule
from drivecast.assess.step import Account, Origin, steps
from drivecast.catalog import Catalog, Drive
from drivecast.catalog.figure import Sourced
from drivecast.catalog.sheet import SsdSheet
from drivecast.document.wear import Amplification, Wear
from drivecast.errors import HintedError, InputError
from drivecast.quantity import parse as quantity
from drivecast.quantity.interval import Interval, finite
from drivecast.quantity.number import MONTHS_MAX
from drivecast.stage.simulate import Options, controller_specs, drive_specs, simulate_alone
from drivecast.timing import timed

SECONDS_PER_DAY = 86_400.0
YEARS = 5.0
"""Usual time in service (assumed)."""
YEARS_MAX = 30.0
GROWTH_MAX = 10.0
COUNTED_REQUESTS = 200_000


def amplification(
    design: str,
    load: _core.Workload,
    catalog: Catalog,
    *,
    fill: float = 1.0,
    seed: int = 0,
    kept: _core.Kept | None = None,
) -> Amplification:
    """What the flash of `design` does under `load`, looped until steady; `kept` drives may be so already."""
    drives, controllers = drive_specs(design, catalog), controller_specs(design, catalog)
    with timed("wear %s", design):
        found = _core.wear(design, drives, load, seed=seed, fill=fill, controllers=controllers, kept=kept)
    return Amplification.model_validate(found)


def life(
    drive: Drive,
    found: Amplification,
    array_bytes_per_day: float,
    growth_per_year: float = 0.0,
    member_read_bytes_per_day: float = 0.0,
    keep_months: float | None = None,
) -> Endurance | None:
    """Life of each of the drives of a design, from what its wear run `found`; `None` for a drive that does not wear.

    Each drive receives the array's writes times what the array writes for a byte of the host (mirrors, parity), shared
    evenly.
    """
    rating = flash_rating(drive)
    if rating is None:
        return None
    if keep_months is not None:
        rating = replace(rating, pe_cycles=_cycles_kept(drive, rating, keep_months))
    return endurance.life(
        rating,
        host_bytes_per_day=member_bytes_per_day(
            array_bytes_per_day, member_writes_per_host_write=found.parity_factor, members=found.members
        ),
        write_amplification=found.of_bytes,
        growth_per_year=growth_per_year,
        read_bytes_per_day=member_read_bytes_per_day,
    )


def _cycles_kept(drive: Drive, rating: FlashRating, months: float) -> Interval:
    """Cycles after which data still keep so long, at the temperatures of the catalog."""
    law = rating.retention
    if law is None:
        raise InputError(f"nothing is known of how long the flash of `{drive.name}` keeps data")
    if not 0 < months <= MONTHS_MAX:
        raise InputError(f"`--keep-months`: expected up to {MONTHS_MAX:g} months, found {months:g}")
    return law.cycles_for(Rule(months, law.storage_c.value, law.operating_c.value))


@dataclass(frozen=True)
class Use:
    """How a drive is used from day to day; `None` where nothing is explained."""

    write_per_day: str | None = None
    """Of the host to the array; none: the trace's own rate."""
    read_per_day: str | None = None
    growth: str | None = None
    years: str | None = None
    keep_months: float | None = None
    """How long data are to keep without power at the end, in place of the maker's rule."""
    measured_per_day: float | None = None
    """Host bytes a day of the whole log, where the load is made up or a part of it."""

    def written(self, load: _core.Workload) -> tuple[float | None, Origin]:
        """Host bytes a day, and how they are known."""
        given = quantity.option("--write-per-day", quantity.size_bytes, self.write_per_day)
        if given is not None:
            return given, Origin("given", "`--write-per-day`")
        if self.measured_per_day is not None:
            return round(self.measured_per_day), Origin("measured", "the rate of the whole log, all day long")
        if load.duration_s and load.written_bytes is not None:
            rate = round(load.written_bytes * SECONDS_PER_DAY / load.duration_s)
            return rate, Origin("measured", f"the workload's {load.duration_s:,.0f} s, all day long")
        return None, Origin("assumed", "")

    @property
    def read_bytes(self) -> float:
        """Host bytes read a day; 0 where nothing is explained."""
        return quantity.option("--read-per-day", quantity.size_bytes, self.read_per_day) or 0

    @property
    def growth_per_year(self) -> float:
        """Growth of the writes; 0 where nothing is explained."""
        rate = quantity.option("--growth", quantity.growth_per_year, self.growth) or 0.0
        if not 0 <= rate <= GROWTH_MAX:
            raise InputError(f"`--growth`: expected 0 to {GROWTH_MAX:.0%} a year, found {rate:.0%}")
        return rate

    @property
    def service_years(self) -> float:
        """Years that the drive is to serve."""
        found = quantity.option("--years", quantity.years, self.years)
        if found is None:
            return YEARS
        if not 0 < found <= YEARS_MAX:
            raise InputError(f"`--years`: expected up to {YEARS_MAX:g} years, found {found:g}")
        return found


def wear(
    design: str,
    load: _core.Workload,
    catalog: Catalog,
    use: Use | None = None,
    *,
    fill: float = 1.0,
    seed: int = 0,
    explain: bool = False,
) -> Wear:
    """Amplification, and life where the daily writes are known: given, or the trace's own rate.

    Life needs a drive of the catalog, since a drive by its parameters has no rated cycles; it is null otherwise. With
    `explain`, the ten steps to it are there too, and `InputError` says what they lack.
    """
    use = use or Use()
    growth, service_years, (per_day, origin) = use.growth_per_year, use.service_years, use.written(load)
    if per_day is None and load.rate_iops is not None:
        per_day = _rated_bytes_per_day(load, load.rate_iops, catalog, seed)
        origin = Origin("given", "the line's rate, all day long")
    names = _core.design_drives(design)
    drive = catalog.get(names[0]) if len(names) == 1 else None
    if explain:
        _explainable(drive, design, per_day)
    found = amplification(design, load, catalog, fill=fill, seed=seed)
    reads = use.read_bytes / found.members
    lasts = (
        life(drive, found, per_day, growth, reads, use.keep_months) if drive and per_day is not None else None
    )
    explained = None
    if explain and drive is not None and lasts is not None:
        explained = steps(_account(drive, found, use, catalog, (per_day or 0, origin)), lasts)
    return Wear(
        **dict(found),
        write_bytes_per_day=per_day,
        growth_per_year=growth,
        **_life(lasts, catalog.prices.date, service_years),
        date=catalog.prices.date,
        years=service_years,
        steps=explained,
    )


def _rated_bytes_per_day(load: _core.Workload, rate_iops: float, catalog: Catalog, seed: int) -> float:
    """What a line with a rate writes a day: its sizes and share of writes, counted on drives that take no time."""
    options = Options(requests=COUNTED_REQUESTS, seed=seed, state="fresh")
    found = simulate_alone(load, catalog, options)
    return round(found.host_written_bytes / max(1, found.requests) * rate_iops * SECONDS_PER_DAY)


def _explainable(drive: Drive | None, design: str, per_day: float | None) -> None:
    if drive is None or drive.pe_cycles is None:
        raise HintedError(
            f"`{design}`: steps to the end of a life need one kind of flash drive of the catalog",
            "`drivecast catalog list` names them",
        )
    if per_day is None:
        raise HintedError("how much is written a day is not known", "say it, such as `--write-per-day 151GB`")


def _account(
    drive: Drive, found: Amplification, use: Use, catalog: Catalog, written: tuple[float, Origin]
) -> Account:
    def origin(figure: Sourced) -> Origin:
        document = {**drive.shared_sources, **drive.sheet.sources}.get(figure.document or "", figure.reason)
        return Origin(figure.provenance.value, document)

    sheet, nand = drive.sheet, drive.nand
    if not isinstance(sheet, SsdSheet) or nand is None:
        raise TypeError(f"`{drive.name}` is not of flash")
    law = Origin(
        "assumed", f"{drive.retention.slope.reason}; rule: {nand.retention.reason if nand.retention else '-'}"
    )
    rated = sheet.endurance.tbw_tb or sheet.endurance.dwpd or sheet.endurance.warranty_years
    cycles = origin(sheet.endurance.pe_cycles or nand.pe_cycles)
    if use.keep_months is not None:
        kept = f"unpowered retention of {use.keep_months:g} months at {drive.retention.storage_c.typical:g} C"
        cycles = Origin("derived", f"{kept} after them, by the law of retention, from: {cycles.source}")
    growth = Origin("assumed", "none, unless `--growth` says so")
    if use.growth is not None:
        growth = Origin("given", "`--growth`")
    return Account(
        host_bytes_per_day=written[0],
        host_origin=written[1],
        read_bytes_per_day=use.read_bytes / found.members,
        growth_per_year=use.growth_per_year,
        growth_origin=growth,
        years=use.service_years,
        parity_factor=found.parity_factor,
        members=found.members,
        write_amplification=found.of_units,
        rounding_factor=found.rounding_factor,
        compression=drive.compression,
        cycles_origin=cycles,
        raw_origin=origin(sheet.capacity.raw_gib),
        retention_origin=law,
        warranty_origin=origin(rated),
        start=catalog.prices.date,
    )


def _life(lasts: Endurance | None, start: date, years: float) -> dict[str, Any]:
    """Life, its two dates, and what is left of retention after the years of service; nothing of what does not wear."""
    if lasts is None:
        return {}
    media = lasts.life_years_media
    return {
        **lasts.pe_cycles_per_day.named("pe_cycles_per_day"),
        **media.named("life_years_media"),
        "life_years_warranty": finite(lasts.life_years_rated_writes),
        "dwpd_used": lasts.dwpd_used,
        "dwpd_rated": lasts.dwpd_rated,
        "warranty_end": end_date(start, lasts.warranty_end_years),
        "media_end": end_date(start, media.value),
        "media_end_low": end_date(start, media.low),
        "media_end_high": end_date(start, media.high),
        **(kept.named("retention_months") if (kept := lasts.retention_months(years)) else {}),
    }
