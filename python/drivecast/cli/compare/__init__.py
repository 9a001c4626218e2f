"""`drivecast compare`: the comparison itself, and the other verbs of its group."""

import typer

from drivecast.cli.compare.fit import fit
from drivecast.cli.compare.history import history
from drivecast.cli.compare.result import result
from drivecast.cli.default_verb import DefaultVerb, Verbs


class Comparing(Verbs):
    """The comparison and the verbs next to it."""

    itself = "result"


app = typer.Typer(
    cls=Comparing, help="Predictions compared with measurements: how far they are off, and where."
)
app.command(Comparing.itself, cls=DefaultVerb, hidden=True, no_args_is_help=True)(result)
app.command()(history)
app.command()(fit)
