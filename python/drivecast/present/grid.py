r"""Tables for the terminal: the one place that aligns columns.

    lines = grid.table(
        ("<drive", "IOPS", "p99\nread ms"),
        [("samsung-pm893-480gb", number.iops(97_000), number.milliseconds(2.5e5)), …],
    )
    return grid.page(["Drives", *lines])

A head that begins with `<` is of a column of text (left-aligned), any other of figures (right-aligned); where all heads
are empty there is no heading. A cell is text that `quantity.number` worded; `None` reads as `–`. A row is a sequence
of cells, `Row` for one with a style or with notes below it, `None` for a blank line. Rows never wrap: beyond `width`
the widest column of text ends in `…`. Lines have no trailing blanks, so output is the same on every terminal and pipe.

rich measures, cuts and styles text; its `Table` is not used, since it would take seconds for a fleet.
"""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.align import AlignMethod
from rich.text import Text

from drivecast.quantity.number import ABSENT

WIDTH = 100
"""Columns of a text that is to be read, where a verb sets a limit."""

UNLIMITED = 10_000
GAP = "  "

_SIGNS = str.maketrans("×–−·≤≥≈µ…▁▂▃▄▅▆▇█", "x--|<>~u~_.:-=+*#")

Cell = str | Text | int | None
Line = str | Text


@dataclass(frozen=True)
class Row:
    """A row with a style, and with notes on lines of their own below it."""

    cells: Sequence[Cell]
    style: str = ""
    notes: Sequence[Line] = ()


def clean(name: str) -> str:
    """Replace control characters, which a terminal would obey; names come from users and catalogs."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def to_ascii(text: str) -> str:
    """Write signs in ASCII, for a terminal without Unicode; lines keep their width."""
    text = text.replace("≤ ", "<=").replace("≥ ", ">=")
    return text.translate(_SIGNS).encode("ascii", "replace").decode()


def cut(text: str, width: int) -> str:
    """Shorten a text to a width, with an ellipsis."""
    text = clean(text)
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"


def wrapped(text: str, width: int = WIDTH, *, indent: int = 0, hanging: int = 0) -> list[str]:
    """Break a text into lines, all but the first indented by `hanging` more."""
    first, more = " " * indent, " " * (indent + hanging)
    return textwrap.wrap(clean(text), width, initial_indent=first, subsequent_indent=more)


def table(
    heads: Sequence[str],
    rows: Iterable[Row | Sequence[Cell] | None],
    *,
    indent: int = 0,
    width: int | None = None,
) -> list[Text]:
    """Lay rows out below heads; the lines."""
    laid = [row if isinstance(row, Row) else Row(row or [""] * len(heads)) for row in rows]
    texts = [[_cell(cell) for cell in row.cells] for row in laid]
    titles = _titles([head.removeprefix("<") for head in heads])
    sides: list[AlignMethod] = ["left" if head.startswith("<") else "right" for head in heads]
    sizes = _sizes([*titles, *texts], sides, (width or UNLIMITED) - indent)
    lines = [_line(cells, sides, sizes, indent, "dim") for cells in titles]
    for row, cells in zip(laid, texts, strict=True):
        lines.append(_line(cells, sides, sizes, indent, row.style))
        lines += [note if isinstance(note, Text) else Text(clean(note)) for note in row.notes]
    return lines


def pairs(rows: Iterable[tuple[str, Cell]], *, indent: int = 2, width: int | None = None) -> list[Text]:
    """Lay names and their figures out in two columns; those without a figure are left out."""
    known = [row for row in rows if row[1] not in (None, ABSENT)]
    return table(("<", "<"), known, indent=indent, width=width)


def page(lines: Iterable[Line]) -> Text:
    """Join lines to one text, which is never wrapped again."""
    whole = [line if isinstance(line, Text) else Text(line) for line in lines]
    return Text("\n", no_wrap=True, overflow="ignore").join(whole)


def _cell(cell: Cell) -> Text:
    if isinstance(cell, Text):
        return cell.copy()
    return Text(ABSENT if cell is None else clean(f"{cell:,}" if isinstance(cell, int) else cell))


def _titles(heads: Sequence[str]) -> list[list[Text]]:
    """Return the lines of the heading, of which the last is the lowest line of every head."""
    split = [head.split("\n") for head in heads] if any(heads) else []
    height = max(map(len, split), default=0)
    return [[Text(head[at] if -at <= len(head) else "") for head in split] for at in range(-height, 0)]


def _sizes(lines: Sequence[Sequence[Text]], sides: Sequence[AlignMethod], width: int) -> list[int]:
    """Return the width of each column; where a row is too long, the widest column of text gives way."""
    sizes = [max((cells[at].cell_len for cells in lines), default=0) for at in range(len(sides))]
    over = sum(sizes) + len(GAP) * (len(sizes) - 1) - width
    words = [at for at, side in enumerate(sides) if side == "left"]
    if over > 0 and words:
        widest = max(words, key=sizes.__getitem__)
        sizes[widest] = max(sizes[widest] - over, 1)
    return sizes


def _line(
    cells: Sequence[Text], sides: Sequence[AlignMethod], sizes: Sequence[int], indent: int, style: str
) -> Text:
    line = Text(" " * indent, style=style)
    for at, (cell, side, size) in enumerate(zip(cells, sides, sizes, strict=True)):
        blank = size - cell.cell_len
        if blank < 0:
            cell.truncate(size, overflow="ellipsis")
        line.append((GAP if at else "") + " " * (blank if side == "right" else 0))
        line.append_text(cell)
        line.append(" " * (blank if side == "left" else 0))
    line.rstrip()
    return line
