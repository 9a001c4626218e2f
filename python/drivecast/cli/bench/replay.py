"""`drivecast bench replay`: a trace, a model or a line at its own times."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.log import takes_log
from drivecast.cli.verb import (
    Format,
    OutputFormat,
    Quiet,
    Seed,
    flat,
    interruptible,
    print_csv,
    print_json,
    progress,
    writable,
)

if TYPE_CHECKING:
    from drivecast.trace import Reading


@takes_log
def replay(
    workload: Annotated[
        str, typer.Argument(help="A trace, a model, or a line such as `random(4KiB, rate=20000iops)`.")
    ],
    on: Annotated[
        str,
        typer.Option(
            "--on",
            help="Where to play: a directory (a file is made in it and removed), a file, or a block device.",
        ),
    ],
    speedup: Annotated[float, typer.Option(min=1e-6, help="Play a trace this many times as fast.")] = 1.0,
    iodepth: Annotated[
        int | None,
        typer.Option(min=1, max=65536, help="As fast as possible at this depth, instead of at its times."),
    ] = None,
    start: Annotated[float, typer.Option(min=0, help="Begin this many seconds into the trace.")] = 0.0,
    length: Annotated[
        float | None, typer.Option(min=0.001, help="Take this many seconds of the trace.")
    ] = None,
    duration: Annotated[float | None, typer.Option(min=0.001, help="Stop after this many seconds.")] = None,
    requests: Annotated[int | None, typer.Option(min=1, help="Stop after this many requests.")] = None,
    size: Annotated[
        str | None,
        typer.Option(help="Size of the file that is made, such as 8GiB (default: what the trace reaches)."),
    ] = None,
    wrap: Annotated[
        bool, typer.Option("--wrap", help="Move requests behind the end of the target into it.")
    ] = False,
    destroy: Annotated[
        str | None,
        typer.Option(help="The target's full name again, where all it holds may be overwritten."),
    ] = None,
    *,
    reading: "Reading",
    seed: Seed = 0,
    quiet: Quiet = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Also write the JSON here.")] = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Play a trace, a model or a line on a real target, each request at its own time.

    Deadlines are absolute, requests bypass the page cache, and how late they were issued is told. The outcome has the
    shape of a simulated one.

    Example: `drivecast bench replay mysql.blktrace --on /mnt/candidate --wrap --size 8GiB`
    """
    import json

    from drivecast import quantity
    from drivecast.bench import replay as stage
    from drivecast.bench.target import opened
    from drivecast.files import write_whole
    from drivecast.report import outcome as page
    from drivecast.simulate import workload as open_workload

    writable(out)
    bytes_made = quantity.option("--size", quantity.size_bytes, size)
    load = open_workload(workload, reading=reading, seed=seed)
    options = stage.Options(
        seed=seed,
        start_s=start,
        length_s=length,
        duration_s=duration,
        requests=requests,
        speedup=speedup,
        iodepth=iodepth,
        wrap=wrap,
    )
    need = stage.need_bytes(load, bytes_made)
    with (
        progress("replay", quiet=quiet) as update,
        opened(on, need_bytes=need, writes=load.writes, destroy=destroy, update=update) as target,
    ):
        outcome = interruptible(lambda: stage.replay(load, target, options, update))
    if out is not None:
        write_whole(out, json.dumps(outcome, indent=2) + "\n")
    match output_format:
        case OutputFormat.JSON:
            print_json(outcome)
        case OutputFormat.CSV:
            print_csv([flat(outcome)])
        case OutputFormat.TEXT:
            typer.echo(page.text(outcome))
            typer.echo(page.lag_text(outcome))
