"""What can be rented of each kind: the smallest that does enough, its name, and what it costs a month.

Model. Names say all that is chosen: a name is enough to rent a volume and to simulate it. What a kind allows and costs
is worked out in `crates/assess/src/rental.rs`, which the page of a report calls, too.
"""

import json
import math
import re
from dataclasses import dataclass

from drivecast import _core
from drivecast.catalog.cloud import CloudFile, Instance
from drivecast.catalog.prices import Prices
from drivecast.catalog.reader import CatalogError, Problem
from drivecast.catalog.rent import Rent

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

    def rules(self, name: str) -> str:
        """A kind with its prices, as the arithmetic takes it."""
        rent = self.prices.cloud.get(name)
        kind = self.cloud.kinds[name].model_dump(mode="json")
        return json.dumps(kind | {"rent": rent and rent.model_dump(mode="json")})

    def smallest(self, name: str, gib: int, iops: float, mib_per_s: float) -> Setting | None:
        """The smallest setting of a kind that does as much; none where the kind does not reach it."""
        found = _core.rental_smallest(self.rules(name), gib, iops, mib_per_s)
        return found and self.setting(name, *found)

    def setting(self, name: str, gib: int, iops: float, mib_per_s: float) -> Setting:
        """A setting of a kind."""
        kind = self.cloud.kinds[name]
        steps = sorted(key for key, step in (kind.steps or {}).items() if step.gib == gib)
        return Setting(name, gib, iops, mib_per_s, steps[0] if steps else None, chosen=kind.is_chosen)

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
            found = self._allowed(name, key, rest)
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
        rent = self.rent(setting.kind)
        rented = (setting.gib, setting.iops, setting.mib_per_s)
        found = _core.rental_month(self.rules(setting.kind), rented)
        if found is None or (setting.step is not None and setting.step not in rent.usd_per_step):
            place = f"cloud.{setting.kind}.usd_per_step.{setting.step}"
            raise CatalogError([Problem("prices.toml", place, "has no price; hint: add one")])
        return Month(**found)

    def _allowed(self, name: str, key: str, rest: str) -> Setting:
        """The setting that `rest` of a name says, if the kind allows it."""
        said, kind = NAME.fullmatch(rest), self.cloud.kinds[key]
        if said is None or said["gib"] is None:
            like = f"{key}-500gib-6000iops-250mib" if kind.is_chosen else f"{key}-500gib"
            raise _refused(
                name, f"no drive is called so, and no volume of `{key}`; hint: name one like `{like}`"
            )
        gib, iops, mib = (float(said[part]) if said[part] else None for part in ("gib", "iops", "mib"))
        low, high = kind.gib_min.value, kind.gib_max.value
        if gib is None or not low <= gib <= high:
            raise _refused(name, f"`{key}` holds {low:,} to {high:,} GiB, found {gib:,.0f}")
        limits = _core.rental_limits(self.rules(key), gib, iops) or {}
        rate = limits["iops_comes"] if iops is None else iops
        through = limits["mibps_comes"] if mib is None else mib
        for what, value, most in (
            ("IOPS", rate, limits["iops_most"]),
            ("MiB/s", through, limits["mibps_most"]),
        ):
            if not 0 < value <= math.ceil(most):
                raise _refused(
                    name, f"`{key}` of {gib:,.0f} GiB does at most {most:,.0f} {what}, found {value:,.0f}"
                )
        return self.setting(key, int(gib), rate, through)


def _refused(name: str, why: str) -> CatalogError:
    return CatalogError([Problem("catalog", "", f"`{name}`: {why}")])
