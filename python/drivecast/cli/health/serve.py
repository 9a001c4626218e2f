"""`drivecast health serve`: metrics of the drives in service."""

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.health.option import Forget, Url, span
from drivecast.cli.verb import Quiet, note
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.health.exporter import Found
    from drivecast.health.history import History as Kept


def serve(
    listen: Annotated[
        str, typer.Option(help="Address and port; loopback unless told otherwise.")
    ] = "127.0.0.1:9633",
    history: Url = None,
    interval: Annotated[
        float, typer.Option(min=1, max=86_400, help="Seconds from one look at the drives to the next.")
    ] = 300.0,
    read: Annotated[
        list[str] | None,
        typer.Option(
            "--read",
            help="What to read into the history at each look: `live` for the drives of this machine, `none`, or any "
            "source of `health read`. Repeatable.",
        ),
    ] = None,
    forget: Forget = "30d",
    quiet: Quiet = False,
) -> None:
    """Serve metrics of the drives in a history to Prometheus, until interrupted.

    `/metrics` has the drives and their forecasts, `/healthz` whether they are being looked at. Values are made at each
    look and not at a scrape. `drivecast health files` has alert rules, a dashboard and systemd units for them.

    Example: `drivecast health serve --read live --interval 3600`
    """
    from drivecast.health import serve as service
    from drivecast.health.exporter import Exporter
    from drivecast.health.history.database import parse

    address = service.Address.parse(listen)
    sources = [one for one in read or ["none"] if one != "none"]
    if "none" in (read or ()) and sources:
        raise InputError("--read: `none` goes with no other source")
    kept = span("--forget", forget)
    if not address.loopback:
        note(
            f"{address} is open to the network: whoever reaches it learns hosts, models and serial numbers of these "
            "drives; there is no password and no encryption",
            quiet=quiet,
        )
    parse(history)  # a history may come later, but not at an address that is none
    exporter = Exporter(
        lambda: look(history, sources, kept), interval, lambda text: typer.echo(f"look: {text}", err=True)
    )

    def ready(at: service.Address) -> None:
        note(f"serving http://{at}/metrics, a look every {interval:g} s", quiet=quiet)

    if not service.run(address, exporter, ready=ready):
        os._exit(0)  # a thread that waits for a drive would hold up the end of the program


def look(history: str | None, sources: list[str], forget: timedelta) -> "Found":
    """Read what is to be read, keep it, and forecast; a source that fails leaves what the history knows."""
    from drivecast.health.exporter import Found, StageError
    from drivecast.health.history import History as Kept
    from drivecast.health.in_service import drives_in_service

    unreadable: list[str] = []
    notes: list[str] = []
    errors = []
    try:
        with Kept.open(history, create=bool(sources)) as kept:
            for source in sources:
                try:
                    _take(kept, source, unreadable, notes)
                except (InputError, OSError) as error:
                    errors.append(StageError("read", f"{source}: {error}"))
            try:
                drives = drives_in_service(kept, now=datetime.now(UTC), forget=forget)
            except InputError:
                raise
            except Exception as error:
                raise StageError("forecast", f"{type(error).__name__}: {error}") from error
    except InputError as error:
        raise StageError("history", str(error)) from error
    return Found(drives, unreadable, errors, notes)


def _take(kept: "Kept", source: str, unreadable: list[str], notes: list[str]) -> None:
    """Keep the records of a source; places that could not be read, and what else is to be told, are added to."""
    from drivecast.document.record import Record
    from drivecast.health.read import records

    taken: list[Record] = []
    for one in records([] if source == "live" else [source]):
        if isinstance(one, Record):
            taken.append(one)
        else:
            unreadable.append(one.place)
            notes.append(f"unread: {one}")
    added = kept.add(taken)
    notes += [*added.notes, *(f"not kept: {reason}" for reason in added.refused)]
