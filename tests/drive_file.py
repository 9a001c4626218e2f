"""A bundled drive as a file of its own, for tests that edit one."""

import tomllib
from pathlib import Path

from drivecast.catalog import bundled, load
from drivecast.catalog.family import rows, text


def alone(name: str) -> str:
    """The text of a file that describes this drive and no other."""
    file = load().get(name).file
    return text(dict(rows(file.stem, tomllib.loads(file.read_text())))[name])


def copied(name: str, folder: Path) -> Path:
    """Put a bundled drive, or a table of the catalog, into a folder; its file."""
    made = folder / f"{name}.toml"
    made.parent.mkdir(parents=True, exist_ok=True)
    shared = bundled() / made.name
    made.write_text(shared.read_text() if shared.exists() else alone(name))
    return made
