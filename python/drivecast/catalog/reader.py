"""Read the files of a catalog and collect everything that is wrong with them, so that it is reported at once."""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from drivecast._core import toml_json
from drivecast.catalog.family import ROWS, Validated, place, row_of, rows
from drivecast.catalog.price_index import Observation, observations
from drivecast.catalog.sheet import HddSheet, SsdSheet
from drivecast.catalog.volume import VolumeSheet
from drivecast.errors import InputError
from drivecast.files import TOML_BYTES_MAX, read_bytes

TABLES = ("nand", "interfaces", "failures", "latency", "prices", "controllers", "cloud")
"""Files that all drives share, by their names without `.toml`."""

NAME = re.compile(r"[a-z0-9][a-z0-9.\-]*")
SHEET: TypeAdapter[SsdSheet | HddSheet | VolumeSheet] = TypeAdapter(
    Annotated[SsdSheet | HddSheet | VolumeSheet, Field(discriminator="kind")]
)
SMART = "smart"
"""The folder of rules for what drives report, which are of no drive."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong in one file."""

    file: str
    key: str
    """Path of the key, such as `power.idle_w.value`; empty where the whole file is meant."""
    what: str
    hint: str | None = None
    """What to do about it, or what may have been meant."""
    line: int | None = None
    """Of the file, counted from 1, where it is known."""

    def __str__(self) -> str:
        file = f"{self.file}:{self.line}" if self.line else self.file
        place = f"{file}: `{self.key}`" if self.key else file
        return f"{place}: {self.what}; {worded(self.hint)}" if self.hint else f"{place}: {self.what}"


def worded(hint: str) -> str:
    """A hint at the end of a line: names need no label."""
    return hint if hint.startswith(("did you mean", "known are")) else f"hint: {hint}"


class CatalogError(InputError):
    """The catalog, or what was requested of it, is wrong; carries every problem found, and their hints a line each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
        hints = dict.fromkeys(problem.hint for problem in self.problems if problem.hint)
        self.hint = "\n".join(hints) or None


def parsed(text: str) -> dict[str, Any]:
    """A TOML text, read by the core where that can; what it cannot, Python's parser names with its line."""
    json_text = toml_json(text)
    return tomllib.loads(text) if json_text is None else json.loads(json_text)


@dataclass
class Table:
    """A file that later files may override entry by entry."""

    content: dict[str, Any] = field(default_factory=dict)
    origin: dict[tuple[str, str], Path] = field(default_factory=dict)
    last: Path = Path()

    def lay_over(self, path: Path, content: dict[str, Any]) -> None:
        """Replace entries by those of a later file."""
        self.last = path
        for key, value in content.items():
            if isinstance(value, dict) and isinstance(self.content.get(key, {}), dict):
                self.content[key] = {**self.content.get(key, {}), **value}
                self.origin.update({(key, entry): path for entry in value})
            else:
                self.content[key] = value
                self.origin[(key, "")] = path

    def file_of(self, place: tuple[str, ...]) -> Path:
        """Return the file that an entry came from."""
        top, entry = (*place, "", "")[:2]
        return self.origin.get((top, entry)) or self.origin.get((top, "")) or self.last


