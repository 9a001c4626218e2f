"""`drivecast bench show`: a result again, as a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, writable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivecast.document.result import Result


def show(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="RESULT",
            help="A file that `bench … -o` wrote, or fio (JSON), DiskSpd, elbencho, pgbench or sysbench.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write an HTML page of it here, with its figures.")
    ] = None,
    quiet: Quiet = False,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Show a result of any `bench` verb, whole or partial, or of another program, as a table or as a page.

    Example: `drivecast bench show result.json -o result.html`
    """
    from drivecast.bench.reported import read

    writable(out)
    result = read(path)
    if out is not None:
        from drivecast.present import result_page

        result_page.write(result, out)
    shown(result, output_format, {"page": out})


def shown(
    result: "Result", output_format: OutputFormat, files: "Mapping[str, Path | None] | None" = None
) -> None:
    """Print a result, and below the text the `files` that were written."""
    from drivecast.present import result_text

    emit(
        result,
        output_format,
        text=lambda: result_text.text(result),
        rows=lambda: result_text.rows(result),
    )
    if output_format is OutputFormat.TEXT:
        for name, path in (files or {}).items():
            if path is not None:
                typer.echo(f"  {name:<8}{path}")
