"""Writes what a shell finds next to an installed program, made of its help: manual pages and completion scripts.

    python scripts/man.py [FOLDER]

The folder is laid out as maturin copies it into an environment: `share/man/man1`, `share/bash-completion`, … A page for
each verb, verbs of a group as sections of its page; `man drivecast` lists them. Pages have no date and no version, so
that they change with the help alone.
"""

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from typer.completion import get_completion_script

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "scripts/site"))

from command_pages import EPILOG, EXAMPLE, first_sentence, opened, walked  # noqa: E402

PLACE = ROOT / "python/drivecast.data/data"
COMPLETION = {
    "bash": "share/bash-completion/completions/drivecast",
    "fish": "share/fish/vendor_completions.d/drivecast.fish",
    "zsh": "share/zsh/site-functions/_drivecast",
}
EXIT_STATUS = {
    "0": "Done.",
    "1": "The answer is no: nothing fits, a comparison is beyond its tolerance, a drive is to be replaced.",
    "2": "Wrong use, bad input, or interrupted.",
}
SIGNS = {"-": r"\-", "'": r"\(aq", "^": r"\(ha", "~": r"\(ti", "`": r"\(ga"}
"""Those that roff prints as others."""
ENVIRONMENT = {
    "NO_COLOR": "Nothing is styled.",
    "FORCE_COLOR": "What is printed is styled in pipes and files, too.",
    "DRIVECAST_ERRORS": "The log of errors of predictions, as `--history` of `compare` names it.",
    "DRIVECAST_HISTORY": "The history of drives in service, as `--history` names it.",
    "DRIVECAST_CORPUS": "The folder of published data, as `--data` of `reproduce` names it.",
    "DRIVECAST_PROMETHEUS_TOKEN": "What Prometheus is asked with; or DRIVECAST_PROMETHEUS_USER and "
    "DRIVECAST_PROMETHEUS_PASSWORD.",
    "DRIVECAST_TRACEBACK": "Where in the program an unexpected error came from is printed, too.",
}


def files() -> dict[str, str]:
    """The text of each file by its place in an environment."""
    program, above = opened()
    verbs = {name: command for name, command in program.commands.items() if not command.hidden}
    found = {"share/man/man1/drivecast.1": overview(program, verbs)}
    found |= {f"share/man/man1/drivecast-{name}.1": page(verb, name, above) for name, verb in verbs.items()}
    found |= {
        place: [get_completion_script(prog_name="drivecast", complete_var="_DRIVECAST_COMPLETE", shell=shell)]
        for shell, place in COMPLETION.items()
    }
    return {place: "\n".join(lines) + "\n" for place, lines in found.items()}


def overview(program: Any, verbs: Mapping[str, Any]) -> Iterator[str]:
    """The page of the program, which lists the others."""
    yield from heading("drivecast", program)
    yield from (
        ".SH SYNOPSIS",
        ".B drivecast",
        "VERB [OPTION]... [ARGUMENT]...",
        ".SH DESCRIPTION",
        text_lines(EPILOG),
    )
    yield from section(
        "SH", "VERBS", {f"drivecast-{name}(1)": first_sentence(verb) for name, verb in verbs.items()}
    )
    yield from section("SH", "EXIT STATUS", EXIT_STATUS)
    yield from section("SH", "ENVIRONMENT", ENVIRONMENT)


def page(command: Any, name: str, above: Any) -> Iterator[str]:
    """The page of a verb, with those within it as sections."""
    whole = f"drivecast {name}"
    yield from heading(f"drivecast-{name}", command)
    for itself, context, path in walked(command, whole, above):
        is_group = hasattr(itself, "commands")
        pieces = ["VERB [OPTION]... [ARGUMENT]..."] if is_group else itself.collect_usage_pieces(context)
        yield ".SH SYNOPSIS" if path == whole else f".SH {escaped(path.removeprefix('drivecast ').upper())}"
        yield from (f".B {escaped(path)}", escaped(" ".join(pieces)))
        yield ".SH DESCRIPTION" if path == whole else ".PP"
        yield from paragraphs(itself.help or "")
        for title, rows in ({} if is_group else itself.sections(context)).items():
            yield from section("SS", title, dict(rows))
    yield from (".SH SEE ALSO", ".BR drivecast (1)")


def heading(name: str, command: Any) -> Iterator[str]:
    """What a page begins with."""
    yield f'.TH "{escaped(name.upper())}" 1 "" Drivecast "Drivecast manual"'
    yield ".SH NAME"
    yield rf"{escaped(name)} \- {escaped(first_sentence(command).rstrip('.'))}"


def section(macro: str, title: str, terms: Mapping[str, str]) -> Iterator[str]:
    """Terms and what they mean."""
    yield f".{macro} {title}"
    for term, meaning in terms.items():
        yield from (".TP", f".B {escaped(term)}", text_lines(meaning))


def paragraphs(text: str) -> Iterator[str]:
    """The text of a help, its examples as lines that are not filled."""
    for number, paragraph in enumerate(re.sub(r"(?<!\n)\n(?!\n)", " ", text).split("\n\n")):
        if number:
            yield ".PP"
        if (example := EXAMPLE.match(paragraph)) is None:
            yield text_lines(paragraph)
        else:
            of = f" ({escaped(example['of'])})" if example["of"] else ""
            yield from (f"Example{of}:", ".PP")
            yield from (".RS 4", ".EX", escaped(example["command"]), ".EE", ".RE")
            if example["rest"].strip():
                yield from (".PP", text_lines(example["rest"].strip()))


def text_lines(text: str) -> str:
    """Text in lines of 80 signs at most, none of which begins like a request to roff."""
    lines = textwrap.wrap(text, 72, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"\\&{line}" if line.startswith(".") else line for line in map(escaped, lines))


def escaped(text: str) -> str:
    """Text as roff prints it: what is in backquotes is bold, and every hyphen can be searched for and copied."""
    plain = re.sub(r"[-'^~`]", lambda sign: SIGNS[sign[0]], text.replace("\\", r"\e"))
    plain = re.sub(r"\\\(ga(.*?)\\\(ga", r"\\fB\1\\fR", plain)
    return re.sub(r"[^\x00-\x7f]", lambda sign: f"\\[u{ord(sign[0]):04X}]", plain)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=PLACE, metavar="FOLDER")
    folder = parser.parse_args().folder
    for place, content in files().items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
