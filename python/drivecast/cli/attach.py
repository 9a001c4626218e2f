"""`drivecast attach`: a design as a disk that programs use, in wall-clock time."""

import contextlib
import os
import select
import signal
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from drivecast.cli import complete
from drivecast.cli.group import takes
from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    Out,
    OutputFormat,
    Quiet,
    Seed,
    emit,
    ended_in_order,
    interruptible,
    note,
    writable,
)

if TYPE_CHECKING:
    from drivecast.attach.attached import Disk
    from drivecast.attach.timetable import Timetable
    from drivecast.cli.attach_view import View
    from drivecast.document.outcome import Outcome

State = Literal["steady", "fresh"]
TICK_S = 0.2


class Kept(StrEnum):
    """Where the data are."""

    MEMORY = "memory"
    FILE = "file"
    DISCARD = "discard"


@dataclass(frozen=True)
class Front:
    """The front end: how programs reach the disk."""

    nbd: Annotated[
        Path | None,
        typer.Option(
            metavar="SOCKET",
            help="Serve NBD on this Unix socket, such as /tmp/x.sock (default: one in a private directory).",
        ),
    ] = None
    vhost_user: Annotated[
        Path | None,
        typer.Option(
            metavar="SOCKET",
            help="Serve a virtual machine: vhost-user-blk on this socket, such as /tmp/vm.sock.",
        ),
    ] = None
    mount: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Mount a file system on it here, such as /mnt/try (root; FUSE, loop device)."
        ),
    ] = None
    device: Annotated[
        bool, typer.Option("--device", help="Attach it as a block device (root; FUSE, loop device).")
    ] = False
    fs: Annotated[
        str | None, typer.Option(help="File system for `--mount`: ext4 (default) or xfs.", show_default=False)
    ] = None


@dataclass(frozen=True)
class Storage:
    """How large it is, where its data are, and what its flash holds at the start."""

    size: Annotated[
        str | None,
        typer.Option(help="Size of the disk, such as 64GB (default: the usable capacity of the design)."),
    ] = None
    data: Annotated[
        Kept,
        typer.Option(help="Hold data in memory or in a sparse file, or discard them (reads return zeros)."),
    ] = Kept.MEMORY
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="New file for `--data file`, such as disk.img; not removed (default: a temporary one).",
        ),
    ] = None
    again: Annotated[
        bool,
        typer.Option(
            "--again", help="Attach the `--file` of an earlier run again, with its data and file system."
        ),
    ] = False
    sync: Annotated[
        bool,
        typer.Option(
            "--sync", help="A flush or forced write is flushed to the real storage under `--file`, too."
        ),
    ] = False
    state: Annotated[
        State, typer.Option(help="Flash starts in the steady state of random writes, or erased.")
    ] = "steady"
    fill: Annotated[
        float,
        typer.Option(
            min=0.0, max=1.0, help="Share of the capacity that holds data at the start, such as 0.8."
        ),
    ] = 1.0
    speed: Annotated[
        float,
        typer.Option(
            min=1e-6,
            help="Design time over real time: at 0.1 the design runs ten times slower, and a slow machine keeps up.",
        ),
    ] = 1.0


@dataclass(frozen=True)
class Harm:
    """What is done to it while it is used."""

    fail: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEMBER@TIME", help="Fail a drive, numbered from 0, at a time: 3@60s. Repeatable."
        ),
    ] = None
    rebuild: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RATE@TIME",
            help="Rebuild failed drives at a rate, from a time on: 200MB/s@90s. Repeatable.",
        ),
    ] = None
    slow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEMBER@TIME:FACTOR",
            help="Slow a drive down by a factor, from a time on: 2@30s:10. Repeatable.",
        ),
    ] = None
    error: Annotated[
        str | None, typer.Option(metavar="RATE", help="Fail this share of requests with EIO, such as 0.01%.")
    ] = None
    cut: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Cut the power at a time, such as 60s: unflushed writes are lost, and all I/O fails.",
        ),
    ] = None

    def timetable(self) -> "Timetable":
        """What is to be done; raises `InputError` for what is not understood."""
        from drivecast.attach.timetable import timetable

        return timetable(self.fail or (), self.rebuild or (), self.slow or (), self.cut)

    def error_rate(self) -> float:
        """The share of requests; raises `InputError` for what is none."""
        from drivecast.attach.timetable import error_rate
        from drivecast.quantity import parse as quantity

        return quantity.option("--error", error_rate, self.error) or 0.0


