"""What a fit needs of a kind of device: variants to try, their parameters, and the sheet that they make.

Model. What is simulated during a fit is the device that the drive's file describes, so what is written is what was
fitted. A variant fixes what is counted rather than measured (the structure of a front, turns a minute, dies): each is
fitted shortly, the best is fitted well.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from drivecast.compare.fit.parameter import Parameter

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
    """What it fixes, in words."""
    parameters: tuple[Parameter, ...]
    content: Callable[[Figures], Content]


@dataclass(frozen=True)
class Target:
    """What is known of the device beside the runs."""

    name: str
    capacity_bytes: int
    described: Mapping[str, Any]
    """What the results say of the place: model, rotation, transport."""

    @property
    def model(self) -> str:
        """The model it calls itself, or the name of the target."""
        return str(self.described.get("model") or self.name).strip()


def assumed(value: Any, why: str) -> Figure:
    """A figure that nothing measured."""
    return {"value": value, "assumed": why}


NOT_TOLD = "nothing measured tells it"


def identity(target: Target, drive_class: str, interface: str) -> Content:
    """The table of names."""
    vendor = str(target.described.get("vendor") or "unknown").strip() or "unknown"
    return {
        "vendor": vendor,
        "model": target.model,
        "class": drive_class,
        "available_today": False,
        "form": "unknown",
        "interface": interface,
        "year": assumed(2020, NOT_TOLD),
    }
