"""What a design costs and on what it hangs, from a trial that is made up: nothing is simulated here."""

from dataclasses import replace
from pathlib import Path

import pytest

from drivecast.catalog import Catalog, CatalogError, Scenario, load
from drivecast.document.wear import Wear
from drivecast.plan import life_and_cost
from drivecast.plan.cost import Case, Costing
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Trial
from drivecast.stage.design import Design
from made_up_load import PEAK, PROFILE
from worn import wear

FLASH, DISK = "samsung-pm893-480gb", "seagate-exos-x20-20tb"
ASSUMED = "seagate-momentus-7200-750gb"
"""No longer on sale: its price is only assumed."""
WEAR = wear(parity_factor=2.0, members=2)
HOST = """
[host]
slot_usd = { value = 20, source = "quote" }
slot_w = { value = 1, source = "quote" }
enclosure_usd = { value = 500, source = "quote" }
enclosure_w = { value = 30, source = "quote" }
enclosure_slots = { value = 2, source = "quote" }
controller_usd = { value = 300, low = 250, high = 400, source = "quote" }
controller_w = { value = 10, source = "quote" }

[sources]
quote = "a quote"
"""


def trial(worn: Wear | None) -> Trial:
    return Trial(PEAK, worn, None, 4.0, {}, refined=True)


def costing(catalog: Catalog, given: Given, drive: str = FLASH, count: int = 2) -> Costing:
    design = Design(catalog.get(drive), "raid10" if count > 2 else "raid1", count)
    flash = design.drive.is_flash
    return Case(design, trial(WEAR if flash else None), catalog, derive(given, PROFILE), PROFILE).costing()


EXACT = Given(years=5, growth_per_year=0.0, hours_per_day=24)


def prices(folder: Path, text: str) -> Catalog:
    (folder / "prices.toml").write_text(text)
    return load([folder])


def test_what_is_given_is_not_moved_and_what_is_assumed_is() -> None:
    catalog = load()
    found = costing(catalog, EXACT)
    names = [move.input for move in found.moves]
    assert "growth" not in names
    assert "hours a day" not in names
    assert {"drive price", "electricity", "PUE", "P/E cycles", "write amplification"} <= set(names)
    assumed = {move.input for move in costing(catalog, Given()).moves}
    assert {"growth", "hours a day"} <= assumed
    swings = [move.swing for move in found.moves]
    assert swings == sorted(swings, reverse=True)
    assert found.total_usd.low < found.total_usd.value < found.total_usd.high
    assert found.total_usd.value == found.cost.total_usd


def test_a_mirror_by_hand(tmp_path: Path) -> None:
    """Two drives in slots in a shelf behind a controller; a tenth busy: the mean is a quarter of the peak."""
    catalog = prices(tmp_path, HOST)
    drive = catalog.get(FLASH)
    found = costing(catalog, EXACT)
    assert found.cost.purchase_usd == pytest.approx(2 * (catalog.price_usd(FLASH) + 20) + 500 + 300)
    drive_w = drive.idle_w + 0.1 * (drive.active_w - drive.idle_w)
    watts = 2 * (drive_w + 1) + 30 + 10
    assert found.power_w.value == pytest.approx(watts)
    assert found.power_w.low == pytest.approx(2 * (drive.idle_w + 1) + 40)
    assert found.cost.energy_usd == pytest.approx(watts * 5 * 8.766 * 1.58 * 0.13)
    assert found.written_tb == pytest.approx(200 * 365 * 5 / 1e3)
    # 200 GB a day to each of two mirrored drives rated for 876 TB: twelve years, and the warranty bears failures
    assert found.life.life_years_rated_writes == pytest.approx(876e3 / 200 / 365)
    assert found.cost.replacement_usd == 0


