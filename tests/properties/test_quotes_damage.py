"""Whatever a file of quotes holds, it is read or refused by name, and a price that counts is above zero."""

from datetime import date
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bundled import CATALOG
from drivecast.catalog import quotes
from drivecast.errors import InputError

HEAD = "drive,price,currency,date,supplier"
CELLS = st.sampled_from(
    [
        "samsung-pm893-480gb",
        "80",
        "$1,234.50",
        "1.234,50 €",
        "Samsung PM1733 3.84 TB",
        "1.2.3tb",
        "-1",
        "1e999",
        "nan",
        "USD",
        "EUR",
        "2026-10-02",
        "9999-99-99",
        "",
        '"',
        "\x00",
    ]
) | st.text(max_size=8)
ROWS = st.lists(st.lists(CELLS, min_size=4, max_size=6).map(",".join), max_size=4)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=ROWS,
    noise=st.binary(max_size=20),
    head=st.sampled_from(
        [HEAD, HEAD.replace(",", ";"), "Artikel;Bruttopreis 19 %;MwSt;Datum;Anbieter", "sep=,", ""]
    ),
)
def test_any_file(tmp_path: Path, rows: list[str], noise: bytes, head: str) -> None:
    path = tmp_path / "quotes.csv"
    path.write_bytes("\n".join([head, *rows]).encode(errors="replace") + noise)
    message, prices = "", [1.0]
    try:
        found = quotes.read(path, CATALOG, {"EUR": 1.08}, date(2026, 11, 22))
        prices = [quote.usd for quote in found.by_drive.values()]
    except InputError as error:
        message = str(error)
    assert "quotes.csv" in message or not message
    assert prices
    assert min(prices) > 0
