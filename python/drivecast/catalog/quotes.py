"""Prices that a supplier quoted, in place of those of the price file.

Model. A quote is a price of one drive, in a currency, of a day, by a supplier; tax is taken off where a gross price has
its rate. It is exact: no interval of a class, no spread. Of several quotes for a drive the newest counts, of one day
the cheapest; two prices of one supplier and day are refused. A currency other than the dollar needs a rate that
somebody gives, in dollars for one unit; nothing is fetched. A quoted drive can be bought, whatever its sheet says.

What a buyer is offered says what the class costs this buyer: others of the class have their price by the index times
the geometric mean of quote over index (on the quote's day) of the n that were quoted. Their interval is that of drives
among themselves, of variance d² (1 + 1 / n). A drive that the catalog lacks counts for the class of the nearest name of
its size, and is asked about. Left out: tiers by number, shipping, how long a quote holds.

The file is CSV with a heading, as spreadsheets write it: `,`, `;` or tabs between columns of usual names, others passed
over, as is a row without a price.
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
from statistics import fmean

from drivecast.catalog.catalog import Catalog
from drivecast.catalog.drive import TB
from drivecast.catalog.figure import correction, nearest
from drivecast.catalog.price_index import LEVEL, PERCENTILE_90
from drivecast.catalog.prices import DOLLAR, QUOTED, ClassPrice, Price
from drivecast.document.catalog import QuoteRow, QuoteTemplate
from drivecast.errors import HintedError, InputError
from drivecast.files import read_bytes

TEMPLATE = ("drive", "price", "currency", "date", "supplier")
COLUMNS = {
    "drive": "drive|model|product|article|description|item|name|modell|produkt|artikel|bezeichnung",
    "price": r"(unit|net|list|einzel|stück|netto)?(price|preis)(each|net|ex\w*|without\w*|ohne\w*|zzgl\w*)?|netto",
    "gross": r"(gross|brutto)\w*|(price|preis)\w*(incl|inkl|with|mit)\w*",
    "tax": "(tax|vat|mwst|ust)(rate)?",
    "currency": "currency|ccy|cur|währung",
    "date": "(quote)?date|day|datum",
    "supplier": "supplier|seller|reseller|distributor|vendor|lieferant|anbieter|händler",
}
"""What headings are called, by their letters alone; the first name that is there counts."""
SIGNS = {"US$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
MONEY = re.compile(r"(US\$|[$€£¥]|[A-Z]{3})?\s*(-?\d[\d.,'’\s]*?)\s*([$€£¥]|[A-Z]{3})?")
OLD = timedelta(days=365)
"""Age beyond which a quote is said to be old."""
CURRENCY = re.compile(r"[A-Z]{3}")
AMOUNTS = {
    mark: re.compile(rf"(\d{{1,3}}(?:\{group}\d{{3}})+|\d+)(?:\{mark}(\d{{1,2}}))?")
    for mark, group in (".,", ",.")
}
"""Thousands and cents, by the mark before the cents."""
PRICE_MAX = 1e9
SIZE = re.compile(r"([\d.]+) ?([tg])b", re.I)


@dataclass(frozen=True)
class Quote:
    """A row that is in order."""

    drive: str
    price: float
    currency: str
    day: date
    supplier: str
    usd: float
    like: str | None = None
    """The catalog's drive of the nearest name, where it has none of this."""

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
        """The catalog with these prices, exact, of drives that can be bought, and their classes at their level."""
        drives = dict(catalog.prices.drives)
        for drive_class, (times, quoted) in self.levels(catalog).items():
            of_drives = catalog.prices.index[catalog.prices.classes[drive_class].index].of_drives.value
            spread = math.exp(PERCENTILE_90 * of_drives * math.sqrt(1 + 1 / len(quoted)))
            by = f"{times:.2f} times the index's, by {', '.join(quoted)}"
            why = f"{QUOTED} {drive_class}: {by}"
            newest = max(self.by_drive[name].day for name in quoted)
            for name, drive in catalog.drives.items():
                price = drives.get(name)
                if drive.drive_class == drive_class and isinstance(price, ClassPrice):
                    usd = times * price.value
                    bounds = {"low": usd / spread, "value": usd, "high": usd * spread}
                    drives[name] = ClassPrice.model_validate({**bounds, "fitted": why, "on": newest})
        for name, quote in self.by_drive.items():
            if quote.like is None:
                drives[name] = Price(value=quote.usd, on=quote.day, quoted=quote.origin)
        return replace(catalog, prices=catalog.prices.model_copy(update={"drives": drives}))

    def levels(self, catalog: Catalog) -> dict[str, tuple[float, tuple[str, ...]]]:
        """By class the mean of quote over index, and what was quoted, since the index begins."""
        ratios: dict[str, dict[str, float]] = {}
        for name, quote in self.by_drive.items():
            drive = catalog.drives[quote.like or name]
            of = drive.drive_class, drive.user_bytes / TB, quote.day
            if quote.day >= LEVEL and (figures := catalog.market.figures(name, *of)):
                ratios.setdefault(drive.drive_class, {})[name] = math.log(quote.usd / float(figures["value"]))
        return {key: (math.exp(fmean(of.values())), tuple(of)) for key, of in ratios.items()}

    def said(self, catalog: Catalog) -> tuple[str, ...]:
        """What is to be said of them."""
        levels = (
            f"your quotes of the class {key} are {times:.2f} times its price by the index: other drives of it are"
            " priced from them"
            for key, (times, _) in self.levels(catalog).items()
        )
        return (*self.notes, *levels)


