"""A table of a result, for the terminal and the page alike."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rich.text import Text

from drivecast.present import grid

T = TypeVar("T")

POINTS_MAX = 40
"""Rows of a table in the terminal."""


@dataclass(frozen=True)
class Table:
    """Cells under heads; figures are right-aligned."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: int = 1
    """How many columns from the left hold text."""
    note: str = ""

    @classmethod
    def of(
        cls,
        title: str,
        rows: Sequence[T],
        columns: Mapping[str, Callable[[T], str]],
        words: int = 2,
        note: str = "",
    ) -> "Table":
        """Return a table of rows: the cells of each column by a function of the row."""
        cells = [tuple(cell(row) for cell in columns.values()) for row in rows]
        return cls(title, tuple(head.rstrip() for head in columns), cells, words, note)

    def slim(self) -> "Table":
        """Return the same with each text column of equal cells named once, in the title."""
        alike = [
            at for at in range(self.words) if len({row[at] for row in self.rows}) == 1 and len(self.heads) > 2
        ]
        kept = [at for at in range(len(self.heads)) if at not in alike]
        return Table(
            self.title + "".join(f", {self.rows[0][at]}" for at in alike),
            tuple(self.heads[at] for at in kept),
            [tuple(row[at] for at in kept) for row in self.rows],
            self.words - len(alike),
            self.note,
        )

    def lines(self) -> list[Text]:
        """Return the table for the terminal, below its title."""
        slim = self.slim()
        heads = [f"<{head}" if at < slim.words else head for at, head in enumerate(slim.heads)]
        lines = [Text(grid.clean(slim.title)), *grid.table(heads, slim.rows[:POINTS_MAX], indent=2)]
        if len(self.rows) > POINTS_MAX:
            lines.append(Text(f"  … and {len(self.rows) - POINTS_MAX} more"))
        return lines
