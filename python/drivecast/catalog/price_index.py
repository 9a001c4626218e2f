"""What a drive costs on a day, from dated observations of prices: a curve of its class times an index by month.

Model. With the capacity c of drive j of class k, whose index belongs to the group g (flash, client flash, disks), the
logarithm of a price that is observed in month m, of kind s (street, list, second-hand …), is

    ln p = ln(base_k + slope_k c) + C_g(m) + x_g(m) + a_k + d_j + b_s + e,    x_g(m) = x_g(m-1) + q w

The first term is the level of the class in 2025-10. C_g is the path of the changes that market watchers published, each
spread evenly over the time since the one before. x_g is how far prices moved besides: a random walk, the local level of
Durbin and Koopman (Time Series Analysis by State Space Methods, 2012, chapter 2). a_k, d_j and b_s are offsets of
class, drive and kind around 0 (that of the street is 0), e what shops differ by. All are normal; `prices.toml` has
their deviations, fitted by the likelihood of the observations. The estimate is the mean given all observations at once,
the solution of Henderson's mixed model equations (Biometrics 31, 1975), with their covariance.

A price is that of the street, for one drive, without tax. Its bounds are the 10th and 90th percentile, the spread of
shops included. A drive that was observed is drawn to what it was seen at, by about d² / (d² + e² / n) of the way. After
the last observation come the published forecast and the walk's growing variance; nothing draws prices back to an older
level. Left out: discounts by quantity, and how regions differ but for tax.
"""

import csv
import io
import itertools
import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from drivecast.catalog.figure import Positive, Strict
from drivecast.errors import InputError

PERCENTILE_90 = 1.2816
"""Of a standard normal."""
LEVEL = date(2025, 10, 1)
"""From which on prices are known."""
YEARS_AHEAD = 2
DIFFUSE = 4.0
"""Variance of the walk before the first month."""
Kind = Literal["list", "street", "contract", "quote", "second-hand"]


def _is_day(text: str) -> str:
    date.fromisoformat(text)
    return text


Day = Annotated[str, AfterValidator(_is_day)]


class Index(Strict):
    """How prices of a group of classes move: published changes, and deviations of ln price."""

    changes: Annotated[dict[Day, Positive], Field(min_length=1)]
    """Multiples of the price at the change before, by the day from which they hold."""
    walk: Positive
    """Of a month's move besides."""
    of_classes: Positive
    of_drives: Positive
    of_shops: Positive
    of_kinds: Positive


class Curve(Strict):
    """The price of a class in 2025-10 by capacity."""

    index: str
    base_usd: Positive
    usd_per_tb: Positive

    def usd(self, tb: float) -> float:
        """A drive of that capacity."""
        return self.base_usd.value + self.usd_per_tb.value * tb


class Observation(BaseModel):
    """A row of `prices/*.csv`: what was asked or paid for one drive, without tax, in dollars of the day."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    what: str
    """A drive's name, of the catalog or not."""
    drive_class: str = Field(alias="class")
    capacity_tb: Annotated[float, Field(gt=0, le=1000)]
    usd: Annotated[float, Field(gt=0, le=1e6)]
    day: date
    kind: Kind
    quantity: Annotated[int, Field(gt=0)]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    """In which it was asked."""
    source: str


Fault = tuple[str, str]


def observations(text: str) -> Iterator[Observation | Fault]:
    """The rows of a file, or the line of a row and what is wrong with it."""
    names = [field.alias or name for name, field in Observation.model_fields.items()]
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        heading = next(reader, [])
        if heading != names:
            yield "line 1", f"expected the columns {', '.join(names)}, found `{','.join(heading)[:80]}`"
            return
        for row in reader:
            place = f"line {reader.line_num}"
            try:
                if len(row) != len(names):
                    yield place, f"expected {len(names)} columns, found {len(row)}"
                elif row:
                    yield Observation.model_validate(dict(zip(names, row, strict=True)))
            except ValidationError as error:
                fault = error.errors(include_url=False)[0]
                yield f"{place}, {fault['loc'][0]}", f"{fault['msg']}, found `{str(fault['input'])[:40]}`"
    except csv.Error as error:
        yield f"line {reader.line_num}", f"is not CSV: {error}"


def month(day: date) -> float:
    """Months since the year 0; whole in the middle of a month."""
    return day.year * 12 + day.month - 1 + (day.day - 15.5) / 30.4375


