"""What each family of drives means by what it says: the files of the catalog's `smart` folder.

A file is a family: patterns of its model names, and for each figure of a record the places it may be read from, best
first. A place names an ATA attribute, a statistic of the ATA device statistics log, or a field of smartctl's JSON,
with its unit, how far its meaning is to be trusted, and who says so. Figures that a family does not list are read as
`standard-ata`, `standard-nvme` or `standard-scsi` say. `[[ratings]]` report what the maker rates, by capacity.
"""

import functools
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from drivecast import _core
from drivecast.catalog.catalog import bundled
from drivecast.catalog.figure import Sourced, Strict, correction
from drivecast.catalog.reader import CatalogError, Problem, faults, parsed
from drivecast.document.record import NAMES, Bus, Trust
from drivecast.errors import InputError
from drivecast.files import TOML_BYTES_MAX, read_text

Id = Annotated[int, Field(ge=1, le=255)]
STANDARD = "standard-"
SCALES = {
    "count": 1.0,
    "hours": 1.0,
    "celsius": 1.0,
    "percent": 0.01,
    "percent/1024": 0.01 / 1024,
    "percent left": 0.01,
}
"""Base units a count stands for; other units are sizes such as `32MiB`, or `lba`, the drive's logical block."""


class Place(Sourced):
    """Where a figure may be read."""

    attribute: Id | None = None
    part: Literal["raw", "normalized", "threshold"] = "raw"
    unless_raw: bool = False
    """Where the raw value holds another percent, one of the two is not what it seems: neither is believed."""
    mirrored: bool = False
    """The normalized value counts down from 100 as the raw one counts up; where it does not, neither is believed."""
    bits: Annotated[int, Field(ge=8, le=48)] | None = None
    """Low bits of the raw value that hold the count; none: all of them."""
    named: str | None = None
    """What smartctl must call the attribute: a number alone means different things to different makers."""
    listed: bool = False
    """Only of drives that smartctl's data base lists: what it calls an attribute of others is a guess."""
    statistic: str | None = None
    """Name in the ATA device statistics log."""
    field: str | list[str] | None = None
    """Path in smartctl's JSON; several are added up."""
    unit: str
    step: str | None = None
    """What it moves by at least, where that is not the unit."""
    trust: Trust
    invalid: list[int] = Field(default_factory=list)
    """Counts that stand for `no value`."""
    stops_at: int | None = None
    """Count at which it moves no further, so that it may be more."""
    doubt: str | None = None
    """Why it is never to be computed with."""
    whole_life: bool = False
    """It counts since the workload timer was reset: of use only where that never happened."""
    pages: Annotated[list[Id], Field(min_length=2, max_length=2)] | None = None
    """Host and background page counts: the figure is the bytes here times (host + background) / host."""

    @model_validator(mode="after")
    def _is_one_place(self) -> Self:
        if sum(path is not None for path in (self.attribute, self.statistic, self.field)) != 1:
            raise PydanticCustomError("origin", "needs exactly one of `attribute`, `statistic`, `field`")
        scale(self.unit, 512)
        scale(self.step or self.unit, 512)
        return self

    @property
    def descends(self) -> bool:
        """Whether it counts down to 0."""
        return self.unit == "percent left"


def _fault(kind: str, what: str, hint: str | None = None) -> PydanticCustomError:
    return PydanticCustomError(kind, "{what}", {"what": what, "hint": hint})


@functools.lru_cache(maxsize=256)
def scale(unit: str, block_bytes: int) -> float:
    """Base units that a count stands for; an error of validation for a unit that there is not."""
    if unit in SCALES:
        return SCALES[unit]
    if unit == "lba":
        return block_bytes
    try:
        return _core.parse_bytes(unit)
    except InputError:
        hint = correction(unit, [*SCALES, "lba"], "a size such as `32MiB` is one")
        raise _fault("unit", f"unknown unit `{unit}`", hint) from None


class Timer(Sourced):
    """Attributes that report of the workload since they were reset."""

    wear: Id
    """In 1/1024 of a percent."""
    reads: Id
    """Share of operations that read, in percent."""
    minutes: Id
    invalid: int
    """What all three hold until the timer has run for `least_minutes`."""
    least_minutes: int
    reset: str
    """The self-test of `smartctl -t` that starts them anew."""