@dataclass(frozen=True)
class Place:
    """A row of a file of quotes, and how it is refused."""

    path: Path
    line: int
    cells: Mapping[str, str]
    headings: Mapping[str, tuple[int, str]]
    """The column's number and how it is called in the file."""

    def refuse(self, column: str, expected: str, hint: str = "") -> InputError:
        """The error of a cell."""
        at, name = self.headings.get(column, (0, column))
        found = self.cells.get(column, "")
        text = f"{self.path}, line {self.line}, column `{name}`: expected {expected}, found `{found}`"
        error = HintedError(text, hint)
        error.path, error.line = str(self.path), self.line
        error.column = at + 1
        return error


def read(path: Path, catalog: Catalog, rates: Mapping[str, float], today: date) -> Quotes:
    """The quotes of a file; `rates` are dollars for one unit of a currency.

    Raises `InputError` with the line and column of the first cell that is not in order.
    """
    data = read_bytes(path)
    try:
        text = data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        hint = "save it as CSV in UTF-8"
        raise HintedError(f"{path}, line {line}: expected UTF-8, found another encoding", hint) from None
    known = {**catalog.prices.dollars_for_one, **rates}
    quotes = [(place, quote) for place in rows(path, text) if (quote := _quote(place, catalog, known, today))]
    if not quotes:
        raise HintedError(
            f"{path}: no row has a price", "fill in the column `price` of the drives you have quotes for"
        )
    _check_once(quotes)
    counted, notes = _that_count([quote for _, quote in quotes], today)
    return Quotes(counted, notes, hashlib.sha256(data).hexdigest())


def _headings(path: Path, names: Sequence[str], line: int) -> dict[str, tuple[int, str]]:
    """Where each column is, and how it is called there."""
    words = [re.sub(r"\b[A-Z]{3}\b", "", name) or name for name in names]
    letters = [re.sub(r"[\W\d_]", "", name.lower()) for name in words]
    found = {}
    for column, pattern in COLUMNS.items():
        at = next((letters.index(name) for name in pattern.split("|") if name in letters), None)
        if at is None:
            at = next((at for at, name in enumerate(letters) if re.fullmatch(pattern, name)), None)
        if at is not None:
            found[column] = at, names[at].strip()
    if "drive" not in found or not found.keys() & {"price", "gross"}:
        expected = f"the columns {', '.join(f'`{name}`' for name in TEMPLATE)} or such"
        shown = ", ".join(names)[:80] or "an empty line"
        raise HintedError(
            f"{path}, line {line}: expected {expected}, found `{shown}`",
            "`drivecast catalog quotes -o quotes.csv` writes a file to fill in",
        )
    return found


def rows(path: Path, text: str) -> Iterator[Place]:
    """The rows with their lines."""
    first, _, rest = text.partition("\n")
    skipped = first.lower().startswith("sep=")
    first = rest.partition("\n")[0] if skipped else first
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(rest if skipped else text, newline=""), delimiter=separator, strict=True)
    try:
        names = next(reader, [])
        headings = _headings(path, names, 1 + skipped)
        line = reader.line_num + 1 + skipped
        for row in reader:
            if any(cell.strip() for cell in row):
                if len(row) != len(names):
                    raise HintedError(
                        f"{path}, line {line}: expected {len(names)} columns, found {len(row)}",
                        f"a cell with `{separator}` in it needs quotes around it",
                    )
                cells = {column: row[at].strip() for column, (at, _) in headings.items()}
                yield Place(path, line, cells, headings)
            line = reader.line_num + 1 + skipped
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num + skipped}: is not CSV: {error}") from None


def _quote(place: Place, catalog: Catalog, rates: Mapping[str, float], today: date) -> Quote | None:
    """A row as a quote; none where it has no price."""
    column = "price" if place.cells.get("price") else "gross"
    if not place.cells.get(column):
        return None
    name, like = _drive(place, catalog)
    price, currency = _price(place, column)
    if currency not in rates:
        hint = f"give its rate: `--rate {currency}=1.08`, dollars for one {currency}; known are {', '.join(rates)}"
        raise place.refuse(_stating(place, column), "a currency whose rate is known", hint)
    day = _day(place, today)
    return Quote(name, price, currency, day, place.cells.get("supplier", ""), price * rates[currency], like)


def _plain(text: str) -> str:
    """A name as the catalog writes it: `Samsung PM893 960 GB` is `samsung-pm893-960gb`."""
    return re.sub(r"[^a-z0-9.]+", "-", SIZE.sub(r"\1\2b", text).lower()).strip("-")


