"""The chance that a design loses data: the core's estimate for a group, and the document of `drivecast reliability`."""

from typing import Literal

from drivecast.document.design import Level
from drivecast.document.part import Document, Part, Provenance
from drivecast.quantity.interval import Interval

HowKnown = Provenance | Literal["simulated"]


class GroupLoss(Part):
    """Means over simulated missions with their 95 % intervals (`crates/sim/src/loss/estimate.rs`)."""

    missions: int
    """Simulated, of one group each."""
    group_years: float
    relative_error: float
    """Standard error of the chance of loss of a group, over that chance."""
    probability: Interval
    """Of any loss of data."""
    failure_probability: Interval
    """Of a loss by failed drives."""
    unreadable_probability: Interval
    """Of an unreadable sector in a rebuild without redundancy."""
    unreadable_rebuilds: Interval
    """Expected number of such rebuilds."""
    lost_bytes: Interval
    degraded_fraction: Interval
    """Share of the time in which a group has a drive missing."""


class ClosedForm(Part):
    """The birth-death chain at constant failure rates."""

    mttdl_years: float
    failure_probability: float
    unreadable_probability: float
    data_loss_probability: float


class Assumption(Part):
    """A figure that went in, and how it is known."""

    name: str
    value: str | int
    provenance: HowKnown
    source: str


class Reliability(Document):
    """Chances over the years of service; `_low` and `_high` span failure rates, wear, latent errors and sampling."""

    version: str
    design: str
    drive: str
    level: Level
    drives: int
    usable_bytes: int
    years: float
    seed: int
    policy: str
    rebuild_h: float
    data_loss_probability: float
    data_loss_probability_low: float
    data_loss_probability_high: float
    failure_probability: float
    failure_probability_low: float
    failure_probability_high: float
    unreadable_probability: float
    unreadable_probability_low: float
    unreadable_probability_high: float
    lost_bytes: float
    lost_bytes_low: float
    lost_bytes_high: float
    nomdl: float
    """Bytes expected to be lost over the usable capacity: normalized magnitude of data loss."""
    nomdl_low: float
    nomdl_high: float
    availability: float
    availability_low: float
    availability_high: float
    degraded_fraction: float
    degraded_fraction_low: float
    degraded_fraction_high: float
    relative_error: float
    """Of sampling, of the chance of data loss."""
    missions: int
    closed_form: ClosedForm
    assumptions: list[Assumption]
    """What matters most first."""
