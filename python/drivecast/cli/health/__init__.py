"""`drivecast health`: drives in service."""

import typer

from drivecast.cli.health import compare, files, report, serve
from drivecast.cli.health.meter import meter
from drivecast.cli.health.read import read
from drivecast.cli.verb import guarded

app = typer.Typer(
    no_args_is_help=True,
    help="Drives in service: read them, keep their history, forecast when they are worn out, and serve that.",
)
app.command()(guarded(read))
app.command()(guarded(meter))
app.command()(guarded(serve.serve))
app.command()(guarded(files.files))
app.command()(guarded(report.report))
app.command(cls=report.Plugin)(guarded(report.check))
app.command()(guarded(compare.compare))
