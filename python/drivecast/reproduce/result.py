"""What an experiment found: figures beside the published ones, and orderings.

A *ratio* is ours over published. A row is `simulated` where devices ran for it and `computed` where it is arithmetic on
inputs that the document gives itself: the two are counted apart, so that sums which cannot fail do not hide
simulations that do. A row is `given` where the drive's own file rests on the published figure: it is shown and not
counted.
"""

from dataclasses import dataclass, field
from typing import Literal

import polars as pl

Kind = Literal["simulated", "computed", "given"]

WITHIN = 0.25
"""A ratio from 1 − this to 1 + this counts as reproduced."""

CLOSE = 0.10
"""A ratio further off than this is explained."""

SHARE_REQUIRED = 0.8
"""Of the rows of each kind."""


@dataclass(frozen=True)
class Row:
    """One published figure and ours."""

    experiment: str
    quantity: str
    unit: str
    published: float
    ours: float
    kind: Kind
    why: str
    """What the difference rests on; empty for a ratio that is close."""
    low: float | None = None
    """Ours at one end of what the document leaves open; `None` where nothing is."""
    high: float | None = None

    @property
    def ratio(self) -> float:
        """Ours over published."""
        return self.ours / self.published

    @property
    def within(self) -> bool:
        """Whether the ratio counts as reproduced."""
        return abs(self.ratio - 1) <= WITHIN


@dataclass(frozen=True)
class Ordering:
    """A statement about who is faster, what scales, what hurts."""

    experiment: str
    statement: str
    ours: str
    """The figures it was judged by."""
    right: bool


@dataclass
class Findings:
    """What one experiment found; experiments fill it in."""

    experiment: str
    rows: list[Row] = field(default_factory=list)
    orderings: list[Ordering] = field(default_factory=list)

    def figure(
        self,
        quantity: str,
        unit: str,
        *,
        published: float,
        ours: float,
        why: str = "",
        kind: Kind = "simulated",
        span: tuple[float, float] | None = None,
    ) -> None:
        """Add a figure; `why` is kept only where the ratio is not close, `span` is what ours could also be."""
        close = abs(ours / published - 1) <= CLOSE
        low, high = (min(span), max(span)) if span else (None, None)
        self.rows.append(
            Row(
                self.experiment,
                quantity,
                unit,
                published,
                ours,
                kind,
                "" if close else why,
                low=low,
                high=high,
            )
        )

    def ordering(self, statement: str, right: bool, ours: str) -> None:
        """Add a statement, whether ours agrees, and the figures that say so."""
        self.orderings.append(Ordering(self.experiment, statement, ours, right))


def share_within(rows: list[Row], kind: Kind | None = None) -> float | None:
    """The share of rows reproduced; `None` where there are none."""
    chosen = [row for row in rows if kind is None or row.kind == kind]
    return sum(row.within for row in chosen) / len(chosen) if chosen else None


def passed(rows: list[Row], orderings: list[Ordering]) -> bool:
    """Whether enough rows of each kind are reproduced and every ordering is right."""
    shares = (share_within(rows, "simulated"), share_within(rows, "computed"))
    return all(share is None or share >= SHARE_REQUIRED for share in shares) and all(
        ordering.right for ordering in orderings
    )


def table(rows: list[Row]) -> pl.DataFrame:
    """Rows as a table, one a published figure."""
    columns = (
        "experiment",
        "quantity",
        "unit",
        "published",
        "ours",
        "ratio",
        "low",
        "high",
        "within",
        "kind",
        "why",
    )
    types = dict.fromkeys(("published", "ours", "ratio", "low", "high"), pl.Float64)
    return pl.DataFrame(
        {name: [getattr(row, name) for row in rows] for name in columns}, schema_overrides=types
    )
