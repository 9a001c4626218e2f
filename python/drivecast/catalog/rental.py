"""What can be rented of each kind: the smallest that does enough, its name, and what it costs a month.

Model. Size, IOPS and MiB/s of a volume are bound by the rules of its kind; more of them never costs less, so the
smallest of each that does enough is the cheapest. Names say all that is chosen: a name is enough to rent a volume
and to simulate it.
"""

import math
import re
from dataclasses import dataclass

from drivecast.catalog.cloud import CloudFile, Instance, Kind
from drivecast.catalog.prices import Prices
from drivecast.catalog.reader import CatalogError, Problem
from drivecast.catalog.rent import Rent

IOPS_UNIT = 100
"""IOPS are provisioned in hundreds, and MiB/s in fives: providers take any number, people write these."""
MIB_PER_S_UNIT = 5

NAME = re.compile(r"(?:-(?P<gib>\d+)gib)?(?:-(?P<iops>\d+)iops)?(?:-(?P<mib>\d+)mib)?")
LOCAL = "local-"
ON = "-on-"


@dataclass(frozen=True)
class Setting:
    """A volume as it is rented: its kind, size and rates, and the instance whose limits it is behind."""

    kind: str
    gib: int
    iops: float
    mib_per_s: float
    step: str | None = None
    chosen: bool = False
    """Whether the rates are provisioned, and not those of the size."""
    instance: str | None = None

    @property
    def name(self) -> str:
        """What it is called in designs."""
        behind = f"{ON}{self.instance}" if self.instance else ""
        if self.step is not None:
            return f"{self.kind}-{self.step}{behind}"
        rates = f"-{self.iops:.0f}iops-{self.mib_per_s:.0f}mib" if self.chosen else ""
        return f"{self.kind}-{self.gib}gib{rates}{behind}"


@dataclass(frozen=True)
class Month:
    """What a volume costs a month, in dollars."""

    capacity_usd: float
    iops_usd: float = 0.0
    mib_per_s_usd: float = 0.0

    @property
    def usd(self) -> float:
        """All of it."""
        return self.capacity_usd + self.iops_usd + self.mib_per_s_usd


@dataclass(frozen=True)
class Rental:
    """The kinds and instances of a catalog, with their prices."""

    cloud: CloudFile
    prices: Prices

    def smallest(self, name: str, gib: int, iops: float, mib_per_s: float) -> Setting | None:
        """The smallest setting of a kind that does as much; none where the kind does not reach it."""
        kind = self.cloud.kinds[name]
        if kind.steps is not None:
            sizes = sorted((step.gib, key, step) for key, step in kind.steps.items())
            fits = (
                Setting(name, step.gib, step.iops, step.mib_per_s, key)
                for _, key, step in sizes
                if step.gib >= gib and step.iops >= iops and step.mib_per_s >= mib_per_s
            )
            return next(fits, None)
        low, high = max(gib, kind.gib_min.value), kind.gib_max.value
        if low > high or _rates(kind, high, iops, mib_per_s) is None:
            return None
        while low < high:
            middle = (low + high) // 2
            if _rates(kind, middle, iops, mib_per_s) is None:
                low = middle + 1
            else:
                high = middle
        rates = _rates(kind, low, iops, mib_per_s)
        return rates and Setting(name, low, *rates, chosen=_is_chosen(kind))

    def parse(self, name: str) -> Setting | None:
        """The setting that a name says; none where it names no kind.

        Raises `CatalogError` where the kind does not allow it, or the instance is not known.
        """
        name, _, instance = name.partition(ON)
        known = [key for key in self.cloud.kinds if name.startswith(f"{key}-")]
        if not known:
            return None
        key = max(known, key=len)
        kind, rest = self.cloud.kinds[key], name.removeprefix(key)
        if kind.steps is not None:
            step = kind.steps.get(rest[1:])
            if step is None:
                raise _refused(name, f"`{key}` has the steps {', '.join(kind.steps)}, found `{rest[1:]}`")
            found = Setting(key, step.gib, step.iops, step.mib_per_s, rest[1:])
        else:
            found = _allowed(name, key, kind, rest)
        if instance:
            self.instance(instance)
        return Setting(**{**vars(found), "instance": instance or None})

    def instance(self, name: str) -> Instance:
        """The instance of that name; raises `CatalogError` with all that are known."""
        if name not in self.cloud.instances:
            known = ", ".join(f"`{key}`" for key in self.cloud.instances) or "none"
            raise CatalogError([Problem("cloud.toml", "", f"no instance is called `{name}`; known: {known}")])
        return self.cloud.instances[name]

    def rent(self, name: str) -> Rent:
        """The prices of a kind or instance; raises `CatalogError` where there are none."""
        if name not in self.prices.cloud:
            raise CatalogError([Problem("prices.toml", f"cloud.{name}", "has no price; hint: add one")])
        return self.prices.cloud[name]

    def month_inside(self, instance: str) -> float:
        """What the drives inside of an instance cost a month, in dollars."""
        figure = self.rent(instance).usd_for_drives
        if figure is None:
            place = f"cloud.{instance}.usd_for_drives"
            raise CatalogError([Problem("prices.toml", place, "has no price; hint: add one")])
        return figure.value

    def month(self, setting: Setting) -> Month:
        """What a setting costs; raises `CatalogError` where there is no price."""
        kind, rent = self.cloud.kinds[setting.kind], self.rent(setting.kind)
        if setting.step is not None:
            if setting.step not in rent.usd_per_step:
                place = f"cloud.{setting.kind}.usd_per_step.{setting.step}"
                raise CatalogError([Problem("prices.toml", place, "has no price; hint: add one")])
            return Month(rent.usd_per_step[setting.step].value)
        capacity = (rent.usd_per_gib.value if rent.usd_per_gib else 0.0) * setting.gib
        if kind.iops is None or kind.mib_per_s is None or not setting.chosen:
            return Month(capacity)
        iops = rent.iops_usd(kind.iops.included.value, setting.iops)
        rate = rent.usd_per_mib_per_s.value if rent.usd_per_mib_per_s else 0.0
        beyond = max(0.0, setting.mib_per_s - kind.mib_per_s.included.value)
        return Month(capacity, iops, rate * beyond)


