"""The table `[fitted]` in the text of a drive's file; the rest of the file, comments included, stays as it is."""

import json
import re

from drivecast.catalog.sheet import Fitted

TABLE = re.compile(r"^\[fitted\]\n(?:(?!\[).*\n?)*", re.MULTILINE)
NEXT = re.compile(r"^\[endurance\]$", re.MULTILINE)
"""Where the table goes if the file has none: behind `[performance]`."""


def table(fitted: Fitted) -> str:
    """Return the table as text; empty where nothing is fitted."""
    rows = []
    for name in type(fitted).model_fields:
        figure = getattr(fitted, name)
        if figure is not None:
            rows.append(
                f"{name} = {{ value = {figure.value:.10g}, fitted = {json.dumps(figure.reason, ensure_ascii=False)} }}"
            )
    return "\n".join(["[fitted]", *rows, "", ""]) if rows else ""


def with_table(text: str, fitted: Fitted) -> str:
    """Return the file's text with a new table `[fitted]`."""
    without = TABLE.sub("", text)
    place = NEXT.search(without)
    if place is None:
        raise ValueError("no table `[endurance]` in the file of a solid-state drive")
    return without[: place.start()] + table(fitted) + without[place.start() :]
