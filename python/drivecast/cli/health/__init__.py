"""`drivecast health`: drives in service."""

import typer

from drivecast.cli.health.forecast import fleet, forecast
from drivecast.cli.health.history import export, history, import_samples, prune
from drivecast.cli.health.meter import meter
from drivecast.cli.health.read import read
from drivecast.cli.verb import guarded

app = typer.Typer(
    no_args_is_help=True,
    help="Drives in service: read them, keep their history, forecast when they are worn out, and serve that.",
)
app.command()(guarded(read))
app.command()(guarded(meter))
app.command()(guarded(forecast))
app.command()(guarded(fleet))
app.command("import")(guarded(import_samples))
app.command()(guarded(history))
app.command()(guarded(prune))
app.command()(guarded(export))
