"""`drivecast health read`: what drives say of themselves."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.verb import (
    EXIT_NO,
    EXIT_WRONG,
    Format,
    OutputFormat,
    Quiet,
    fail,
    note,
    print_csv,
    print_json,
    print_lines,
    progress,
)
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.health.read import Unread
    from drivecast.health.record import Record

Sources = Annotated[
    list[str] | None,
    typer.Argument(
        help="Devices, files or folders of `smartctl -x -j` and nvme-cli JSON, `-`, `http://HOST:9633/metrics` of a "
        "smartctl_exporter, `prometheus+http://HOST:9090`. Without one: the drives of this machine."
    ),
]
Sudo = Annotated[bool, typer.Option("--sudo", help="Run smartctl through `sudo -n`, which never asks.")]
Kinds = Annotated[
    list[str] | None,
    typer.Option("--type", help="What smartctl is given as `-d`, such as `megaraid,3`. Repeatable."),
]
Rules = Annotated[
    list[Path] | None,
    typer.Option("--rules", help="A further folder or file of rules, as in `catalog/smart`. Repeatable."),
]
_NONE = "smartctl sees none here; `drivecast health read FILE` reads reports of other machines"


def read(
    sources: Sources = None,
    sudo: Sudo = False,
    kinds: Kinds = None,
    rules: Rules = None,
    history: Annotated[
        str | None,
        typer.Option(envvar="DRIVECAST_HISTORY", help="Keep what was read: URL of a history, or `default`."),
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Read drives: wear, writes, errors and age, each with the attribute it came from and how far to trust it.

    Exit codes: 0 all were read, 1 some could not be (the others are shown), 2 none was.

    Example: `drivecast health read --sudo`, `smartctl -x -j /dev/sda | drivecast health read -`
    """
    from drivecast.health import read as reading
    from drivecast.health.read import Smartctl, Unread
    from drivecast.health.rules import load

    found: list[Record] = []
    unread: list[Unread] = []
    if kinds and not any(reading.is_device(one) for one in sources or []):
        raise InputError(
            f"--type {kinds[0]}: expected a device with it\nhint: `drivecast health read /dev/sda --type {kinds[0]}`"
        )
    known = load(tuple(rules or ()))
    with progress("reading drives", quiet=quiet) as update:
        for one in reading.records(sources or [], smartctl=Smartctl(sudo), kinds=kinds or [], rules=known):
            if isinstance(one, Unread):
                unread.append(one)
            else:
                found.append(one)
            # How many there will be nobody knows before the last source is open.
            update(1 - 0.5 ** (len(found) + len(unread)), f"{len(found)} drives")
    show(found, unread, output_format)
    for one in unread:
        typer.echo(f"unread: {one}", err=True)
        if one.hint:
            typer.echo(f"hint: {one.hint}", err=True)
    if history is not None and found:
        keep(history, found, quiet)
    if not found:
        fail("no drive was read" if unread else f"there is no drive to read\nhint: {_NONE}", EXIT_WRONG)
    if unread:
        raise typer.Exit(EXIT_NO)


def show(found: "Sequence[Record]", unread: "Sequence[Unread]", output_format: OutputFormat) -> None:
    """Print what was read."""
    from drivecast.health import drive_table

    match output_format:
        case OutputFormat.JSON:
            left = [{"place": one.place, "reason": one.reason, "hint": one.hint or None} for one in unread]
            document: dict[str, Any] = {
                "schema_version": 1,
                "drives": [drive_table.as_json(record) for record in found],
                "unread": left,
            }
            print_json(document)
        case OutputFormat.CSV:
            print_csv([drive_table.as_row(record) for record in found])
        case OutputFormat.TEXT if found:
            print_lines(drive_table.as_text(found))


def keep(url: str, found: "Sequence[Record]", quiet: bool) -> None:
    """Add what was read to a history."""
    from drivecast.health.history import History

    with History.open(None if url == "default" else url) as history:
        added = history.add(found)
    counts = f"{added.samples_new} new samples, {added.samples_repeated} known already, {added.drives_new} new drives"
    note(f"kept: {counts}", quiet=quiet)
    for told in added.notes:
        note(told, quiet=quiet)
    for reason in added.refused:
        note(f"not kept: {reason}")
