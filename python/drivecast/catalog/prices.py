"""Prices and their date: `prices.toml`, a file meant to be edited by whoever buys.

A drive on sale without a price of its own has that of its class by the index (`price_index`). Later price files
override earlier ones drive by drive and key by key. Amounts are in US dollars, as the names of keys say; the price of a
drive may be in another currency with its rate under `[exchange]`, and results are in `currency`. Rates are those of the
file: nothing is fetched.
"""

from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from drivecast.catalog.figure import Bounded, Figure, NonNegativeBounded, Positive, Strict
from drivecast.catalog.price_index import Curve, Index
from drivecast.catalog.rent import Commitment, Rent, RentSpread
from drivecast.document.catalog import Provenance

DOLLAR = "USD"
Bay = Literal["nvme", "sata", "large"]
"""What a drive is put into: a 2.5 inch bay with lanes of PCIe or of SATA and SAS, or one of 3.5 inch."""
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]


class Scenario(StrEnum):
    """The end of its bounds that a price is taken at."""

    LOW = "low"
    TYPICAL = "typical"
    HIGH = "high"


class Share(Bounded):
    """A bounded figure below 1; negative where a decline may be a rise."""

    @model_validator(mode="after")
    def _is_below_one(self) -> Self:
        if not (self.bounds[0] > -1 and self.bounds[1] < 1):
            raise PydanticCustomError("range", "must lie between -1 and 1")
        return self


class Price(NonNegativeBounded):
    """Price of one drive; `on` where it is not of the file's date, `currency` where it is not in dollars."""

    value: Annotated[float, Field(gt=0)]
    on: date | None = None
    currency: Currency = DOLLAR
    quoted: str | None = None
    """Who quoted it and when, in place of another origin: a price that is given, and exact."""

    @model_validator(mode="after")
    def _has_one_origin(self) -> Self:
        origins = (self.source, self.measured, self.fitted, self.assumed, self.quoted)
        if sum(text is not None and bool(text.strip()) for text in origins) != 1:
            what = "needs exactly one of `source`, `measured`, `fitted`, `assumed`, and it must say something"
            raise PydanticCustomError("origin", what)
        return self

    @property
    def provenance(self) -> Provenance:
        """How it is known."""
        return Provenance.GIVEN if self.quoted is not None else super().provenance

    @property
    def reason(self) -> str:
        """The origin as text."""
        return self.quoted or super().reason


QUOTED = "price from your quotes of the class"


class ClassPrice(Price):
    """What the index of its class, or quotes for others of it, say of a drive without a price of its own."""


class Spread(Strict):
    """Bounds of assumed prices without bounds in the file, as multiples of the price."""

    low: Figure[Annotated[float, Field(gt=0, le=1)]]
    high: Figure[Annotated[float, Field(ge=1)]]


class Electricity(Strict):
    """Energy, and the overhead of supply and cooling."""

    usd_per_kwh: NonNegativeBounded
    pue: NonNegativeBounded
    """Power usage effectiveness: energy of the site over energy of its computers."""

    @model_validator(mode="after")
    def _takes_what_it_gives(self) -> Self:
        if self.pue.bounds[0] < 1:
            raise PydanticCustomError(
                "range", "`pue` is 1 or more: a site takes at least what its computers take"
            )
        return self


class Host(Strict):
    """What an array needs besides its drives."""

    slot_usd: NonNegativeBounded
    """A share of backplane and cables, of a 2.5 inch drive of SATA or SAS."""
    nvme_slot_usd: NonNegativeBounded
    """Of an NVMe drive, with its lanes."""
    large_slot_usd: NonNegativeBounded
    """Of a 3.5 inch drive, in a server or a shelf."""
    adapter_usd: NonNegativeBounded
    """For drives of SATA and SAS beyond the ports of the board."""
    adapter_ports: Figure[Annotated[int, Field(gt=0)]]
    board_ports: Figure[Annotated[int, Field(ge=0)]]
    slot_w: NonNegativeBounded
    enclosure_usd: NonNegativeBounded
    """A shelf."""
    enclosure_w: NonNegativeBounded
    enclosure_slots: Figure[Annotated[int, Field(gt=0)]]
    controller_usd: NonNegativeBounded
    """Controller of an array."""
    controller_w: NonNegativeBounded

    def bay_usd(self, bay: Bay) -> NonNegativeBounded:
        """A bay of that kind."""
        return {"nvme": self.nvme_slot_usd, "sata": self.slot_usd, "large": self.large_slot_usd}[bay]


class Service(Strict):
    """What it costs that drives fail, besides drives."""

    visit_usd: NonNegativeBounded
    """A technician who replaces a drive."""
    outage_usd_per_h: NonNegativeBounded
    """An hour without the data."""
    restore_mb_per_s: Figure[Annotated[float, Field(gt=0)]]
    """How fast a backup is restored."""
    data_value_usd: NonNegativeBounded
    """What a restore does not bring back."""


