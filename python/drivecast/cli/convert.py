"""`drivecast convert`: any supported log or trace to Parquet."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.log import Paths, takes_log
from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, note, progress, writable

if TYPE_CHECKING:
    from drivecast.stage.trace import Reading


@takes_log
def convert(
    logs: Paths,
    out: Annotated[Path, typer.Option("--out", "-o", help="The Parquet file to write.")],
    reading: "Reading",
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Convert any log or trace to Parquet, and say what it holds.

    The format is found by content, also behind gzip, xz, zstd, lz4 and bzip2: blktrace and blkparse, ftrace, biosnoop,
    OCTF, VSCSI, CloudPhysics, MSR Cambridge, SPC, SYSTOR '17, Alibaba, Tencent, fio's logs, MQSim, DiskSim, ARC, our
    Parquet; counters of iostat, sar, Perfmon, esxtop, /proc/diskstats, Prometheus and CloudWatch. What was found, with
    units and codes, is said.

    Any other table needs a mapping, `--csv role=column:coding,…`. Roles: time or end, latency, offset, size, op,
    stream, keep (rows with this value), sep. A column is a name of the header or a number from 1. Times are in ns,
    100ns, us, ms or s; offsets and sizes in so many bytes; op names reads and writes.

    Example: `drivecast convert trace.blktrace -o trace.parquet`

    Example: `drivecast convert t.csv --csv 'time=ts:us,op=type:R/W,offset=lba:512,size=len:1' -o t.parquet`

    Example: `drivecast convert t.txt --csv 'sep=space,time=1:s,op=3:0|read/1|write,offset=4,size=5' -o t.parquet`

    Example: `zstdcat hm_0.csv.zst | drivecast convert - -o hm_0.parquet`
    """
    from drivecast.stage import trace

    writable(out)
    with progress("reading", quiet=quiet) as report:
        summary = trace.convert(logs, out, reading, report)
    if coding := getattr(summary, "coding", None):
        note(f"read as {summary.format}: {coding}", quiet=quiet)
    for text in summary.notes:
        note(text, quiet=quiet)
    emit(summary, output_format, text=lambda: f"{out}: {summary.rows:,} rows from {summary.format}")
