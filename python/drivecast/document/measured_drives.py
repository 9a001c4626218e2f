"""Real drives as others measured them, next to ours.

A *ratio* is predicted over measured. A figure is *fitted* where its row was used to calibrate the drive: it is shown,
and not judged. The interval is the one that the outcome of a run shows (`assess.outcome_interval`), with the errors of
the *other* drives; of a figure for which it shows none, it holds 80 % of what the errors at the other drives make of
the prediction, for the same quantity, and above or below saturation alike. A drive that was measured is also predicted
as if it had not been (`calibrated` false): from its sheet, left out of all that was fitted. Its interval is what the
prediction of an unknown drive has to allow for.
"""

from pydantic import Field

from drivecast.document.part import Document, Part


class MeasuredFigure(Part):
    """One measured figure and ours; latencies in microseconds, rates a second."""

    source: str
    drive: str
    design: str
    """What was simulated: the drive, or a design it is a part of."""
    workload: str
    quantity: str
    measured: float
    predicted: float
    low: float | None
    high: float | None
    """Of the 80 % interval; no lower end: no other drive has it; no upper end: nothing bounds it."""
    ratio: float
    calibrated: bool
    """Whether the drive is taken as measured, or as its sheet describes it."""
    saturated: bool
    """Whether more is offered than the simulated drive serves, or a queue of its host is in front of it."""
    fitted: bool
    load: float | None = None
    """What is offered, as a share of what the drive was measured to carry."""

    @property
    def is_inside(self) -> bool | None:
        """Whether the measured value is in the interval; none without one."""
        if self.low is None:
            return None
        return self.low <= self.measured and (self.high is None or self.measured <= self.high)


class LeftOut(Part):
    """How far one quantity of drives is off that are left out of all that was fitted, by load."""

    quantity: str
    load_least: float
    load_below: float | None
    """Shares of what the drive was measured to carry; none: beyond it."""
    figures: int
    error_median: float
    beyond_3: float
    """Share that is more than three times off."""
    coverage: float | None
    """Share inside the interval."""
    width_median: float | None
    """Of the interval, upper end over lower."""


class Agreement(Part):
    """How far the figures of one kind are off, those that were not fitted."""

    quantities: str
    figures: int
    error_median: float
    """Median of |ratio - 1|, of what is below 1 of its inverse."""
    within_10_percent: float
    within_25_percent: float
    within_factor_2: float
    factor_worst: float
    coverage: float | None
    """Share inside the interval; none without intervals."""
    width_reads: float | None
    """Widest interval of reads below 75 % of what a drive carries, upper end over lower; none without intervals."""
    error_goal: float | None
    """None where the median is not judged."""
    factor_goal: float | None
    """None where the worst is not judged."""
    coverage_goal: tuple[float, float] | None
    """None where the share inside the interval is not judged."""
    width_goal: float | None
    passed: bool


class MeasuredDrives(Document):
    """Every row of the tables, simulated as it was measured."""

    version: str
    seed: int
    figures: list[MeasuredFigure]
    summary: list[Agreement]
    left_out: list[LeftOut] = Field(default_factory=list)
    """Drives predicted from their sheets, by quantity and load."""
    skipped: list[str] = Field(default_factory=list)
    """Drives of the tables that the catalog does not have."""
    passed: bool
