"""Colour: on terminals alone, unless the environment says otherwise.

`NO_COLOR` (no-color.org) takes away all that is styled, bold too, `FORCE_COLOR` (force-color.org) puts it into pipes
and files. Each counts where it is not empty, and the first has the last word. `TERM=dumb` is a terminal without.
"""

import os
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console


def wanted(stream: TextIO) -> bool:
    """Whether what is printed on a stream may be styled."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def console(stream: TextIO) -> "Console":
    """Return what prints on a stream, and adds no style of its own."""
    from rich.console import Console

    styled = wanted(stream)
    return Console(
        file=stream,
        highlight=False,
        color_system="auto" if styled else None,
        force_terminal=True if styled else None,
    )
