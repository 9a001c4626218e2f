"""Prices that a supplier quoted, in place of those of the price file.

Model. A quote is a price of one drive, without tax, in a currency, of a day, by a supplier. It is exact: no interval of
a class, no spread. Of several quotes for a drive the newest counts, of one day the cheapest. A currency other than the
dollar needs a rate that somebody gives, in dollars for one unit of it; nothing is fetched. Left out: tiers by number,
shipping, how long a quote holds. A drive that is quoted can be bought, whatever its sheet says.

The file is CSV with a heading: `drive,price,currency,date,supplier`; `;` may stand in for the comma, and then a comma
in the price for the point. A row without a price is passed over, as those of the template.
"""

import csv
import hashlib
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path

from drivecast.catalog.catalog import Catalog
from drivecast.catalog.figure import correction, nearest
from drivecast.catalog.prices import DOLLAR, Price
from drivecast.document.catalog import QuoteRow, QuoteTemplate
from drivecast.errors import HintedError, InputError
from drivecast.files import read_bytes

COLUMNS = ("drive", "price", "currency", "date", "supplier")
OLD = timedelta(days=365)
"""Age beyond which a quote is said to be old."""
CURRENCY = re.compile(r"[A-Z]{3}")
PRICE_MAX = 1e9


@dataclass(frozen=True)
class Quote:
    """A row that is in order."""

    drive: str
    price: float
    currency: str
    day: date
    supplier: str
    usd: float

    @property
    def origin(self) -> str:
        """Who quoted what, and when."""
        amount = f"{self.price:,.2f} {self.currency}"
        return f"quoted by {self.supplier or 'a supplier without a name'} on {self.day}: {amount}"


@dataclass(frozen=True)
class Quotes:
    """The quotes that count, by drive."""

    by_drive: dict[str, Quote]
    notes: tuple[str, ...]
    digest: str
    """SHA-256 of the file."""

    def laid_over(self, catalog: Catalog) -> Catalog:
        """The catalog with these prices, exact, of drives that can be bought."""
        quoted = {
            name: Price(value=quote.usd, on=quote.day, quoted=quote.origin)
            for name, quote in self.by_drive.items()
        }
        prices = catalog.prices.model_copy(update={"drives": {**catalog.prices.drives, **quoted}})
        return replace(catalog, prices=prices)


@dataclass(frozen=True)
class Place:
    """A row of a file of quotes, and how it is refused."""

    path: Path
    line: int
    cells: Mapping[str, str]

    def refuse(self, column: str, expected: str, hint: str = "") -> InputError:
        """The error of a cell."""
        found = self.cells[column]
        text = f"{self.path}, line {self.line}, column `{column}`: expected {expected}, found `{found}`"
        error = HintedError(text, hint)
        error.path, error.line = str(self.path), self.line
        error.column = COLUMNS.index(column) + 1
        return error


def read(path: Path, catalog: Catalog, rates: Mapping[str, float], today: date) -> Quotes:
    """The quotes of a file; `rates` are dollars for one unit of a currency.

    Raises `InputError` with the line and column of the first cell that is not in order.
    """
    try:
        data = read_bytes(path)
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: expected UTF-8, found another encoding") from None
    known = {**catalog.prices.dollars_for_one, **rates}
    quotes = [
        quote for place, point in rows(path, text) if (quote := _quote(place, point, catalog, known, today))
    ]
    if not quotes:
        raise HintedError(
            f"{path}: no row has a price", "fill in the column `price` of the drives you have quotes for"
        )
    counted, notes = _that_count(quotes, today)
    return Quotes(counted, notes, hashlib.sha256(data).hexdigest())


def rows(path: Path, text: str) -> Iterator[tuple[Place, str]]:
    """The rows with their lines, and the mark that separates euros from cents."""
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        missing = [name for name in COLUMNS if name not in names]
        if missing:
            expected = f"the columns {', '.join(f'`{name}`' for name in COLUMNS)}"
            found = first.strip()[:80] or "an empty line"
            raise HintedError(
                f"{path}, line 1: expected {expected}, found `{found}`",
                "`drivecast catalog quotes -o quotes.csv` writes a file to fill in",
            )
        line = reader.line_num + 1
        for row in reader:
            if any(cell.strip() for cell in row):
                if len(row) != len(names):
                    raise HintedError(
                        f"{path}, line {line}: expected {len(names)} columns, found {len(row)}",
                        f"a cell with `{separator}` in it needs quotes around it",
                    )
                cells = dict(zip(names, (cell.strip() for cell in row), strict=True))
                yield Place(path, line, cells), "," if separator == ";" else "."
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: is not CSV: {error}") from None


