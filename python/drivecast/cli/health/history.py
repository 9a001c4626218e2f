"""`drivecast health import`, `history`, `prune` and `export`: what drives said, kept."""

from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.health.option import Url
from drivecast.cli.verb import (
    EXIT_NO,
    EXIT_WRONG,
    Format,
    OutputFormat,
    Quiet,
    note,
    print_csv,
    print_json,
    progress,
    writable,
)

if TYPE_CHECKING:
    from drivecast.health.history import Added

Wait = Annotated[float, typer.Option(min=0, help="Seconds to wait for another process that writes.")]

TOLD = 20
"""Notes and refusals that the terminal shows; JSON has all."""


class Every(StrEnum):
    """How much of older samples stays."""

    DAY = "day"
    WEEK = "week"


def import_samples(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Tables of samples (Parquet, CSV), Backblaze's daily CSV, whatever `health read` takes, and folders "
            "of them.",
        ),
    ],
    history: Url = None,
    group: Annotated[
        str | None, typer.Option(help="Name of the array these drives stand in, or of what else they share.")
    ] = None,
    wait: Wait = 30.0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Keep samples of drives. What is known already changes nothing, so an import may be repeated at any time.

    Exit codes: 0 all was kept, 1 some was not (the rest is kept), 2 nothing was.

    Example: `drivecast health import smartctl-reports/ drive-stats/2026-*.csv --history health.sqlite3`
    """
    from drivecast.health.history import History
    from drivecast.health.history.importing import take

    with (
        History.open(history, wait_s=wait) as opened,
        progress("importing", quiet=quiet) as report,
    ):
        added = take(opened, sources, group, report)
        place = opened.database.shown
    _show_added(added, place, output_format, quiet=quiet)


def _show_added(added: "Added", place: str, output_format: OutputFormat, *, quiet: bool) -> None:
    counts = {
        "history": place,
        "drives_new": added.drives_new,
        "samples_new": added.samples_new,
        "samples_repeated": added.samples_repeated,
    }
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, **counts, "refused": added.refused, "notes": added.notes})
        case OutputFormat.CSV:
            print_csv([{**counts, "refused": len(added.refused)}])
        case OutputFormat.TEXT:
            typer.echo(
                f"{place}: {_count(added.samples_new, 'new sample')}, {added.samples_repeated:,} known already, "
                f"{_count(added.drives_new, 'new drive')}"
            )
    for text in _some(added.notes):
        note(text, quiet=quiet)
    for text in _some(added.refused):
        typer.echo(f"refused: {text}", err=True)
    if added.refused:
        raise typer.Exit(EXIT_NO if added.samples_new + added.samples_repeated else EXIT_WRONG)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _some(lines: list[str]) -> list[str]:
    more = len(lines) - TOLD
    return [*lines[:TOLD], f"and {more:,} more; `--output-format json` has all"] if more > 0 else lines


def history(
    history: Url = None,
    stale_days: Annotated[
        float, typer.Option(min=0, help="A drive not seen for so long has vanished.")
    ] = 7.0,
    wait: Wait = 30.0,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Show what a history holds: schema, drives, samples, span, size, and which drives have vanished.

    A drive has vanished where it was not seen for so many days before the newest sample of all; csv lists the drives.

    Example: `drivecast health history --stale-days 2`
    """
    from drivecast.health.history import History
    from drivecast.health.history.status import status

    with History.open(history, create=False, wait_s=wait) as opened:
        result = status(opened, timedelta(days=stale_days))
        drives = result.pop("drives_table")
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, **result})
        case OutputFormat.CSV:
            print_csv([_texts(row) for row in drives.drop("sources", "origin", "begins").to_dicts()])
        case OutputFormat.TEXT:
            typer.echo("\n".join(_summary(result)))


def _texts(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}


def _summary(result: dict[str, Any]) -> list[str]:
    from drivecast.quantity import number

    lines = [
        f"history        {result['history']} (schema {result['version']})",
        f"drives         {result['drives']:,}"
        + (f", of these {result['renewed']:,} under a new identity" if result["renewed"] else ""),
        f"samples        {result['samples']:,}",
    ]
    if result["samples"]:
        lines.append(f"span           {result['first_seen'][:10]} to {result['last_seen'][:10]}")
    lines.append(f"size           {number.size(result['size_bytes'])}")
    for row in result["vanished"][:TOLD]:
        where = f" on {row['host']}" if row["host"] else ""
        lines.append(
            f"vanished       {row['serial']} {row['model']}{where}, last seen {row['last_seen'][:10]}"
        )
    more = len(result["vanished"]) - TOLD
    if more > 0:
        lines.append(f"vanished       and {more:,} more; `--output-format json` has all")
    return lines


def prune(
    history: Url = None,
    keep_days: Annotated[
        float | None, typer.Option(min=0, help="Remove samples older than so many days.")
    ] = None,
    thin_days: Annotated[
        float | None, typer.Option(min=0, help="Of samples older than so many days keep one a day, or week.")
    ] = None,
    every: Annotated[Every, typer.Option(help="How many of the older stay.")] = Every.DAY,
    wait: Wait = 30.0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Forget old samples, and give the space back.

    Example: `drivecast health prune --keep-days 1825 --thin-days 90 --every week`
    """
    from dataclasses import asdict

    from drivecast.errors import InputError
    from drivecast.health.history import History
    from drivecast.quantity import number

    if keep_days is None and thin_days is None:
        raise InputError("nothing to do: give `--keep-days`, `--thin-days` or both")
    with (
        History.open(history, create=False, wait_s=wait) as opened,
        progress("pruning", quiet=quiet) as report,
    ):
        pruned = opened.prune(keep_days, thin_days, weekly=every is Every.WEEK, report=report)
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, **asdict(pruned)})
        case OutputFormat.CSV:
            print_csv([asdict(pruned)])
        case OutputFormat.TEXT:
            typer.echo(
                f"{_count(pruned.samples_removed, 'sample')} removed, {pruned.samples_left:,} left, "
                f"{_count(pruned.drives_forgotten, 'drive')} forgotten; "
                f"{number.size(pruned.size_before_bytes)} became {number.size(pruned.size_bytes)}"
            )
    if not pruned.space_returned:
        note("another process kept the file busy: it shrinks with the next prune", quiet=quiet)


def export(
    out: Annotated[Path, typer.Option("-o", "--out", help="A file that ends with `.parquet` or `.csv`.")],
    history: Url = None,
    wait: Wait = 30.0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write all samples as one table, a row a drive and second, which `import` takes again.

    Example: `drivecast health export -o health.parquet`
    """
    from drivecast.health.history import History
    from drivecast.health.history import export as exporting

    writable(out)
    with (
        History.open(history, create=False, wait_s=wait) as opened,
        progress("exporting", quiet=quiet) as report,
    ):
        rows = exporting.write(opened, out, report)
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "path": str(out), "samples": rows})
        case OutputFormat.CSV:
            print_csv([{"path": str(out), "samples": rows}])
        case OutputFormat.TEXT:
            typer.echo(f"{out}: {_count(rows, 'sample')}")
