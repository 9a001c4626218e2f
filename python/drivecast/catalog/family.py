"""A family of drives in one file: what its capacities share is written once, and each capacity is a row.

Model. A file with a table `capacities` describes as many drives as that has rows; a drive's name is the file's and
its row's: `samsung-pm9a3` and `1.92tb`. A row is laid over the rest of the file, table by table and figure by figure:
a bare value takes the origin that the family gives the figure, and an origin of its own replaces it. `[fitted]` and
`[calibrated]`, which programs write, are tables of their own in a row.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from drivecast.errors import InputError

ROWS = "capacities"
ORIGINS = frozenset({"source", "measured", "fitted", "assumed"})
HEADER = re.compile(r"^\[+([^\]]+)\]+", re.MULTILINE)
KEY = re.compile(r"[\w.\"'-]+(?=\s*=)")


def rows(stem: str, content: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name and the whole content of each drive of a file; a file without rows is one drive."""
    if ROWS not in content:
        yield stem, content
        return
    shared = {key: value for key, value in content.items() if key != ROWS}
    for key, row in content[ROWS].items():
        yield f"{stem}-{key}", _laid_over(shared, row)


def _laid_over(below: Any, above: Any) -> Any:
    if not isinstance(below, dict):
        return above
    if not isinstance(above, dict):
        return {**below, "value": above}
    if not ORIGINS.isdisjoint(above):
        below = {key: value for key, value in below.items() if key not in ORIGINS}
    return below | {key: _laid_over(below.get(key), value) for key, value in above.items()}


class Validated:
    """Figures that were found valid, by where they are and what they say: most are said of many drives."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], BaseModel] = {}

    def put_in(self, content: dict[str, Any], *path: Any) -> dict[str, Any]:
        """The content with models in place of figures that are known to be valid."""
        return {
            key: (self._known.get(_said(value, *path, key)) or self.put_in(value, *path, key))
            if isinstance(value, dict)
            else value
            for key, value in content.items()
        }

    def note(self, content: dict[str, Any], model: BaseModel, *path: Any) -> None:
        """Remember the figures of a model made of this content."""
        for key, value in content.items():
            made = getattr(model, key, None)
            if isinstance(value, dict) and isinstance(made, BaseModel):
                if ORIGINS.isdisjoint(value):
                    self.note(value, made, *path, key)
                elif not any(isinstance(part, dict | list) for part in value.values()):
                    self._known[_said(value, *path, key)] = made


def _said(figure: dict[str, Any], *path: Any) -> tuple[Any, ...]:
    """What a figure says; 1, 1.0 and true are not the same, and what has lists is like nothing that was noted."""
    parts = (
        (key, type(value), str(value) if isinstance(value, dict | list) else value)
        for key, value in figure.items()
    )
    return (*path, *parts)


def row_of(name: str, file: Path) -> str | None:
    """The row that describes a drive, as a key of TOML; none where the file is of one drive."""
    return None if name == file.stem else f'{ROWS}."{name.removeprefix(file.stem)[1:]}"'


def place(written: str, row: str | None, key: str) -> tuple[str, int | None]:
    """Where a file says what `key` of a drive is: the key in the file, and its line, counted from 1.

    A key that neither the row nor the family has is sought in the tables that would hold it.
    """
    found: dict[str, int] = {}
    header = ""
    for number, line in enumerate(written.splitlines(), 1):
        if head := HEADER.match(line):
            header = head[1].replace('"', "")
            found.setdefault(header, number)
        elif said := KEY.match(line):
            found.setdefault(f"{header}.{said[0]}".lstrip(".").replace('"', ""), number)
    parts = key.split(".")
    for size in range(len(parts), 0, -1):
        tail = ".".join(parts[:size])
        for full in (f"{row}.{tail}", tail) if row else (tail,):
            if (at := found.get(full.replace('"', ""))) is not None:
                return (f"{row}.{key}" if row and full != tail else key), at
    return key, found.get((row or "").replace('"', ""))


def with_table(written: str, row: str | None, table: str, name: str) -> str:
    """A file's text with `table`, headed `[name]`, of a drive; the rest, comments included, stays as it is.

    It replaces the one there is, and else goes before `[endurance]`, or at the end of the drive's row.
    Raises `InputError` for a file without a place for it.
    """
    old = _section(f"{row}.{name}" if row else name).search(written)
    if old is not None:
        written = written[: old.start()] + written[old.end() :]
    if row is None:
        found = re.search(r"^\[endurance\]$", written, re.MULTILINE)
        if found is None:
            raise InputError("expected a table `[endurance]`, found none")
        return written[: found.start()] + table + written[found.start() :]
    found = _section(row).search(written)
    if found is None:
        raise InputError(f"expected a table `[{row}]`, found none")
    table = re.sub(r"^\[", f"[{row}.", table, flags=re.MULTILINE)
    before = written[: found.end()].rstrip("\n")
    return f"{before}\n\n{table}{written[found.end() :]}".rstrip("\n") + "\n"


def _section(header: str) -> re.Pattern[str]:
    """A table with those below it, up to the comment before the next one."""
    own = rf"\[{re.escape(header)}[\].]"
    return re.compile(rf"^{own}.*?(?=^(?:#[^\n]*\n)*\[(?!{own[2:]})|\Z)", re.MULTILINE | re.DOTALL)


def text(content: dict[str, Any]) -> str:
    """The file of one drive: a table after another, each figure on a line."""
    top = [f"{key} = {_inline(value)}" for key, value in content.items() if not isinstance(value, dict)]
    tables = [(key, value) for key, value in content.items() if isinstance(value, dict)]
    return "\n".join([*top, *(_table(key, value) for key, value in tables), ""])


def _table(name: str, table: dict[str, Any]) -> str:
    below = {key: value for key, value in table.items() if _is_table(value)}
    lines = [f"{key} = {_inline(value)}" for key, value in table.items() if key not in below]
    return "\n".join(
        ["", f"[{name}]", *lines, *(_table(f"{name}.{key}", value) for key, value in below.items())]
    )


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) and ORIGINS.isdisjoint(value)


def _inline(value: Any) -> str:
    """A value of TOML on one line; of a figure what it is comes first, then where it is from."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    keys = sorted(value, key=lambda key: (key != "value", key in ORIGINS))
    return "{ " + ", ".join(f"{key} = {_inline(value[key])}" for key in keys) + " }"