def test_worn_drives_are_bought_again_at_the_price_of_their_day() -> None:
    """15 years of 200 GB a day use up 876 TB once; failures are paid for from the warranty's end on."""
    catalog = load()
    found = costing(catalog, replace(EXACT, years=15))
    worn = found.life.life_years.value
    fall = 1 - catalog.prices.market.flash_decline_per_year.value
    once = 2 * catalog.price_usd(FLASH) * fall**worn
    assert found.cost.replacement_usd > once
    exactly = replace(EXACT, endurance_tolerance=0.0)
    short = costing(catalog, replace(exactly, years=worn - 0.01))
    long = costing(catalog, replace(exactly, years=worn + 0.01))
    assert long.cost.replacement_usd - short.cost.replacement_usd == pytest.approx(once, rel=0.02)


def test_reads_and_writes_draw_apart_where_the_sheet_tells_them() -> None:
    drive = load().get(FLASH)
    assert drive.busy_w(0.3) == drive.active_w
    told = {
        "read_w": drive.sheet.power.active_w.model_copy(update={"value": 2.0}),
        "write_w": drive.sheet.power.active_w.model_copy(update={"value": 5.0}),
    }
    power = drive.sheet.power.model_copy(update=told)
    mixed = replace(drive, sheet=drive.sheet.model_copy(update={"power": power}))
    assert mixed.busy_w(2 / 3) == pytest.approx(4.0)


def test_a_disk_hangs_on_no_wear() -> None:
    found = costing(load(), EXACT, DISK)
    assert found.life is None
    assert found.life_moves == {}
    assert "P/E cycles" not in [move.input for move in found.moves]


def test_scenarios_and_currencies(tmp_path: Path) -> None:
    catalog = load()
    at_each = [replace(catalog, prices=catalog.prices.scenario(which)) for which in Scenario]
    fitted = catalog.prices.drives[FLASH]
    assert [at.price_usd(FLASH) for at in at_each] == [fitted.low, fitted.value, fitted.high]
    assumed = catalog.price_usd(ASSUMED)
    assert [at.price_usd(ASSUMED) for at in at_each] == pytest.approx([0.7 * assumed, assumed, 1.5 * assumed])
    euro = prices(
        tmp_path,
        'currency = "EUR"\n[exchange]\nEUR = { value = 0.8, source = "bank" }\n[sources]\nbank = "a bank"\n'
        f'[drives]\n"{FLASH}" = {{ value = 80, currency = "EUR", source = "bank" }}\n',
    )
    assert euro.prices.drive_usd(FLASH) == (100, 100, 100), "a quote is taken as it is"
    found = costing(euro, EXACT)
    design = Design(euro.get(FLASH), "raid1", 2)
    cost = life_and_cost.cost(design, trial(WEAR), found, life_and_cost.Bought(euro.prices, PROFILE))
    assert cost.currency == "EUR"
    assert cost.purchase - cost.hosting == pytest.approx(160)
    assert cost.total == pytest.approx(0.8 * found.cost.total_usd)
    assert cost.per_usable_tb.value == pytest.approx(cost.total / 0.48)
    assert cost.per_iops_at_slo.value == pytest.approx(cost.total / 8000)
    assert cost.per_tb_written.high == pytest.approx(cost.high / 365)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('currency = "EUR"\n', "no rate is given; hint: add `EUR` under `[exchange]`"),
        ('currency = "euro"\n', "currency"),
        ('[electricity]\npue = { value = 0.9, assumed = "cold" }\n', "`pue` is 1 or more"),
        ('[electricity]\nusd_per_kwh = { value = 1, low = 2, assumed = "x" }\n', "must rise"),
        ('[market]\nresidual_share = { value = -1, assumed = "x" }\n', "must not be negative"),
        ('[market]\nflash_decline_per_year = { value = 1, assumed = "x" }\n', "between -1 and 1"),
        ('[market]\ndecline = { value = 1, assumed = "x" }\n', "unknown key `decline`"),
        (f'[drives]\n"{FLASH}" = {{ value = 9, currency = "GBP", assumed = "x" }}\n', "is in GBP"),
    ],
)
def test_price_files_that_cannot_be_are_refused(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(CatalogError) as refused:
        prices(tmp_path, text)
    assert expected in str(refused.value)
