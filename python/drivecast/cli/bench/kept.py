"""A result as a verb of `bench` keeps and shows it: its file after every point, its page in the end, partial or not."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from drivecast.cli.bench.show import shown
from drivecast.cli.verb import OutputFormat, note, writable
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.document.result import Result


class Kept:
    """Where a result goes; raises `InputError` at once where it cannot go there."""

    def __init__(self, out: Path | None, report: Path | None, *, quiet: bool) -> None:
        writable(out)
        writable(report)
        if out is not None and report is not None and out.absolute() == report.absolute():
            raise InputError(
                f"`{out}` cannot hold both the result and its page\nhint: `-o FILE.json --report FILE.html`"
            )
        self._out, self._report, self._quiet = out, report, quiet
        self._last: Result | None = None

    def keep(self, result: "Result") -> "Result":
        """Write the result so far to its file."""
        from drivecast.document.result import write

        if self._out is not None:
            write(self._out, result)
        self._last = result
        return result

    @contextmanager
    def told(self) -> Iterator[None]:
        """Where the block ends early, write the page of what there is, and say where it is kept."""
        try:
            yield
        except BaseException:
            if self._last is not None and self._last.points:
                self._page(self._last)
                where = (
                    f"kept in `{self._out}`: the same command goes on"
                    if self._out
                    else "lost: `-o` keeps them"
                )
                note(f"{len(self._last.points)} points were measured; they are {where}", quiet=self._quiet)
            raise

    def shown(self, result: "Result", output_format: OutputFormat) -> None:
        """Print the result, and write its page."""
        self._page(result)
        shown(result, output_format, {"result": self._out, "page": self._report})

    def _page(self, result: "Result") -> None:
        from drivecast.present import result_page

        if self._report is not None:
            result_page.write(result, self._report)
