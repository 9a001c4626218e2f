"""The commands that the help shows as examples."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer

from drivecast.cli.main import app

EXAMPLE = re.compile(r"`([^`]*\bdrivecast [^`]+)`")


def commands() -> list[str]:
    """Those that begin with the program, of all help."""
    found = [*_below(typer.main.get_command(app))]
    assert len(found) > 60, "the finder finds nothing"
    return found


def _below(command: Any) -> Iterator[str]:
    for line in inspect.cleandoc(command.help or "").splitlines():
        if line.startswith("Example:"):
            yield from (found[1] for found in EXAMPLE.finditer(line) if found[1].startswith("drivecast "))
    for inner in getattr(command, "commands", {}).values():
        yield from _below(inner)
