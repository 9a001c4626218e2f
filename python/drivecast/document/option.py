"""What an option is: one definition, from which a command line, an API and a form in a browser are made.

Model. Options are the fields of a frozen dataclass: a field has a name, a type and a default, and its annotation holds
an `Option`, which says what the type does not. `cli.group` makes what is typed of it, pydantic what the API takes and
says of itself (OpenAPI), `scripts/form.py` the fields of a page. Nothing heavy is imported: a command line is built
for each press of the tab key.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

Shape = Literal["size", "time", "years", "growth", "money", "share", "days", "file"]
"""What a text is: a quantity, or a file, which the API takes as its text or as a path in a named folder."""

FILE_CHARACTERS_MAX, TEXT_CHARACTERS_MAX = 200_000, 4_000
"""Of what is sent to an API."""


@dataclass(frozen=True)
class Option:
    """What there is to say of an option; `help` is one text for all who ask."""

    label: str
    """What a form calls it."""
    group: str
    """The heading above it in a form."""
    help: str
    flag: str | None = None
    """What is typed, where it is not the name."""
    shape: Shape | None = None
    example: str = ""
    low: float | None = None
    """Bounds, in the unit in which it is required."""
    high: float | None = None
    requires: str | None = None
    """The field of `plan.requirement.Given` that it is."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Values and what a form calls them."""
    own: bool = False
    """Whether `default` is a file of its own."""
    several: int = 64
    """How many values one may have that is repeated."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """The type with its bounds, where they are those of the type itself; quantities are read elsewhere."""
        from pydantic import Field  # noqa: PLC0415

        kind = kind_of(source)
        if kind.several:
            return handler(_annotated(source, Field(max_length=self.several)))
        if kind.inner is str and not kind.values:
            most = FILE_CHARACTERS_MAX if self.shape == "file" else TEXT_CHARACTERS_MAX
            return handler(_annotated(source, Field(max_length=most)))
        if kind.inner in (int, float):
            return handler(_annotated(source, Field(ge=self.low, le=self.high)))
        return handler(source)

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> Any:
        """The schema, with what a person wants to know."""
        found = handler(core_schema)
        found.update(title=self.label, description=self.help)
        if self.example:
            found["examples"] = [self.example]
        return found


class Kind(NamedTuple):
    """A type, taken apart."""

    inner: type
    several: bool
    """Whether there may be more than one."""
    optional: bool
    values: tuple[str, ...]
    """Those of a choice."""


def kind_of(annotation: Any) -> Kind:
    """What a field's type is: `float | None` is a number that need not be there."""
    parts = [annotation]
    if get_origin(annotation) in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not type(None)]
    optional, (inner, *_) = parts != [annotation], parts
    if get_origin(inner) is tuple:
        return Kind(get_args(inner)[0], True, optional, ())
    if get_origin(inner) is Literal:
        return Kind(str, False, optional, get_args(inner))
    return Kind(inner, False, optional, ())


class Defined(NamedTuple):
    """An option with its field."""

    name: str
    annotation: Any
    default: Any
    option: Option

    @property
    def kind(self) -> Kind:
        """Its type, taken apart."""
        return kind_of(self.annotation)

    @property
    def flag(self) -> str:
        """What is typed where it is on, or has a value; for one that only can be switched off, where it is off."""
        return self.option.flag or f"--{self.name.replace('_', '-')}"

    @property
    def inverse(self) -> bool:
        """Whether what is typed switches it off."""
        return self.kind.inner is bool and self.flag.startswith("--no-")

    @property
    def on_and_off(self) -> tuple[str, str]:
        """What is typed for a switch that is on, and for one that is off; nothing for what it is anyway."""
        if self.inverse:
            return "", self.flag
        return self.flag, "" if self.default is False else self.flag.replace("--", "--no-", 1)


def defined(kind: type) -> Iterator[Defined]:
    """The options of a dataclass, in order."""
    for each in dataclasses.fields(kind):
        annotation, option = get_args(each.type)[:2]
        yield Defined(each.name, annotation, each.default, option)


def _annotated(source: Any, bound: Any) -> Any:
    from typing import Annotated  # noqa: PLC0415

    return Annotated[source, bound]
