"""`drivecast health import`, `history`, `prune` and `export`: the database of samples."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.health.option import Host, HostFrom, HostLabel, Stale, Url, span
from drivecast.cli.verb import (
    EXIT_NO,
    EXIT_WRONG,
    Format,
    OutputFormat,
    Quiet,
    emit,
    note,
    progress,
    writable,
)

if TYPE_CHECKING:
    from rich.text import Text

    from drivecast.document.history import HistorySummary

Wait = Annotated[float, typer.Option(min=0, help="Seconds to wait for another process that is writing.")]

SHOWN = 20
"""Notes and refusals that the terminal shows; JSON has all."""


class Every(StrEnum):
    """How many older samples remain."""

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
        str | None,
        typer.Option(help="Name of the array that these drives belong to, or of whatever else they share."),
    ] = None,
    host: Host = None,
    host_from: HostFrom = None,
    host_label: HostLabel = None,
    wait: Wait = 30.0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Store samples of drives. Samples that are already known change nothing, so an import may be repeated at any time.

    Exit codes: 0 all were stored, 1 some were not (the others are stored), 2 none was.

    Example: `drivecast health import reports/ --host-from '{host}/{device}.json' --history health.sqlite3`
    """
    from drivecast.health.history import History
    from drivecast.health.history.importing import take
    from drivecast.health.read import HostNames
    from drivecast.health.read.host_name import notes

    with History.open(history, wait_s=wait) as opened, progress("importing", quiet=quiet) as report:
        hosts = HostNames.of(host, host_from, host_label)
        added = take(opened, sources, group, report, hosts)
        added = added.model_copy(update={"history": opened.database.shown})
        drives, placed = opened.placed()
    emit(
        added,
        output_format,
        text=lambda: (
            f"{added.history}: {_count(added.samples_new, 'new sample')}, {added.samples_repeated:,} already known, "
            f"{_count(added.drives_new, 'new drive')}"
        ),
        rows=[{**added.model_dump(exclude={"schema_version", "notes"}), "refused": len(added.refused)}],
    )
    for text in [*_some(added.notes), *notes(drives - placed, drives, hosts)]:
        note(text, quiet=quiet)
    for text in _some(added.refused):
        note(text, label="refused")
    if added.refused:
        raise typer.Exit(EXIT_NO if added.samples_new + added.samples_repeated else EXIT_WRONG)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _some(lines: list[str]) -> list[str]:
    more = len(lines) - SHOWN
    return [*lines[:SHOWN], f"and {more:,} more; `--output-format json` has all"] if more > 0 else lines


def history(
    history: Url = None,
    stale: Stale = None,
    wait: Wait = 30.0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Show what a history holds: schema, drives, samples, span, size, and which drives have vanished.

    A drive has vanished where its last sample is so much older than the newest of all; csv lists the drives.

    Example: `drivecast health history`, `drivecast health history --stale 2d`
    """
    import polars.selectors as cs

    from drivecast.health.history import History

    with History.open(history, create=False, wait_s=wait) as opened:
        found = opened.summary(None if stale is None else span("--stale", stale))
        drives = opened.drives().drop("sources", "origin", "begins")
    texts = drives.with_columns(cs.datetime().dt.strftime("%Y-%m-%dT%H:%M:%S%:z"))
    emit(found, output_format, text=lambda: _summary(found), rows=texts.to_dicts)


def _summary(found: "HistorySummary") -> "list[Text]":
    from drivecast.present import drive_words, grid
    from drivecast.quantity import number

    renewed = f", of these {found.renewed:,} under a new identity" if found.renewed else ""
    nowhere = f", {found.without_host:,} drives without a machine" if found.without_host else ""
    rows = [
        ("history", f"{found.history} (schema {found.version})"),
        ("drives", f"{found.drives:,}{renewed}"),
        ("hosts", f"{found.hosts:,}{nowhere}"),
        ("samples", f"{found.samples:,}"),
    ]
    if found.first_seen and found.last_seen:
        rows.append(("span", f"{found.first_seen:%Y-%m-%d} to {found.last_seen:%Y-%m-%d}"))
    rows.append(("size", number.size(found.size_bytes)))
    vanished = [
        f"{drive_words.place(drive.host, drive.device)}: {drive.serial} {drive.model}, last seen "
        f"{drive.last_seen:%Y-%m-%d}"
        for drive in found.vanished
    ]
    return grid.table(("<", "<"), [*rows, *(("vanished", text) for text in _some(vanished))])


def prune(
    history: Url = None,
    keep_days: Annotated[
        float | None, typer.Option(min=0, help="Remove samples older than so many days.")
    ] = None,
    thin_days: Annotated[
        float | None, typer.Option(min=0, help="Keep one a day, or week, of samples older than so many days.")
    ] = None,
    every: Annotated[Every, typer.Option(help="How many of the older samples to keep.")] = Every.DAY,
    wait: Wait = 30.0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Remove old samples, and return the space.

    Example: `drivecast health prune --keep-days 1825 --thin-days 90 --every week`
    """
    from drivecast.errors import InputError
    from drivecast.health.history import History
    from drivecast.quantity import number

    if keep_days is None and thin_days is None:
        raise InputError("nothing to do: give `--keep-days`, `--thin-days` or both")
    kept = History.open(history, create=False, wait_s=wait)
    with kept as opened, progress("pruning", quiet=quiet) as report:
        pruned = opened.prune(keep_days, thin_days, weekly=every is Every.WEEK, report=report)
    emit(
        pruned,
        output_format,
        text=lambda: (
            f"{_count(pruned.samples_removed, 'sample')} removed, {pruned.samples_left:,} left, "
            f"{_count(pruned.drives_forgotten, 'drive')} forgotten; "
            f"{number.size(pruned.size_before_bytes)} became {number.size(pruned.size_bytes)}"
        ),
        rows=[pruned.model_dump(exclude={"schema_version"})],
    )
    if not pruned.space_returned:
        note("another process held the file open: it shrinks with the next prune", quiet=quiet)


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
    from drivecast.document.history import Exported
    from drivecast.health.history import History
    from drivecast.health.history import export as exporting

    writable(out)
    kept = History.open(history, create=False, wait_s=wait)
    with kept as opened, progress("exporting", quiet=quiet) as report:
        rows = exporting.write(opened, out, report)
    made = Exported(path=str(out), samples=rows)
    csv = [made.model_dump(exclude={"schema_version"})]
    emit(made, output_format, text=lambda: f"{out}: {_count(rows, 'sample')}", rows=csv)