def _bytes(name: str) -> float | None:
    """The size that a name has."""
    sizes = SIZE.findall(name)
    try:
        return float(sizes[-1][0]) * (TB if sizes[-1][1] in "tT" else TB / 1000) if sizes else None
    except ValueError:
        return None


def _drive(place: Place, catalog: Catalog) -> tuple[str, str | None]:
    """The drive that is quoted, by name or part number; where the catalog lacks it, with the nearest of its size."""
    name = place.cells["drive"]
    if name in catalog.volumes:
        raise place.refuse("drive", "a drive", "a volume is rented: its price is not a drive's")
    plain, size = _plain(name), _bytes(name)
    known = [plain] if plain in catalog.drives else [drive.name for drive in catalog.with_part_number(name)]
    if len(known) == 1:
        return known[0], None
    # Names of a size are alike by its digits: what remains of them is compared.
    sized = {
        SIZE.sub("", key): key
        for key, of in catalog.drives.items()
        if size and abs(of.user_bytes / size - 1) < 0.05
    }
    if found := nearest(SIZE.sub("", plain), sized):
        return name, sized[found]
    hint = correction(name, list(catalog.drives), "`drivecast catalog list` names them all")
    like = nearest(name, list(catalog.drives))
    raise place.refuse("drive", "a drive of the catalog, or its model and size", f"{hint}?" if like else hint)


def _price(place: Place, column: str) -> tuple[float, str]:
    """A price without tax, and its currency: of its column, its cell or the heading."""
    heading = place.headings[column][1]
    found = MONEY.fullmatch(place.cells[column])
    named = [found[1], found[3]] if found else []
    named += [place.cells.get("currency"), *re.findall(r"US\$|[$€£¥]|\b[A-Z]{3}\b", heading)]
    currencies = list(dict.fromkeys(SIGNS.get(text, text) for text in named if text))
    currencies = [text for text in currencies if text not in ("VAT", "TAX")]
    if found and len(currencies) > 1:
        raise place.refuse(column, f"one currency, not {' and '.join(currencies)}")
    if found and not (currencies and CURRENCY.fullmatch(currencies[0])):
        raise place.refuse(_stating(place, column), "a currency of three letters such as USD or EUR")
    price = _amount(found[2], currencies[0]) if found else math.nan
    if not 0 < price <= PRICE_MAX:
        raise place.refuse(column, "a price of one drive above 0 such as 1234.50 or 1,234.50")
    return (price / (1 + _tax(place)) if column == "gross" else price), currencies[0]


def _stating(place: Place, column: str) -> str:
    """The column that states the currency of a price."""
    return "currency" if place.cells.get("currency") else column


def _amount(text: str, currency: str) -> float:
    """An amount as either side of the Atlantic writes it; not a number where its thousands are not clear."""
    text = re.sub(r"['’\s]", "", text)
    for mark, pattern in AMOUNTS.items():
        if found := pattern.fullmatch(text):
            group = "," if mark == "." else "."
            is_clear = found[2] is not None or text.count(group) != 1 or (currency == "EUR") == (group == ".")
            return float(f"{found[1].replace(group, '')}.{found[2] or 0}") if is_clear else math.nan
    return math.nan


def _tax(place: Place) -> float:
    """The rate of tax in a gross price: of its column or the heading."""
    rate = re.fullmatch(r"([\d.,]+)\s*%?", place.cells.get("tax", "")) or re.search(
        r"([\d.,]+)\s*%", place.headings["gross"][1]
    )
    try:
        percent = float(rate[1].replace(",", ".")) if rate else math.nan
    except ValueError:
        percent = math.nan
    percent *= 100 if percent < 1 else 1
    if not 0 <= percent <= 50:
        raise place.refuse(
            "tax", "the rate of tax in percent, which the gross price has", "add a column `tax`"
        )
    return percent / 100


def _day(place: Place, today: date) -> date:
    text = place.cells.get("date", today.isoformat())
    dotted = re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", text)
    try:
        day = date(int(dotted[3]), int(dotted[2]), int(dotted[1])) if dotted else date.fromisoformat(text)
    except ValueError:
        raise place.refuse("date", "the day of the quote as 2026-10-02") from None
    if day > today:
        raise place.refuse("date", f"a day that is not in the future (today is {today})")
    return day


def _check_once(quotes: Sequence[tuple[Place, Quote]]) -> None:
    """Refuse a second price of a drive by one supplier on one day: nobody can say which holds."""
    seen: dict[tuple[str, date, str], float] = {}
    for place, quote in quotes:
        before = seen.setdefault((quote.drive, quote.day, quote.supplier), quote.usd)
        if not math.isclose(before, quote.usd):
            raise place.refuse(
                "price" if place.cells.get("price") else "gross",
                f"the price of an earlier line for `{quote.drive}`, of the same day and supplier",
                "leave the one that holds, or write their days or suppliers",
            )


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
        if first.like:
            notes.append(
                f"`{name}` is not in the catalog: its quote counts for the class of `{first.like}`. Is it that drive?"
                " Then write that name; if not, enter the drive"
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
    writer.writerow(TEMPLATE)
    writer.writerows([getattr(row, name) for name in TEMPLATE] for row in found.rows)
    return out.getvalue()
