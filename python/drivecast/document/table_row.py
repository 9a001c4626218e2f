"""Rows of tables as parts of documents."""

from collections.abc import Sequence
from typing import Self

import polars as pl
from pydantic import TypeAdapter

from drivecast.document.part import Part


class Row(Part):
    """A row of a table."""

    @classmethod
    def rows(cls, table: pl.DataFrame) -> list[Self]:
        """Return all rows of a table."""
        return TypeAdapter(list[cls]).validate_python(table.to_dicts())  # type: ignore[valid-type]


def frame(rows: Sequence[Row]) -> pl.DataFrame:
    """Return rows as a table, for a figure."""
    return pl.DataFrame([row.model_dump() for row in rows], infer_schema_length=None)
