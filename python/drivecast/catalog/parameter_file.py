"""Read the parameter files of DiskSim and DIXtrac.

Format. A block is `kind name { key = value, … }`; keys are words with spaces. A value is a number or words up to a
comma or the end of the line, a list `[ value, … ]`, a block, or `source FILE` for a block in another
file. `#` begins a comment. Other statements at the top of a file (instances, topologies) are skipped: they
describe how disks are joined to a system, not what a disk is.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from drivecast.errors import InputError

DEPTH_MAX = 16
BLOCK = re.compile(r"([A-Za-z_]\w*)[ \t]*([^\s{}\[\]=,]*)\s*\{")
SPACE = re.compile(r"\s+")
SCALAR = re.compile(r"[^,{}\[\]\n]*")
KEY = re.compile(r"[^={}\[\],\n]+")


@dataclass(frozen=True)
class Place:
    """A place in a file."""

    file: Path
    line: int

    def fault(self, expected: str, found: str) -> InputError:
        """Return the error that states what was expected here and what was found."""
        return InputError(f"{self.file}:{self.line}: expected {expected}, found `{found[:40]}`")


@dataclass(frozen=True)
class Scalar:
    """A number or words."""

    text: str
    place: Place

    def number(self, what: str, low: float = 0.0, high: float = 1e15) -> float:
        """Return the number; raises `InputError` where it is none or out of bounds."""
        try:
            value = float(self.text)
        except ValueError:
            raise self.place.fault(f"a number for `{what}`", self.text) from None
        if not low <= value <= high:
            raise self.place.fault(f"`{what}` from {low:g} to {high:g}", self.text)
        return value

    def whole(self, what: str, low: int = 0, high: int = 10**12) -> int:
        """Return the whole number; raises `InputError` where it is none or out of bounds."""
        value = self.number(what, low, high)
        if value != int(value):
            raise self.place.fault(f"a whole number for `{what}`", self.text)
        return int(value)


@dataclass(frozen=True)
class Source:
    """A block in another file."""

    file: str
    place: Place


@dataclass(frozen=True)
class Listed:
    """A list of values."""

    items: list["Value"]
    place: Place


@dataclass(frozen=True)
class Block:
    """A block of values by key."""

    kind: str
    name: str
    place: Place
    values: dict[str, "Value"] = field(default_factory=dict)

    def scalar(self, key: str) -> Scalar:
        """Return the value of a key; raises `InputError` where it is missing or no scalar."""
        value = self.values.get(key)
        if isinstance(value, Scalar):
            return value
        found = "no such key" if value is None else "a list or block"
        raise self.place.fault(f"`{key} = …` in `{self.kind}`", found)

    def number(self, key: str, low: float = 0.0, high: float = 1e15) -> float:
        """Return the number of a key."""
        return self.scalar(key).number(key, low, high)

    def whole(self, key: str, low: int = 0, high: int = 10**12) -> int:
        """Return the whole number of a key."""
        return self.scalar(key).whole(key, low, high)

    def blocks(self, key: str) -> list["Block"]:
        """Return the blocks listed under a key; raises `InputError` where there are none."""
        value = self.values.get(key)
        found = [item for item in value.items if isinstance(item, Block)] if isinstance(value, Listed) else []
        if not found:
            raise self.place.fault(f"a list of blocks `{key} = [ … ]` in `{self.kind}`", "none")
        return found


Value = Scalar | Source | Listed | Block


class _Text:
    """The text of a file, read from front to back."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.text = re.sub(r"#[^\n]*", "", text)
        self.at = 0
        self.lines = [found.start() for found in re.finditer("\n", self.text)]

    @property
    def place(self) -> Place:
        return Place(self.file, bisect_left(self.lines, self.at) + 1)

    def skip(self) -> str:
        """Pass over white space; give the next character, none at the end."""
        if found := SPACE.match(self.text, self.at):
            self.at = found.end()
        return self.text[self.at : self.at + 1]

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        if found := pattern.match(self.text, self.at):
            self.at = found.end()
        return found

    def want(self, sign: str, where: str) -> None:
        if self.skip() != sign:
            raise self.place.fault(f"`{sign}` {where}", self.rest())
        self.at += 1

    def rest(self) -> str:
        return self.text[self.at : self.at + 40].split("\n")[0].strip() or "end of file"


def _value(text: _Text, depth: int) -> Value:
    if depth > DEPTH_MAX:
        raise text.place.fault(f"at most {DEPTH_MAX} levels of blocks and lists", text.rest())
    sign, place = text.skip(), text.place
    if sign == "[":
        return _list(text, depth)
    if found := text.take(BLOCK):
        return _block(text, found, place, depth)
    scalar = text.take(SCALAR)
    words = scalar.group().strip() if scalar else ""
    if not words:
        raise place.fault("a value", text.rest())
    if words.startswith("source "):
        return Source(words.removeprefix("source ").strip(), place)
    return Scalar(words, place)


def _list(text: _Text, depth: int) -> Listed:
    place = text.place
    text.want("[", "before a list")
    items: list[Value] = []
    while text.skip() != "]":
        items.append(_value(text, depth + 1))
        if text.skip() == ",":
            text.at += 1
        elif text.skip() != "]":
            raise text.place.fault("`,` or `]` in a list", text.rest())
    text.at += 1
    return Listed(items, place)


def _block(text: _Text, head: re.Match[str], place: Place, depth: int) -> Block:
    block = Block(head.group(1), head.group(2), place)
    while text.skip() != "}":
        key = text.take(KEY)
        if key is None:
            raise text.place.fault("`key = value` or `}`", text.rest())
        text.want("=", f"after `{key.group().strip()[:40]}`")
        block.values[key.group().strip()] = _value(text, depth + 1)
        if text.skip() == ",":
            text.at += 1
    text.at += 1
    return block


def _statements(text: _Text) -> Iterator[Block]:
    while text.skip():
        place = text.place
        if found := text.take(BLOCK):
            yield _block(text, found, place, 0)
        else:
            text.at += 1
            while text.at < len(text.text) and not text.text[text.at - 1].isspace():
                text.at += 1


def blocks(file: Path, content: str) -> list[Block]:
    """Return the blocks at the top of a file; raises `InputError` with file and line where it cannot be read."""
    return list(_statements(_Text(file, content)))
