"""Every command and option that a document shows is one of the program: parsed by the verb itself, and not run."""

import contextlib
import re
import shlex
from collections.abc import Iterator
from functools import cache
from typing import Any

import typer
from test_tidy import ROOT, tracked
from typer._click import exceptions

from drivecast.cli.main import app
from help_commands import commands

LINE = re.compile(r"^ *(?:\$ )?(?:[A-Z_]+=\S+ )*(drivecast .*)$", re.MULTILINE)
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
OF_OTHERS = {"--check", "--consistency-policy", "--human", "--replace", "--security-erase", "--write-journal"}
"""Options of mdadm, hdparm, df and of scripts."""


@cache
def program() -> Any:
    """The tree of commands."""
    return typer.main.get_command(app)


def parse(command: str) -> None:
    """Read a command as a shell and then the program would; stops at a pipe."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split, lexer.commenters = True, "#"
    words = list(lexer)
    end = next((at for at, word in enumerate(words) if re.fullmatch(r"[|&;<>]+", word)), len(words))
    verb, name, rest, above = program(), "drivecast", words[1:end], None
    with contextlib.suppress(SystemExit, typer.Exit):  # `--help`
        while True:
            context = verb.make_context(name, rest, parent=above, **verb.context_settings)
            if not hasattr(verb, "commands"):
                return
            name, verb, rest = verb.resolve_command(context, [*context._protected_args, *context.args])
            above = context


def lines() -> Iterator[tuple[str, str]]:
    """The commands that documents show, with where."""
    for path in tracked(".md"):
        text = re.sub(r"\\\n\s*", " ", path.read_text())
        yield from ((str(path.relative_to(ROOT)), found[1]) for found in LINE.finditer(text))


def spans() -> Iterator[tuple[str, str]]:
    """What documents set as code within a sentence, with where."""
    for path in tracked(".md"):
        prose = BLOCK.sub("", path.read_text())
        yield from (
            (str(path.relative_to(ROOT)), " ".join(found[1].split())) for found in SPAN.finditer(prose)
        )


def fault(command: str) -> str | None:
    try:
        parse(command)
    except exceptions.ClickException as error:
        return error.format_message()
    return None


def test_commands_in_documents_can_be_typed() -> None:
    shown = [*lines()]
    assert len(shown) > 100, "the finder finds nothing"
    assert not {f"{where}: {command}": why for where, command in shown if (why := fault(command))}


def test_commands_of_the_help_can_be_typed() -> None:
    assert not {command: why for command in commands() if (why := fault(command))}


def test_commands_in_sentences_have_verbs_and_options_that_exist() -> None:
    """What a sentence leaves out may be missing: a workload, a value, the verb of a group."""
    shown = [(where, text) for where, text in spans() if text.startswith("drivecast ") and "…" not in text]
    assert len(shown) > 50, "the finder finds nothing"
    found = {f"{where}: {command}": why for where, command in shown if (why := fault(command))}
    assert not {
        place: why for place, why in found.items() if not re.search(r"^Usage|[Mm]issing|requires an arg", why)
    }


def test_options_in_sentences_exist() -> None:
    def options(command: Any) -> set[str]:
        own = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
        return own.union(*(options(inner) for inner in getattr(command, "commands", {}).values()))

    known = options(program()) | OF_OTHERS | {"--help"}
    named = [(where, text.split("=")[0].split()[0]) for where, text in spans() if text.startswith("--")]
    assert len(named) > 100, "the finder finds nothing"
    assert not {f"{where}: {option}" for where, option in named if option not in known}
