"""Groups of verbs: what each is for, in whole sentences, and where a verb is that was looked for in the wrong group."""

import sys
from typing import Any

from typer.core import TyperGroup


class VerbGroup(TyperGroup):
    """A group whose `--help` cuts no sentence, and which names the group that has a verb it lacks."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a verb and the first sentence of its help a paragraph."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [
            (name, command.get_short_help_str(sys.maxsize))
            for name, command in commands
            if command is not None and not command.hidden
        ]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the verb that was typed; `UsageError` names the groups that have one of that name."""
        found = [
            f"`{ctx.command_path} {name} {args[0]}`"
            for name, group in self.commands.items()
            if (verb := getattr(group, "commands", {}).get(args[0])) and not verb.hidden
        ]
        if found and args[0] not in self.commands:
            ctx.fail(f"No such command '{args[0]}'. Did you mean {' or '.join(found)}?")
        return super().resolve_command(ctx, args)
