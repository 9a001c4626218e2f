"""A nested object as one row of a table: of the CSV that verbs print, and of frames."""

from collections.abc import Mapping
from typing import Any


def flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The object with dots in its keys: `{"read": {"iops": 1}}` becomes `{"read.iops": 1}`; lists are left out."""
    row: dict[str, Any] = {}
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            row.update(flat(inner, f"{prefix}{name}."))
        elif not isinstance(inner, list):
            row[prefix + name] = inner
    return row
