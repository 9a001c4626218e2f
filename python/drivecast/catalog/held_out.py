"""How far a fitted device is off runs that it was not fitted to: the table `[held_out]` of its file.

Errors are shares of what was measured, |predicted / measured − 1|, over the settings held out; of reads and writes the
worse is stated. The noise, where runs were repeated, is what two runs of one setting typically differ by.
"""

from typing import Annotated

from pydantic import Field

from drivecast.catalog.figure import Strict

Share = Annotated[float, Field(ge=0)]


class HeldOut(Strict):
    """The error by quantity: its median and its worst."""

    runs: Annotated[int, Field(gt=0)]
    """Settings that were measured and not used in the fit."""
    by: str | None = None
    """How they were told apart from those of the fit."""
    p50_error_median: Share
    p50_error_max: Share
    p99_error_median: Share
    p99_error_max: Share
    iops_error_median: Share | None = None
    iops_error_max: Share | None = None
    p50_noise: Share | None = None
    p99_noise: Share | None = None
    iops_noise: Share | None = None


def stated(name: str, error: HeldOut) -> str:
    """The error in words."""
    return (
        f"`{name}` was fitted to runs: on {error.runs} settings held out, p50 was off by "
        f"{error.p50_error_median:.0%} in the median and {error.p50_error_max:.0%} at most, p99 by "
        f"{error.p99_error_median:.0%} and {error.p99_error_max:.0%}"
    )
