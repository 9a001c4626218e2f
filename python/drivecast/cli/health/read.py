"""`drivecast health read`: the SMART data of drives."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.health.option import Host, HostFrom, HostLabel
from drivecast.cli.verb import EXIT_NO, EXIT_WRONG, Format, OutputFormat, Quiet, emit, fail, note, progress
from drivecast.errors import HintedError

if TYPE_CHECKING:
    from drivecast.document.record import Readings, Record
    from drivecast.health.read import HostNames

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
    typer.Option(help="A further folder or file of rules, as in `catalog/smart`. Repeatable."),
]
_NONE = "smartctl sees none here; `drivecast health read FILE` reads reports of other machines"


def read(
    sources: Sources = None,
    sudo: Sudo = False,
    kinds: Kinds = None,
    rules: Rules = None,
    host: Host = None,
    host_from: HostFrom = None,
    host_label: HostLabel = None,
    history: Annotated[
        str | None,
        typer.Option(
            envvar="DRIVECAST_HISTORY", help="Store the records in this history: a URL, or `default`."
        ),
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Read drives: wear, writes, errors and age, each with the attribute it came from and how far to trust it.

    Exit codes: 0 all were read, 1 some could not be (the others are shown), 2 none was.

    Example: `drivecast health read --sudo`, `smartctl -x -j /dev/sda | drivecast health read - --host db1`,
    `drivecast health read reports/ --host-from '{host}/{device}.json'`
    """
    from drivecast.document.record import Readings, Record
    from drivecast.health import read as reading
    from drivecast.health.read import Smartctl
    from drivecast.health.rules import load
    from drivecast.present import drive_table

    readings = Readings(schema_version=1, drives=[], unread=[])
    if kinds and not any(reading.is_device(source) for source in sources or []):
        raise HintedError(
            f"--type {kinds[0]}: expected a device with it",
            f"`drivecast health read /dev/sda --type {kinds[0]}`",
        )
    known = load(tuple(rules or ()))
    hosts = reading.HostNames.of(host, host_from, host_label)
    with progress("reading drives", quiet=quiet) as update:
        found = reading.records(
            sources or [], smartctl=Smartctl(sudo), kinds=kinds or [], rules=known, hosts=hosts
        )
        for answer in found:
            if isinstance(answer, Record):
                readings.drives.append(answer)
            else:
                readings.unread.append(answer)
            # How many there will be nobody knows before the last source is open.
            count = len(readings.drives)
            update(1 - 0.5 ** (count + len(readings.unread)), f"{count} drives")
    emit(
        readings,
        output_format,
        text=lambda: drive_table.lines(readings.drives) if readings.drives else [],
        rows=lambda: drive_table.rows(readings),
    )
    for place in readings.unread:
        note(f"{place}\nhint: {place.hint}" if place.hint else str(place), label="unread")
    for text in _unplaced(readings, hosts):
        note(text, quiet=quiet)
    if history is not None and readings.drives:
        _store(history, readings.drives, quiet)
    if not readings.drives:
        none = f"there is no drive to read\nhint: {_NONE}"
        fail("no drive was read" if readings.unread else none, EXIT_WRONG)
    if readings.unread:
        raise typer.Exit(EXIT_NO)


def _unplaced(readings: "Readings", hosts: "HostNames") -> list[str]:
    """Notes on drives of which nobody knows the machine."""
    from drivecast.health.read.host_name import notes

    return notes(sum(record.host is None for record in readings.drives), len(readings.drives), hosts)


def _store(url: str, found: "Sequence[Record]", quiet: bool) -> None:
    """Add what was read to a history."""
    from drivecast.health.history import History

    with History.open(None if url == "default" else url) as history:
        added = history.add(found)
    counts = f"{added.samples_new} new samples, {added.samples_repeated} already known, {added.drives_new} new drives"
    note(f"stored: {counts}", quiet=quiet)
    for text in added.notes:
        note(text, quiet=quiet)
    for reason in added.refused:
        note(f"not stored: {reason}")
