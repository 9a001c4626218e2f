"""Prices that suppliers quoted: the file, what is refused, and what a plan makes of them."""

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from agreed import agreed_refusals
from bundled import CATALOG
from conftest import Run
from drivecast.catalog import Catalog, quotes
from drivecast.errors import InputError, MissingError
from drivecast.plan import life_and_cost, search
from drivecast.plan.bound import Limits, rule_out
from drivecast.plan.candidate import Options
from drivecast.plan.cost import Case
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Trial
from drivecast.stage.design import Design
from made_up_load import PEAK, PROFILE
from worn import wear

TODAY = date(2026, 11, 22)
HEAD = "drive,price,currency,date,supplier\n"
FLASH, OLD = "samsung-pm893-480gb", "intel-710-200gb"


def read(folder: Path, text: str, **rates: float) -> quotes.Quotes:
    path = folder / "quotes.csv"
    path.write_text(text)
    return quotes.read(path, CATALOG, rates, TODAY)


def test_a_quote_is_exact_and_says_who_gave_it(tmp_path: Path) -> None:
    catalog = read(tmp_path, f"{HEAD}{FLASH},80.50,EUR,2026-10-02,ACME\n", EUR=1.25).laid_over(CATALOG)
    design = Design(catalog.get(FLASH), "raid1", 2)
    trial = Trial(PEAK, wear(parity_factor=2.0, members=2), None, 4.0, {}, refined=True)
    case = Case(design, trial, catalog, derive(Given(), PROFILE), PROFILE)
    price = case.facts()["drive"]["price"]
    assert (price["low"], price["value"], price["high"]) == (100.625, 100.625, 100.625)
    assert "drive price" not in [move.input for move in case.costing().moves], "what is exact moves nothing"
    (row,) = life_and_cost.quoted(design, catalog.prices)
    assert row[1:] == ("$101", "given", "quoted by ACME on 2026-10-02: 80.50 EUR")
    assert life_and_cost.quoted(design, CATALOG.prices) == []
    assert (price["provenance"], price["source"]) == ("given", "quoted by ACME on 2026-10-02: 80.50 EUR")
    low, value, high = CATALOG.price_bounds_usd(FLASH)
    assert low < value < high, "without a quote the price has the interval of its class"


def test_a_quoted_drive_can_be_bought_whatever_its_sheet_says(tmp_path: Path) -> None:
    def ruling(catalog: Catalog) -> str | None:
        limits = Limits(catalog, derive(Given(), PROFILE), PROFILE, include_old=False, trimmed=True)
        miss = rule_out(Design(catalog.get(OLD), "raid10", 8), limits)
        return miss and miss.kind

    assert ruling(CATALOG) == "not-sold"
    assert ruling(read(tmp_path, f"{HEAD}{OLD},50,USD,2026-10-02,ACME\n").laid_over(CATALOG)) != "not-sold"


def test_the_newest_quote_counts_and_of_a_day_the_cheapest(tmp_path: Path) -> None:
    rows = [
        f"{FLASH},70,USD,2026-09-01,Early",
        f"{FLASH},90,USD,2026-10-02,Dear",
        f"{FLASH},85,USD,2026-10-02,Cheap",
        f"{OLD},50,USD,2024-01-01,",
    ]
    found = read(tmp_path, HEAD + "\n".join(rows))
    assert found.by_drive[FLASH].supplier == "Cheap"
    assert [note.split("`")[1] for note in found.notes] == [OLD, FLASH]


def test_semicolons_decimal_commas_a_mark_and_rows_without_a_price(tmp_path: Path) -> None:
    text = f"\ufeffDrive;Price;Currency;Date;Supplier;Remark\n{FLASH};80,50;USD;2026-10-02;ACME;x\n{OLD};;USD;;;\n\n"
    found = read(tmp_path, text)
    assert {name: quote.usd for name, quote in found.by_drive.items()} == {FLASH: 80.5}


SHEETS = [
    ('Model,Unit Price,Vendor\nSamsung PM893 480 GB,"$1,234.50",ACME\n', 1234.5),
    ("Modell;Nettopreis (€);Lieferant\nSamsung PM893 480GB;1.234,50 €;ACME\n", 1543.125),
    ("sep=;\nArtikel;Bruttopreis inkl. 19 % MwSt (EUR)\nsamsung-pm893-480gb;1.190,00\n", 1250.0),
    ("Product\tPrice incl. VAT\tVAT\tCcy\nSamsung PM893 480 GB\t£120\t20%\tGBP\n", 133.0),
    ("drive,price,currency,date\nsamsung-pm893-480gb,1'234.50,USD,02.10.2026\n", 1234.5),
    ("article,price\nSamsung MZ7L3480HCHQ-00A07,$99\n", 99.0),
    ('drive,price\nsamsung-pm893-480gb,"¥77,500"\n', 500.0),
]
"""Files as spreadsheets write them, and dollars without tax."""


