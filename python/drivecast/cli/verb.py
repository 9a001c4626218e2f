"""What every verb shares: its options, how it prints, and how it ends.

Data goes to standard output, all else (progress, notes, errors) to standard error. Exit codes: 0 done, 1 the answer
is no, 2 wrong use, bad input or interrupted.
"""

import csv
import functools
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypeVar

import typer

if TYPE_CHECKING:
    from rich.text import Text

from drivecast.errors import InputError, InvariantError, NoAnswer
from drivecast.thread import beside

P = ParamSpec("P")
T = TypeVar("T")

EXIT_NO = 1
EXIT_WRONG = 2


class OutputFormat(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


Format = Annotated[OutputFormat, typer.Option("--output-format", help="How to print the result.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of everything random: same seed, same bytes.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no notes.")]
CatalogPaths = Annotated[
    list[Path] | None,
    typer.Option("--catalog", help="A further catalog file or directory; later ones win. Repeatable."),
]


def guarded(verb: Callable[P, None]) -> Callable[P, None]:
    """The verb, with every expected failure turned into a message and an exit code."""

    @functools.wraps(verb)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            verb(*args, **kwargs)
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

    return run


def interruptible(task: Callable[[], T]) -> T:
    """The result of `task`, which Ctrl-C leaves at once: the simulator does not look up while it works.

    It must leave nothing half-written.
    """
    return beside(task)


def writable(out: Path | None) -> None:
    """Raise `InputError` where `out` cannot be written, before the work that it is to hold is done."""
    if out is None:
        return
    if out.is_dir():
        raise InputError(f"cannot write `{out}`: it is a directory")
    if not out.parent.is_dir():
        raise InputError(f"cannot write `{out}`: no such directory: `{out.parent}`")
    if not os.access(out.parent, os.W_OK):
        raise InputError(f"cannot write `{out}`: permission denied in `{out.parent}`")


def fail(message: str, code: int, label: str = "error") -> None:
    """Say why on standard error and end with `code`."""
    typer.secho(f"{label}: ", fg=typer.colors.RED, bold=True, err=True, nl=False)
    typer.echo(message, err=True)
    raise typer.Exit(code)


def note(message: str, *, quiet: bool = False) -> None:
    """Tell something beside the result, on standard error."""
    if not quiet:
        typer.echo(f"note: {message}", err=True)


def print_json(value: Any) -> None:
    """One JSON document; keys keep their order, so equal results are equal bytes."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def print_text(text: "Text", *, plain: bool) -> None:
    """Text in colours, or without for pipes and `NO_COLOR`; lines are never wrapped again."""
    from rich.console import Console

    Console(no_color=plain, highlight=False, soft_wrap=True).print(text)


def print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Rows with a header line; nested values are left out."""
    if not rows:
        return
    names = [name for name, value in rows[0].items() if not isinstance(value, dict | list)]
    writer = csv.DictWriter(sys.stdout, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def flat(value: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """A nested object as one row: `{"read": {"iops": 1}}` becomes `{"read.iops": 1}`; lists are left out."""
    row: dict[str, Any] = {}
    for name, inner in value.items():
        if isinstance(inner, dict):
            row.update(flat(inner, f"{prefix}{name}."))
        elif not isinstance(inner, list):
            row[prefix + name] = inner
    return row


@contextmanager
def progress(label: str, *, quiet: bool = False) -> Iterator[Callable[[float, str], None]]:
    """A bar on standard error that takes (share done, what is being done); silent where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield lambda _share, _what: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[what]}", style="dim"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=1.0, what="")
        yield lambda share, what: bar.update(task, completed=share, what=what)
