"""A drive of the catalog as the assessments see it."""

from drivecast.assess.endurance import FlashRating
from drivecast.assess.mttdl import annual_failure_rate
from drivecast.assess.power import Site
from drivecast.assess.retention import Retention, Rule
from drivecast.catalog import Drive, Prices, Range
from drivecast.quantity.interval import Interval


def spread(span: Range) -> Interval:
    """Give a range of the catalog as an interval."""
    return Interval(span.low, span.typical, span.high)


def flash_rating(drive: Drive) -> FlashRating | None:
    """Give what the drive offers to be worn; none for a disk."""
    cycles, raw, nand = drive.pe_cycles, drive.raw_bytes, drive.nand
    if cycles is None or raw is None or nand is None:
        return None
    page_bytes = nand.page_kib.value * 1024
    return FlashRating(
        user_bytes=drive.user_bytes,
        raw_bytes=raw,
        pe_cycles=spread(cycles),
        tbw_bytes=drive.tbw_bytes,
        warranty_years=drive.warranty_years,
        retention=retention(drive),
        block_bytes=page_bytes * nand.pages_per_block.value,
        page_bytes=page_bytes,
        reads_per_block=spread(nand.reads_per_block) if nand.reads_per_block else None,
    )


def retention(drive: Drive) -> Retention | None:
    """Give how long the drive's flash keeps data; none for a disk, or flash of which nothing is known."""
    cycles = drive.pe_cycles
    if cycles is None or drive.nand is None or drive.nand.retention is None:
        return None
    law = drive.retention
    rule = law.rules[drive.nand.retention.value]
    return Retention(
        rule=Rule(rule.months.value, rule.off_c.value, rule.on_c.value),
        rated_cycles=spread(cycles),
        slope=spread(law.slope),
        activation_ev=law.activation_ev.value,
        operating_c=spread(law.operating_c),
        storage_c=spread(law.storage_c),
        refresh_share=spread(law.refresh_share),
    )


def failure_rate(drive: Drive) -> Interval:
    """Give the annual failure rate: what fleets see as the value, the sheet's promise as the other bound."""
    stated = drive.sheet.reliability.afr
    sheet = stated.value if stated is not None else annual_failure_rate(drive.mtbf_h)
    field = drive.field_failure_rate.value
    return Interval(min(sheet, field), field, max(sheet, field))


def site(prices: Prices) -> Site:
    """Give the price of energy and the site's overhead."""
    return Site(prices.electricity.usd_per_kwh.value, prices.electricity.pue.value)
