"""`drivecast convert`: any supported log or trace to Parquet."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

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


class Event(StrEnum):
    """Which event of a block trace makes a row."""

    QUEUE = "Q"
    ISSUE = "D"


Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="LOG...", help="Trace or counter log: a file, the prefix of a per-CPU set, a directory."
    ),
]
EventOption = Annotated[
    Event | None,
    typer.Option(
        "--event",
        help="blktrace: rows and latencies from the block layer (Q, to completion) or from the drive (D, the default).",
    ),
]
Disk = Annotated[
    str | None, typer.Option(help="The disk of a log that holds several (default: the busiest).")
]
Interval = Annotated[
    float | None,
    typer.Option("--interval", help="Seconds between the samples of a counter log without times."),
]
SkipFirst = Annotated[
    bool,
    typer.Option(
        "--skip-first", help="Leave out iostat's first report, the average since boot without `-y`."
    ),
]


def convert(
    logs: Paths,
    out: Annotated[Path, typer.Option("--out", "-o", help="The Parquet file to write.")],
    event: EventOption = None,
    disk: Disk = None,
    interval: Interval = None,
    skip_first: SkipFirst = False,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Convert any log or trace to Parquet, and say what it holds.

    The format is found by content: blktrace (also .gz, .xz, .zst), VSCSI, MSR Cambridge CSV, our Parquet; counters of
    iostat, sar, Perfmon, esxtop, /proc/diskstats, Prometheus and CloudWatch.

    Example: `drivecast convert trace.blktrace -o trace.parquet`
    """
    from drivecast import trace

    writable(out)
    with progress("reading", quiet=quiet) as report:
        summary = trace.convert(
            logs, out, event=event, disk=disk, interval_s=interval, skip_first=skip_first, progress=report
        )
    for text in summary["notes"]:
        note(text, quiet=quiet)
    match output_format:
        case OutputFormat.JSON:
            print_json(summary)
        case OutputFormat.CSV:
            print_csv([flat(summary)])
        case OutputFormat.TEXT:
            typer.echo(f"{out}: {summary['rows']:,} rows from {summary['format']}")
