"""Assessments of drives of the catalog, worked by hand."""

import math
from dataclasses import replace

import pytest

from drivecast.assess.endurance import life
from drivecast.assess.mttdl import redundancy
from drivecast.assess.power import Site
from drivecast.assess.rating import failure_rate, flash_rating, site
from drivecast.assess.tco import Purchase, Upkeep, WearOut, cost_over_years, wear_out
from drivecast.catalog import Catalog, load
from drivecast.quantity.interval import Interval


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load()


def test_life_of_a_drive_of_the_catalog(catalog: Catalog) -> None:
    """480 GB written a day to a drive rated for one drive write a day: its warranty ends in year five."""
    whole = flash_rating(catalog.get("samsung-pm893-480gb"))
    assert whole is not None
    rating = replace(whole, retention=None)  # nothing written in the background
    result = life(rating, host_bytes_per_day=480e9, write_amplification=Interval(1.5, 3, 5))
    assert result.dwpd_used == pytest.approx(1)
    assert result.dwpd_rated == pytest.approx(1)
    assert result.life_years_rated_writes == pytest.approx(5, rel=1e-3)
    media_years = rating.pe_cycles.value * rating.raw_bytes / (3 * 480e9 * 365)
    assert result.life_years_media.value == pytest.approx(media_years)
    assert result.limit == "warranty"
    assert result.life_years.value == result.life_years_rated_writes
    assert result.pe_cycles_per_day.value == pytest.approx(3 * 480e9 / (512 * 2**30))


def test_a_disk_does_not_wear(catalog: Catalog) -> None:
    assert flash_rating(catalog.get("seagate-exos-x20-20tb")) is None


def test_a_flash_drive_without_rated_tbw_is_rated_by_its_daily_writes(catalog: Catalog) -> None:
    drive = catalog.get("virident-flashmax-1400m-1.4tb")
    assert drive.tbw_bytes == pytest.approx(5 * 1400e9 * 365 * 5)
    assert catalog.get("intel-x25-e-32gb").dwpd == pytest.approx(1000e12 / (32e9 * 365 * 3))


def test_failure_rates_show_the_sheet_and_the_field(catalog: Catalog) -> None:
    rate = failure_rate(catalog.get("seagate-exos-x20-20tb"))
    assert rate == Interval(0.0035, 0.0157, 0.0157)
    flash = failure_rate(catalog.get("samsung-pm893-480gb"))
    assert flash.low == pytest.approx(0.00437, abs=1e-5)
    assert flash.value == flash.high == 0.009


def test_site_of_the_price_file(catalog: Catalog) -> None:
    electricity = catalog.prices.electricity
    assert site(catalog.prices) == Site(electricity.usd_per_kwh.value, electricity.pue.value)


def test_cost_by_hand() -> None:
    """Two drives in slots behind a controller, 10 W for ten years, one drive in a hundred fails a year."""
    result = cost_over_years(
        Purchase(drives=2, drive_usd=100, slot_usd=10, controller_usd=50),
        Upkeep(years=10, power_w=10, annual_failure_rate=0.01, warranty_years=5, wear_out=WearOut((5.0,))),
        Site(0.1, 1.5),
    )
    assert result.purchase_usd == 270
    assert result.energy_usd == pytest.approx(10 * 87.66 * 1.5 * 0.1)
    assert result.replacement_usd == pytest.approx(200 + 200 * 0.01 * 5)


def test_later_replacements_cost_what_they_cost_then_and_something_comes_back() -> None:
    """Prices halve every year: a drive bought after one year is 50, after two 25; a fifth of 6.25 comes back."""
    halved = 0.5
    result = cost_over_years(
        Purchase(drives=1, drive_usd=100, enclosure_usd=30),
        Upkeep(
            years=4,
            power_w=0,
            annual_failure_rate=0.1,
            warranty_years=3,
            wear_out=WearOut((1.0, 2.0), unused=0.8),
            decline_per_year=halved,
            residual_share=0.25,
        ),
        Site(0.1, 1),
    )
    failed = 0.1 * (12.5 - 6.25) / math.log(2)
    assert result.replacement_usd == pytest.approx(50 + 25 + failed)
    assert result.residual_usd == pytest.approx(6.25 * 0.25 * 0.8)
    assert result.total_usd == pytest.approx(130 + 75 + failed - 1.25)


def test_wear_outs_of_a_growing_load_come_faster() -> None:
    """100 a day doubling every year: 36,500 bytes take 0.76 years, the next 0.5, and so on; four within two years."""
    found = wear_out(36_500, years=2, bytes_per_day=100, growth_per_year=1.0)
    ends = [math.log2(1 + place * math.log(2)) for place in (1, 2, 3, 4)]
    assert found.years == pytest.approx(ends)
    assert found.unused == pytest.approx(5 - 3 / math.log(2))


def test_arrays_that_cannot_be_are_refused() -> None:
    for level, drives in (("raid5", 2), ("raid10", 5)):
        with pytest.raises(ValueError) as refused:  # noqa: PT011
            redundancy(level, drives)
        assert level in str(refused.value)
