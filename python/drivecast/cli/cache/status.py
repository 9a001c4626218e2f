"""`drivecast cache status`: what the counters of a running cache mean."""

from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.verb import CatalogPaths, Format, Out, OutputFormat, Quiet, emit

Drive = Annotated[
    str | None,
    typer.Option(
        "--drive",
        help="The cache drive, by its name in the catalog: its life.",
        autocompletion=complete.drives,
    ),
]


def status(
    file: Annotated[
        Path,
        typer.Argument(
            help="Statistics of a cache (`-`: standard input), or the folder `/sys/fs/bcache/UUID`, or a copy."
        ),
    ],
    later: Annotated[
        Path | None, typer.Argument(help="A later sample of the same cache: figures are of the time between.")
    ] = None,
    cache: Annotated[
        str | None, typer.Option("--cache", help="Which cache, where the file holds several.")
    ] = None,
    between: Annotated[
        str | None,
        typer.Option(
            "--seconds-between",
            help="Time between the samples, such as 300 or 5min (default: by their own clock, the times in their "
            "files' names, or when the files were written).",
        ),
    ] = None,
    uptime: Annotated[
        str | None,
        typer.Option("--uptime", help="How long the counters of a single sample have run, such as 12d."),
    ] = None,
    drive: Drive = None,
    backing: Annotated[
        str | None,
        typer.Option(
            "--backing-rate",
            help="What the disks take of such writes, such as 40MB/s: the time to drain at that rate.",
        ),
    ] = None,
    host_written: Annotated[
        str | None,
        typer.Option(
            "--host-written",
            help="Bytes that the host wrote in the period (iostat): dm-cache and bcache do not count them.",
        ),
    ] = None,
    catalog: CatalogPaths = None,
    out: Out = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Explain a cache that runs: hits, dirty data and the time to drain it, wear of its drive, what limits it.

    FlashCache, dm-cache, dm-writecache: `(dmsetup table NAME; dmsetup status NAME) > now.txt`

    bcache: give `/sys/fs/bcache/UUID`, or `grep -R . /sys/fs/bcache/UUID/ > now.txt`

    OpenCAS: `casadm -P -i 1 -o csv > now.csv` (or its tables, without `-o csv`)

    ZFS, ARC and L2ARC: `cat /proc/spl/kstat/zfs/arcstats > now.txt`

    CacheLib Navy: the output of cachebench with `"printNvmCounters": true`, or a JSON object of its counters

    Example: `drivecast cache status now.txt --uptime 12d --drive samsung-pm9a3-960gb`

    Example: `drivecast cache status 10:00.txt 11:00.txt --seconds-between 1h --backing-rate 40MB/s`
    """
    from drivecast.caching import explained, period_of, source_file
    from drivecast.catalog import load
    from drivecast.present import cache_status
    from drivecast.quantity import parse as quantity

    given = period_of.Given(
        quantity.option("--seconds-between", quantity.seconds, between),
        quantity.option("--uptime", quantity.seconds, uptime),
        quantity.option("--host-written", quantity.size_bytes, host_written),
    )
    known = explained.Known(
        drive=None if drive is None else load(catalog or []).get(drive),
        backing_bytes_per_s=quantity.option("--backing-rate", quantity.bytes_per_s, backing),
    )
    first = source_file.read(file, cache)
    period = (
        period_of.of_one(first, given)
        if later is None
        else period_of.of_two(first, source_file.read(later, cache), given)
    )
    result = explained.explain(period, known)
    emit(result, output_format, text=lambda: cache_status.lines(result), out=out)
