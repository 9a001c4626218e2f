"""`drivecast bench show`: a result again, as a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.verb import Format, OutputFormat, print_csv, print_json

if TYPE_CHECKING:
    from drivecast.bench.result import Result


def show(
    path: Annotated[Path, typer.Argument(metavar="RESULT", help="A file that `bench … -o` wrote.")],
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Show a result of any `bench` verb, whole or partial, as a table.

    Example: `drivecast bench show result.json`
    """
    from drivecast.bench.result import read

    shown(read(path), output_format)


def shown(result: "Result", output_format: OutputFormat) -> None:
    """Print a result."""
    from drivecast.report import result_text

    match output_format:
        case OutputFormat.JSON:
            print_json(result.model_dump(mode="json"))
        case OutputFormat.CSV:
            print_csv(result_text.rows(result))
        case OutputFormat.TEXT:
            typer.echo(result_text.text(result))
