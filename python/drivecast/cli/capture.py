"""`drivecast capture`: record a live workload on Linux."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from drivecast.cli.verb import (
    Format,
    OutputFormat,
    Quiet,
    flat,
    note,
    print_csv,
    print_json,
    progress,
    writable,
)


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

    check_scope(pid, cgroup, trace=trace)
    found = recorder.find(device)
    whose = scope.process(pid) if pid is not None else scope.cgroup(cgroup) if cgroup is not None else None
    path = out or Path(f"{found.name}-{time.strftime('%Y%m%dT%H%M%S')}.parquet")
    plan = recorder.Plan(found, seconds, interval, path, trace=trace, scope=whose, buffer_kib=buffer)
    for file in (path, plan.counters_out):
        writable(file)
    if trace:
        tracefs.root()
    if dry_run:
        for step in plan.steps():
            typer.echo(step)
        return
    with progress(f"recording {found.name}", quiet=quiet) as report:
        result = recorder.record(plan, report)
    show(result, output_format, quiet=quiet)


def check_scope(pid: int | None, cgroup: str | None, *, trace: bool) -> None:
    """Raise `InputError` for a scope that the kernel does not offer."""
    from drivecast.errors import InputError

    if pid is not None and cgroup is not None:
        raise InputError("`--pid` and `--cgroup` exclude each other")
    if pid is not None and not trace:
        raise InputError(
            "`--pid` needs `--trace`: the kernel keeps no counters of a process and a disk\n"
            "hint: `--cgroup` has counters, where the service runs in a control group"
        )


def show(result: dict[str, Any], output_format: OutputFormat, *, quiet: bool) -> None:
    """Print what was recorded."""
    for text in result["notes"]:
        note(text, quiet=quiet)
    match output_format:
        case OutputFormat.JSON:
            print_json(result)
        case OutputFormat.CSV:
            print_csv([flat(result)])
        case OutputFormat.TEXT:
            typer.echo("\n".join(summary(result)))


def summary(result: dict[str, Any]) -> list[str]:
    """Return a recording in lines: what was seen, what it cost, where it lies."""
    from drivecast.quantity import number

    counters, events = result["counters"], result.get("trace")
    ended = " (interrupted)" if result["interrupted"] else ""
    lines = [
        f"{result['device']}  {number.duration(result['seconds'])}{ended}",
        f"counters       {counters['reads']:,} reads, {counters['writes']:,} writes: "
        f"{number.iops(counters['iops_mean'])} IOPS, {number.throughput(counters['throughput_mean_bytes_per_s'])}, "
        f"{number.percent(counters['read_fraction'])} reads, "
        f"{number.binary_size(counters['block_size_mean_bytes'])}, "
        f"depth {number.significant(counters['queue_depth_mean'], 2)}",
    ]
    if events is not None:
        lost = f"{events['lost']:,} events lost" if events["lost"] else "none lost"
        lines.append(f"trace          {events['rows']:,} requests, {lost}")
    share = number.percent(result["cpu_fraction"])
    kernel = "; the kernel's part in each request comes on top" if events is not None else ""
    lines.append(f"overhead       {result['cpu_s']:.2f} s of CPU for the recording, {share} of one{kernel}")
    paths = [counters["path"], *([events["path"]] if events and events["path"] else [])]
    lines.append(f"written        {', '.join(paths)}")
    return lines
