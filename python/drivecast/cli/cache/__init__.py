"""`drivecast cache`: what a cache would do for a trace, and what a running one does."""

import typer

from drivecast.cli.cache.curve import curve
from drivecast.cli.cache.status import status
from drivecast.cli.default_verb import DefaultVerb, Verbs


class Caching(Verbs):
    """The curves of a trace and the verbs next to them."""

    itself = "curve"


app = typer.Typer(
    cls=Caching, help="Caches in front of slow storage: what one would do, what a running one does, and why."
)
app.command(Caching.itself, cls=DefaultVerb, hidden=True, no_args_is_help=True)(curve)
app.command()(status)
