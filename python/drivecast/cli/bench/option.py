"""What the verbs of `bench` share: options, choices, and where a result goes.

It goes to its file after every point, and at the end, partial or not, to its page and the terminal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from drivecast.cli.bench.show import shown
from drivecast.cli.verb import Format, OutputFormat, Quiet, Seed, note, progress, writable
from drivecast.errors import HintedError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from drivecast.bench.progress import Progress
    from drivecast.document.result import Result

T = TypeVar("T", bound="DataclassInstance")


class Tests(StrEnum):
    """SNIA's tests."""

    IOPS = "iops"
    THROUGHPUT = "throughput"
    LATENCY = "latency"
    SATURATION = "saturation"


class Engines(StrEnum):
    """How fio submits requests to the kernel."""

    IO_URING = "io_uring"
    LIBAIO = "libaio"
    PSYNC = "psync"


On = Annotated[
    list[str],
    typer.Option(
        "--on",
        help="Target: a directory (a file is made in it and removed), a file, or a block device. Repeatable.",
    ),
]
Destroy = Annotated[
    list[str] | None,
    typer.Option(
        "--destroy", help="A target's full name again, to overwrite everything it holds. Repeatable."
    ),
]
Threads = Annotated[
    int, typer.Option("--threads", min=1, max=1024, help="Threads that each run the workload.")
]
Engine = Annotated[
    Engines | None,
    typer.Option(help="How fio submits requests to the kernel (default: io_uring).", show_default=False),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Start over, whatever `--out` holds, instead of resuming it.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Store the result here after every point; the same command resumes it."),
]
Report = Annotated[Path | None, typer.Option("--report", help="Write the result as an HTML page here, too.")]


@dataclass(frozen=True)
class Stored:
    """The seed of a result, and where it goes."""

    fresh: Fresh = False
    seed: Seed = 0
    quiet: Quiet = False
    out: Out = None
    report: Report = None
    output_format: Format = OutputFormat.TEXT

    def output(self) -> "Output":
        """The files of the result; raises `InputError` at once where they cannot be written."""
        return Output(self.out, self.report, self.output_format, quiet=self.quiet)


def chosen(kind: type[T], options: Mapping[str, Any]) -> T:
    """The options of a verb, by name, that `kind` has fields for; a choice as its plain word."""
    given = {field.name: options[field.name] for field in fields(kind)}
    return kind(**{name: value.value if isinstance(value, Enum) else value for name, value in given.items()})


class Output:
    """The files of a result; raises `InputError` at once where they cannot be written."""

    def __init__(
        self, out: Path | None, report: Path | None, output_format: OutputFormat, *, quiet: bool
    ) -> None:
        writable(out)
        writable(report)
        if out is not None and report is not None and out.absolute() == report.absolute():
            raise HintedError(
                f"`{out}` cannot hold both the result and its page", "`-o FILE.json --report FILE.html`"
            )
        self._out, self._report, self._format, self._quiet = out, report, output_format, quiet
        self._last: Result | None = None

    def store(self, result: "Result") -> None:
        """Write the result so far to its file."""
        from drivecast.document.result import write

        if self._out is not None:
            write(self._out, result)
        self._last = result

    def of(self, label: str, measure: "Callable[[Progress], Result]") -> "Result":
        """Measure below a progress bar, print the result, and write its page.

        What ends it early passes through, after the page of what there is was written and its file was named.
        """
        try:
            with progress(label, quiet=self._quiet) as update:
                result = measure(update)
        except BaseException:
            if self._last is not None and self._last.points:
                self._page(self._last)
                where = (
                    f"stored in `{self._out}`: the same command resumes"
                    if self._out
                    else "lost: `-o` stores them"
                )
                note(f"{len(self._last.points)} points were measured; they are {where}", quiet=self._quiet)
            raise
        self._page(result)
        shown(result, self._format, {"result": self._out, "page": self._report})
        return result

    def _page(self, result: "Result") -> None:
        from drivecast.present import result_page

        if self._report is not None:
            result_page.write(result, self._report)
