"""Which requirement a design does not meet, and by how much."""

from typing import Annotated, Literal

from pydantic import Field

from drivecast.document.part import Part, left_out

MissKind = Literal[
    "latency",
    "saturated",
    "flash-life",
    "rated-writes",
    "budget",
    "power",
    "capacity",
    "failures-tolerated",
    "data-loss",
    "dearer",
    "rotation",
    "link",
    "not-sold",
    "no-power-loss-protection",
    "host-managed",
    "trimmed",
    "smaller-fits",
    "time",
    "backup",
    "cache-misses",
]
"""What a design lacks; `present.reason` words it."""


class Miss(Part):
    """Why a design does not fit, or was not simulated: the first requirement it misses."""

    kind: MissKind
    found: float | None = None
    """In ns, years, bytes, bytes a second, W, drives, shares or the plan's currency, as the kind has it."""
    limit: float | None = None
    """What is required, in the same unit."""
    shortfall: float | None = None
    """Needed over found; none where more of it would not help."""
    op: Literal["read", "write"] | None = None
    """Whose latency."""
    saturated: bool = False
    """Whether requests arrived faster than they were served."""
    load: float | None = None
    """The multiple of the measured peak at which it is missed; none at the peak itself."""
    over_all: Annotated[bool, Field(exclude_if=lambda over: not over)] = False
    """Whether it is missed over all of the log, and not at the peak."""
    is_bound: bool = False
    """Whether it is known before simulation, by an optimistic bound."""
    volume: Annotated[str | None, left_out()] = None
    """Which of several volumes lacks it, or which side of a cached design: `cache` or `disks`."""
    log: Annotated[str | None, left_out()] = None
    """Of several logs together the one whose requests miss it; none where it is that of all."""
