"""`drivecast cache`: caches in front of slow storage."""

import typer

from drivecast.cli.cache.status import status

app = typer.Typer(
    no_args_is_help=True, help="Caches in front of slow storage: what a running one does, and why."
)
app.command()(status)
