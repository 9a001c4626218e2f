"""The reference of the command line: a page for each verb, made of what `--help` prints.

A page has the verb's text, its examples, how it is called, and its options under the headings of `--help`; verbs of a
group are sections of the group's page. Typer carries its own copy of click, so MkDocs' extension for click does not
know these commands.
"""

import functools
import html
import re
from collections.abc import Iterator, Sequence
from typing import Any

import typer

from drivecast.cli.help_text import EXAMPLE
from drivecast.cli.main import EPILOG, app

FOLDER = "reference/cli"
CONVENTIONS = """
Every verb takes `--output-format text|json|jsonl|csv`, where it prints a document, `--quiet` and `--verbose`. Data
go to standard output; progress, notes and errors to standard error. [JSON documents](../json.md) describes what `json`
prints; `jsonl` prints the rows of `csv`, one JSON document a line, with what is nested in them.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | the answer is no: nothing fits, a comparison is beyond its tolerance, a drive is to be replaced |
| 2 | wrong use, bad input, or interrupted |

Sizes, rates and times are written with units: `320GB`, `16KiB`, `20000iops`, `125MB/s`, `5ms`, `3y`. Designs are
[lines](../design-lines.md), and so are [workloads](../workload-lines.md) that are not recorded.
"""


@functools.cache
def pages() -> dict[str, str]:
    """The text of each page by its name."""
    program, above = opened()
    verbs = {name: command for name, command in program.commands.items() if not command.hidden}
    index = [f"# Command line\n\n{program.help}", EPILOG, CONVENTIONS.strip(), "## Verbs"]
    index.append(
        "\n".join(f"- [`{name}`]({name}.md): {first_sentence(command)}" for name, command in verbs.items())
    )
    found = {f"{FOLDER}/index.md": "\n\n".join(index) + "\n"}
    for name, command in verbs.items():
        found[f"{FOLDER}/{name}.md"] = "\n\n".join(told(command, f"drivecast {name}", above, 1)) + "\n"
    return found


def opened() -> tuple[Any, Any]:
    """The program and the context of its verbs."""
    program: Any = typer.main.get_command(app)
    return program, program.context_class(program, info_name="drivecast", **program.context_settings)


def first_sentence(command: Any) -> str:
    """What a verb is for, in a sentence."""
    return (command.help or "").split("\n\n")[0].replace("\n", " ")


def told(command: Any, path: str, above: Any, level: int) -> Iterator[str]:
    """The section of a verb, then those of the verbs within it."""
    for itself, context, name in walked(command, path, above):
        depth = level + name.count(" ") - path.count(" ")
        yield f"{'#' * depth} `{name}`" if depth > 1 else f"# {name}"
        yield from paragraphs(itself.help or "")
        if not hasattr(itself, "commands"):
            usage = " ".join(itself.collect_usage_pieces(context))
            yield f"```text\n{name} {usage}\n```"
            for heading, rows in itself.sections(context).items():
                yield f"**{heading}**"
                yield terms(rows, name.removeprefix("drivecast ").replace(" ", "-"))


def walked(command: Any, path: str, above: Any) -> Iterator[tuple[Any, Any, str]]:
    """A verb and those within it: what runs, its context, and what is typed. A group may run a verb, too."""
    context = command.context_class(command, info_name=path.rpartition(" ")[2], parent=above)
    inside = getattr(command, "commands", {})
    yield next((verb for verb in inside.values() if is_group_itself(verb, context)), command), context, path
    for name, inner in inside.items():
        if not inner.hidden:
            yield from walked(inner, f"{path} {name}", context)


def is_group_itself(verb: Any, group: Any) -> bool:
    """Whether a verb is what the name of its group alone does, as that of `compare`."""
    return bool(verb.hidden and verb.context_class(verb, parent=group).command_path == group.command_path)


def paragraphs(text: str) -> Iterator[str]:
    """The text of a help, its examples as blocks of code."""
    for paragraph in re.sub(r"(?<!\n)\n(?!\n)", " ", text).split("\n\n"):
        if (example := EXAMPLE.match(paragraph)) is None:
            yield paragraph
        else:
            yield f"```sh\n{example['command']}\n```" + (
                f"\n\n{example['rest'].strip()}" if example["rest"] else ""
            )


def terms(rows: Sequence[tuple[str, str]], verb: str) -> str:
    """Options and what they mean; each can be linked to (`plan.html#plan--capacity`)."""
    lines = ['<dl class="options">']
    for term, meaning in rows:
        name = re.search(r"--[\w-]+", term)
        anchor = f' id="{verb}{name[0]}"' if name else ""
        text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(meaning, quote=False))
        lines.append(f"<dt{anchor}><code>{html.escape(term)}</code></dt><dd>{text}</dd>")
    return "\n".join([*lines, "</dl>"])
