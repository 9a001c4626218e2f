"""Real drives as others measured them, next to ours.

A *ratio* is predicted over measured. A figure is *fitted* where its row was used to calibrate the drive: it is shown,
and not judged. The interval is the prediction times the 10 % and 90 % points of measured over predicted at the *other*
drives, for the same quantity: what the prediction of a drive that nobody measured would have to allow for, if it
were as well described as these.
"""

from drivecast.document.part import Document, Part


class MeasuredFigure(Part):
    """One measured figure and ours; latencies in microseconds, rates a second."""

    source: str
    drive: str
    workload: str
    quantity: str
    measured: float
    predicted: float
    low: float | None
    high: float | None
    """Of the 80 % interval; none where no other drive has the quantity."""
    ratio: float
    calibrated: bool
    """Whether the drive's latency was measured, or is known from its sheet only."""
    fitted: bool


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
    error_goal: float
    factor_goal: float | None
    """None where the worst is not judged."""
    passed: bool


class MeasuredDrives(Document):
    """Every row of the tables, simulated as it was measured."""

    version: str
    seed: int
    figures: list[MeasuredFigure]
    summary: list[Agreement]
    passed: bool
