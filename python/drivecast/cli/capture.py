"""`drivecast capture`: record a live workload on Linux."""

import time
from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, note, progress, writable


def capture(
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="A block device: sda, /dev/nvme0n1, 8:0.")],
    seconds: Annotated[float, typer.Option(min=0, help="How long to record; 0 records until Ctrl-C.")] = 60.0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The Parquet file to write (default: DEVICE-TIME.parquet)."),
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Record every request too, with the kernel's block tracer (root).")
    ] = False,
    interval: Annotated[float, typer.Option(min=0.01, help="Seconds between two counter samples.")] = 1.0,
    pid: Annotated[
        int | None, typer.Option(min=1, help="Only requests of this process and its children (with --trace).")
    ] = None,
    cgroup: Annotated[str | None, typer.Option(help="Only requests of this control group.")] = None,
    buffer: Annotated[
        int, typer.Option(min=64, max=1 << 20, help="The tracer's buffer, in KiB for each CPU.")
    ] = 8192,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")
    ] = False,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Record a live workload: counters of a disk, and with `--trace` every request.

    The counters come from /proc/diskstats. Ctrl-C ends the recording early; what was recorded is written.

    Example: `drivecast capture nvme0n1 --seconds 600 --trace -o db.parquet`
    """
    from drivecast import capture as recorder
    from drivecast.capture import scope, tracefs
    from drivecast.errors import HintedError, InputError
    from drivecast.present import recording

    if pid is not None and cgroup is not None:
        raise InputError("`--pid` and `--cgroup` exclude each other")
    if pid is not None and not trace:
        raise HintedError(
            "`--pid` needs `--trace`: the kernel keeps no counters of a process and a disk",
            "`--cgroup` has counters, where the service runs in a control group",
        )
    disk = recorder.find(device)
    whose = scope.process(pid) if pid is not None else scope.cgroup(cgroup) if cgroup is not None else None
    path = out or Path(f"{disk.name}-{time.strftime('%Y%m%dT%H%M%S')}.parquet")
    plan = recorder.Plan(disk, seconds, interval, path, trace=trace, scope=whose, buffer_kib=buffer)
    for file in (path, plan.counters_out):
        writable(file)
    if trace:
        tracefs.root()
    if dry_run:
        for step in plan.steps():
            typer.echo(step)
        return
    with progress(f"recording {disk.name}", quiet=quiet) as report:
        found = recorder.record(plan, report)
    for text in found.notes:
        note(text, quiet=quiet)
    emit(found, output_format, text=lambda: recording.text(found))
