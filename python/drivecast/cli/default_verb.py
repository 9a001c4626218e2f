"""Groups of verbs whose name alone is a verb, too: `drivecast compare FILE`, next to `drivecast compare fit`.

Whatever does not begin with the name of one of the group's verbs is meant for the group itself; a file that has such a
name is given as `./fit`.
"""

from typing import Any, ClassVar

import typer

from drivecast.cli.verb import VerbCommand
from drivecast.cli.verb_group import VerbGroup


class Verbs(VerbGroup):
    """A group whose name alone is a verb, too."""

    itself: ClassVar[str]
    """Name of that verb among the others; no command line shows or takes it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take what names no other verb as meant for the group itself."""
        if not args or args[0] == self.itself or args[0] not in self.commands:
            args = [self.itself, *args]
        return super().parse_args(ctx, args)


class Within(typer.Context):
    """The context of the group's own verb, which users know by the name of the group."""

    @property
    def command_path(self) -> str:
        """The command line up to here."""
        return self.parent.command_path if self.parent else super().command_path


class DefaultVerb(VerbCommand):
    """The group's own verb; its help lists the other verbs."""

    context_class = Within

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then the verbs of the group."""
        super().format_options(ctx, formatter)
        ctx.parent.command.format_commands(ctx.parent, formatter)
