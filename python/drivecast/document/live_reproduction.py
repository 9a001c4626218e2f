"""Published experiments run with a real database on attached designs: what was measured, published ratios next to ours.

A *point* is one setup with one buffer pool. It is *judged* where the server saw the design: its disks were carried on
time, none failed, and the processors of this machine were not the limit. A row or an ordering is judged where all its
points are; what is not judged is shown and not counted. Rates are those of a second of the design: a design that runs
at a tenth of real time has ten times the rate that a wall clock shows.
"""

from typing import Any, Literal

from pydantic import Field

from drivecast.document.part import Document, Part
from drivecast.document.reproduction import SHARE_REQUIRED, WITHIN, Described, Ordering, Row, share_within

Unjudged = Literal["late", "processors", "fault"]
"""Why a point says nothing of its design: the disks answered late, the processors were busy while the disks had nothing
to do, or the design answered EIO."""


class Change(Part):
    """What scaling an experiment to this machine changed."""

    what: str
    effect: str
    """On the figures that are compared."""


class LiveDescribed(Described):
    """An experiment, and what scaling changed."""

    changes: list[Change]


class LivePoint(Part):
    """What a server did on one setup."""

    experiment: str
    setup: str
    """The name by which rows call it."""
    pool: str = ""
    """The published pool that the buffer stands for, where an experiment has several."""
    design: str
    """The line of the data's design; its drives are scaled."""
    log: str | None = None
    """The line of the log's design; none: with the data."""
    speed: float
    """Design time over real time."""
    data_bytes: int | None
    buffer_bytes: int
    threads: int
    per_s: float
    """Transactions in a second of the design."""
    per_s_clock: float
    """Transactions in a second of real time."""
    reads_per_s: float
    """Of the data and the log together; so are the next two. In a second of the design."""
    writes_per_s: float
    flushes_per_s: float
    outstanding: float | None
    """Mean number of requests at the devices, by the counters of the system."""
    read_p50_ns: float | None
    """Of the data's design, in its time; so is the next."""
    read_p99_ns: float | None
    late_share: float | None
    """Of all that the server waited for its disks, data and log together, by how much they were late."""
    late_p99_ns: float
    """By the clock; the larger of data and log."""
    busy: float | None
    """Share of the time in which the busiest device had a request."""
    processors: float | None
    """Share of this machine's processor time that was used, by whomever."""
    unjudged: Unjudged | None
    notes: list[str] = Field(default_factory=list)


class LiveRow(Row):
    """A published ratio and ours."""

    judged: bool


class LiveOrdering(Ordering):
    """A statement about two points."""

    judged: bool


class LiveReproduction(Document):
    """What experiments with a real database found, in their order."""

    version: str
    seed: int
    started: str | None
    """ISO 8601, UTC, of the first experiment."""
    ended: str | None
    """Of the last experiment, loading and taking down included."""
    environment: dict[str, Any]
    """The machine, as results of `drivecast bench` have it."""
    experiments: list[LiveDescribed]
    points: list[LivePoint]
    rows: list[LiveRow]
    orderings: list[LiveOrdering]
    within_required: float = WITHIN
    share_required: float = SHARE_REQUIRED
    share_within: float | None
    """Of the rows that are judged; none where none is."""
    orderings_judged: int
    orderings_right: int
    """Of those judged."""
    passed: bool
    """Whether something was judged, enough rows of it are reproduced, and every ordering of it is right."""

    def to_rows(self) -> list[dict[str, Any]]:
        """A row a published ratio."""
        return [row.model_dump(mode="json") for row in self.rows]


def passed(rows: list[LiveRow], orderings: list[LiveOrdering]) -> bool:
    """Whether something was judged, and enough of it came out."""
    share = share_within(row for row in rows if row.judged)
    right = all(ordering.right for ordering in orderings if ordering.judged)
    judged = share is not None or any(ordering.judged for ordering in orderings)
    return judged and right and (share is None or share >= SHARE_REQUIRED)