def _is_chosen(kind: Kind) -> bool:
    return kind.iops is not None and kind.iops.is_chosen


def _rates(kind: Kind, gib: int, iops: float, mib_per_s: float) -> tuple[float, float] | None:
    """The IOPS and MiB/s of a volume of this size that does as much; none where it cannot."""
    counts, sizes = kind.iops, kind.mib_per_s
    if counts is None or sizes is None:
        return None
    limit = counts.limit(gib)
    rate = counts.comes(gib)
    if counts.is_chosen:
        rate = min(limit, max(rate, math.ceil(iops / IOPS_UNIT) * IOPS_UNIT))
    per_iops = sizes.per_iops or sizes.chosen_per_iops
    if mib_per_s > sizes.limit(gib, rate) and per_iops is not None and counts.is_chosen:
        rate = min(limit, max(rate, math.ceil(mib_per_s / per_iops.value / IOPS_UNIT) * IOPS_UNIT))
    through = sizes.comes(gib, rate)
    if sizes.is_chosen:
        rounded = math.ceil(mib_per_s / MIB_PER_S_UNIT) * MIB_PER_S_UNIT
        through = min(sizes.limit(gib, rate), max(through, rounded))
    return (rate, through) if rate >= iops and through >= mib_per_s else None


def _allowed(name: str, key: str, kind: Kind, rest: str) -> Setting:
    """The setting that `rest` of a name says, if the kind allows it."""
    said = NAME.fullmatch(rest)
    if said is None or said["gib"] is None or kind.iops is None or kind.mib_per_s is None:
        like = f"{key}-500gib-6000iops-250mib" if _is_chosen(kind) else f"{key}-500gib"
        raise _refused(name, f"no drive is called so, and no volume of `{key}`; hint: name one like `{like}`")
    gib, iops, mib = (float(said[part]) if said[part] else None for part in ("gib", "iops", "mib"))
    low, high = kind.gib_min.value, kind.gib_max.value
    if gib is None or not low <= gib <= high:
        raise _refused(name, f"`{key}` holds {low:,} to {high:,} GiB, found {gib:,.0f}")
    rate = kind.iops.comes(gib) if iops is None else iops
    through = kind.mib_per_s.comes(gib, rate) if mib is None else mib
    for what, value, most in (
        ("IOPS", rate, kind.iops.limit(gib)),
        ("MiB/s", through, kind.mib_per_s.limit(gib, rate)),
    ):
        if not 0 < value <= math.ceil(most):
            raise _refused(
                name, f"`{key}` of {gib:,.0f} GiB does at most {most:,.0f} {what}, found {value:,.0f}"
            )
    return Setting(key, int(gib), rate, through, chosen=_is_chosen(kind))


def _refused(name: str, why: str) -> CatalogError:
    return CatalogError([Problem("catalog", "", f"`{name}`: {why}")])
