"""`drivecast health`: drives in service."""

import typer

app = typer.Typer(
    no_args_is_help=True,
    help="Drives in service: read them, keep their history, forecast when they are worn out, and serve that.",
)
