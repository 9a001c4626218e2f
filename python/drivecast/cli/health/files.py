"""`drivecast health files`: the files for Prometheus, Grafana and systemd."""

from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, folder_for, note


def files(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Files to print, or to write with `-o`.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write them into this directory, which is made.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Alert rules, a Grafana dashboard and systemd units for the drives in service.

    Without a name they are listed, or with `-o` all written. A unit starts the program that wrote it.

    Example: `drivecast health files drivecast.rules.yml > /etc/prometheus/rules/drivecast.rules.yml`
    """
    from drivecast.document.history import ShippedFile, ShippedFiles
    from drivecast.files import write_whole
    from drivecast.health import shipped
    from drivecast.present import grid

    program = shipped.this_program()
    content = {name: shipped.text(name, program) for name in names or ()}
    if out is not None:
        content = content or {name: shipped.text(name, program) for name in shipped.WHAT}
        folder_for(out)
        for name, text in content.items():
            write_whole(out / name, text)
        _hint(program, content, quiet=quiet)
    elif content:
        for text in content.values():
            typer.echo(text, nl=False)
        _hint(program, content, quiet=quiet)
        return
    listed = [ShippedFile(name=name, what=shipped.WHAT[name]) for name in content or shipped.WHAT]
    emit(
        ShippedFiles(written=str(out) if out else None, files=listed),
        output_format,
        text=lambda: grid.table(("<", "<"), [(file.name, file.what) for file in listed]),
        rows=listed,
    )


def _hint(program: str, names: "dict[str, str]", *, quiet: bool) -> None:
    """Note what would keep a unit from starting: its services see no home."""
    hidden = Path(program).parts[1] in {"home", "root", "run"}
    if hidden and any(name.endswith(".service") for name in names):
        note(
            f"the units start `{program}`, which `ProtectHome=yes` hides from them; install it elsewhere",
            quiet=quiet,
        )
