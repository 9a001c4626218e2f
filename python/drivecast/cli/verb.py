"""What every verb shares: its options, how it prints, and how it ends.

A verb parses its options, calls a stage, and hands the document to `emit`, the one way out. Data goes to standard
output, all else (progress, notes, errors) to standard error. Exit codes: 0 done, 1 the answer is no, 2 wrong use, bad
input or interrupted.
"""

import csv
import functools
import inspect
import json
import math
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TextIO, TypeVar

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.text import Text

    Content = BaseModel | Mapping[str, Any]
    """A document, or a part of one: its JSON is its own."""
    Lines = str | Text | Iterable[str | Text]
    Rows = Sequence[Content] | Callable[[], Sequence[Content]] | None

from drivecast import lock, optional_dependency, plain_text
from drivecast.cli import colour, help_text, indented_json, verbose
from drivecast.cli.verb_group import VerbGroup
from drivecast.errors import InputError, InvariantError, NoAnswer, refused
from drivecast.flat_row import flat
from drivecast.thread import beside
from drivecast.timing import LOG, timed

P = ParamSpec("P")
T = TypeVar("T")

INTEGER_MAX = 2**63 - 1
EXIT_NO = 1
EXIT_WRONG = 2


class OutputFormat(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


Format = Annotated[OutputFormat, typer.Option("--output-format", help="Format of standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no notes.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Write the JSON document to this file, too.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of all random numbers; equal seeds give equal bytes.")]
CatalogPaths = Annotated[
    list[Path] | None,
    typer.Option("--catalog", help="A further catalog file or directory; the last one wins. Repeatable."),
]

HEADINGS = {
    "Input": (
        "--catalog",
        "--event",
        "--disk",
        "--interval",
        "--skip-first",
        "--format",
        "--csv",
        "--strict",
    ),
    "Run": ("--seed", "--threads", "--duration", "--requests", "--fill", "--state"),
    "Output": ("--out", "--report", "--figures", "--output-format", "--quiet", "--verbose", "--help"),
}
"""Headings of `--help` for the options that verbs share; a verb's own come first."""


class VerbCommand(TyperCommand):
    """A verb whose `--help` lists options under headings: its own, then input, run and output."""

    def sections(self, ctx: Any) -> dict[str, list[tuple[str, str]]]:
        """Return what is typed and what it means, under its heading."""
        sections: dict[str, list[tuple[str, str]]] = {
            name: [] for name in ("Arguments", "Options", *HEADINGS)
        }
        shared = {option: name for name, options in HEADINGS.items() for option in options}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                own = "Arguments" if parameter.param_type_name == "argument" else "Options"
                heading = next((shared[text] for text in parameter.opts if text in shared), own)
                kind = re.sub(r"<(?:list\[)?(\w+)(?: range)?\]?>", r"<\1>", record[0])
                sections[heading].append((kind, record[1]))
        return {name: records for name, records in sections.items() if records}

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what the verb does."""
        del ctx
        if self.help:
            formatter.write(
                "\n" + "\n".join(help_text.lines(inspect.cleandoc(self.help), formatter.width)) + "\n"
            )

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections."""
        for name, records in self.sections(ctx).items():
            with formatter.section(name):
                formatter.write_dl(records)


def grouped(app: typer.Typer) -> None:
    """Make every verb of an app, and of the apps within it, guarded and a `VerbCommand`, unless it is a kind of it.

    The apps become `VerbGroup`s.
    """
    if not isinstance(app.info.cls, type):
        app.info.cls = VerbGroup
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = guarded(verbose.offered(command.callback))
        if command.cls is None or not issubclass(command.cls, VerbCommand):
            command.cls = VerbCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            grouped(group.typer_instance)


def guarded(verb: Callable[P, None]) -> Callable[P, None]:
    """The verb, with every expected failure turned into a message and an exit code."""

    @functools.wraps(verb)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        _said.clear()
        try:
            _refuse_odd_numbers(kwargs)
            verb(*args, **kwargs)
            sys.stdout.flush()
        except InputError as error:
            fail(str(error), EXIT_WRONG)
        except NoAnswer as error:
            fail(str(error), EXIT_NO, label="no")
        except InvariantError as error:
            fail(
                f"{error}\nhint: this is a fault of drivecast; the line above says how to reproduce it",
                EXIT_WRONG,
            )
        except KeyboardInterrupt:
            fail("interrupted; nothing was left half-written", EXIT_WRONG)
        except BrokenPipeError:
            sys.stderr.close()  # the reader went away (`| head`): end quietly
            raise typer.Exit(0) from None
        except ImportError as error:
            package = optional_dependency.missing(error)
            if package is None:
                raise
            fail(str(package), EXIT_WRONG)
        except (OSError, MemoryError, RecursionError) as error:
            fail(of_the_machine(error), EXIT_WRONG)
        finally:
            lock.release_all()

    return run


def _refuse_odd_numbers(options: Mapping[str, object]) -> None:
    """Raise `InputError` for a number that is none or that no counter holds: option types let them pass."""
    for name, value in options.items():
        numbers = (
            [value] if isinstance(value, int | float) else value if isinstance(value, list | tuple) else []
        )
        for number in numbers:
            odd = (
                not math.isfinite(number)
                if isinstance(number, float)
                else isinstance(number, int) and number > INTEGER_MAX
            )
            if odd:
                raise InputError(
                    f"--{name.replace('_', '-')}: expected a number below 2⁶³, found `{str(number)[:40]}`"
                )


def of_the_machine(error: OSError | MemoryError | RecursionError) -> str:
    """What the machine refused, as a message."""
    if isinstance(error, MemoryError):
        return "out of memory\nhint: give it a part of the log, or a machine with more"
    if isinstance(error, RecursionError):
        return "the input is nested too deep"
    where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
    return f"{where}{refused(error)}"


def interruptible(task: Callable[[], T]) -> T:
    """The result of `task`, which Ctrl-C leaves at once: the simulator does not look up while it works.

    It must leave nothing half-written.
    """
    return beside(task)


def ended_in_order() -> None:
    """Handle the end of the session and a plain `kill` like Ctrl-C: what was begun is taken down."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _interrupt(number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt(signal.Signals(number).name)


def folder_for(out: "Path") -> None:
    """Make a folder for what is written, where there is none. Raises `InputError` where it cannot be made."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the directory `{out}`: {refused(error)}") from None