class Rating(Sourced):
    """What the maker rates drives of one name for."""

    name: str
    models: list[str]
    warranty_years: Annotated[float, Field(gt=0)]
    tbw_tb: dict[str, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    """Terabytes written, by capacity in GB."""
    catalog: dict[str, str] = Field(default_factory=dict)
    """Names of the catalog's drives, by capacity in GB."""


class Rule(Strict):
    """One file: a family."""

    title: str
    bus: Bus
    models: list[str]
    sources: dict[str, str] = Field(default_factory=dict)
    timer: Timer | None = None
    notes: list[str] = Field(default_factory=list)
    """What a reader of its records has to know."""
    figures: dict[str, list[Place]] = Field(default_factory=dict)
    ratings: list[Rating] = Field(default_factory=list)
    name: str = ""
    """Of the file; not written in it."""

    @model_validator(mode="after")
    def _refers_to_what_is_there(self) -> Self:
        for name in self.figures:
            if name not in NAMES:
                raise _fault("unknown_key", f"unknown figure `{name}`", correction(name, NAMES))
        for pattern in [*self.models, *(model for rating in self.ratings for model in rating.models)]:
            try:
                re.compile(pattern)
            except re.error as error:
                raise _fault("pattern", f"`{pattern}` is no regular expression: {error}") from None
        places = [place for figure in self.figures.values() for place in figure]
        for sourced in [*places, *self.ratings, *([self.timer] if self.timer else [])]:
            if sourced.document is not None and sourced.document not in self.sources:
                hint = correction(sourced.document, self.sources, "describe it under `[sources]`")
                raise _fault("source", f"unknown source `{sourced.document}`", hint)
        return self

    def matches(self, model: str) -> bool:
        """Whether a drive of that model belongs to the family."""
        return any(like(pattern, model) for pattern in self.models)


def like(pattern: str, model: str) -> bool:
    """Whether a pattern is of all of a model's name, however it is spaced and written."""
    return re.fullmatch(pattern, " ".join(model.split()), re.IGNORECASE) is not None


class Rules:
    """All families, and the standards that stand in for what they leave out."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.families = [rule for rule in rules if not rule.name.startswith(STANDARD)]
        self.standards = {rule.bus: rule for rule in rules if rule.name.startswith(STANDARD)}
        self._found: dict[tuple[Bus, str], Rule] = {}

    def of(self, bus: Bus, model: str) -> Rule:
        """Return the rule for a drive: its family with the standard behind it, or the standard alone."""
        if (bus, model) not in self._found:
            found = self.standards[bus]
            own = next((rule for rule in self.families if rule.bus == bus and rule.matches(model)), None)
            if own is not None:
                found = own.model_copy(update={"figures": {**found.figures, **own.figures}})
            self._found[bus, model] = found
        return self._found[bus, model]

    def all(self) -> list[Rule]:
        """Return every rule, the standards last."""
        return [*self.families, *self.standards.values()]


def read(folder: Path, more: Iterable[Path] = ()) -> Rules:
    """Read the rules of a folder; those of `more` (catalogs, folders, files) replace and come before them.

    Raises `CatalogError` with every problem of every file.
    """
    problems: list[Problem] = []
    files = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    for path in more:
        inner = path / "smart" if (path / "smart").is_dir() else path
        given = sorted(inner.glob("*.toml")) if path.is_dir() else [path] if path.suffix == ".toml" else []
        own = {file.stem: file for file in given}
        if not own:
            problems.append(Problem(str(path), "", "has no rules: expected `smart/NAME.toml`"))
        files = {**own, **{name: file for name, file in files.items() if name not in own}}
    found = [rule for path in files.values() if (rule := _rule(path, problems)) is not None]
    for bus in ("ata", "nvme", "scsi"):
        if not problems and f"{STANDARD}{bus}" not in files:
            problems.append(Problem(str(folder), "", f"has no `{STANDARD}{bus}.toml`"))
    if problems:
        raise CatalogError(problems)
    return Rules(found)


def _rule(path: Path, problems: list[Problem]) -> Rule | None:
    try:
        return Rule.model_validate({**parsed(read_text(path, TOML_BYTES_MAX)), "name": path.stem})
    except InputError as error:
        problems.append(Problem(str(path), "", str(error).removeprefix(f"{path}: ")))
    except ValidationError as error:
        problems += [Problem(str(path), *fault) for fault in faults(error)]
    except (ValueError, RecursionError) as error:
        problems.append(Problem(str(path), "", f"is not TOML: {error}"))
    return None


@functools.cache
def load(more: tuple[Path, ...] = ()) -> Rules:
    """Return the rules that come with the program, with those of `more` before them."""
    return read(bundled() / "smart", more)
