"""Where a result goes: its file after every point, its page at the end, partial or not, and the terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from drivecast.cli.bench.show import shown
from drivecast.cli.verb import OutputFormat, note, progress, writable
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.bench.progress import Progress
    from drivecast.document.result import Result


class Output:
    """The files of a result; raises `InputError` at once where they cannot be written."""

    def __init__(
        self, out: Path | None, report: Path | None, output_format: OutputFormat, *, quiet: bool
    ) -> None:
        writable(out)
        writable(report)
        if out is not None and report is not None and out.absolute() == report.absolute():
            raise InputError(
                f"`{out}` cannot hold both the result and its page\nhint: `-o FILE.json --report FILE.html`"
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
