"""`drivecast bench`: real runs on real files, disks and databases."""

import typer

from drivecast.cli.bench.quick import quick
from drivecast.cli.bench.replay import replay
from drivecast.cli.bench.sweep import sweep
from drivecast.cli.verb import guarded

app = typer.Typer(
    no_args_is_help=True,
    help="Real runs on real files, disks and databases, told in the words of simulated ones.",
)
app.command()(guarded(quick))
app.command()(guarded(sweep))
app.command()(guarded(replay))