class Load(Strict):
    """What is not known of the load."""

    peak_spread: Figure[Annotated[float, Field(ge=0, le=1)]]
    """Standard deviation of the logarithm of the years' highest peak over the measured one."""


class Market(Strict):
    """How prices develop."""

    flash_decline_per_year: Share
    """How much a flash drive is cheaper after a year; negative where it is dearer."""
    disk_decline_per_year: Share
    residual_share: NonNegativeBounded
    """What an unworn drive brings at the end, as a share of its price then."""

    def decline_per_year(self, *, flash: bool) -> Share:
        """How much a drive of that kind is cheaper after a year."""
        return self.flash_decline_per_year if flash else self.disk_decline_per_year


class Prices(Strict):
    """`prices.toml`."""

    date: date
    currency: Currency
    sources: dict[str, str]
    spread: Spread
    electricity: Electricity
    host: Host
    service: Service
    load: Load
    market: Market
    exchange: dict[Currency, Positive] = Field(default_factory=dict)
    """Units of each currency for a dollar."""
    drives: dict[str, Price]
    index: dict[str, Index] = Field(default_factory=dict)
    """How prices of a group of classes move."""
    classes: dict[str, Curve] = Field(default_factory=dict)
    """What a drive of a class cost in 2025-10."""
    rent: RentSpread | None = None
    cloud: dict[str, Rent] = Field(default_factory=dict)
    """What kinds of cloud volumes, and the drives of instances, cost a month."""
    commitments: dict[str, Commitment] = Field(default_factory=dict)
    """What commitments leave of the price of drives of instances, by patterns of their names."""

    @model_validator(mode="after")
    def _rates_are_given(self) -> Self:
        used = {
            "currency": self.currency,
            **{f"drives.{name}": price.currency for name, price in self.drives.items()},
        }
        for place, currency in used.items():
            if currency != DOLLAR and currency not in self.exchange:
                raise PydanticCustomError(
                    "range",
                    "`{place}` is in {currency}, of which no rate is given",
                    {
                        "place": place,
                        "currency": currency,
                        "hint": f"add `{currency}` under `[exchange]`, in units for a dollar",
                    },
                )
        return self

    @property
    def per_dollar(self) -> float:
        """Units of the currency of results for a dollar."""
        return self._rate(self.currency)

    @property
    def dollars_for_one(self) -> dict[str, float]:
        """Dollars for one unit of each known currency."""
        return {DOLLAR: 1.0, **{name: 1 / rate.value for name, rate in sorted(self.exchange.items())}}

    def _rate(self, currency: str) -> float:
        return 1.0 if currency == DOLLAR else self.exchange[currency].value

    def drive_usd(self, name: str) -> tuple[float, float, float]:
        """Low, typical and high price of one drive: its own bounds, or the spread where it is only assumed."""
        price = self.drives[name]
        low, high = price.bounds
        if price.assumed is not None:
            low = price.value * self.spread.low.value if price.low is None else low
            high = price.value * self.spread.high.value if price.high is None else high
        rate = self._rate(price.currency)
        return low / rate, price.value / rate, high / rate

    def is_quoted(self, name: str) -> bool:
        """Whether a supplier quoted the price of a drive."""
        return name in self.drives and self.drives[name].quoted is not None

    @property
    def rent_bounds(self) -> tuple[float, float]:
        """The bounds of a rent, as multiples of it."""
        return (self.rent.low.value, self.rent.high) if self.rent else (1.0, 1.0)

    def commitment(self, instance: str) -> str | None:
        """The longest pattern of `commitments` that the name of an instance fits."""
        fitting = [pattern for pattern in self.commitments if fnmatchcase(instance, pattern)]
        return max(fitting, key=len, default=None)

    def committed(self, years: float, longest: int) -> "Prices":
        """The prices with commitments to instances for terms of up to so many years, in the mean of the years."""
        cloud = dict(self.cloud)
        for name, rent in self.cloud.items():
            pattern, price = self.commitment(name), rent.usd_for_drives
            if pattern is None or price is None:
                continue
            known = self.commitments[pattern]
            figures = (price, *known.terms(longest).values())
            origin = next((figure for figure in figures if figure.assumed is not None), price)
            paid = origin.model_copy(update={"value": price.value * known.over(years, longest)})
            cloud[name] = rent.model_copy(update={"usd_for_drives": paid})
        return self.model_copy(update={"cloud": cloud})

    def amount(self, usd: float) -> str:
        """Dollars as text in the currency of results, whole."""
        value = f"{usd * self.per_dollar:,.0f}"
        return f"${value}" if self.currency == DOLLAR else f"{self.currency} {value}"

    def scenario(self, which: Scenario) -> "Prices":
        """The prices with every drive at one end of its bounds, taken as exact."""
        if which is Scenario.TYPICAL:
            return self
        drives = {}
        for name, price in self.drives.items():
            low, _, high = self.drive_usd(name)
            at = low if which is Scenario.LOW else high
            drives[name] = price.model_copy(update={"value": at, "currency": DOLLAR, "low": at, "high": at})
        return self.model_copy(update={"drives": drives})
