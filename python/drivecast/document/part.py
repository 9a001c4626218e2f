"""What all documents are made of: their base, how a figure is known, and what a notebook may ask of them.

A document turns into rows by itself. How it looks is decided above: `present.notebook` has a view for each kind.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from drivecast.errors import InputError
from drivecast.flat_row import flat

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

REPR_FIELDS_MAX = 8
REPR_TEXT_MAX = 60

Provenance = Literal["given", "measured", "derived", "published", "fitted", "assumed", "undefined"]


def left_out(alias: str | None = None) -> Any:
    """A key that is left out of the JSON where its value is none."""
    return Field(alias=alias, exclude_if=lambda value: value is None)


class Checked(BaseModel):
    """A value whose changes are held to the same rules as the value was."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """The same with other fields. Raises `ValidationError` where they cannot be: pydantic's own takes anything."""
        copy = super().model_copy(update=update, deep=deep)
        if update:
            given = {name: value for name, value in copy if name in self.model_fields_set or name in update}
            checked = type(self).model_validate(given, by_name=True)
            for name in update.keys() & checked.__dict__.keys():
                copy.__dict__[name] = checked.__dict__[name]
        return copy


class Part(Checked):
    """A part of a document; keys that are not declared are passed over."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, populate_by_name=True, serialize_by_alias=True, allow_inf_nan=False
    )

    def __repr__(self) -> str:
        """The first plain fields: a plan has a hundred thousand values."""
        plain = [
            f"{name}={value!r}"
            for name, value in self
            if name != "schema_version"
            if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= REPR_TEXT_MAX)
        ]
        more = ["…"] if len(plain) < len(type(self).model_fields) else []
        return f"{type(self).__name__}({', '.join([*plain[:REPR_FIELDS_MAX], *more])})"

    __str__ = __repr__


class Figures(Protocol):
    """Figures by name, a method each, such as `latency()`; `dir` lists those that the document has."""

    def __getattr__(self, name: str, /) -> Callable[[], "alt.TopLevelMixin"]:
        """A function that draws the figure.

        Raises `AttributeError` for one that there is not, with the names of those there are.
        """


class View(Protocol):
    """How documents of a kind look in a notebook."""

    def html(self, document: Any) -> str:
        """A small table, and a figure where there is one."""

    def plot(self, document: Any) -> "Figures":
        """The figures, a method each."""


class Document(Part):
    """A document as a whole: what a verb prints, and what is checked where one is read again."""

    views: ClassVar[dict[type, View]] = {}
    """By kind; a kind without its own looks as its base does."""

    schema_version: int = 1

    def to_rows(self) -> list[dict[str, Any]]:
        """The main table, a row a design, run or figure: by default the document itself, nested keys with dots."""
        return [flat(self.model_dump(mode="json", by_alias=True))]

    def to_polars(self) -> "pl.DataFrame":
        """The main table as a frame; units stand last in the names of the columns."""
        import polars as pl  # noqa: PLC0415 (slow to import, and only notebooks need it)

        return pl.DataFrame(self.to_rows(), infer_schema_length=None)

    @property
    def plot(self) -> Figures:
        """The figures, such as `run.plot.latency()`: Altair charts, to be saved, layered or restyled like any other.

        Raises `AttributeError` where this kind has none.
        """
        view = self._view()
        if view is None:
            raise AttributeError(f"a {type(self).__name__} has no figures")
        return view.plot(self)

    def _repr_html_(self) -> str | None:
        view = self._view()
        return None if view is None else view.html(self)

    @classmethod
    def _view(cls) -> View | None:
        return next((cls.views[kind] for kind in cls.__mro__ if kind in cls.views), None)

    @field_validator("schema_version")
    @classmethod
    def _of_this_version(cls, version: int) -> int:
        if version != cls.model_fields["schema_version"].default:
            raise ValueError(f"expected {cls.model_fields['schema_version'].default}")
        return version

    @classmethod
    def check(cls, content: Mapping[str, Any]) -> Self:
        """The document that JSON holds.

        Raises `InputError` where it is of another version, or lacks what this one defines; names the place.
        """
        name = cls.__name__.lower()
        version = content.get("schema_version") if isinstance(content, Mapping) else None
        expected = cls.model_fields["schema_version"].default
        if version != expected:
            found = "no `schema_version`" if version is None else f"`schema_version` {version!r}"
            raise InputError(
                f"this is no {name} of this version: expected `schema_version` {expected}, found {found}"
            )
        try:
            return cls.model_validate(content)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
            raise InputError(f"the {name} is not complete: `{place}`: {first['msg']}{more}") from None
