"""What is seen while a design is attached: a screen on a terminal, a line now and then elsewhere.

On a terminal the screen is drawn anew each second at the bottom, and what the command prints there appears above it:
its output comes through us, so a program that needs the terminal itself (a shell, a menu) is run with `--quiet`.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from drivecast.cli import colour, verbose

if TYPE_CHECKING:
    from rich.live import Live

    from drivecast.attach.attach_options import AttachOptions
    from drivecast.attach.attached import Disk
    from drivecast.document.attached import Event, Snapshot

LINE_S = 10.0
"""Between two lines, where there is no terminal."""


class View:
    """Lines on standard error; the base of the screen, and silent with `--quiet`."""

    def __init__(self, setting: "AttachOptions", *, quiet: bool) -> None:
        self._setting, self._quiet = setting, quiet
        self._said_s = 0.0

    def ready(self, disk: "Disk") -> None:
        """Say how to reach the disk."""
        from drivecast.present import attached_text

        device, mount = (str(path) if path else None for path in (disk.device, disk.mount))
        for text in attached_text.connect(disk.uri, device, mount, disk.vhost_user):
            if not self._quiet:
                self._say(text)

    def second(self, found: "Snapshot") -> None:
        """Show the last second."""
        from drivecast.present import attached_text

        if not self._quiet and found.at_s - self._said_s >= LINE_S:
            self._said_s = found.at_s
            self._say(attached_text.line(found))

    def event(self, found: "Event") -> None:
        """Show what was done to the disk."""
        from drivecast.present import attached_text

        if not self._quiet:
            self._say(attached_text.event(found))

    def outputs(self, *, data_apart: bool) -> tuple[int | None, int | None]:
        """Where the command's standard output and error go; `data_apart` where standard output is for our document."""
        return (sys.stderr.fileno() if data_apart else None), None

    def pass_on(self, process: "subprocess.Popen[bytes]") -> None:
        """Pass on what the command prints, where that comes to us."""

    def _say(self, text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


class Screen(View):
    """The screen."""

    def __init__(self, setting: "AttachOptions", live: "Live") -> None:
        super().__init__(setting, quiet=False)
        self._live = live
        self._threads: list[threading.Thread] = []

    def second(self, found: "Snapshot") -> None:
        """Draw the screen anew."""
        from drivecast.present import attached_text

        self._live.update(attached_text.screen(self._setting.design, found), refresh=True)

    def outputs(self, *, data_apart: bool) -> tuple[int | None, int | None]:
        """What would go to the terminal comes to us."""
        ours = data_apart or sys.stdout.isatty()
        return (subprocess.PIPE if ours else None), subprocess.PIPE

    def pass_on(self, process: "subprocess.Popen[bytes]") -> None:
        """Print what the command prints above the screen."""
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                thread = threading.Thread(target=self._pass, args=(stream,), daemon=True)
                thread.start()
                self._threads.append(thread)

    def flushed(self) -> None:
        """Wait for the last of it."""
        for thread in self._threads:
            thread.join(timeout=1.0)

    def _pass(self, stream: IO[Any]) -> None:
        for line in stream:
            self._say(line.decode(errors="replace").rstrip("\r\n"))

    def _say(self, text: str) -> None:
        from rich.text import Text

        self._live.console.print(Text.from_ansi(text), soft_wrap=True)


@contextmanager
def view(setting: "AttachOptions", *, quiet: bool) -> Iterator[View]:
    """The screen on a terminal, lines elsewhere and with `-v`; it is gone afterwards."""
    if quiet or verbose.on() or not sys.stderr.isatty():
        yield View(setting, quiet=quiet)
        return
    from rich.live import Live

    console = colour.console(sys.stderr)
    with Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False) as live:
        shown = Screen(setting, live)
        live.update(f"bringing {setting.design} to its state", refresh=True)
        try:
            yield shown
        finally:
            shown.flushed()
