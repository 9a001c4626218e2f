"""`drivecast model export` and `model import`: workload models to and from other tools."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from drivecast.cli import complete
from drivecast.cli.archive import WINDOWS
from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, note, writable
from drivecast.errors import InputError

Tool = Literal["fio", "iometer", "diskspd", "diskspd-cmd", "vdbench", "sysbench"]
Source = Literal["fio", "iometer", "diskspd"]

SHOWN_MAX = 8
"""Losses named on the terminal; all are in the text itself."""


def export_model(
    model: Annotated[
        Path,
        typer.Argument(
            help="A workload model, `NAME.toml` or the name of one, or windows of a trace, `NAME.windows`.",
            autocompletion=complete.models,
        ),
    ],
    to: Annotated[Tool, typer.Option(help="The tool that runs it.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; else it is printed.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The file or device to test; for sysbench the folder of its file.")
    ] = None,
    seconds: Annotated[
        int | None, typer.Option(min=1, help="Length of a run of windows (default: 600).")
    ] = None,
    replay: Annotated[
        Path | None,
        typer.Option(help="A new folder for windows as logs that fio replays; with `--to fio` only."),
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write a workload model as another tool's job file, and list what that tool cannot hold.

    Windows of a trace become phases in turn, a cluster each, as long as their share of the trace. With `--replay` fio
    gets their own requests at their own times, and a table of how often each window counts.

    Example: `drivecast model export oltp.toml --to fio -o oltp.fio`

    Example: `drivecast model export m.windows --to fio --seconds 300 --target /dev/nvme1n1 -o m.fio`

    Example: `drivecast model export m.windows --to fio --replay m-replay --target /dev/nvme1n1`
    """
    from drivecast import exchange
    from drivecast.files import write_whole

    writable(out)
    of_windows = model.suffix == WINDOWS
    if not of_windows and (replay is not None or seconds is not None):
        raise InputError("--replay and --seconds are of windows of a trace, `NAME.windows`")
    if replay is not None:
        _replay(model, to, out, target, replay, output_format, quiet=quiet)
        return
    place = target or ("." if to == "sysbench" else "drivecast.dat")
    if not place.isprintable() or '"' in place:
        raise InputError(f"expected a path as `--target`, found `{place}`")
    if of_windows:
        from drivecast.stage import windows_file

        job, losses = exchange.TOOLS[to].export_windows(windows_file.read(model), place, seconds)
    else:
        from drivecast.stage import model_file

        job, losses = exchange.TOOLS[to].export(model_file.read(model_file.shipped(model)), place)
    document = {"schema_version": 1, "tool": to, "losses": losses}
    if out is not None:
        write_whole(out, job)
    if output_format is OutputFormat.TEXT:
        _lost(losses, quiet=quiet)
        if out is not None:
            return
    emit(
        document if out else {**document, "text": job},
        output_format,
        rows=[{"loss": loss} for loss in losses],
        text=lambda: job,
    )


def _lost(losses: list[str], *, quiet: bool) -> None:
    for loss in losses[:SHOWN_MAX]:
        note(f"lost: {loss}", quiet=quiet)
    if len(losses) > SHOWN_MAX:
        note(f"lost: {len(losses) - SHOWN_MAX} more, listed at the head of the file", quiet=quiet)


def _replay(
    model: Path,
    to: Tool,
    out: Path | None,
    target: str | None,
    folder: Path,
    output_format: OutputFormat,
    *,
    quiet: bool,
) -> None:
    """Write the windows as logs into a new folder."""
    from drivecast.exchange import fio_replay
    from drivecast.files import write_folder
    from drivecast.stage import windows_file

    if to != "fio" or out is not None:
        raise InputError("--replay writes a folder for fio: `--to fio`, without `--out`")
    found, losses = fio_replay.files(windows_file.read(model), target or "drivecast.dat")
    write_folder(folder, found)
    if output_format is OutputFormat.TEXT:
        _lost(losses, quiet=quiet)
    windows = len(found[fio_replay.WEIGHTS].splitlines()) - 1
    document = {"schema_version": 1, "tool": to, "windows": windows, "losses": losses}
    run = f"{folder}: {windows} windows; run: cd {folder} && fio --output-format=json+ {fio_replay.JOB_FILE}"
    emit(document, output_format, rows=[{"loss": loss} for loss in losses], text=lambda: run)


def import_model(
    file: Annotated[Path, typer.Argument(help="A fio job file, an Iometer `.icf` or a DiskSpd XML profile.")],
    source: Annotated[
        Source | None, typer.Option("--from", help="The format (default: by the name, else by the content).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The model to write; else it is printed.")
    ] = None,
    span: Annotated[
        str | None, typer.Option(help="Size of the target, where the file does not state it.")
    ] = None,
    phase: Annotated[
        int | None, typer.Option(min=1, help="Which of the phases that `stonewall` parts, of fio.")
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
    model, notes = exchange.read(file, source, span_bytes, phase)
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