@dataclass
class Reading:
    """What has been read so far, and what is wrong with it."""

    problems: list[Problem] = field(default_factory=list)
    sheets: dict[str, tuple[Path, SsdSheet | HddSheet]] = field(default_factory=dict)
    volumes: dict[str, tuple[Path, VolumeSheet]] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    bytes_of: dict[str, bytes] = field(default_factory=dict)
    valid: Validated = field(default_factory=Validated)
    observed: list[Observation] = field(default_factory=list)
    """Prices of a day, of all files."""

    def toml(self, path: Path, key: str) -> dict[str, Any] | None:
        """Parse a file; none, and a problem, where that fails."""
        try:
            data = read_bytes(path, TOML_BYTES_MAX)
            self.bytes_of[key] = self.bytes_of.get(key, b"") + data
            return parsed(data.decode())
        except InputError as error:
            self.problems.append(Problem(str(path), "", str(error).removeprefix(f"{path}: ")))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self.problems.append(Problem(str(path), "", f"is not TOML: {error}"))
        except (RecursionError, ValueError, OverflowError):
            what = "is not TOML that can be read: nested too deep or a number too long"
            self.problems.append(Problem(str(path), "", what))
        return None

    def sheet(self, path: Path) -> None:
        """Read the drives of a file, or a volume; they replace those of the same names."""
        content = self.toml(path, f"drives/{path.stem}")
        if content is None:
            return
        members = content.get(ROWS, {})
        if not isinstance(members, dict) or not all(isinstance(row, dict) for row in members.values()):
            what = f'is no table of rows: expected `[{ROWS}."1.92tb"]` for each capacity'
            self.problems.append(Problem(str(path), ROWS, what))
            return
        valid, kind = self.valid, str(content.get("kind"))
        for name, drive in rows(path.stem, content):
            if not NAME.fullmatch(name):
                what = "the name of a drive is made of a-z, 0-9, `.` and `-`"
                self.problems.append(Problem(str(path), "", f"`{name}`: {what}", "`vendor-model-capacity`"))
            try:
                sheet = SHEET.validate_python(valid.put_in(drive, kind))
            except ValidationError as error:
                skip = ("ssd", "hdd", "volume")
                self.problems += [self.problem(path, name, *fault) for fault in faults(error, skip)]
                continue
            valid.note(drive, sheet, kind)
            self.sheets.pop(name, None)
            self.volumes.pop(name, None)
            if isinstance(sheet, VolumeSheet):
                self.volumes[name] = (path, sheet)
            else:
                self.sheets[name] = (path, sheet)

    def problem(self, path: Path, name: str, key: str, what: str, hint: str | None = None) -> Problem:
        """What is wrong with a figure of a drive, with the line that says it."""
        text = self.bytes_of[f"drives/{path.stem}"].decode(errors="replace")
        key, line = place(text, row_of(name, path), key)
        return Problem(str(path), key, what, hint, line)

    def table(self, path: Path) -> None:
        """Read one of the tables that drives share."""
        if (content := self.toml(path, path.stem)) is not None:
            self.tables.setdefault(path.stem, Table()).lay_over(path, content)

    def prices(self, path: Path) -> None:
        """Read a file of observed prices; they add to those of other files."""
        try:
            data = read_bytes(path, TOML_BYTES_MAX)
            for found in observations(data.decode("utf-8-sig")):
                if isinstance(found, Observation):
                    self.observed.append(found)
                else:
                    self.problems.append(Problem(str(path), *found))
            self.bytes_of["prices"] = self.bytes_of.get("prices", b"") + data
        except InputError as error:
            self.problems.append(Problem(str(path), "", str(error).removeprefix(f"{path}: ")))
        except UnicodeDecodeError as error:
            self.problems.append(Problem(str(path), "", f"is not UTF-8: {error}"))

    def directory(self, path: Path) -> None:
        """Read the tables of a directory, and every other file in it or below as drives or a volume."""
        for file in sorted((path / "prices").glob("*.csv")):
            self.prices(file)
        for table in TABLES:
            if (path / f"{table}.toml").exists():
                self.table(path / f"{table}.toml")
        for file in sorted(path.rglob("*.toml")):
            shared = file.parent == path and file.stem in TABLES
            if not shared and SMART not in file.relative_to(path).parts:
                self.sheet(file)

    def path(self, path: Path) -> None:
        """Read a directory, a table or a single drive."""
        if path.is_dir():
            self.directory(path)
        elif path.suffix == ".toml" and path.stem in TABLES:
            self.table(path)
        elif path.suffix == ".toml":
            self.sheet(path)
        else:
            what = "is neither a directory nor a `.toml` file" if path.exists() else "does not exist"
            self.problems.append(Problem(str(path), "", what))

    def digest(self, *, prices: bool) -> str:
        """Hash the prices, or all else."""
        hashed = hashlib.sha256()
        for key in sorted(k for k in self.bytes_of if (k == "prices") == prices):
            hashed.update(key.encode() + b"\0" + hashlib.sha256(self.bytes_of[key]).digest())
        return hashed.hexdigest()


def faults(error: ValidationError, skip: tuple[str, ...] = ()) -> list[tuple[str, str, str | None]]:
    """Return place, message and hint of each fault, in the file's own terms."""
    found = []
    for fault in error.errors(include_url=False):
        place = [str(part) for part in fault["loc"]]
        if place and place[0] in skip:
            place = place[1:]
        what = fault["msg"].removeprefix("Value error, ")
        what = what[:1].lower() + what[1:]
        if fault["type"] == "union_tag_not_found":
            what = 'is no drive: expected `kind = "ssd"`, `kind = "hdd"` or `kind = "volume"` at the top'
        if fault["type"] == "model_type" and not isinstance(fault["input"], dict):
            what = "has no origin: expected `{ value = …, source = … }` or the like"
        if fault["type"] not in ("missing", "unknown_key", "origin", "range") and not isinstance(
            fault["input"], dict
        ):
            what += f", found `{str(fault['input'])[:40]}`"
        found.append((".".join(place), what, fault.get("ctx", {}).get("hint")))
    return found
