"""What a fit needs of a kind of device: variants to try, their parameters, and the sheet that they make.

A parameter is a positive number with a place to start; an estimate is what the data show of it.

Model. What is simulated during a fit is the device that the drive's file describes, so what is written is what was
fitted. A variant fixes what is counted rather than measured (the structure of a front, turns a minute, dies): each is
fitted shortly, the best is fitted well.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

from drivecast.compare.fit.observation import Observation
from drivecast.document import fit as document

Unit = Literal["ns", "ns/B", "B/s", "1/s", "", "B", "requests", "ms", "MB/s"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a simulated device. It is fitted by its logarithm: all of them are positive."""

    name: str
    """Path of its key in the specification, such as `front.batch_ns`."""
    start: float
    low: float
    high: float
    unit: Unit
    meaning: str
    determined_by: str
    """The run that determines it."""
    otherwise: float = 0.0
    """What is taken where the data do not determine it."""
    group: tuple[str, ...] = ()
    """Further keys that take the same value."""


@dataclass(frozen=True)
class Estimate:
    """A parameter after the fit."""

    parameter: Parameter
    value: float
    low: float | None
    """Bounds of the interval; none where the data do not determine the parameter."""
    high: float | None
    why: str = ""
    """Why it is assumed, where it is."""

    @property
    def is_fitted(self) -> bool:
        """Whether the data decided it."""
        return self.low is not None

    def row(self) -> document.Estimate:
        """The estimate as a document has it."""
        return document.Estimate(
            name=self.parameter.name,
            meaning=self.parameter.meaning,
            unit=self.parameter.unit or None,
            value=self.value,
            low=self.low,
            high=self.high,
            provenance="fitted" if self.is_fitted else "assumed",
            determined_by=self.parameter.determined_by,
        )


Values = Mapping[str, float]
"""Parameters by name."""
Figure = dict[str, Any]
"""A value and its origin, as a catalog's file has it."""
Content = dict[str, Any]
"""A drive's file."""
Figures = Callable[[str], Figure]
"""The figure of a parameter, by its name."""


@dataclass(frozen=True)
class Variant:
    """One of the devices to try."""

    name: str
    """What it fixes."""
    parameters: tuple[Parameter, ...]
    unfitted: Content
    """The drive's file but for the parameters."""
    completed: Callable[[Content], None] = lambda _made: None
    """Adds what follows from the parameters."""
    known: tuple[Estimate, ...] = ()
    """What closed forms determine, and the search leaves alone."""
    longer: int = 1
    """Requests of each of its simulations over the usual: rare events show late."""

    def content(self, figures: Figures) -> Content:
        """The drive's file with these figures of its parameters."""
        made = deepcopy(self.unfitted)
        for parameter in (*self.parameters, *(estimate.parameter for estimate in self.known)):
            *tables, key = parameter.name.split(".")
            place = made
            for table in tables:
                place = place.setdefault(table, {})
            place[key] = figures(parameter.name)
        self.completed(made)
        return made


@dataclass(frozen=True)
class Target:
    """What is known of the device besides the runs."""

    name: str
    capacity_bytes: int
    described: Mapping[str, Any]
    """What the results state of the disk: model, rotation, transport."""

    @property
    def model(self) -> str:
        """The model it calls itself, else the name of the disk or of the target."""
        return str(self.described.get("model") or self.described.get("name") or self.name).strip()

    @property
    def vendor(self) -> str:
        """The vendor it names."""
        return str(self.described.get("vendor") or "").strip() or "unknown"


def assumed(value: Any, why: str) -> Figure:
    """A figure that nothing measured."""
    return {"value": value, "assumed": why}


NOT_MEASURED = "no measured run shows it"


def identity(target: Target, drive_class: str, interface: str) -> Content:
    """The table of names."""
    return {
        "vendor": target.vendor,
        "model": target.model,
        "class": drive_class,
        "available_today": False,
        "form": "unknown",
        "interface": interface,
        "year": assumed(2020, NOT_MEASURED),
    }


Kind = Literal["volume", "ssd", "disk"]
VIRTUAL = ("virtio", "xen", "vmw", "nbd", "rbd", "loop", "hv_")
"""Names of the drivers of virtual devices."""
ARM_NS = 2e6
"""No flash takes this long for a lone read, and no arm much less."""
DEEPER = 8.0
"""A disk gains less than this by any queue depth."""


def decide(observations: Sequence[Observation], described: Mapping[str, Any]) -> tuple[Kind, str]:
    """What to fit the device as, and why: by what it reports of itself, else by lone reads and deep queues."""
    driver, model = str(described.get("driver") or ""), str(described.get("model") or "")
    name = str(described.get("name") or "the device")
    if any(word in driver.lower() for word in VIRTUAL) or "elastic block" in model.lower():
        return "volume", f"`{name}` is virtual (driver `{driver}`): its inside is not known"
    rotational = (described.get("queue") or {}).get("rotational")
    if model and str(rotational) == "1":
        return "disk", f"`{name}` reports that it rotates ({model})"
    if model and str(rotational) == "0":
        return "ssd", f"`{name}` reports that it does not rotate ({model})"
    reads = [run for run in observations if "read.q0.5" in run.figures and run.depth is not None]
    lone = [run.figures["read.q0.5"] for run in reads if run.depth == 1 and not run.is_sequential]
    rates = [run.figures["read.iops"] for run in reads if not run.is_sequential]
    if lone and min(lone) > ARM_NS and max(rates) < DEEPER * 1e9 / min(lone):
        return "disk", "lone reads take milliseconds, and deep queues hardly raise the rate"
    return "volume", "what it is is not known, so only what is visible from outside is fitted"
