"""Documents with another value at a place."""

import json
from typing import Any

Place = tuple[Any, ...]


def places(document: Any, above: Place = ()) -> list[Place]:
    """The paths to everything in a document, and that to all of it."""
    inner = document if isinstance(document, dict | list) else ()
    items = inner.items() if isinstance(inner, dict) else enumerate(inner)
    return [above, *(place for key, value in items for place in places(value, (*above, key)))]


def changed(document: Any, place: Place, value: Any) -> Any:
    """The document with another value at a place."""
    if not place:
        return value
    inner = copy = json.loads(json.dumps(document))
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return copy
