"""The states that an array lives in, and what is simulated of each."""

from typing import Annotated, Literal

from drivecast.document.part import Part, left_out
from drivecast.quantity.interval import Span

Condition = Literal["healthy", "degraded", "rebuilding"]
"""Whole; with a drive failed; with a drive rebuilt onto a spare while the load continues."""

CONDITIONS: tuple[Condition, ...] = ("healthy", "degraded", "rebuilding")


class ArrayState(Part):
    """An array in one of its states, at the peak."""

    condition: Condition
    time_share: Span | None = None
    """Of the years of service; null for the healthy one, which has the rest."""
    slowed_to_bytes_per_s: Annotated[float | None, left_out()] = None
    """What a rebuild may take, where it is slowed down so that the limits hold."""
    holds: bool
    """Whether the limits on p99 hold, and the drives keep up."""
    headroom: float | None = None
    """No more than that of the healthy array; null where the peak itself is missed."""
    read_p99_ns: Span | None = None
    write_p99_ns: Span | None = None
