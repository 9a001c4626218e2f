"""Figures that state their origin.

A figure is a value with exactly one origin: a document (`source`), a measurement (`measured`), a fit (`fitted`) or an
assumption with its reason (`assumed`). `source` and `measured` name a key of the `[sources]` table of the same file.
The models refuse what they do not know: an unknown key is an error that names the nearest known one.
"""

from collections.abc import Collection
from difflib import get_close_matches
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from drivecast.document.catalog import Parameter, Provenance


def nearest(word: str, known: Collection[str]) -> str | None:
    """Return the known word most like `word`, if any is."""
    found = get_close_matches(word, known, n=1, cutoff=0.5)
    return found[0] if found else None


def correction(word: str, known: Collection[str], otherwise: str = "") -> str:
    """The nearest known word as a question, else `otherwise`, or all that are known."""
    like = nearest(word, known)
    return (
        f"did you mean `{like}`" if like else otherwise or f"known are {', '.join(f'`{k}`' for k in known)}"
    )


class Strict(BaseModel):
    """A table of a catalog file: no unknown keys, no silent conversions, no infinities."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
    keys: ClassVar[frozenset[str]] = frozenset()
    """What a table may have; found once, since a catalog has tens of thousands."""

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        """Note the keys when the fields are known."""
        super().__pydantic_init_subclass__(**options)
        cls.keys = frozenset(field.alias or name for name, field in cls.model_fields.items())

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, table: Any) -> Any:
        if not isinstance(table, dict) or cls.keys.issuperset(table):
            return table
        key = next(key for key in table if key not in cls.keys)
        known = [field.alias or name for name, field in cls.model_fields.items()]
        values = {"key": key, "hint": correction(str(key), known)}
        raise PydanticCustomError("unknown_key", "unknown key `{key}`", values)


class Sourced(Strict):
    """Where a figure comes from: exactly one of the four is given."""

    source: str | None = None
    """Key of the document it was read in."""
    measured: str | None = None
    """Key of the document that reports the measurement."""
    fitted: str | None = None
    """To what it was fitted, and how."""
    assumed: str | None = None
    """Why this is a fair guess."""

    @model_validator(mode="after")
    def _has_one_origin(self) -> Self:
        given = [text for text in (self.source, self.measured, self.fitted, self.assumed) if text is not None]
        if len(given) != 1 or not given[0].strip():
            raise PydanticCustomError(
                "origin",
                "needs exactly one of `source`, `measured`, `fitted`, `assumed`, and it must say something",
            )
        return self

    @property
    def provenance(self) -> Provenance:
        """How the figure is known."""
        if self.source is not None:
            return Provenance.PUBLISHED
        if self.measured is not None:
            return Provenance.MEASURED
        return Provenance.FITTED if self.fitted is not None else Provenance.ASSUMED

    @property
    def document(self) -> str | None:
        """Key of the document behind the figure, if it has one."""
        return self.source or self.measured

    @property
    def reason(self) -> str:
        """The origin as text: a document key, or the words of the fit or assumption."""
        return self.source or self.measured or self.fitted or self.assumed or ""


T = TypeVar("T")


class Figure(Sourced, Generic[T]):
    """One value and its origin."""

    value: T
    low: Annotated[float, Field(ge=0)] | None = None
    high: Annotated[float, Field(ge=0)] | None = None
    """Bounds of a 95 % confidence interval: only of what was fitted to measured runs."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the type of the value: a class that was made for it has no name to be found by."""
        kind = type(self).__pydantic_generic_metadata__["origin"] or type(self)
        return kind.__new__, (kind,), self.__getstate__()


class Range(Sourced):
    """A quantity that differs from part to part: typical, and the bounds of what is published of its kind."""

    low: Annotated[float, Field(gt=0)]
    typical: Annotated[float, Field(gt=0)]
    high: Annotated[float, Field(gt=0)]

    @model_validator(mode="after")
    def _is_ordered(self) -> Self:
        if not self.low <= self.typical <= self.high:
            raise PydanticCustomError("range", "must rise: `low` ≤ `typical` ≤ `high`")
        return self


class Bounded(Sourced):
    """A figure that may have bounds; without `low` or `high` it is taken as exact."""

    value: float | int
    low: float | int | None = None
    high: float | int | None = None

    @model_validator(mode="after")
    def _is_ordered(self) -> Self:
        if not self.bounds[0] <= self.value <= self.bounds[1]:
            raise PydanticCustomError("range", "must rise: `low` ≤ `value` ≤ `high`")
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """The interval that holds it."""
        return (
            self.value if self.low is None else self.low,
            self.value if self.high is None else self.high,
        )


class NonNegativeBounded(Bounded):
    """Such a figure that cannot be negative."""

    @model_validator(mode="after")
    def _is_not_negative(self) -> Self:
        if self.bounds[0] < 0:
            raise PydanticCustomError("range", "must not be negative")
        return self


Positive = Figure[Annotated[float, Field(gt=0)]]
NonNegative = Figure[Annotated[float, Field(ge=0)]]
Count = Figure[Annotated[int, Field(gt=0)]]
Probability = Figure[Annotated[float, Field(ge=0, lt=1)]]
Switch = Figure[bool]

Share = Annotated[float, Field(ge=0)]


class HeldOut(Strict):
    """The table `[held_out]` of a fitted device: how far it is off runs that it was not fitted to.

    Errors are shares of what was measured, |predicted / measured − 1|, over the settings held out; of reads and writes
    the worse is stated. The noise, where runs were repeated, is the typical difference of two runs of one setting.
    """

    runs: Annotated[int, Field(gt=0)]
    """Settings that were measured and not used in the fit."""
    by: str | None = None
    """The rule that chose them."""
    p50_error_median: Share
    p50_error_max: Share
    p99_error_median: Share
    p99_error_max: Share
    iops_error_median: Share | None = None
    iops_error_max: Share | None = None
    p50_noise: Share | None = None
    p99_noise: Share | None = None
    iops_noise: Share | None = None


def known(name: str, value: Any, figure: Sourced, sources: dict[str, str]) -> Parameter:
    """Return a parameter with the origin of the figure it comes from."""
    origin = sources.get(figure.document, figure.reason) if figure.document else figure.reason
    return Parameter(name=name, value=value, provenance=figure.provenance, source=origin)
