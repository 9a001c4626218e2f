"""`drivecast health`: drives in service."""

import typer

from drivecast.cli.health.compare import compare
from drivecast.cli.health.files import files
from drivecast.cli.health.forecast import fleet, forecast
from drivecast.cli.health.history import export, history, import_samples, prune
from drivecast.cli.health.meter import meter
from drivecast.cli.health.read import read
from drivecast.cli.health.report import Plugin, check, report
from drivecast.cli.health.serve import serve

app = typer.Typer(
    no_args_is_help=True,
    help="Drives in service: read them, keep their history, forecast when they are worn out, and serve that.",
)
app.command()(read)
app.command()(meter)
app.command("import")(import_samples)
app.command()(history)
app.command()(prune)
app.command()(export)
app.command()(forecast)
app.command()(fleet)
app.command()(report)
app.command(cls=Plugin)(check)
app.command()(serve)
app.command()(files)
app.command()(compare)