def writable(out: Path | None) -> None:
    """Be the only run that writes `out`, until the verb has ended.

    Raises `InputError` where `out` cannot be written, or another run is going to, before the work that it is to hold is
    done.
    """
    if out is None:
        return
    from drivecast import files

    if out.is_dir():
        raise InputError(f"cannot write `{out}`: it is a directory")
    if files.is_stream(out):
        return
    if not out.parent.is_dir():
        raise InputError(f"cannot write `{out}`: no such directory: `{out.parent}`")
    if not os.access(out.parent, os.W_OK):
        raise InputError(f"cannot write `{out}`: permission denied in `{out.parent}`")
    try:
        lock.hold(out.resolve() if out.is_symlink() else out)
    except OSError as error:
        raise InputError(f"cannot write `{out}`: {refused(error)}") from None


def fail(message: str, code: int, label: str = "error") -> None:
    """Print why on standard error and end with `code`."""
    styled = colour.wanted(sys.stderr)
    typer.secho(f"{label}: ", fg=typer.colors.RED, bold=True, err=True, nl=False, color=styled)
    typer.echo(plain_text.message(message), err=True)
    raise typer.Exit(code)


MESSAGES_MAX = 50
"""Messages of a kind that a verb prints; a log may cause one per line."""
_said: Counter[str] = Counter()


def note(message: str, *, quiet: bool = False, label: str = "note") -> None:
    """Print a note on standard error; those after the fiftieth of its label are left out, and that is said."""
    if quiet:
        return
    _said[label] += 1
    if _said[label] <= MESSAGES_MAX:
        typer.echo(plain_text.message(f"{label}: {message}"), err=True)
    elif _said[label] == MESSAGES_MAX + 1:
        typer.echo(f"{label}: more of these are left out", err=True)


