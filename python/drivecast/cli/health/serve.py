"""`drivecast health serve`: metrics of the drives in service."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.health.history import Url
from drivecast.cli.health.option import Forget, span
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
    exporter = Exporter(lambda: look(history, sources, kept), interval)

    def ready(at: service.Address) -> None:
        note(f"serving http://{at}/metrics, a look every {interval:g} s", quiet=quiet)

    service.run(address, exporter, ready=ready)


def look(history: str | None, sources: list[str], forget: timedelta) -> "Found":
    """Read what is to be read, keep it, and forecast; a source that fails leaves what the history knows."""
    from drivecast.health.exporter import Found, StageError
    from drivecast.health.history import History as Kept
    from drivecast.health.standing import standing

    unreadable: list[str] = []
    errors = []
    try:
        with Kept.open(history, create=bool(sources)) as kept:
            for source in sources:
                try:
                    unreadable += _taken(kept, source)
                except (InputError, OSError) as error:
                    errors.append(StageError("read", f"{source}: {error}"))
            try:
                drives = standing(kept, now=datetime.now(UTC), forget=forget)
            except InputError:
                raise
            except Exception as error:
                raise StageError("forecast", f"{type(error).__name__}: {error}") from error
    except InputError as error:
        raise StageError("history", str(error)) from error
    return Found(drives, unreadable, errors)


def _taken(kept: "Kept", source: str) -> list[str]:
    """Keep the records of a source; the places that could not be read."""
    from drivecast.health.read import records
    from drivecast.health.record import Record

    said = list(records([] if source == "live" else [source]))
    kept.add(one for one in said if isinstance(one, Record))
    return [one.place for one in said if not isinstance(one, Record)]
