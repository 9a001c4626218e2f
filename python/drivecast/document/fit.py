"""A fit: a device fitted to measured runs, with the error on runs held out."""

from typing import Any, Literal

from pydantic import Field, computed_field

from drivecast.document.outcome import OPS
from drivecast.document.part import Document, Part

QUANTILES = ("q0.5", "q0.9", "q0.99", "q0.999")
FIGURES = ("iops", *(f"{op}.{quantile}" for op in OPS for quantile in QUANTILES))
"""Figures that are shown, as `iops` and `read.q0.99`."""


class Estimate(Part):
    """A parameter after the fit."""

    name: str
    """Path of its key in the drive's file, such as `front.wake_ns`."""
    meaning: str
    unit: str | None
    value: float
    low: float | None
    """The interval, 95 %; none where the data do not determine the parameter."""
    high: float | None
    provenance: Literal["fitted", "assumed"]
    determined_by: str
    """The run that determines it."""


class Together(Part):
    """Two parameters of which the data determine a combination better than either."""

    parameters: tuple[str, str]
    correlation: float
    """Of their errors."""


class Error(Part):
    """The error of one quantity, |predicted / measured − 1|, over the settings held out."""

    quantity: str
    """`iops`, or operation and quantile: `read.q0.99`."""
    settings: int
    error_median: float
    error_max: float
    bias: float
    """Median of predicted over measured, less one: on which side it is off."""
    within_20_percent: int
    worst: str
    """The setting with the largest error."""
    noise: float | None
    """What two runs of one setting typically differ by; none where nothing was repeated."""


class Setting(Part):
    """One setting, measured and simulated."""

    label: str
    workload: str
    file: str
    held_out: bool
    measured: dict[str, float]
    simulated: dict[str, float]

    def rows(self) -> list[dict[str, Any]]:
        """One row a figure."""
        return [
            {
                "workload": self.workload,
                "file": self.file,
                "held_out": self.held_out,
                "figure": name,
                "measured": self.measured[name],
                "simulated": self.simulated[name],
                "ratio": self.simulated[name] / self.measured[name],
            }
            for name in FIGURES
            if name in self.measured and name in self.simulated
        ]


class Fit(Document):
    """A device and how well it is known."""

    schema_version: Literal[2] = 2
    content: dict[str, Any] = Field(exclude=True)
    """Of the drive's file."""
    model: str = Field(exclude=True)
    """What the device calls itself."""
    settings: list[Setting] = Field(exclude=True)
    repeated: bool = Field(exclude=True)
    """Whether any setting was measured more than once."""

    name: str
    kind: str
    why_kind: str
    target: str
    capacity_bytes: int
    variant: str
    variants: dict[str, float]
    """Root mean square of the residuals, in tolerances, of each variant after its short fit."""
    residual_rms: float
    simulations: int
    settings_fitted: int
    settings_held_out: int
    held_out_by: str
    parameters: list[Estimate]
    together: list[Together]
    errors: list[Error]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def figures(self) -> list[dict[str, Any]]:
        """One row a setting and figure, measured next to simulated."""
        return [row for setting in self.settings for row in setting.rows()]
