"""A drive of the catalog as the assessments see it."""

from drivecast.assess.endurance import FlashRating
from drivecast.assess.interval import Interval
from drivecast.assess.power import Site
from drivecast.assess.reliability import annual_failure_rate
from drivecast.catalog import Drive, Prices


def flash_rating(drive: Drive) -> FlashRating | None:
    """Give what the drive offers to be worn; none for a disk."""
    cycles, raw = drive.pe_cycles, drive.raw_bytes
    if cycles is None or raw is None:
        return None
    return FlashRating(
        user_bytes=drive.user_bytes,
        raw_bytes=raw,
        pe_cycles=Interval(cycles.low, cycles.typical, cycles.high),
        tbw_bytes=drive.tbw_bytes,
        warranty_years=drive.warranty_years,
    )


def failure_rate(drive: Drive) -> Interval:
    """Give the annual failure rate: what fleets see as the value, the sheet's promise as the other bound."""
    stated = drive.sheet.reliability.afr
    sheet = stated.value if stated is not None else annual_failure_rate(drive.mtbf_h)
    field = drive.field_failure_rate.value
    return Interval(min(sheet, field), field, max(sheet, field))


def site(prices: Prices) -> Site:
    """Give the price of energy and the site's overhead."""
    return Site.with_pue(prices.electricity.usd_per_kwh.value, prices.electricity.pue.value)