def _quote(
    place: Place, point: str, catalog: Catalog, rates: Mapping[str, float], today: date
) -> Quote | None:
    """A row as a quote; none where it has no price."""
    cells = place.cells
    if not cells["price"]:
        return None
    name, currency = cells["drive"], cells["currency"]
    if name not in catalog.drives:
        if name in catalog.volumes:
            raise place.refuse("drive", "a drive", "a volume is rented: its price is not a drive's")
        hint = correction(name, list(catalog.drives), "`drivecast catalog list` names them all")
        like = nearest(name, list(catalog.drives))
        raise place.refuse("drive", "a drive of the catalog", f"{hint}?" if like else hint)
    if not CURRENCY.fullmatch(currency):
        raise place.refuse("currency", "a currency of three letters such as USD or EUR")
    if currency not in rates:
        hint = f"give its rate: `--rate {currency}=1.08`, dollars for one {currency}; known are {', '.join(rates)}"
        raise place.refuse("currency", "a currency whose rate is known", hint)
    price, day = _price(place, point), _day(place, today)
    return Quote(name, price, currency, day, cells["supplier"], price * rates[currency])


def _price(place: Place, point: str) -> float:
    text = place.cells["price"].replace(",", ".") if point == "," else place.cells["price"]
    try:
        price = float(text)
    except ValueError:
        price = math.nan
    if not 0 < price <= PRICE_MAX:
        raise place.refuse(
            "price", "a price of one drive above 0 such as 95.50, without a sign of its currency"
        )
    return price


def _day(place: Place, today: date) -> date:
    try:
        day = date.fromisoformat(place.cells["date"])
    except ValueError:
        raise place.refuse("date", "the day of the quote as 2026-10-02") from None
    if day > today:
        raise place.refuse("date", f"a day that is not in the future (today is {today})")
    return day


def _that_count(quotes: Sequence[Quote], today: date) -> tuple[dict[str, Quote], tuple[str, ...]]:
    """Of each drive the newest quote, of one day the cheapest; and what is to be said of them."""
    counted: dict[str, Quote] = {}
    notes = []
    ordered = sorted(quotes, key=lambda quote: (quote.drive, -quote.day.toordinal(), quote.usd))
    for name, group in groupby(ordered, key=lambda quote: quote.drive):
        first, *others = group
        counted[name] = first
        if others:
            same = sum(other.day == first.day for other in others)
            why = "the newest" if same == 0 else "the cheapest of the newest day"
            notes.append(
                f"`{name}` has {len(others) + 1} quotes; that counts which was {first.origin}: {why}"
            )
        if today - first.day > OLD:
            notes.append(f"`{name}`: the quote is older than a year ({first.day}); ask for a new one")
    return counted, tuple(notes)


def rate(text: str) -> tuple[str, float]:
    """A rate as `EUR=1.08`: dollars for one unit."""
    currency, _, value = text.partition("=")
    try:
        dollars = float(value)
    except ValueError:
        dollars = math.nan
    if not CURRENCY.fullmatch(currency.strip()) or not 0 < dollars < PRICE_MAX:
        raise InputError(
            f"--rate: expected dollars for one unit of a currency such as EUR=1.08, found `{text}`"
        )
    if currency.strip() == DOLLAR and dollars != 1.0:
        raise InputError(f"--rate: a dollar is a dollar, found `{text}`")
    return currency.strip(), dollars


def template(catalog: Catalog, *, on_sale: bool) -> QuoteTemplate:
    """A row without a price for every drive, or for those that can be ordered today."""
    names = (name for name, drive in sorted(catalog.drives.items()) if drive.available_today or not on_sale)
    return QuoteTemplate(rows=[QuoteRow(drive=name, currency=catalog.prices.currency) for name in names])


def template_text(found: QuoteTemplate) -> str:
    """The template as a file."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([getattr(row, name) for name in COLUMNS] for row in found.rows)
    return out.getvalue()
