"""`drivecast bench`: real runs on real files, disks and databases."""

import sys

import typer

from drivecast import optional_dependency
from drivecast.cli.bench.database import database
from drivecast.cli.bench.pts import pts
from drivecast.cli.bench.quick import quick
from drivecast.cli.bench.replay import replay
from drivecast.cli.bench.run import run
from drivecast.cli.bench.show import show
from drivecast.cli.bench.sweep import sweep
from drivecast.cli.verb import ended_in_order, guarded
from drivecast.errors import HintedError

app = typer.Typer(no_args_is_help=True)


@app.callback(help="Real runs on real files, disks and databases, reported like simulated ones.")
@guarded
def end_in_order() -> None:
    """Handle the end of the session and a plain `kill` like Ctrl-C: measured points are stored, and programs stop."""
    if not sys.platform.startswith("linux"):
        raise HintedError("`bench` works on Linux only", optional_dependency.ELSEWHERE)
    ended_in_order()


for verb in (quick, run, sweep, pts, replay, show, database):
    app.command()(verb)