class Fit:
    """One group, fitted to its observations.

    Unknowns are named by a month (an integer), a class, a drive `(class, name, used)`, or `("kind", its name)`.
    """

    def __init__(self, index: Index, curves: Mapping[str, Curve], rows: Sequence[Observation]) -> None:
        self.index, self.curves = index, curves
        self.path: list[tuple[float, float]] = []
        for day, change in sorted(index.changes.items()):
            before = self.path[-1][1] if self.path else 0.0
            self.path.append((month(date.fromisoformat(day)), before + math.log(change.value)))
        self.counts: dict[Hashable, int] = defaultdict(int)
        """Observations by class, and by drive; a drive that was used is another one."""
        self.newest: dict[str, date] = {}
        months = [round(month(row.day)) for row in rows]
        self.first, self.last = min(months), max(months)
        self.places: dict[Hashable, int] = {at: at - self.first for at in range(self.first, self.last + 1)}
        variances: list[float] = []
        cells = []
        for row, at in zip(rows, months, strict=True):
            drive, kind = (row.drive_class, row.what, row.kind == "second-hand"), ("kind", row.kind)
            self.newest[row.drive_class] = max(row.day, self.newest.get(row.drive_class, row.day))
            named: list[tuple[Hashable, Positive]] = [
                (row.drive_class, index.of_classes),
                (drive, index.of_drives),
            ]
            if row.kind != "street":
                named.append((kind, index.of_kinds))
            for key, deviation in named:
                self.counts[key] += 1
                if key not in self.places:
                    self.places[key] = len(self.places)
                    variances.append(deviation.value**2)
            usd = row.usd / curves[row.drive_class].usd(row.capacity_tb)
            cells.append(([at, *(key for key, _ in named)], math.log(usd) - self.published(month(row.day))))
        self._solve(cells, variances)

    def _solve(self, cells: Sequence[tuple[Sequence[Hashable], float]], variances: Sequence[float]) -> None:
        steps = self.last - self.first + 1
        precision = np.diag([1 / DIFFUSE, *[0.0] * (steps - 1), *(1 / variance for variance in variances)])
        step = self.index.walk.value**-2
        for at in range(1, steps):
            precision[at - 1 : at + 1, at - 1 : at + 1] += step * np.array([[1, -1], [-1, 1]])
        design = np.zeros((len(cells), len(precision)))
        for row, (keys, _) in zip(design, cells, strict=True):
            row[[self.places[key] for key in keys]] = 1
        noise = self.index.of_shops.value**2
        self.covariance = np.linalg.inv(precision + design.T @ design / noise)
        self.mean = self.covariance @ (design.T @ np.array([value for _, value in cells])) / noise

    def published(self, when: float) -> float:
        """The logarithm of what the published changes come to."""
        for (since, low), (to, high) in itertools.pairwise(self.path):
            if when <= to:
                return low + max(when - since, 0.0) / (to - since) * (high - low)
        return self.path[-1][1]

    def _at(self, when: float) -> NDArray[np.float64]:
        """Weights of the unknowns in the walk of a month."""
        weights = np.zeros(len(self.mean))
        place = min(max(when, self.first), self.last) - self.first
        low = min(int(place), max(self.last - self.first - 1, 0))
        weights[low] = 1 - (place - low)
        if place > low:
            weights[low + 1] = place - low
        return weights

    def log_move(self, since: date, to: date) -> tuple[float, float]:
        """By how much its classes become dearer between two days: mean and deviation of the logarithm."""
        then, now = month(since), month(to)
        weights = self._at(now) - self._at(then)
        ahead = self.index.walk.value**2 * max(now - max(then, self.last), 0.0)
        mean = self.published(now) - self.published(then) + float(weights @ self.mean)
        return mean, math.sqrt(float(weights @ self.covariance @ weights) + ahead)

    def moved(self, since: date, to: date) -> float:
        """By how much its classes became dearer, as a multiple."""
        return math.exp(self.log_move(since, to)[0])

    def log_price(self, name: str, drive_class: str, tb: float, day: date) -> tuple[float, float]:
        """Mean and deviation of the logarithm of a price."""
        index, when = self.index, month(day)
        weights = self._at(when)
        variance = index.of_shops.value**2
        variance += index.walk.value**2 * max(self.first - when, when - self.last, 0.0)
        for key, deviation in (
            (drive_class, index.of_classes),
            ((drive_class, name, False), index.of_drives),
        ):
            if key in self.places:
                weights[self.places[key]] = 1
            else:
                variance += deviation.value**2
        mean = math.log(self.curves[drive_class].usd(tb)) + self.published(when) + float(weights @ self.mean)
        return mean, math.sqrt(variance + float(weights @ self.covariance @ weights))


@dataclass(frozen=True)
class Market:
    """Classes with their curves, and what was observed."""

    indices: Mapping[str, Index]
    curves: Mapping[str, Curve]
    rows: Sequence[Observation]

    @cached_property
    def fits(self) -> dict[str, Fit]:
        """By the name of an index; none where nothing was observed of it."""
        grouped: dict[str, list[Observation]] = defaultdict(list)
        for row in self.rows:
            grouped[self.curves[row.drive_class].index].append(row)
        return {name: Fit(self.indices[name], self.curves, rows) for name, rows in grouped.items()}

    def fit(self, drive_class: str) -> Fit | None:
        """What prices of a class; none where it has no curve, or nothing of its group was observed."""
        curve = self.curves.get(drive_class)
        return None if curve is None else self.fits.get(curve.index)

    def check(self, day: date, of: date) -> None:
        """Refuse a day before the first level, or far from the prices' own: nothing is known of it."""
        last = date(of.year + YEARS_AHEAD, of.month, 1)
        if not LEVEL <= day <= last:
            raise InputError(f"--prices-on: expected a day from {LEVEL} to {last}, found `{day}`")

    def figures(self, name: str, drive_class: str, tb: float, day: date) -> dict[str, float | str] | None:
        """A drive's price with its bounds and where it comes from, as a price takes them; none without a curve."""
        fit = self.fit(drive_class)
        if fit is None:
            return None
        mean, deviation = fit.log_price(name, drive_class, tb, day)
        low, value, high = (_short(math.exp(mean + way * PERCENTILE_90 * deviation)) for way in (-1, 0, 1))
        curve = self.curves[drive_class]
        times = value / curve.usd(tb)
        own = fit.counts.get((drive_class, name, False), 0)
        observed = "not observed"
        if count := fit.counts.get(drive_class, 0):
            observed = f"{count} observations, the newest of {fit.newest[drive_class]}"
        text = (
            f"class {drive_class}: {times:.2f} times ({curve.base_usd.value:g} USD + "
            f"{curve.usd_per_tb.value:g} USD/TB), the level of 2025-10; {observed}"
            f"{f', {own} of this drive' if own else ''}"
        )
        return {"low": low, "value": value, "high": high, "fitted": text}


def _short(usd: float) -> float:
    """Three digits, which is more than is known."""
    return float(f"{usd:.3g}")
