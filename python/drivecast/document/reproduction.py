"""Published figures next to ours.

A *ratio* is ours over published. A row is `simulated` where devices ran for it and `computed` where it is arithmetic
on inputs that the publication itself gives: the two are counted apart, so that sums which cannot fail do not hide
simulations that do. A row is `given` where the drive's own file rests on the published figure: it is shown, not
counted. A row is `measured` where a real program ran on an attached design (`live_reproduction`).
"""

from collections.abc import Iterable
from typing import Literal

from drivecast.document.part import Document, Part

Kind = Literal["simulated", "computed", "given", "measured"]

WITHIN = 0.25
"""A ratio from 1 − this to 1 + this counts as reproduced."""

SHARE_REQUIRED = 0.8
"""Of the rows of each kind."""


class Row(Part):
    """One published figure and ours."""

    experiment: str
    quantity: str
    unit: str
    published: float
    ours: float
    ratio: float
    low: float | None = None
    """Ours at one end of what the publication leaves open; none where nothing is."""
    high: float | None = None
    within: bool
    """Whether the ratio counts as reproduced."""
    kind: Kind
    why: str = ""
    """What the difference rests on; empty for a ratio that is close."""


class Ordering(Part):
    """A statement about who is faster, what scales, what hurts."""

    experiment: str
    statement: str
    ours: str
    """The figures it was judged by."""
    right: bool


class Described(Part):
    """An experiment: what it rests on and what was assumed for it."""

    name: str
    title: str
    documents: list[str]
    conditions: list[str]


class Reproduction(Document):
    """What the experiments found, in their order."""

    version: str
    seed: int
    experiments: list[Described]
    rows: list[Row]
    orderings: list[Ordering]
    within_required: float = WITHIN
    share_required: float = SHARE_REQUIRED
    share_within_simulated: float | None
    share_within_computed: float | None
    orderings_right: int
    passed: bool
    """Whether enough rows of each kind are reproduced and every ordering is right."""


class Listed(Part):
    """An experiment, and in how many runs it is made."""

    name: str
    title: str
    tasks: int


class Experiments(Document):
    """The experiments there are."""

    experiments: list[Listed]


def share_within(rows: Iterable[Row], kind: Kind | None = None) -> float | None:
    """The share of rows reproduced; none where there are no rows."""
    chosen = [row.within for row in rows if kind is None or row.kind == kind]
    return sum(chosen) / len(chosen) if chosen else None


def passed(rows: list[Row], orderings: list[Ordering]) -> bool:
    """Whether enough rows of each kind are reproduced and every ordering is right."""
    shares = (share_within(rows, "simulated"), share_within(rows, "computed"))
    enough = all(share is None or share >= SHARE_REQUIRED for share in shares)
    return enough and all(ordering.right for ordering in orderings)
