"""`drivecast bench`: real runs on real files, disks and databases."""

import signal
from types import FrameType

import typer

from drivecast.cli.bench.database import database
from drivecast.cli.bench.pts import pts
from drivecast.cli.bench.quick import quick
from drivecast.cli.bench.replay import replay
from drivecast.cli.bench.run import run
from drivecast.cli.bench.show import show
from drivecast.cli.bench.sweep import sweep
from drivecast.cli.verb import guarded

app = typer.Typer(no_args_is_help=True)


@app.callback(help="Real runs on real files, disks and databases, told in the words of simulated ones.")
def end_in_order() -> None:
    """Take the end of the session and a plain `kill` as Ctrl-C: what was measured is kept then, and programs stop."""
    for one in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, _interrupt)


def _interrupt(number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt(signal.Signals(number).name)


app.command()(guarded(quick))
app.command()(guarded(run))
app.command()(guarded(sweep))
app.command()(guarded(pts))
app.command()(guarded(replay))
app.command()(guarded(show))
app.command()(guarded(database))
