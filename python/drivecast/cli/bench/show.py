"""`drivecast bench show`: a result again, as a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.verb import Format, OutputFormat, print_csv, print_json, writable
from drivecast.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from drivecast.document.result import Result

TOLD = {"sweep", "noticed"}
"""Findings by which a result is told as a verdict: those of sweeps and quick looks."""


def show(
    path: Annotated[Path, typer.Argument(metavar="RESULT", help="A file that `bench … -o` wrote.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write an HTML page of it here, with its figures.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Show a result of any `bench` verb, whole or partial, as a table or as a page.

    Example: `drivecast bench show result.json -o result.html`
    """
    from drivecast.document.result import read

    writable(out)
    result = read(path)
    try:
        if out is not None:
            from drivecast.present import result_page

            result_page.write(result, out)
        shown(result, output_format, {"page": out})
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        # What was made of the points is a free object, of another shape for each verb.
        raise InputError(
            f"the findings of `{path}` cannot be shown: {type(error).__name__}: {error}\n"
            "hint: `--output-format json` prints the file as it is"
        ) from None


def shown(
    result: "Result", output_format: OutputFormat, files: "Mapping[str, Path | None] | None" = None
) -> None:
    """Print a result, and below the text the `files` that were written."""
    told = _words(result)
    match output_format:
        case OutputFormat.JSON:
            print_json(result.model_dump(mode="json"))
        case OutputFormat.CSV:
            print_csv(told.rows(result))
        case OutputFormat.TEXT:
            if result.findings.keys() & TOLD:
                from drivecast.present.measured import narrative as told
            typer.echo(told.text(result))
            for name, path in (files or {}).items():
                if path is not None:
                    typer.echo(f"  {name:<8}{path}")


def _words(result: "Result") -> "ModuleType":
    """What words a result of its kind: a module with `text` and `rows`."""
    if result.kind == "steady-state" and result.findings:
        from drivecast.present import steady_state

        return steady_state
    if result.kind == "database" and result.points:
        from drivecast.present import database

        return database
    if result.kind == "replay" and result.points:
        from drivecast.present.measured import replays

        return replays
    from drivecast.present import result_text

    return result_text
