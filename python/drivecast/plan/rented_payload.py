"""What a plan carries of rented designs, so that a page can judge them anew, play others and change them.

Model. Kinds go along with their rules and prices, each number with its origin, and with the least rates of the
measured peak in closed form, so that the page can look for the smallest of each kind as the plan does. Volumes of the
catalog, and drives inside of instances, go along as they are simulated. Left out: arrays of volumes that have no level,
spares, and parts of volumes.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from drivecast.catalog import Volume
from drivecast.catalog.cloud_volume import GIB
from drivecast.catalog.figure import Sourced
from drivecast.catalog.rental import LOCAL
from drivecast.catalog.volume import volume_spec
from drivecast.plan import design_runs, facts
from drivecast.plan.rented_result import title
from drivecast.plan.rented_trial import Rented, RentedTrial, bursts
from drivecast.plan.renting import Offer, Search
from drivecast.plan.requirement import Requirements

OPEN_LEVELS = ("raid10", "raid50", "raid60")
"""Those whose groups a design says."""


@dataclass(frozen=True)
class Carrying:
    """What was offered in a search."""

    search: Search
    offers: Sequence[Offer]
    searched: bool
    """Whether of each kind the smallest that holds was looked for."""

    @property
    def _needs(self) -> Requirements:
        return self.search.trials.bench.requirements

    def rental(self) -> dict[str, Any]:
        """What is known of kinds, volumes and prices."""
        catalog = self.search.catalog
        given = [name for name, how, _ in self._needs.origins if how == "given"]
        instances = {offer.setting.instance for offer in self.offers if offer.setting is not None}
        saved = catalog.cloud.saved_s
        return {
            "kinds": {name: self._kind(name) for name in self.kinds},
            "volumes": {name: self._volume(each) for name, each in self.volumes.items()},
            "instances": {
                name: said(catalog.rental.instance(name), catalog.cloud.sources)
                for name in sorted({name for name in (*instances, self.search.instance) if name})
            },
            "instance": self.search.instance,
            "bounds": list(catalog.prices.rent_bounds),
            "saved_s": saved.value if saved else 0.0,
            "is_searched": self.searched,
            "loss_is_given": "data loss" in given,
        }

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds that were searched, or that a design is of."""
        of = {offer.setting.kind for offer in self.offers if offer.setting is not None}
        return sorted(of | set(self.search.kinds if self.searched else ()))

    @cached_property
    def volumes(self) -> dict[str, Volume]:
        """Those that kinds are like, those that are designs by themselves, and drives inside of instances."""
        catalog = self.search.catalog
        found = {
            name: catalog.volumes[name] for name in (catalog.cloud.kinds[kind].like for kind in self.kinds)
        }
        for rented in self._rented_designs:
            if rented.volume.name in catalog.volumes or rented.volume.name.startswith(LOCAL):
                found[rented.volume.name] = rented.volume
        return dict(sorted(found.items()))

    @cached_property
    def _rented_designs(self) -> list[Rented]:
        offered = [offer.rented for offer in self.offers if offer.rented is not None]
        return [*offered, *(self.search.inside() if self.searched else ())]

    def _kind(self, name: str) -> dict[str, Any]:
        catalog, rental = self.search.catalog, self.search.catalog.rental
        rent = catalog.prices.cloud.get(name)
        rules = said(catalog.cloud.kinds[name], catalog.cloud.sources)
        return {
            "rules": rules | {"rent": rent and said(rent, rental.prices.sources)},
            "like": catalog.cloud.kinds[name].like,
            "least": list(self.search.least(name, 1.0)),
        }

    def _volume(self, volume: Volume) -> dict[str, Any]:
        catalog, identity = self.search.catalog, volume.sheet.identity
        afr, inside = volume.sheet.reliability.afr, None
        if volume.name.startswith(LOCAL):
            instance = volume.name.removeprefix(LOCAL)
            local, rent = catalog.cloud.instances[instance].local, catalog.rental.rent(instance)
            usd = rent.usd_for_drives and said(rent.usd_for_drives, catalog.prices.sources)
            inside = local and usd and {"drives": local.drives.value, "usd": usd}
        named = f"{identity.vendor} {identity.model}" if identity.kind else volume.title
        return {
            "title": named,
            "vendor": identity.vendor,
            "user_bytes": volume.user_bytes,
            "afr": afr.value if afr else None,
            "bursts": bursts(volume),
            "inside": inside,
        }

    def specs(self) -> dict[str, Any]:
        """The volumes as they are simulated."""
        return {name: volume_spec(volume) for name, volume in self.volumes.items()}

    def tried(self) -> Iterator[dict[str, Any]]:
        """Offers that were played."""
        for offer in self.offers:
            if offer.rented is not None and offer.trial is not None and _is_plain(offer.rented):
                yield self._shape(offer, offer.rented) | self._seen(offer.rented, offer.trial)

    def space(self) -> Iterator[dict[str, Any]]:
        """Offers that were not, and drives of instances that were too dear to be tried."""
        for offer in self.offers:
            if offer.rented is not None and offer.trial is None and _is_plain(offer.rented):
                yield self._shape(offer, offer.rented)
        lines = {offer.line for offer in self.offers}
        for rented in self.search.inside() if self.searched else ():
            if rented.line not in lines:
                instance = rented.volume.name.removeprefix(LOCAL)
                yield self._shape(Offer(rented.line, rented, instance=instance), rented)

    def _shape(self, offer: Offer, rented: Rented) -> dict[str, Any]:
        shape = rented.shape
        return {
            "line": offer.line,
            "title": title(offer),
            "drive": "",
            "level": shape.level,
            "count": rented.count,
            "groups": shape.groups if shape.level in OPEN_LEVELS else None,
            "spares": 0,
            "partition": 1.0,
            "usable_bytes": shape.usable_bytes,
            "today": offer.today,
            "yours": offer.requested,
            "rented": self._rented(offer, rented),
        }

    def _rented(self, offer: Offer, rented: Rented) -> dict[str, Any]:
        setting, name, needs = offer.setting, rented.volume.name, self._needs
        is_own = name in self.search.catalog.volumes or name.startswith(LOCAL)
        of: dict[str, Any] = {
            "kind": setting.kind if setting else name,
            "gib": setting.gib if setting else None,
            "iops": setting.iops if setting else None,
            "mibps": setting.mib_per_s if setting else None,
        }
        if is_own:
            of["volume"] = name
        if setting and setting.instance:
            of["instance"] = setting.instance
        if bursts(rented.volume):
            of["hours_per_day"] = needs.hours_per_day
        if setting and not offer.requested:
            of["searched"] = [
                {
                    "gib": math.ceil(needs.capacity_bytes / GIB),
                    "load": needs.headroom,
                    "hours_per_day": needs.hours_per_day,
                    "limits": {"read": needs.p99_read_ns, "write": needs.p99_write_ns},
                }
            ]
        return of

    def _seen(self, rented: Rented, trial: RentedTrial) -> dict[str, Any]:
        reads, writes = trial.latency_ns["read", "p99"], trial.latency_ns["write", "p99"]
        at = trial.miss.load if trial.miss else None
        return {
            "seen": {"worked": facts.of_outcome(trial.peak), "wear": None},
            "fill": min(1.0, self._needs.capacity_bytes / rented.shape.usable_bytes),
            "runs": [design_runs.run(1.0, trial.peak)],
            "held": trial.headroom,
            "missed": at,
            "refined": True,
            "read_p99_ns": reads and reads.model_dump(),
            "write_p99_ns": writes and writes.model_dump(),
        }


def _is_plain(rented: Rented) -> bool:
    shape = rented.shape
    return shape.level is not None and shape.spares == 0 and shape.partition == 1.0


def said(model: BaseModel, sources: dict[str, str]) -> dict[str, Any]:
    """A table of a file, each figure with how it is known and from where."""
    found = {name: _said(value, sources) for name, value in model if name not in Sourced.model_fields}
    if isinstance(model, Sourced):
        found |= {
            "provenance": model.provenance.value,
            "source": sources.get(model.document or "", model.reason),
        }
    return found


def _said(value: Any, sources: dict[str, str]) -> Any:
    if isinstance(value, BaseModel):
        return said(value, sources)
    if isinstance(value, dict):
        return {key: _said(each, sources) for key, each in value.items()}
    return value.isoformat() if isinstance(value, date) else value
