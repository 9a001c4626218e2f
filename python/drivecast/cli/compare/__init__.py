"""`drivecast compare`: the comparison itself, and the other verbs of its group.

Whatever does not begin with the name of one of those verbs is meant for the comparison; a file that has such a name
is given as `./fit`.
"""

from typing import Any

import typer
from typer.core import TyperGroup

from drivecast.cli.compare.fit import fit
from drivecast.cli.compare.history import history
from drivecast.cli.compare.result import result
from drivecast.cli.verb import VerbCommand

ITSELF = "result"
"""Name of the comparison among the verbs; no command line shows or takes it."""


class Verbs(TyperGroup):
    """A group whose name alone is a verb, too."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take what names no other verb as meant for the comparison."""
        if not args or args[0] == ITSELF or args[0] not in self.commands:
            args = [ITSELF, *args]
        return super().parse_args(ctx, args)


class Within(typer.Context):
    """The context of the comparison, which users know by the name of its group."""

    @property
    def command_path(self) -> str:
        """The command line up to here."""
        return self.parent.command_path if self.parent else super().command_path


class Itself(VerbCommand):
    """The comparison; its help lists the other verbs."""

    context_class = Within

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then the verbs of the group."""
        super().format_options(ctx, formatter)
        ctx.parent.command.format_commands(ctx.parent, formatter)


app = typer.Typer(cls=Verbs, help="Predictions compared with measurements: how far they are off, and where.")
app.command(ITSELF, cls=Itself, hidden=True, no_args_is_help=True)(result)
app.command()(history)
app.command()(fit)
