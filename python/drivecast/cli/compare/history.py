"""`drivecast compare history`: how far predictions have been off so far."""

from typing import Annotated

import typer

from drivecast.cli.compare.result import History
from drivecast.cli.verb import Format, OutputFormat, note, print_csv, print_json


def history(
    drive: Annotated[
        str | None, typer.Option("--drive", help="Only predictions of this drive of the catalog.")
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="Every comparison, instead of a line for each drive and kind.")
    ] = False,
    place: History = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """List the errors of predictions so far, by drive and kind of workload.

    Ratios are predicted over measured: medians, with the range of all.

    Example: `drivecast compare history --drive intel-710-100gb`
    """
    from drivecast.compare import error_log as kept
    from drivecast.compare import error_summary, listing
    from drivecast.errors import InputError

    path = kept.place(place)
    if path is None:
        raise InputError("--history: `none` holds nothing to list")
    found = kept.read(path)
    for text in found.notes:
        note(text)
    records = [one for one in found.records if drive is None or drive in one.drives]
    if drive is not None and not records:
        known = sorted({name for one in found.records for name in one.drives})
        raise InputError(
            f"no prediction of `{drive}` was compared yet; those of {', '.join(f'`{name}`' for name in known)} were"
        )
    rows = [kept.as_row(one) for one in records] if each else error_summary.rows(records)
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "history": str(path), "comparisons": len(records), "rows": rows})
        case OutputFormat.CSV:
            print_csv(rows)
        case OutputFormat.TEXT:
            typer.echo(listing.each(rows) if each else listing.by_kind(rows))
            typer.echo(f"{len(records)} comparisons in {path}")
