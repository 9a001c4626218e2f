"""Texts that were agreed on; after a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from drivecast.errors import InputError

PLACE = Path(__file__).parent / "snapshots"


def agreed(name: str, found: str) -> None:
    """Assert that the file of this name in `tests/snapshots` has this text."""
    path = PLACE / name
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


def agreed_refusals(
    name: str, tries: Iterable[Callable[[], object]], but: Mapping[str, str] | None = None
) -> None:
    """Assert that each try is refused, in the words of that file; `but` replaces what differs between machines."""
    said = []
    for attempt in tries:
        with pytest.raises(InputError) as error:
            attempt()
        said.append(str(error.value))
    text = "\n\n".join(said) + "\n"
    for differs, stands in (but or {}).items():
        text = text.replace(differs, stands)
    agreed(name, text)
