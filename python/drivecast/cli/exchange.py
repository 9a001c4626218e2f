"""`drivecast model export` and `model import`: workload models to and from other tools."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, note, writable
from drivecast.errors import InputError

Tool = Literal["fio", "iometer", "diskspd", "diskspd-cmd", "vdbench", "sysbench"]
Source = Literal["fio", "iometer", "diskspd"]

SHOWN_MAX = 8
"""Losses named on the terminal; all are in the text itself."""


def export_model(
    model: Annotated[Path, typer.Argument(help="A workload model, `NAME.toml`.")],
    to: Annotated[Tool, typer.Option(help="The tool that runs it.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; else it is printed.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The file or device to test; for sysbench the folder of its file.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write a workload model as another tool's job file, and list what that tool cannot hold.

    Example: `drivecast model export oltp.toml --to fio -o oltp.fio`
    """
    from drivecast import exchange
    from drivecast.files import write_whole
    from drivecast.stage import model_file

    writable(out)
    place = target or ("." if to == "sysbench" else "drivecast.dat")
    if not place.isprintable() or '"' in place:
        raise InputError(f"expected a path as `--target`, found `{place}`")
    job, losses = exchange.TOOLS[to].export(model_file.read(model), place)
    document = {"schema_version": 1, "tool": to, "losses": losses}
    if out is not None:
        write_whole(out, job)
    if output_format is OutputFormat.TEXT:
        for loss in losses[:SHOWN_MAX]:
            note(f"lost: {loss}", quiet=quiet)
        if len(losses) > SHOWN_MAX:
            note(f"lost: {len(losses) - SHOWN_MAX} more, listed at the head of the file", quiet=quiet)
        if out is not None:
            return
    emit(
        document if out else {**document, "text": job},
        output_format,
        rows=[{"loss": loss} for loss in losses],
        text=lambda: job,
    )


def import_model(
    file: Annotated[Path, typer.Argument(help="A fio job file, an Iometer `.icf` or a DiskSpd XML profile.")],
    source: Annotated[
        Source | None, typer.Option("--from", help="The format (default: by the name).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The model to write; else it is printed.")
    ] = None,
    span: Annotated[
        str | None, typer.Option(help="Size of the target, where the file does not state it.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Read another tool's job file as a workload model; what has no place in a model is an error with its line.

    Example: `drivecast model import server.icf --span 480GB -o server.toml`
    """
    import json

    from drivecast import exchange
    from drivecast.files import write_whole
    from drivecast.quantity.parse import option, size_bytes
    from drivecast.stage import model_file

    writable(out)
    span_bytes = option("--span", size_bytes, span)
    model, notes = exchange.read(file, source, span_bytes)
    text = model_file.toml(model)
    if out is not None:
        write_whole(out, text)
    if output_format is OutputFormat.TEXT:
        for line in notes:
            note(line, quiet=quiet)
        if out is not None:
            return
    emit(
        {"schema_version": 1, "model": json.loads(model.json_text()), "notes": notes},
        output_format,
        rows=[{"note": line} for line in notes],
        text=lambda: text,
    )
