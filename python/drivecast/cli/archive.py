"""Archives of windows as verbs take and write them."""

from pathlib import Path
from typing import TYPE_CHECKING

from drivecast.cli.verb import OutputFormat, emit
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.stage.windows_file import Archive

WINDOWS = ".windows"
"""How the name of an archive ends."""


def check_names(*paths: Path) -> None:
    """Raise `InputError` for names that are none of archives."""
    for name in paths:
        if name.suffix != WINDOWS:
            raise InputError(f"`{name}`: expected windows of a trace, `NAME{WINDOWS}`")


def written(out: Path, found: "Archive", output_format: OutputFormat) -> None:
    """Write the archive, and what is in it to the terminal."""
    from drivecast.present import windows as windows_text
    from drivecast.stage import windows_file

    windows_file.write(out, found)
    header = found.header
    rows = [cluster.model_dump(mode="json") for cluster in header.clusters]
    emit(header, output_format, rows=rows, text=lambda: windows_text.lines(out, header))
