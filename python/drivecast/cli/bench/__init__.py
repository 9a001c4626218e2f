"""`drivecast bench`: real runs on real files, disks and databases."""

import typer

from drivecast.cli.bench.database import database
from drivecast.cli.bench.replay import replay
from drivecast.cli.verb import guarded

app = typer.Typer(
    no_args_is_help=True,
    help="Real runs on real files, disks and databases, told in the words of simulated ones.",
)
app.command()(guarded(replay))
app.command()(guarded(database))
