"""The options that say how a log is read: the same for every verb that takes one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from drivecast.cli import complete
from drivecast.cli.group import takes

if TYPE_CHECKING:
    from drivecast.stage.trace import Reading

Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="LOG...",
        help="Trace or counter log: a file, the prefix of a per-CPU set, a directory, `-`, or a URL"
        " (s3://…, prometheus+http://…).",
    ),
]


Loads = Annotated[
    list[Path],
    typer.Argument(
        metavar="LOG...",
        help="Trace or counter log: a file, the prefix of a per-CPU set, a directory, `-`, or a URL"
        " (s3://…, prometheus+http://…); or a workload model: a file, or a name of `model list`.",
        autocompletion=complete.models,
    ),
]


def reading(
    *,
    event: Annotated[
        Literal["Q", "D"] | None,
        typer.Option(
            "--event",
            help="blktrace: rows and latencies from the block layer (Q, to completion) or the drive (D, default).",
        ),
    ] = None,
    disk: Annotated[
        str | None,
        typer.Option(
            help="The disk of a log that holds several: a name in counters (default: the busiest), or several to add up"
            " (sdb,sdc); a number in traces (8:16 of block events; else all)."
        ),
    ] = None,
    interval_s: Annotated[
        float | None,
        typer.Option("--interval", help="Seconds between the samples, or requests, of a log without times."),
    ] = None,
    skip_first: Annotated[
        bool,
        typer.Option(
            "--skip-first", help="Leave out iostat's first report, the average since boot without `-y`."
        ),
    ] = False,
    format: Annotated[  # noqa: A002 (named as in `Reading`)
        str | None,
        typer.Option(
            "--format", help="The text format, where the content leaves a doubt: `mqsim`, `fio-lat`, …"
        ),
    ] = None,
    csv: Annotated[
        str | None,
        typer.Option(
            "--csv",
            help="What the columns of a table are: `time=ts:us,op=type:R/W,offset=lba:512,size=len:1`; see `convert`.",
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Refuse a log that lacks something or has lines that cannot be read."),
    ] = False,
) -> "Reading":
    """How a log is to be read: the options have the names of its fields."""
    from drivecast.stage.trace import Reading

    return Reading(
        event=event,
        disk=disk,
        interval_s=interval_s,
        skip_first=skip_first,
        format=format,
        csv=csv,
        strict=strict,
    )


takes_log = takes(reading=reading)
"""The verb, with these options on the command line in place of its parameter `reading`."""