@takes(front=Front, storage=Storage, harm=Harm)
def attach(
    design: Annotated[
        str,
        typer.Argument(help="Such as `raid10(8 * intel-x25-e-32gb)`.", autocompletion=complete.designs),
    ],
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND", help="Command to run on it; its exit code is passed on.", show_default=False
        ),
    ] = None,
    *,
    front: Front,
    storage: Storage,
    harm: Harm,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Record all requests as a Parquet trace, such as asked.parquet, for `simulate` and `plan`.",
        ),
    ] = None,
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    out: Out = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Attach a design as a disk that responds as the design would, for an application to run on.

    The command finds DRIVECAST_NBD, DRIVECAST_VHOST_USER, DRIVECAST_DEVICE and DRIVECAST_MOUNT in its environment; the
    disk is removed when it ends. Without a command the disk stays until Ctrl-C. The report says whether the design was
    served on time.

    Example: `drivecast attach 'raid10(8 * intel-x25-e-32gb)' --mount /mnt/try -o try.json -- ./benchmark.sh /mnt/try`

    Example: `drivecast attach samsung-pm9a3-1.92tb -- sh -c 'fio --ioengine=nbd --uri="$DRIVECAST_NBD" job.fio'`
    """
    from drivecast.attach.attach_options import AttachOptions
    from drivecast.attach.attached import attached
    from drivecast.attach.timetable import unsurvived
    from drivecast.catalog import load
    from drivecast.cli.attach_view import view
    from drivecast.quantity import parse as quantity

    for file in (out, trace):
        writable(file)
    setting = AttachOptions(
        design,
        load(catalog or []),
        size_bytes=quantity.option("--size", quantity.size_bytes, storage.size),
        data=storage.data.value,
        file=storage.file,
        again=storage.again,
        sync=storage.sync,
        state=storage.state,
        fill=storage.fill,
        speed=storage.speed,
        seed=seed,
        trace=trace,
        timetable=harm.timetable(),
        error_rate=harm.error_rate(),
        **vars(front),
    )
    lost = unsurvived(setting.timetable, setting.checked())
    if lost:
        note(lost, quiet=quiet)
    ended_in_order()
    with (
        view(setting, quiet=quiet) as shown,
        attached(setting, on_snapshot=shown.second, on_event=shown.event, wait=interruptible) as disk,
    ):
        disk.exit_code = _ran(command or [], disk, shown, output_format)
    report(disk.outcome, output_format, out, beside_command=bool(command))
    if disk.exit_code:
        raise typer.Exit(disk.exit_code)


def _ran(command: list[str], disk: "Disk", shown: "View", output_format: OutputFormat) -> int | None:
    """Run a command on the disk; its exit code. Without one, wait until Ctrl-C."""
    if not command:
        with contextlib.suppress(KeyboardInterrupt):
            shown.ready(disk)
            while True:
                time.sleep(1.0)
                disk.must_be_guarded()
        return None
    from drivecast.supervisor import supervised

    stdout, stderr = shown.outputs(data_apart=output_format is not OutputFormat.TEXT)
    process = None
    try:
        with supervised(
            command,
            stop=signal.SIGINT,
            env=disk.environment(),
            stdin=None,
            stdout=stdout,
            stderr=stderr,
            group=disk.group,
        ) as process:
            shown.pass_on(process)
            _ended(process.pid, disk)
    except KeyboardInterrupt:
        if process is None:
            raise
    code = process.returncode
    return 128 - code if code and code < 0 else code  # its supervisor was killed, and the command with it


def _ended(process: int, disk: "Disk") -> None:
    """Wait for a child, looking up now and then: once polars is imported, a signal no longer ends a wait.

    Raises `HintedError` where the disk has lost what takes it down.
    """
    handle = os.pidfd_open(process)
    try:
        while not select.select([handle], [], [], TICK_S)[0]:
            disk.must_be_guarded()
    finally:
        os.close(handle)


def report(
    outcome: "Outcome", output_format: OutputFormat, out: Path | None, *, beside_command: bool
) -> None:
    """Print the outcome; as text next to a command on standard error, for standard output is the command's."""
    from drivecast.present import attached_text

    emit(
        outcome,
        output_format,
        text=lambda: attached_text.run(outcome),
        out=out,
        text_to=sys.stderr if beside_command else None,
    )
