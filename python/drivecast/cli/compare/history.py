"""`drivecast compare history`: how far predictions have been off so far."""

from typing import Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.compare.result import History
from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, note


def history(
    drive: Annotated[
        str | None,
        typer.Option(
            "--drive", help="Only predictions of this drive of the catalog.", autocompletion=complete.drives
        ),
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="A line for each comparison, not for each drive and kind.")
    ] = False,
    place: History = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """List the errors of predictions so far, by drive and kind of workload.

    Ratios are predicted over measured: medians, with the range of all.

    Example: `drivecast compare history --drive intel-710-100gb`
    """
    from drivecast.compare import error_log, error_summary
    from drivecast.document.error_log import ErrorLog
    from drivecast.errors import InputError
    from drivecast.present import error_history

    path = error_log.place(place)
    if path is None:
        raise InputError("--history: `none` holds nothing to list")
    found = error_log.read(path)
    for text in found.notes:
        note(text, quiet=quiet)
    records = [record for record in found.records if drive is None or drive in record.drives]
    if drive is not None and not records:
        known = sorted({name for record in found.records for name in record.drives})
        raise InputError(
            f"no prediction of `{drive}` was compared yet; those of {', '.join(f'`{name}`' for name in known)} were"
        )
    log = ErrorLog(
        schema_version=1,
        history=str(path),
        comparisons=len(records),
        rows=error_summary.each(records) if each else error_summary.by_kind(records),
    )
    emit(log, output_format, rows=log.rows, text=lambda: error_history.lines(log))