def emit(
    document: "Content",
    output_format: OutputFormat,
    *,
    text: "Callable[[], Lines]",
    rows: "Rows" = None,
    out: Path | None = None,
    text_to: TextIO | None = None,
) -> None:
    """Print a document in the requested format: the one way out of a verb.

    `text` makes the text (a string, a rich `Text`, or lines) and is called for that format alone; `rows` are those of
    the CSV and the lines of JSON Lines, by default the document as one; `out` is a file for the JSON, written whole or
    not at all; `text_to` is where text goes, if not to standard output.
    """
    if out is not None:
        from drivecast.files import write_whole

        write_whole(out, json_text(document) + "\n")
    match output_format:
        case OutputFormat.JSON:
            typer.echo(json_text(document))
        case OutputFormat.JSONL:
            for row in _table(document, rows):
                typer.echo(json_line(row))
        case OutputFormat.CSV:
            table = _table(document, rows)
            print_csv([flat(_plain(row)) if rows is None else _plain(row) for row in table])
        case OutputFormat.TEXT:
            print_lines(text(), text_to or sys.stdout)


def _table(document: "Content", rows: "Rows") -> "Sequence[Content]":
    return [document] if rows is None else rows() if callable(rows) else rows


def json_text(document: "Content") -> str:
    """Return a document as JSON; keys keep their order, so equal results are equal bytes."""
    return plain_text.escaped(indented_json.dumped(plain_text.document(_plain(document))))


def json_line(document: "Content") -> str:
    """Return a document as JSON on one line."""
    content = plain_text.document(_plain(document))
    return plain_text.escaped(json.dumps(content, ensure_ascii=False, allow_nan=False))


def _plain(content: "Content") -> dict[str, Any]:
    return dict(content) if isinstance(content, Mapping) else content.model_dump(mode="json", by_alias=True)


def print_lines(lines: "Lines", stream: TextIO | None = None) -> None:
    """Print text; lines are never wrapped again."""
    from rich.text import Text

    from drivecast.present import grid

    whole = Text(lines.removesuffix("\n")) if isinstance(lines, str) else lines
    whole = whole if isinstance(whole, Text) else grid.page(whole)
    whole.plain = plain_text.visible(whole.plain)
    if (redacted := plain_text.redacted(whole.plain)) != whole.plain:
        whole = Text(redacted)
    stream = stream or sys.stdout
    if not (stream.encoding or "ascii").lower().startswith("utf"):
        whole = Text(grid.to_ascii(whole.plain))
    colour.console(stream).print(whole, soft_wrap=True)


def print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Rows with a header line; nested values are left out."""
    if not rows:
        return
    names = [name for name, value in rows[0].items() if not isinstance(value, dict | list)]
    writer = csv.DictWriter(sys.stdout, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: plain_text.cell(value) for name, value in row.items()} for row in rows)


@contextmanager
def progress(label: str, *, quiet: bool = False) -> Iterator[Callable[[float, str], None]]:
    """A bar on standard error that takes (share done, what is being done); silent where nobody looks.

    With `-v` what is being done is a line each time it changes.
    """
    if verbose.on():
        with timed("%s", label):
            yield _each_line(label)
        return
    if quiet or not sys.stderr.isatty():
        yield lambda _share, _what: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[what]}", style="dim"),
    )
    with Progress(*columns, console=colour.console(sys.stderr), transient=True) as bar:
        task = bar.add_task(label, total=1.0, what="")
        yield lambda share, what: bar.update(task, completed=share, what=what)


def _each_line(label: str) -> Callable[[float, str], None]:
    """A bar as lines, one for each thing that is done."""
    last = ""

    def update(share: float, what: str) -> None:
        nonlocal last
        if what and what != last:
            LOG.info("%s: %.0f %%, %s", label, 100 * share, what)
            last = what

    return update
