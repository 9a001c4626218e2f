"""`drivecast health serve`: metrics of the drives in service."""

import os
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast import plain_text
from drivecast.cli.health.option import Forget, Stale, Url, Watch, Within, horizons
from drivecast.cli.verb import Quiet, note
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.document.drive_health import Horizons
    from drivecast.health.exporter import Found
    from drivecast.health.history import History


def serve(
    listen: Annotated[str, typer.Option(help="Address and port to listen on.")] = "127.0.0.1:19633",
    history: Url = None,
    interval: Annotated[
        float,
        typer.Option(
            min=1, max=86_400, help="Seconds from the start of one refresh to the start of the next."
        ),
    ] = 300.0,
    read: Annotated[
        list[str] | None,
        typer.Option(
            help="What to read into the history at each refresh: `live` for the drives of this machine, `none`, or any "
            "source of `health read`. Repeatable.",
        ),
    ] = None,
    within: Within = "92d",
    watch: Watch = "184d",
    stale: Stale = None,
    forget: Forget = None,
    quiet: Quiet = False,
) -> None:
    """Serve metrics of the drives in a history to Prometheus, until interrupted.

    `/metrics` has the drives and their forecasts, `/healthz` whether refreshes succeed. Values are computed at each
    refresh, not at a scrape. `drivecast health files` has alert rules, a dashboard and systemd units for them.

    Example: `drivecast health serve --read live --interval 3600`
    """
    from drivecast.health import serve as service
    from drivecast.health.exporter import Exporter
    from drivecast.health.history.database import parse

    address = service.Address.parse(listen)
    sources = [source for source in read or ["none"] if source != "none"]
    if "none" in (read or ()) and sources:
        raise InputError("--read: `none` excludes other sources")
    until = horizons(None, {"--within": within, "--watch": watch}, stale, forget)
    if not address.loopback:
        note(
            f"{address} is open to the network: everybody who can reach it can read the hosts, models and "
            "serial numbers of these drives; there is no password and no encryption",
            quiet=quiet,
        )
    parse(history)  # a history may be created later, but not at an invalid address

    def report(text: str) -> None:
        typer.echo(plain_text.message(f"refresh: {text}"), err=True)

    def ready(at: service.Address) -> None:
        note(f"serving http://{at}/metrics, a refresh every {interval:g} s", quiet=quiet)

    exporter = Exporter(lambda: refresh(history, sources, until), interval, report)
    if not service.run(address, exporter, ready=ready):
        os._exit(0)  # a thread that waits for a drive would delay the end of the program


def refresh(history: str | None, sources: list[str], until: "Horizons") -> "Found":
    """Read the sources, store their records, and judge; a source that fails leaves the history as it was."""
    from drivecast.health.exporter import Found, StageError
    from drivecast.health.history import History
    from drivecast.health.in_service import drives_in_service

    unreadable: list[str] = []
    notes: list[str] = []
    errors = []
    try:
        with History.open(history, create=bool(sources)) as opened:
            for source in sources:
                try:
                    _take(opened, source, unreadable, notes)
                except (InputError, OSError) as error:
                    errors.append(StageError("read", f"{source}: {error}"))
            drives = drives_in_service(opened, replace(until, now=datetime.now(UTC)))
    except InputError as error:
        raise StageError("history", str(error)) from error
    return Found(drives, unreadable, errors, notes)


def _take(opened: "History", source: str, unreadable: list[str], notes: list[str]) -> None:
    """Store the records of a source; add places that could not be read, and notes."""
    from drivecast.document.record import Record
    from drivecast.health.read import records

    answers = [*records([] if source == "live" else [source])]
    unread = [answer for answer in answers if not isinstance(answer, Record)]
    unreadable += [answer.place for answer in unread]
    notes += [f"unread: {answer}" for answer in unread]
    added = opened.add(answer for answer in answers if isinstance(answer, Record))
    notes += [*added.notes, *(f"not stored: {reason}" for reason in added.refused)]
