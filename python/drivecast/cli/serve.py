"""`drivecast serve`: the program for a team, in a browser."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.group import takes
from drivecast.cli.verb import CatalogPaths, Quiet, note
from drivecast.errors import HintedError
from drivecast.files import state_folder

if TYPE_CHECKING:
    from drivecast.serve.settings import Settings


def default_data() -> Path:
    """The folder among the user's states."""
    return state_folder() / "serve"


@dataclass(frozen=True)
class Limited:
    """What may be sent, and what a plan may use."""

    max_upload: Annotated[str, typer.Option(help="Most that may be uploaded for a trace.")] = "2GB"
    jobs: Annotated[
        int, typer.Option(min=1, max=64, help="Plans made at a time, each with its part of the cores.")
    ] = 1
    job_time: Annotated[str, typer.Option(help="Longest that a plan may take.")] = "4h"
    job_memory: Annotated[
        str | None,
        typer.Option(
            help="Most memory of a plan (default: an equal part of three quarters of the machine's)."
        ),
    ] = None

    def settings(self) -> dict[str, Any]:
        """As the server takes them; raises `InputError` for what is no quantity."""
        from drivecast.quantity import parse as quantity

        return {
            "upload_bytes_max": quantity.option("--max-upload", quantity.size_bytes, self.max_upload),
            "jobs": self.jobs,
            "job_time_s": (quantity.option("--job-time", quantity.time_ns, self.job_time) or 0) / 1e9,
            "job_memory_bytes": quantity.option("--job-memory", quantity.size_bytes, self.job_memory),
        }


@takes(limited=Limited)
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but this machine's own needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port; 0 takes a free one.")] = 8642,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder for traces, plans and the history (default: drivecast/serve among the user's states)."
        ),
    ] = None,
    folder: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]PATH",
            help="A folder in which traces may be named; nothing else of the machine is read. Repeatable.",
        ),
    ] = None,
    catalog: CatalogPaths = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            help="The file with the token that everybody needs; made where there is none, with a token that is printed"
            " once."
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name", help="A name by which browsers may call the server, such as drivecast.lan. Repeatable."
        ),
    ] = None,
    fetch_from: Annotated[
        list[str] | None,
        typer.Option(
            help="A host from which traces may be fetched (default: any for this machine alone, else none). Repeatable."
        ),
    ] = None,
    *,
    limited: Limited,
    quiet: Quiet = False,
) -> None:
    """Serve plans, traces and drives in service to browsers, until interrupted.

    Traces are dropped in, or named by path or URL; plans are made in processes of their own, one after another.

    Example: `drivecast serve --folder /srv/traces`

    Example: `drivecast serve --host 0.0.0.0 --name drivecast.lan --token-file token --folder traces=/srv/traces`
    """
    if os.name == "nt":
        raise HintedError(
            "`drivecast serve` needs Linux or macOS", "`plan`, `profile` and `simulate` run here"
        )
    from drivecast.serve import login
    from drivecast.serve.settings import Settings, named_folders

    token, is_new = login.token_of(token_file) if token_file else (None, False)
    settings = Settings(
        data=(data or default_data()).absolute(),
        host=host,
        port=port,
        names=tuple(name or ()),
        folders=named_folders(folder or []),
        catalog=tuple(path.absolute() for path in catalog or ()),
        token=token,
        fetch=None if fetch_from is None else tuple(fetch_from),
        **limited.settings(),
    )
    if is_new:
        typer.echo(f"token: {token}")
    from drivecast.serve import listen  # after what can be wrong without it: it takes a second

    listen.run(settings, lambda at, number: note(_where(settings, at, number), quiet=quiet))


def _where(settings: "Settings", host: str, port: int) -> str:
    """What to open."""
    shown = next(iter(settings.names), host) if settings.everywhere else host
    address = f"[{shown}]" if ":" in shown else shown
    return f"serving http://{address}:{port}/, data in `{settings.data}`; Ctrl-C ends it"
