"""`drivecast compare RESULT PREDICTION`: predicted beside measured."""

from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli.verb import Format, OutputFormat, print_csv, print_json


def result(
    measured: Annotated[
        Path, typer.Argument(metavar="RESULT", help="What `drivecast bench … -o FILE` wrote.")
    ],
    prediction: Annotated[
        Path, typer.Argument(metavar="PREDICTION", help="Another result, to put beside it.")
    ],
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Put predicted beside measured, quantile by quantile.

    Example: `drivecast compare measured.json other.json`
    """
    from drivecast import compare

    rows = compare.ratios(compare.read(measured), compare.read(prediction))
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "rows": rows})
        case OutputFormat.CSV:
            print_csv(rows)
        case OutputFormat.TEXT:
            for row in rows:
                typer.echo(f"{row['point']:>5}  {row['figure']:<16}{row['ratio']:>10.3f}")
