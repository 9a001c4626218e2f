"""What all documents are made of: their base, their intervals, and how a figure is known."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from drivecast.errors import InputError

Provenance = Literal["given", "measured", "derived", "published", "fitted", "assumed", "undefined"]


def left_out(alias: str | None = None) -> Any:
    """A key that is left out of the JSON where its value is none."""
    return Field(alias=alias, exclude_if=lambda value: value is None)


class Part(BaseModel):
    """A part of a document; keys that are not declared are passed over."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, populate_by_name=True, serialize_by_alias=True, allow_inf_nan=False
    )


class Document(Part):
    """A document as a whole: what a verb prints, and what is checked where one is read again."""

    schema_version: int = 1

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
