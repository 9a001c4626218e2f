"""`drivecast convert`: any supported log or trace to Parquet."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli.verb import (
    EXIT_WRONG,
    Format,
    OutputFormat,
    Quiet,
    fail,
    flat,
    note,
    print_csv,
    print_json,
    progress,
    writable,
)
from drivecast.errors import InputError


class Event(StrEnum):
    """Which event of a block trace makes a row."""

    QUEUE = "Q"
    ISSUE = "D"


def log(text: str) -> Path:
    """A path as it stands; a URL fetched, because a path would lose one of its slashes."""
    from drivecast import trace

    if not trace.is_url(text):
        return Path(text)
    try:
        files = trace.fetch(text)
    except InputError as error:
        fail(str(error), EXIT_WRONG)
    return files[0] if len(files) == 1 else files[0].parent


Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="LOG...",
        parser=log,
        help="Trace or counter log: a file, the prefix of a per-CPU set, a directory, `-`, or a URL (s3://…).",
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
    str | None,
    typer.Option(
        help="The disk of a log that holds several: a name in counters (default: the busiest), a number in traces"
        " (8:16 of block events; else all)."
    ),
]
Interval = Annotated[
    float | None,
    typer.Option("--interval", help="Seconds between the samples, or requests, of a log without times."),
]
FormatName = Annotated[
    str | None,
    typer.Option("--format", help="The text format, where the content leaves a doubt: `mqsim`, `fio-lat`, …"),
]
Mapping = Annotated[
    str | None,
    typer.Option(
        "--csv",
        help="What the columns of a table are: `time=ts:us,op=type:R/W,offset=lba:512,size=len:1`. See the examples.",
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Refuse a log that lacks something or has lines that cannot be read.")
]


def convert(
    logs: Paths,
    out: Annotated[Path, typer.Option("--out", "-o", help="The Parquet file to write.")],
    event: EventOption = None,
    disk: Disk = None,
    interval: Interval = None,
    format_name: FormatName = None,
    csv: Mapping = None,
    strict: Strict = False,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Convert any log or trace to Parquet, and say what it holds.

    The format is found by content, also behind gzip, xz, zstd, lz4 and bzip2: blktrace and blkparse, ftrace, biosnoop,
    OCTF, VSCSI, CloudPhysics, MSR Cambridge, SPC, SYSTOR '17, Alibaba, Tencent, fio's logs, MQSim, DiskSim, ARC, iostat
    JSON, our Parquet and CSV. What was found, with units and codes, is said.

    Any other table needs a mapping, `--csv role=column:coding,…`. Roles: time or end, latency, offset, size, op,
    stream, keep (rows with this value), sep. A column is a name of the header or a number from 1. Times are in ns,
    100ns, us, ms or s; offsets and sizes in so many bytes; op names reads and writes.

    Example: `drivecast convert trace.blktrace -o trace.parquet`

    Example: `drivecast convert t.csv --csv 'time=ts:us,op=type:R/W,offset=lba:512,size=len:1' -o t.parquet`

    Example: `drivecast convert t.txt --csv 'sep=space,time=1:s,op=3:0|read/1|write,offset=4,size=5' -o t.parquet`

    Example: `zstdcat hm_0.csv.zst | drivecast convert - -o hm_0.parquet`
    """
    from drivecast import trace

    writable(out)
    reading = trace.Reading(format=format_name, csv=csv, strict=strict)
    with progress("reading", quiet=quiet) as report:
        summary = trace.convert(
            logs, out, event=event, disk=disk, interval_s=interval, reading=reading, progress=report
        )
    if summary.get("coding"):
        note(f"read as {summary['format']}: {summary['coding']}", quiet=quiet)
    for text in summary["notes"]:
        note(text, quiet=quiet)
    match output_format:
        case OutputFormat.JSON:
            print_json(summary)
        case OutputFormat.CSV:
            print_csv([flat(summary)])
        case OutputFormat.TEXT:
            typer.echo(f"{out}: {summary['rows']:,} rows from {summary['format']}")
