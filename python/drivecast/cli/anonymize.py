"""`drivecast model anonymize`: windows of a trace for others, who are not to learn what it is of."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.archive import check_names
from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, note, writable

if TYPE_CHECKING:
    from drivecast.stage.windows_file import Archive

Key = Annotated[
    str | None,
    typer.Option(
        help="What the addresses are permuted by: 16 characters or more, not stored; who knows it can undo the"
        " permutation. The same key gives the same bytes (default: drawn at random, and forgotten)."
    ),
]


def anonymize(
    path: Annotated[Path, typer.Argument(metavar="MODEL", help="Windows of a trace, `NAME.windows`.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The archive to write, `NAME.windows`.")],
    key: Key = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write windows for others: without names, dates and the trace's hash, the addresses permuted.

    Kept are sizes, operations, times between requests, runs and reuse: latencies on SSDs and hits in caches are
    those of the windows. Seek distances change, and with them latencies on disks. Whoever has the trace can still
    recognize it by its sizes and times.

    Example: `drivecast model anonymize m.windows -o shared.windows`
    """
    from drivecast.present import windows as windows_text
    from drivecast.stage import windows_file

    check_names(path, out)
    writable(out)
    found = anonymous(windows_file.read(path), key, quiet=quiet)
    windows_file.write(out, found)
    header = found.header
    rows = [{"change": text} for text in header.changes]
    emit(header, output_format, rows=rows, text=lambda: windows_text.changed(out, header))


def anonymous(found: "Archive", key: str | None, *, quiet: bool) -> "Archive":
    """The archive anonymized by a key as an option has it; a note where the key is drawn."""
    from drivecast.model.anonymous import anonymized, key_of

    drawn = key_of(key)
    if key is None:
        note("the key was drawn at random and is not stored: with --key the file is repeatable", quiet=quiet)
    return anonymized(found, drawn)
