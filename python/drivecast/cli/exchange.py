"""`drivecast model export` and `model import`: workload models to and from other tools."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli.verb import Format, OutputFormat, Quiet, guarded, note, print_csv, print_json, writable
from drivecast.errors import InputError


class Tool(StrEnum):
    """What a model is written for."""

    FIO = "fio"
    IOMETER = "iometer"
    DISKSPD = "diskspd"
    DISKSPD_CMD = "diskspd-cmd"
    VDBENCH = "vdbench"
    SYSBENCH = "sysbench"


class Source(StrEnum):
    """What a model is read from."""

    FIO = "fio"
    IOMETER = "iometer"
    DISKSPD = "diskspd"


SHOWN_MAX = 8
"""Losses named on the terminal; all stand in the text itself."""


def _told(lines: list[str], label: str, quiet: bool) -> None:
    for line in lines:
        note(f"{label}{line}", quiet=quiet)


@guarded
def export_model(
    model: Annotated[Path, typer.Argument(help="A workload model, `NAME.toml`.")],
    to: Annotated[Tool, typer.Option(help="The tool that is to run it.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; else it is printed.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The file or device to test; for sysbench the folder of its file.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write a workload model as another tool's job file; what that tool cannot hold is told.

    Example: `drivecast model export oltp.toml --to fio -o oltp.fio`
    """
    from drivecast import exchange
    from drivecast.files import write_whole

    writable(out)
    place = target or ("." if to is Tool.SYSBENCH else "drivecast.dat")
    if not place.isprintable() or '"' in place:
        raise InputError(f"expected a path as `--target`, found `{place}`")
    text, losses = exchange.export(exchange.load(model), to.value, place)
    if out is not None:
        write_whole(out, text)
    match output_format:
        case OutputFormat.JSON:
            document = {"schema_version": 1, "tool": to.value, "losses": losses}
            print_json(document if out else {**document, "text": text})
        case OutputFormat.CSV:
            print_csv([{"loss": loss} for loss in losses])
        case OutputFormat.TEXT:
            if out is None:
                typer.echo(text, nl=False)
            _told(losses[:SHOWN_MAX], "lost: ", quiet)
            if len(losses) > SHOWN_MAX:
                more = len(losses) - SHOWN_MAX
                note(f"lost: {more} things more, told at the head of the text", quiet=quiet)


@guarded
def import_model(
    file: Annotated[Path, typer.Argument(help="A fio job file, an Iometer `.icf` or a DiskSpd XML profile.")],
    source: Annotated[Source | None, typer.Option("--from", help="The format; else by the name.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The model to write; else it is printed.")
    ] = None,
    span: Annotated[str | None, typer.Option(help="Size of the target where the file does not tell.")] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Read another tool's job file as a workload model; what has no place in a model is refused with its line.

    Example: `drivecast model import server.icf --span 480GB -o server.toml`
    """
    import json

    from drivecast import exchange
    from drivecast.files import write_whole
    from drivecast.quantity import option, size_bytes

    writable(out)
    span_bytes = option("--span", size_bytes, span)
    model, notes = exchange.read(file, source.value if source else None, span_bytes)
    text = exchange.toml(model)
    if out is not None:
        write_whole(out, text)
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "model": json.loads(model.json_text()), "notes": notes})
        case OutputFormat.CSV:
            print_csv([{"note": one} for one in notes])
        case OutputFormat.TEXT:
            if out is None:
                typer.echo(text, nl=False)
            _told(notes, "", quiet)