@pytest.mark.parametrize(("text", "usd"), SHEETS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_spreadsheet_s_export_is_read(tmp_path: Path, text: str, usd: float, encoding: str) -> None:
    path = tmp_path / "quotes.csv"
    path.write_bytes(text.encode(encoding))
    found = quotes.read(path, CATALOG, {"EUR": 1.25, "GBP": 1.33, "JPY": 1 / 155}, TODAY)
    assert found.by_drive[FLASH].usd == pytest.approx(usd)


def test_a_quote_rescales_its_class(tmp_path: Path) -> None:
    named, other, disk = "samsung-pm893-480gb", "micron-5400-pro-960gb", "seagate-exos-x20-20tb"
    day = date(2026, 11, 1)
    usd = CATALOG.price_usd(named)
    found = read(tmp_path, f"{HEAD}{named},{2 * usd},USD,{day},ACME\n")
    catalog = found.laid_over(CATALOG)
    assert catalog.price_bounds_usd(named) == (2 * usd, 2 * usd, 2 * usd)
    assert catalog.price_usd(other) == pytest.approx(2 * CATALOG.price_usd(other))
    assert "2.00 times" in catalog.prices.drives[other].reason
    low, value, high = catalog.price_bounds_usd(other)
    assert (value / low, high / value) == pytest.approx((high / value, 1.57), rel=0.01), "1.28 × 0.25 × √2"
    assert catalog.price_bounds_usd(disk) == CATALOG.price_bounds_usd(disk)
    assert "2.00 times" in found.said(CATALOG)[-1]


def test_a_drive_that_the_catalog_lacks_counts_for_its_class_and_is_asked_about(tmp_path: Path) -> None:
    found = read(tmp_path, f"{HEAD}Samsung PM1733 3.84 TB,2000,USD,2026-11-01,ACME\n")
    catalog = found.laid_over(CATALOG)
    like = found.by_drive["Samsung PM1733 3.84 TB"].like
    assert like is not None
    assert like in found.notes[0]
    assert catalog.prices.drives.keys() == CATALOG.prices.drives.keys()
    assert catalog.price_usd("kioxia-cd8-r-7.68tb") != CATALOG.price_usd("kioxia-cd8-r-7.68tb")


def test_what_is_refused_says_where(tmp_path: Path) -> None:
    rows = [
        "samsung-pm893-480,80,USD,2026-10-02,A",
        "aws-gp3-1tb,80,USD,2026-10-02,A",
        f"{FLASH},-5,USD,2026-10-02,A",
        f"{FLASH},0,USD,2026-10-02,A",
        f"{FLASH},$80,EUR,2026-10-02,A",
        f"{FLASH},80 GBP,,2026-10-02,A",
        f"{FLASH},1.234,USD,2026-10-02,A",
        f'{FLASH},"1,23.50",USD,2026-10-02,A',
        f"{FLASH},80,USD,2026-10-02,A\n{FLASH},90,USD,2026-10-02,A",
        f"{FLASH},nan,USD,2026-10-02,A",
        f"{FLASH},80,EUR,2026-10-02,A",
        f"{FLASH},80,euro,2026-10-02,A",
        f"{FLASH},80,USD,10/02/2026,A",
        f"{FLASH},80,USD,2026-12-01,A",
        f"{FLASH},80,USD,2026-10-02",
        f'{FLASH},"80,USD,2026-10-02,A',
        f"{FLASH},,USD,,",
    ]
    tries = [partial(read, tmp_path, HEAD + row) for row in rows]
    agreed_refusals("quotes.txt", tries, {str(tmp_path): "FOLDER"})


def test_a_file_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, "name,usd\nx,1\n")
    assert "`drivecast catalog quotes" in str(refused.value.hint)
    (tmp_path / "quotes.csv").write_bytes(b"drive\n\xff\xfe")
    with pytest.raises(InputError) as refused:
        quotes.read(tmp_path / "quotes.csv", CATALOG, {}, TODAY)
    assert "quotes.csv, line 2: " in str(refused.value)
    with pytest.raises(MissingError):
        quotes.read(tmp_path / "none.csv", CATALOG, {}, TODAY)


@pytest.mark.parametrize("text", ["EUR", "EUR=x", "EUR=0", "EUR=-1", "euro=1", "USD=2", "EUR=inf"])
def test_a_rate_is_dollars_for_one_unit(text: str) -> None:
    with pytest.raises(InputError, match="--rate"):
        quotes.rate(text)
    assert quotes.rate("EUR=1.08") == ("EUR", 1.08)


def test_the_template_is_read_once_it_is_filled_in(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    path = tmp_path / "quotes.csv"
    assert drivecast("catalog", "quotes", "-o", path).code == 0
    text = path.read_text()
    assert f"\n{FLASH},,USD,,\n" in text
    assert OLD not in text
    assert f"\n{OLD},,USD,,\n" in drivecast("catalog", "quotes", "--all").out
    assert drivecast("catalog", "quotes", "--output-format", "json").json["rows"][0]["price"] == ""
    path.write_text(text.replace(f"{FLASH},,USD,,", f"{FLASH},80.50,USD,2026-10-02,ACME"))
    catalog, _, hashes = search.priced(Options(quotes=path))
    assert catalog.price_bounds_usd(FLASH) == (80.5, 80.5, 80.5)
    assert len(hashes["quotes"]) == 64


def test_a_plan_refuses_quotes_before_it_reads_the_log(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    path = tmp_path / "quotes.csv"
    path.write_text(f"{HEAD}{FLASH},80,EUR,2026-10-02,A\n")
    run = drivecast("plan", tmp_path / "no-such-log", "--quotes", path)
    assert run.code == 2
    assert "column `currency`" in run.err
    run = drivecast("plan", tmp_path / "no-such-log", "--quotes", path, "--rate", "EUR=much")
    assert "--rate: " in run.err
